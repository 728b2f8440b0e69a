import type { InputProblem } from "../bind/types.js";
import { mostProblems } from "../bounds.js";
import type { ApiResponse, Failure } from "../send/index.js";
import { adviceFor } from "./advice.js";
import { type Call, checkFirst, isWrite, seconds, where } from "./call.js";
import { hint, type KnownInputs } from "./hints.js";
import { understood, type Understood } from "./inputs.js";
import { refusalAdvice } from "./refusal.js";
import { excerpt, whatApiSays, whatValueSays } from "./says/index.js";
import { narrowing } from "../shape/notes.js";
import { statusName } from "./status-names.js";

export type { Call } from "./call.js";
export { isWrite } from "./call.js";
export { readerOf } from "./reader.js";
export { isRefusal } from "./refusal.js";

/**
 * Told when something broke on our side. What broke stands in the log, never here: it may hold
 * secrets.
 */
export const internalError =
  "The call failed because of an internal error of this server; it is in the server's log. Tell the user; calling again will most likely fail too.";

/**
 * The text for an input that was not sent: every problem, where a good value comes from, and what
 * to do.
 */
export function notSent(tool: KnownInputs, problems: readonly InputProblem[]): string {
  if (problems.every(({ input }) => input === ""))
    return `Not sent: ${problems.map(({ problem }) => problem.replace(/\.$/, "")).join("; ")}.`;
  const lines = problems
    .slice(0, mostProblems)
    .map(
      (found) => `- ${found.input ? `${found.input}: ` : ""}${found.problem}${hint(found, tool)}`,
    );
  const more =
    problems.length > mostProblems ? [`- and ${problems.length - mostProblems} more`] : [];
  const [count, those] =
    problems.length === 1 ? ["1 problem", "it"] : [`${problems.length} problems`, "these"];
  return [
    `Not sent: ${count} with the input of ${tool.name}.`,
    ...lines,
    ...more,
    `Correct ${those} and call ${tool.name} again.`,
  ].join("\n");
}

/**
 * The text for a call that failed after its input was found good: what happened, what the API says,
 * what to do next.
 */
export function explain(failure: Failure, call: Call): string {
  if (failure.kind === "credentials") return failure.message;
  const { happened, effect = "", says = "", next } = parts(failure, call);
  return [`${happened} ${effect}`.trim(), says, `Next: ${next}`].filter(Boolean).join("\n");
}

interface Explanation {
  readonly happened: string;
  /** Whether something may have changed. */
  readonly effect?: string;
  /** The API's own words, labelled as such. */
  readonly says?: string;
  readonly next: string;
}

function parts(failure: Exclude<Failure, { kind: "credentials" }>, call: Call): Explanation {
  const { tool, api } = call;
  const at = `(${where(call)})`;
  switch (failure.kind) {
    case "status":
      return refusedBy(failure.response, call);
    case "refused":
      return refusedInside(failure, call);
    case "unusable":
      return unusable(failure, call);
    case "tooLarge":
      return {
        happened: `${tool.name} failed: the response is larger than ${size(failure.limit)} ${at}.`,
        effect: effect(call),
        next: narrow(call),
      };
    case "timeout":
      return {
        happened: `${tool.name} timed out after ${seconds(failure.afterMs)}: ${api.title} did not answer in time ${at}.`,
        effect: effect(call, failure.sent),
        next: again(call, failure.sent),
      };
    case "cancelled":
      return { happened: `${tool.name} was cancelled.`, effect: effect(call), next: again(call) };
    case "connection":
      return {
        happened: `${tool.name} failed: ${failure.cause} ${at}.`,
        effect: effect(call, failure.sent),
        next: failure.lasting ? lasting(call) : again(call, failure.sent),
      };
    case "redirect":
      return {
        happened: `${tool.name} failed: ${failure.cause} ${at}.`,
        effect: effect(call),
        next: `calling again does not help. Tell the user; if the API has moved, ${api.envPrefix}_BASE_URL must be set to its new address.`,
      };
    case "busy":
      return {
        happened: `${tool.name} was not sent: this server is busy with too many calls.`,
        next: `wait a few seconds, then call ${tool.name} again; make fewer calls at a time.`,
      };
  }
}

