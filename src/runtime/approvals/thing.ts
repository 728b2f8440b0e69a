/** The thing that a write would change or remove, as a person recognizes it. */
import type { NestedResult } from "../request/types.js";
import { isObject } from "../data/values.js";
import { sanitize } from "../response/shape.js";
import { digest } from "./digest.js";

/** A thing that was read before a write. */
export interface Thing {
  /** Its name or title, if it has one. */
  readonly name?: string;
  /** Fields that tell it from others: `status: active`. */
  readonly fields: readonly string[];
  /** Digest of what is shown and of the fields that count its changes. */
  readonly version: string;
}

/** Fields by which people know a thing, best first. */
const NAMES = (
  "name title displayname fullname label subject topic summary username login email slug hostname " +
  "filename reason description body"
).split(" ");

/** Fields that tell more about a thing than others. */
const TELLING =
  /^(?:status|state|type|kind|role|plan|owner|user|email|amount|total|price|balance|currency|date|start|end|count|size|environment|region)|(?:_at|At|Date|_date|Status|Count)$/;

/** Fields that change with every change of a thing. */
const VERSIONS =
  /^(?:_?etag|_?rev|version|revision|resource_?version|(?:last_?)?(?:updated|modified|changed)(?:_?(?:at|on|date|time))?)$/i;

/** Fields that name the kind of a thing, which the question has already. */
const KIND_NAMES = /^(?:object|resource_?type|__typename|@?odata\..*|node_id)$/i;

/** Fields with a time in seconds. */
const TIMES =
  /(?:^|_)(?:created|updated|modified|start|end|date|time|expires|at)$|(?:At|Date|Time)$/;

const MAX_FIELDS = 5;
const MAX_LINE = 60;

/**
 * Describes the thing in the result of a read.
 * @param known values of the call, which the question shows anyway
 */
export async function describeThing(
  { structuredContent }: NestedResult,
  known: readonly unknown[],
): Promise<Thing | undefined> {
  const thing = unwrap(structuredContent);
  if (!thing) return undefined;
  const scalars = Object.entries(thing).filter(([, value]) => isScalar(value));
  const named = NAMES.map((key) => scalars.find(([name]) => plainName(name) === key)).find(Boolean);
  const others = scalars.filter(
    ([name, value]) =>
      name !== named?.[0] &&
      !known.includes(value) &&
      !VERSIONS.test(name) &&
      !KIND_NAMES.test(name),
  );
  const ordered = [
    ...others.filter(([name]) => TELLING.test(name)),
    ...others.filter(([name]) => !TELLING.test(name)),
  ];
  const fields = ordered
    .slice(0, MAX_FIELDS)
    .map(([name, value]) => `${oneLine(name)}: ${fieldValue(name, value)}`);
  const versions = scalars.filter(([name]) => VERSIONS.test(name));
  const version = await digest(named ?? null, fields, versions);
  return { ...(named && { name: oneLine(named[1]) }), fields, version };
}

/** `Name`, `display_name` → name, displayname. */
const plainName = (name: string): string => name.toLowerCase().replaceAll("_", "");

/** A value in one line; a time as people write it. */
function fieldValue(name: string, value: unknown): string {
  const isSeconds = typeof value === "number" && value > 1e9 && value < 1e10 && TIMES.test(name);
  const time = isSeconds ? new Date(value * 1_000).toISOString() : value;
  const [, date, clock] = DATE_TIME.exec(`${time}`) ?? [];
  return date === undefined ? oneLine(value) : `${date} ${clock} UTC`;
}

/** A time in UTC. RFC 3339, section 5.6. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d{1,9})?)?(?:Z|\+00:00)$/;

/** The only item of a list, or the thing itself. */
function unwrap(content: unknown): Record<string, unknown> | undefined {
  if (!isObject(content)) return undefined;
  const { items } = content;
  if (!Array.isArray(items)) return content;
  const [item] = items as readonly unknown[];
  return isObject(item) ? item : undefined;
}

function isScalar(value: unknown): boolean {
  if (typeof value === "string") return value.trim() !== "" && !/^https?:\/\//.test(value);
  return typeof value === "number" || typeof value === "boolean";
}

/** A value in one line of bounded length. Texts that could be taken for ours are in quotes. */
export function oneLine(value: unknown, maxLength = MAX_LINE): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const safe = sanitize(text).replace(/\s+/g, " ").trim();
  const short = safe.length > maxLength ? `${safe.slice(0, maxLength - 1)}…` : safe;
  const isPlain = typeof value !== "string" || /^[\p{L}\p{N} _.@+/#'&-]+\u2026?$/u.test(short);
  return isPlain ? short : JSON.stringify(short);
}

/** First sentence of a tool's description, if it says more than its title. */
function sentenceOf({
  title = "",
  description,
}: {
  readonly title?: string | undefined;
  readonly description: string;
}): string | undefined {
  const [first = ""] = /^[^\n]{1,160}?[.!](?=\s|$)/.exec(description) ?? [];
  const known = new Set(wordsOf(title));
  const isNew = wordsOf(first).some((word) => !known.has(word) && !FILLERS.has(word));
  return isNew ? sanitize(first) : undefined;
}

/** Longest sentence that stands for a title. */
const MAX_HEADING = 80;

/**
 * The title of a tool, and the sentence that says more. A title that only repeats the name gives
 * way to a sentence with the same verb: "Delete a message" for `delete_chat`.
 */
export function headingOf(tool: {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
}): { readonly title: string; readonly sentence?: string } {
  const { name, title = name } = tool;
  const sentence = sentenceOf(tool);
  const [verb = ""] = wordsOf(title);
  const isName = name.endsWith(title.toLowerCase().replaceAll(" ", "_"));
  const isHeading =
    sentence !== undefined && sentence.length <= MAX_HEADING && wordsOf(sentence)[0] === verb;
  if (isName && isHeading) return { title: sentence.slice(0, -1) };
  return { title, ...(sentence !== undefined && { sentence }) };
}

const FILLERS: ReadonlySet<string> = new Set(
  "a an the this of by with its id to in for".split(" "),
);

/** Words in lower case, without the endings of a plural or of a verb. */
const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[a-z]+/g) ?? []).map((word) => word.replace(/(?<=.{2})(?:es|s)$/, ""));
