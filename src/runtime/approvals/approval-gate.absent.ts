/** Stands in for approvals, which are left out. */

export interface ApprovalSession {
  readonly isContinued?: never;
}

/** Sentence for the user who asks for approvals. */
export const approvalsProblem: string | undefined =
  "This server was generated without approvals. Generate it again with approve: destructive " +
  "(or writes, or a list of tools) in mcp-gen.yaml, or with --features approvals.";

/** All writes are sent. */
export const createApprovalGate = (..._: readonly unknown[]): undefined => undefined;