function refusedBy(response: ApiResponse, call: Call): Explanation {
  const said = understood(whatApiSays(response), call);
  return {
    happened: `${call.tool.name} failed: ${status(response)} (${where(call)}).`,
    says: saying(said),
    next: adviceFor(response, call, said),
  };
}

/** "200 OK", and in the answer `ok: false`. */
function refusedInside(
  { response, value }: Extract<Failure, { kind: "refused" }>,
  call: Call,
): Explanation {
  const said = understood(whatValueSays(value), call);
  return {
    happened: `${call.tool.name} failed: the API answered ${status(response)}, but says in its answer that it did not work (${where(call)}).`,
    says: saying(said),
    next: refusalAdvice(response, call, said),
  };
}

/** The API's own words, labelled as such; those about single inputs on lines of their own. */
function saying({ words, about }: Understood): string {
  const lines = about.map(
    ({ input, words: complaint }) => `- ${input}: ${JSON.stringify(complaint)}`,
  );
  const label = lines.length > 0 && !words ? ["The API says:"] : [];
  return [quoted("The API says", words), ...label, ...lines].filter(Boolean).join("\n");
}

function unusable(failure: Extract<Failure, { kind: "unusable" }>, call: Call): Explanation {
  const { response, why, excerpt: start = "" } = failure;
  return {
    happened: `${call.tool.name}: ${status(response)}, but ${why} (${where(call)}).`,
    says: quoted("The answer begins", excerpt(start)),
    next: unusableNext(failure, call),
  };
}

/**
 * The API has said that it worked; so what it was asked to change is changed, whatever its answer
 * looks like.
 */
function unusableNext({ shown }: Extract<Failure, { kind: "unusable" }>, call: Call): string {
  if (isWrite(call))
    return `it has taken effect: do not call ${call.tool.name} again.${shown ? " The answer follows as it came." : ""}`;
  if (shown)
    return "the answer follows as it came; use it with care. A retry will most likely bring the same.";
  return "this is a fault of the API, and a retry will most likely meet it again; tell the user.";
}

function quoted(label: string, words: string): string {
  return words ? `${label}: ${JSON.stringify(words)}` : "";
}

/** Whether something may have changed. Reading changes nothing, and needs no words. */
function effect(call: Call, sent = true): string {
  if (!isWrite(call)) return "";
  return sent
    ? `${call.tool.name} may or may not have taken effect.`
    : "Nothing was sent, and nothing has changed.";
}

function again(call: Call, sent = true): string {
  if (isWrite(call) && sent) return `${checkFirst(call)} before you call ${call.tool.name} again.`;
  return `a retry can help: wait a little, then call ${call.tool.name} again; if it fails again, tell the user.`;
}

function lasting({ api }: Call): string {
  return `a retry does not help. Tell the user to check that ${api.envPrefix}_BASE_URL is right, and that the API there works.`;
}

function narrow({ tool, api }: Call): string {
  const inputs = narrowing(tool);
  if (inputs.length > 0)
    return `ask for less: narrow with ${inputs.join(", ")}, then call ${tool.name} again.`;
  return `${tool.name} has no input that would narrow it. Tell the user; ${api.envPrefix}_MAX_RESPONSE_BYTES raises the limit.`;
}

function status({ status: code, statusText }: ApiResponse): string {
  return `${code} ${statusText.slice(0, 60) || statusName(code)}`.trim();
}

function size(bytes: number): string {
  return bytes >= 1_000_000 ? `${Math.round(bytes / 100_000) / 10} MB` : `${bytes} bytes`;
}
