/**
 * `read_result`: reads a stored result in parts. Results that are too large to be shown are MCP
 * resources, but most hosts do not let a model read resources.
 */
import { sanitize } from "../response/shape.js";
import type { ResultStore } from "../response/result-store.js";
import { isStoreUnavailable } from "../store/types.js";
import type { ToolInput } from "../types.js";
import { type BuiltInTool, type CallOutcome, errorResult } from "./definitions.js";

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
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  const names = ["read_result", "read_stored_result"].map((name) => prefix + name);
  return names.find((name) => !isTaken(name)) ?? `${prefix}read_rest_of_result`;
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
          maxLength: 400,
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
          description: `Text to look for, in any case. Returns up to ${MAX_MATCHES} places after offset instead of a part.`,
        },
      },
      required: ["resource"],
      additionalProperties: false,
    },
    handle: (input, { resultStore }) => read(name, input, resultStore, maxCharacters),
  };
}

async function read(
  name: string,
  { resource, offset = 0, find }: ToolInput,
  store: ResultStore | undefined,
  maxCharacters: number,
): Promise<CallOutcome> {
  const found = await readStored(store, String(resource));
  if (!found.ok) return errorResult("unavailable", UNAVAILABLE);
  const { stored } = found;
  if (stored === undefined)
    return errorResult(
      "invalid",
      `There is no stored result ${JSON.stringify(String(resource))}: results are stored for ` +
        `${store?.lifetimeText ?? "a while"}. Call the tool that returned it again.`,
    );
  if (!("text" in stored))
    return errorResult("invalid", `The stored result is a file (${stored.mimeType}), not text.`);
  const start = Math.min(Number(offset), stored.text.length);
  return find === undefined
    ? partOf(name, stored.uri, stored.text, start, maxCharacters)
    : placesOf(name, stored.uri, stored.text, start, String(find));
}

const UNAVAILABLE =
  "The store of this server cannot be reached, so that stored results cannot be read now.\n" +
  "Next: wait a few seconds, then call again.";

type Stored = Awaited<ReturnType<ResultStore["read"]>>;

async function readStored(
  store: ResultStore | undefined,
  uri: string,
): Promise<{ readonly ok: true; readonly stored: Stored } | { readonly ok: false }> {
  try {
    return { ok: true, stored: await store?.read(uri) };
  } catch (error) {
    if (isStoreUnavailable(error)) return { ok: false };
    throw error;
  }
}

/** Returns the characters from an offset on. A part does not end inside of a surrogate pair. */
function partOf(
  name: string,
  resource: string,
  text: string,
  start: number,
  maxCharacters: number,
): CallOutcome {
  const limit = start + maxCharacters;
  const isInsidePair = /[\ud800-\udbff]/.test(text.charAt(limit - 1));
  const end = Math.min(text.length, isInsidePair ? limit - 1 : limit);
  const isLast = end === text.length;
  const range = `These are the characters ${start} to ${end} of ${text.length}.`;
  const note = isLast ? range : `${range} Call ${name} with offset ${end} for the next part.`;
  return result({
    text: text.slice(start, end),
    total: text.length,
    ...(!isLast && { next: { resource, offset: end } }),
    notes: [note],
  });
}

function placesOf(
  name: string,
  resource: string,
  text: string,
  start: number,
  find: string,
): CallOutcome {
  const places = placesIn(text, find, start);
  const shown = places.slice(0, MAX_MATCHES);
  const isLast = places.length <= MAX_MATCHES;
  const next = (shown.at(-1) ?? 0) + 1;
  const count = `${shown.length} places${isLast ? "" : " of more"} in ${text.length} characters.`;
  return result({
    places: shown.map((offset) => ({
      offset,
      text: text.slice(Math.max(0, offset - MATCH_CONTEXT), offset + find.length + MATCH_CONTEXT),
    })),
    total: text.length,
    ...(!isLast && { next: { resource, offset: next, find } }),
    notes: [isLast ? count : `${count} Call ${name} with offset ${next} for the next ones.`],
  });
}

/** Offsets of a text, one more than are shown. */
function placesIn(text: string, find: string, start: number): readonly number[] {
  const places: number[] = [];
  const [whole, part] = withoutCase(text, find);
  for (let at = whole.indexOf(part, start); at >= 0; at = whole.indexOf(part, at + part.length)) {
    places.push(at);
    if (places.length > MAX_MATCHES) break;
  }
  return places;
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
