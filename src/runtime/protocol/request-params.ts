import type {
  ServerContext as RequestContext,
  StandardSchemaV1,
} from "@modelcontextprotocol/server";

/** Unvalidated parameters of a request. */
export type Params = Readonly<Record<string, unknown>>;

/** Schema that accepts any parameters. The handlers validate them. */
export const passThroughSchema: StandardSchemaV1<Params, Params> = {
  "~standard": {
    version: 1,
    vendor: "runtime",
    validate: (params) => ({ value: (params ?? {}) as Params }),
  },
};

/** Whether a revision is stateless: 2026-07-28 or later. */
export function isModernRevision(revision: string | undefined): revision is string {
  return revision !== undefined && revision >= "2026-07-28";
}

/**
 * Whether a request is of 2026-07-28 or later. Such requests carry the envelope that older clients
 * sent once.
 */
export function isModernRequest({ mcpReq }: RequestContext): boolean {
  return mcpReq.envelope !== undefined;
}
