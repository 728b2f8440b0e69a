/**
 * `read_result`: reads a stored result in parts. Results that are too large to be shown are MCP
 * resources, but most hosts do not let a model read resources.
 */
import { parseContainerText } from "../data/json-text.js";
import { pickPaths, pickSchema } from "../response/pick-fields.js";
import { sanitize } from "../response/shape.js";
import type { StoredContents } from "../response/result-store.js";
import { unlessUnavailable } from "../store/types.js";
import type { ToolInput } from "../types.js";
import {
  type BuiltInTool,
  type CallerResults,
  type CallOutcome,
  errorResult,
  type RepeatedResult,
} from "./definitions.js";
import { ownToolName } from "./own-tool-name.js";

/** Maximum number of places that a search returns. */
const MAX_MATCHES = 20;

/** Characters before and after a found text. */
const MATCH_CONTEXT = 150;

/**
 * Name of the tool.
 * @param isTaken true if a tool of the API has the name
 */
export function readResultName(
  namespace: string | undefined,
  isTaken: (name: string) => boolean,
): string {
  return ownToolName(namespace, isTaken, [
    "read_result",
    "read_stored_result",
    "read_rest_of_result",
  ]);
}

/**
 * Creates the tool. A part has at most `maxCharacters`.
 * @param openWorldHint whether a tool that stores results has the hint
 */
export function createReadResult(
  name: string,
  maxCharacters: number,
  openWorldHint: boolean,
): BuiltInTool {
  return {
    name,
    title: "Read a stored result",
    description:
      "Read a result that was too large to be shown: the next part, or the places of a text in it. " +
      "Its resource is in the notes of that result.",
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint,
    },
    inputSchema: {
      type: "object",
      properties: {
        resource: {
          type: "string",
          minLength: 1,
          maxLength: 1000,
          description: "URI from the note: result://….",
        },
        offset: {
          type: "integer",
          minimum: 0,
          description: "Characters to skip. Default: 0.",
        },
        find: {
          type: "string",
          minLength: 1,
          maxLength: 200,
          description:
            "Text to look for, in any case. " +
            `Returns up to ${MAX_MATCHES} places after offset instead of a part.`,
        },
        pick: pickSchema,
      },
      required: ["resource"],
      additionalProperties: false,
    },
    handle: (input, caller) => read(name, input, caller, maxCharacters),
  };
}

async function read(
  name: string,
  { resource, offset = 0, find, pick }: ToolInput,
  caller: CallerResults,
  maxCharacters: number,
): Promise<CallOutcome> {
  const uri = String(resource);
  const found = await findResult(uri, caller);
  if ("outcome" in found) return found;
  const { contents, notes } = found;
  if (!("text" in contents))
    return errorResult("invalid", `The stored result is a file (${contents.mimeType}), not text.`);
  const picked = pickText(contents.text, pick as readonly string[] | undefined);
  const { text = contents.text, value } = picked;
  const whole = { name, resource: uri, notes: [...notes, ...picked.notes] };
  const isShort = value !== undefined && text.length <= maxCharacters;
  if (isShort && Number(offset) === 0 && find === undefined) return pickedResult(value, whole);
  const inputs = picked.text === undefined ? {} : { pick };
  const part = { ...whole, text, inputs, start: Math.min(Number(offset), text.length) };
  return find === undefined ? partOf(part, maxCharacters) : placesOf(part, String(find));
}

/** The picked fields of a stored result, with their JSON; notes alone if there are none. */
interface PickedText {
  readonly text?: string;
  readonly value?: unknown;
  readonly notes: readonly string[];
}

function pickText(text: string, pick: readonly string[] = []): PickedText {
  if (pick.length === 0) return { notes: [] };
  const whole = parseContainerText(text);
  if (whole === undefined) return { notes: ["pick has no effect: the result is not JSON."] };
  const { value, notes, isPicked } = pickPaths(whole, pick);
  return isPicked ? { text: JSON.stringify(value), value, notes } : { notes };
}

const pickedResult = (value: unknown, { notes }: Pick<RequestedPart, "notes">): CallOutcome =>
  result({ result: value, ...(notes.length > 0 && { notes }) });

/** A result that is read, with notes about it. */
interface FoundResult {
  readonly contents: StoredContents;
  readonly notes: readonly string[];
}

