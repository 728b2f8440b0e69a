/** Texts for agents about writes that were not approved. */
import type { PendingApproval } from "./question.js";

/** Not sent, because nobody can be asked through this client. */
export function cannotAsk(tool: string, envPrefix: string): string {
  return (
    `Not sent: ${tool} needs the user's approval, and this client cannot show the question ` +
    "(that needs elicitation with forms, over a connection that passes questions on).\n" +
    `Next: do not call ${tool} again here. Tell the user. They can do it themselves, connect a ` +
    `client that shows forms, or start the server with ${envPrefix}_APPROVALS=off.`
  );
}

/** Not sent, because the settings refuse what needs approval. */
export function refusedBySetting(tool: string, envPrefix: string): string {
  return (
    `Not sent: ${tool} needs approval, and this server refuses what needs it ` +
    `(${envPrefix}_APPROVALS=refuse).\n` +
    `Next: do not call ${tool} again. Tell the user, who can change this setting.`
  );
}

/** Not sent, because the question would come after a write of the same call. */
export function tooLateToAsk(tool: string): string {
  return (
    `Not sent: ${tool} needs the user's approval, but the call that it belongs to has already ` +
    "changed something, and would do so again.\n" +
    `Next: call ${tool} itself. The owner of the server can set approve: true for the whole tool.`
  );
}

export function changedSince({ tool }: Pick<PendingApproval, "tool">): string {
  return (
    "Not sent: the thing has changed since the user was asked, or could not be read again.\n" +
    `Next: call ${tool} again; the user is then asked about it as it is now.`
  );
}

/** A write that waits for the answer to a question about another one. */
export const WAITS = "Not sent: the call needs the user's approval first.";

export function declined(summary: string): string {
  return (
    `Not sent: the user declined. The question was: ${summary}\n` +
    "Next: do not repeat the call, and do not try another way. Ask the user what to do instead."
  );
}

export function dismissed(summary: string): string {
  return (
    `Not sent: the user closed the question without an answer. It was: ${summary}\n` +
    "Next: do not repeat the call unless the user asks for it."
  );
}

export function mistyped(summary: string): string {
  return (
    `Not sent: the user typed something else than the name. The question was: ${summary}\n` +
    "Next: ask the user whether they want it. Only then call it again."
  );
}

export function valuesDeclined(inputs: readonly string[]): string {
  return (
    `Not sent: the user was asked for ${inputs.join(", ")} and gave no value.\n` +
    "Next: do not repeat the call. Ask the user how to go on."
  );
}

export function unanswered(summary: string): string {
  return (
    `Not sent: the client did not return an answer of the user. The question was: ${summary}\n` +
    "Next: ask the user whether they want it. Only then call it again."
  );
}

/** The answer does not belong to this call, or comes a second time or too late. */
export const STALE =
  "Not sent: the answer of the user is not valid for this call. It was given for other arguments, " +
  "was used before, or is older than five minutes.\n" +
  "Next: call the tool again; the user is then asked again.";
