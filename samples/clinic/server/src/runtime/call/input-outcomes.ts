/** Results about the input of a call: it was rejected, or sent in another form. */
import { invalidInputText } from "../errors/explain-failure.js";
import type { ToolInputs } from "../errors/input-errors.js";
import type { InputProblem } from "../request/types.js";
import { sanitize } from "../response/shape.js";
import { type AnyTool, type CallOutcome, errorResult } from "../tools/definitions.js";
import type { CallContext } from "./send-authenticated.js";

/** Maximum number of inputs that a note names. */
const MAX_NAMES = 8;

/** Builds the outcome of a call whose input was rejected before a request was sent. */
export function invalidInput(tool: ToolInputs, problems: readonly InputProblem[]): CallOutcome {
  return errorResult("invalid", sanitize(invalidInputText(tool, problems)));
}

/** Builds the outcome of a call over the server's rate limit. */
export function rateLimited(
  { name }: Pick<AnyTool, "name">,
  callsPerMinute: number,
  waitMs: number,
): CallOutcome {
  const limit = `this server allows ${callsPerMinute} calls per minute`;
  const seconds = Math.ceil(waitMs / 1000);
  const text = `Not sent: ${limit}. Wait ${seconds} s, then call ${name} again.`;
  return errorResult("rate_limited", text);
}

/** Adds the signature to a rejected input, if the agent has not read the schema. */
export async function addSignature(
  outcome: CallOutcome,
  { signature }: CallContext,
): Promise<CallOutcome> {
  const [first, ...others] = outcome.result.content;
  if (!signature || outcome.outcome !== "invalid" || first?.type !== "text") return outcome;
  const text = `${first.text}\nSignature: ${await signature()}`;
  return { ...outcome, result: { ...outcome.result, content: [{ ...first, text }, ...others] } };
}

/** Names of inputs that validation changed. */
interface InputChanges {
  readonly omittedNulls?: readonly string[];
  readonly converted?: readonly string[];
}

/** Adds notes about inputs that were sent in another form, or not at all. */
export function addInputNotes(
  tool: AnyTool,
  outcome: CallOutcome,
  { omittedNulls = [], converted = [] }: InputChanges,
): CallOutcome {
  const notes = [omittedNullsNote(tool, omittedNulls), conversionNote(converted)];
  const texts = notes.filter((note) => note !== undefined);
  if (texts.length === 0 || outcome.outcome !== "ok") return outcome;
  const blocks = texts.map((text) => ({ type: "text" as const, text: sanitize(text) }));
  const { result } = outcome;
  return { ...outcome, result: { ...result, content: [...result.content, ...blocks] } };
}

/**
 * Note about inputs that were null and therefore not sent. Only a destructive tool needs it: there,
 * null may have been meant to remove a value.
 */
function omittedNullsNote({ annotations }: AnyTool, names: readonly string[]): string | undefined {
  const canRemove = annotations.destructiveHint && !annotations.readOnlyHint;
  if (names.length === 0 || !canRemove) return undefined;
  const pronoun = names.length === 1 ? "it" : "them";
  return `Note: null is not a value of ${listNames(names)}, so nothing was sent for ${pronoun}.`;
}

function conversionNote(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const verb = names.length === 1 ? "was" : "were";
  return `Note: ${listNames(names)} ${verb} converted to the type in the input schema.`;
}

function listNames(names: readonly string[]): string {
  return `${names.slice(0, MAX_NAMES).join(", ")}${names.length > MAX_NAMES ? " and others" : ""}`;
}