/** Finds a stored result, or reads it again; the outcome of a failure. */
async function findResult(
  uri: string,
  { resultStore, repeatCall }: CallerResults,
): Promise<FoundResult | CallOutcome> {
  const stored = await Promise.resolve(resultStore?.read(uri)).catch(
    unlessUnavailable(UNAVAILABLE),
  );
  if (typeof stored === "object") return { contents: stored, notes: [] };
  const repeated = await repeatCall?.(uri);
  if (repeated?.ok) return { contents: repeated.contents, notes: [repeatedNote(repeated)] };
  if (repeated) return { outcome: "failed", result: repeated.result };
  if (stored === UNAVAILABLE) return errorResult("unavailable", UNAVAILABLE);
  const lifetime = resultStore?.lifetimeText;
  const period = lifetime === undefined ? "" : `: results are stored for ${lifetime}`;
  return errorResult(
    "invalid",
    `There is no stored result ${JSON.stringify(uri)}${period}. Call the tool that returned it ` +
      "again only if it just reads, and request less.",
  );
}

function repeatedNote({ tool, hasChanged }: Extract<RepeatedResult, { ok: true }>): string {
  const change = hasChanged ? ", and its result has changed since then" : "";
  return `${tool} was called again for it${change}.`;
}

const UNAVAILABLE =
  "The store of this server cannot be reached, so that stored results cannot be read now.\n" +
  "Next: wait a few seconds, then call again.";

interface RequestedPart extends Pick<FoundResult, "notes"> {
  /** Name of the tool that reads it. */
  readonly name: string;
  /** URI of the result. */
  readonly resource: string;
  readonly text: string;
  /** Further inputs of the call of the next part. */
  readonly inputs: ToolInput;
  readonly start: number;
}

/** Returns the characters from an offset on. A part does not end inside of a surrogate pair. */
function partOf(
  { name, resource, text, inputs, notes, start }: RequestedPart,
  maxCharacters: number,
): CallOutcome {
  const limit = start + maxCharacters;
  const isInsidePair = /[\ud800-\udbff]/.test(text.charAt(limit - 1));
  const end = Math.min(text.length, isInsidePair ? limit - 1 : limit);
  const isLast = end === text.length;
  const range = `These are the characters ${start} to ${end} of ${text.length}.`;
  const next = isLast ? "" : ` Call ${name} with offset ${end} for the next part.`;
  return result({
    text: text.slice(start, end),
    total: text.length,
    ...(!isLast && { next: { resource, offset: end, ...inputs } }),
    notes: [`${range}${next}`, ...notes],
  });
}

function placesOf(
  { name, resource, text, inputs, notes, start }: RequestedPart,
  find: string,
): CallOutcome {
  const { places: shown, count: all } = placesIn(text, find, start);
  const isLast = all <= MAX_MATCHES;
  const next = (shown.at(-1) ?? 0) + 1;
  const of = isLast ? "" : ` of ${all}`;
  const count = `${shown.length}${of} place${all === 1 ? "" : "s"} in ${text.length} characters.`;
  const more = isLast ? "" : ` Call ${name} with offset ${next} for the next ones.`;
  return result({
    places: shown.map((offset) => ({
      offset,
      text: text.slice(Math.max(0, offset - MATCH_CONTEXT), offset + find.length + MATCH_CONTEXT),
    })),
    total: text.length,
    count: all,
    ...(!isLast && { next: { resource, offset: next, find, ...inputs } }),
    notes: [`${count}${more}`, ...notes],
  });
}

/**
 * The first offsets of a text, and the number of all. In JSON the text may be given as it is or as
 * JSON has it, with `\\t` for a tab.
 */
function placesIn(
  text: string,
  find: string,
  start: number,
): { readonly places: readonly number[]; readonly count: number } {
  const escaped = offsetsOf(text, JSON.stringify(find).slice(1, -1), start);
  return escaped.count > 0 ? escaped : offsetsOf(text, find, start);
}

function offsetsOf(text: string, find: string, start: number): ReturnType<typeof placesIn> {
  const places: number[] = [];
  let count = 0;
  const [whole, part] = withoutCase(text, find);
  for (let at = whole.indexOf(part, start); at >= 0; at = whole.indexOf(part, at + part.length)) {
    count++;
    if (places.length < MAX_MATCHES) places.push(at);
  }
  return { places, count };
}

/** Both texts in lower case, unless that would move offsets: `İ` becomes two characters. */
function withoutCase(text: string, find: string): readonly [string, string] {
  const lower = text.toLowerCase();
  return lower.length === text.length ? [lower, find.toLowerCase()] : [text, find];
}

function result(structuredContent: Record<string, unknown>): CallOutcome {
  const text = sanitize(JSON.stringify(structuredContent));
  return { outcome: "ok", result: { content: [{ type: "text", text }], structuredContent } };
}
