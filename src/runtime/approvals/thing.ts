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
  "name title displayName display_name fullName full_name label subject summary username login " +
  "email slug hostname filename reason description"
).split(" ");

/** Fields that tell more about a thing than others. */
const TELLING =
  /^(?:status|state|type|kind|role|plan|owner|user|email|amount|total|price|balance|currency|date|start|end|count|size|environment|region)|(?:_at|At|Date|_date|Status|Count)$/;

/** Fields that change with every change of a thing. */
const VERSIONS =
  /^(?:_?etag|_?rev|version|revision|resource_?version|(?:last_?)?(?:updated|modified|changed)(?:_?(?:at|on|date|time))?)$/i;

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
  const named = NAMES.map((key) => scalars.find(([name]) => name === key)).find(Boolean);
  const others = scalars.filter(
    ([name, value]) => name !== named?.[0] && !known.includes(value) && !VERSIONS.test(name),
  );
  const ordered = [
    ...others.filter(([name]) => TELLING.test(name)),
    ...others.filter(([name]) => !TELLING.test(name)),
  ];
  const fields = ordered
    .slice(0, MAX_FIELDS)
    .map(([name, value]) => `${oneLine(name)}: ${oneLine(value)}`);
  const versions = scalars.filter(([name]) => VERSIONS.test(name));
  const version = await digest(named ?? null, fields, versions);
  return { ...(named && { name: oneLine(named[1]) }), fields, version };
}

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
