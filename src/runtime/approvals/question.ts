/** The question about writes, as a person reads it, and the form of its answer. */
import type { NestedResult } from "../request/types.js";
import type { ToolInput } from "../types.js";
import { digest } from "./digest.js";
import { oneLine, type Thing } from "./thing.js";

/** Something that the user is asked about: a request, or the run of a tool that sends several. */
export interface PendingApproval {
  /** Title of its tool: "Delete a pet". */
  readonly title: string;
  readonly tool: string;
  /** First sentence about the operation, if it says more than the title. */
  readonly sentence?: string;
  /** Title of the API, on a server of several. */
  readonly api?: string;
  /** Digest of what is approved. */
  readonly digest: string;
  readonly input: ToolInput;
  /** Inputs that identify the thing: those of the path. */
  readonly ids: readonly string[];
  /** `DELETE /pets/p1`, or the steps of a workflow. */
  readonly requests: readonly string[];
  /** Absent if it could not be read; null if there is nothing to read. */
  readonly thing?: Thing | null | undefined;
  /** Result of the API's own dry run. */
  readonly preview?: NestedResult;
  /** True if the user types the name of the thing. */
  readonly isTyped: boolean;
}

/** A question with the form of its answer. */
export interface ApprovalQuestion {
  readonly message: string;
  /** First line of the message. */
  readonly summary: string;
  readonly requestedSchema: {
    type: "object";
    properties: Record<
      string,
      { type: "boolean"; title: string } | { type: "string"; title: string }
    >;
    required: string[];
  };
  /** Text that the user must type; absent for a yes or no. */
  readonly expected?: string;
  /** Digests of what is approved, with the versions of the things. */
  readonly grants: readonly (readonly [string, string])[];
}

/** Field of the answer. */
export const CONFIRM = "confirm";

const MAX_LISTED = 20;
const MAX_VALUES = 10;
const MAX_VALUE = 200;
const MAX_PREVIEW = 400;

/** Makes one question of everything that a call needs approval for. */
export function askAbout(pending: readonly PendingApproval[]): ApprovalQuestion {
  const [first] = pending as readonly [PendingApproval];
  const isOne = pending.length === 1;
  const summary = isOne ? `${titleOf(first)}?` : `${first.title}: ${pending.length} of them?`;
  const lines = isOne
    ? details(first)
    : pending
        .slice(0, MAX_LISTED)
        .map((one, i) => `${i + 1}. ${[targetOf(one) || one.title, ...details(one)].join(" · ")}`);
  const omitted = pending.length - MAX_LISTED;
  const message = [summary, ...lines, ...(omitted > 0 ? [`and ${omitted} more`] : [])].join("\n");
  const expected = pending.some(({ isTyped }) => isTyped) ? textToType(pending) : undefined;
  return {
    message: expected === undefined ? message : `${message}\nTo confirm, type: ${expected}`,
    summary,
    requestedSchema: {
      type: "object",
      properties: {
        [CONFIRM]:
          expected === undefined
            ? { type: "boolean", title: `Yes: ${lowerFirst(first.title)}` }
            : { type: "string", title: `Type ${expected} to confirm` },
      },
      required: [CONFIRM],
    },
    ...(expected !== undefined && { expected }),
    grants: pending.map(({ digest: key, thing }) => [key, thing?.version ?? ""] as const),
  };
}

/** What is done to which thing: "Delete a pet: Rex (petId p1)". */
function titleOf(one: PendingApproval): string {
  const target = targetOf(one);
  return target === "" ? one.title : `${one.title}: ${target}`;
}

/** The thing with its ID: "Rex (petId p1)"; empty if there is none. */
function targetOf({ input, ids, thing }: PendingApproval): string {
  const id = ids.map((name) => `${name} ${oneLine(input[name])}`).join(", ");
  if (thing?.name === undefined) return id;
  return id === "" ? thing.name : `${thing.name} (${id})`;
}

/** The thing, the values and the requests, one line each. */
function details(one: PendingApproval): readonly string[] {
  const { input, ids, requests, thing, preview, sentence, api } = one;
  const values = Object.entries(input).filter(
    ([name, value]) => !ids.includes(name) && value !== undefined,
  );
  const shown = values
    .slice(0, MAX_VALUES)
    .map(([name, value]) => `${oneLine(name)}: ${oneLine(value, MAX_VALUE)}`);
  const omitted = values.length - MAX_VALUES;
  const to = api === undefined ? "" : ` to ${oneLine(api)}`;
  return [
    ...(sentence === undefined ? [] : [sentence]),
    ...(thing === undefined ? ["It could not be read, so that only its ID is shown."] : []),
    ...(thing && thing.fields.length > 0 ? [`It has ${thing.fields.join(", ")}`] : []),
    ...(shown.length > 0
      ? [`Values: ${shown.join(", ")}${omitted > 0 ? `, and ${omitted} more` : ""}`]
      : []),
    ...(ids.length === 0 && values.length === 0 && thing === null && requests.length === 1
      ? ["The request names no single thing."]
      : []),
    ...(preview ? [previewLine(preview)] : []),
    requests.length > 1
      ? `It sends:\n${requests.map((one) => `- ${one}`).join("\n")}`
      : `Request${to}: ${requests.join("")}`,
  ];
}

/** What the API answers to its own dry run. */
function previewLine({ content, isError }: NestedResult): string {
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(" ");
  const shown = text === "" ? "no content" : oneLine(text, MAX_PREVIEW);
  return `${isError ? "The API refuses it in a dry run" : "The API answers to a dry run"}: ${shown}`;
}

/** The name of the thing, else its ID, else the name of the tool; of several things, their number. */
function textToType(pending: readonly PendingApproval[]): string {
  const [{ thing, ids, input, tool }] = pending as readonly [PendingApproval];
  if (pending.length > 1) return `${tool} ${pending.length}`;
  const id = ids.length > 0 ? oneLine(input[ids.at(-1)!]) : undefined;
  return (thing?.name ?? id ?? tool).replace(/^"(.*)"$/, "$1");
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Digest of a typed text, without differences that people make. */
export const typedDigest = (text: string): Promise<string> =>
  digest("typed", text.normalize("NFC").trim().toLowerCase());
