/** Inputs whose text has a form of its own: JSON as text, and bytes as base64. */
import { parseContainerText } from "../data/json-text.js";
import { base64, decodeBase64 } from "../data/bytes.js";
import { isObject } from "../data/values.js";
import { formatPath, formatValue, type PathSegment, type Problem } from "../schema/check.js";
import type { Conversion } from "../schema/coerce-input.js";
import { expandSchemas, memberSchemas, schemasAt } from "../schema/subschemas.js";
import type { InputProblem } from "../request/types.js";
import type { JsonSchema } from "../types.js";

/**
 * Serializes objects and lists that are given where the schema documents text that holds JSON: by
 * its description or by an example.
 */
export function stringifyJsonInputs(
  root: JsonSchema,
  problems: readonly Problem[],
): readonly Conversion[] {
  return problems.flatMap(({ path, keyword, rule, value }) => {
    const isTextExpected = keyword === "type" && [rule].flat().includes("string");
    if (!isTextExpected || typeof value !== "object" || value === null) return [];
    if (!schemasAt(root, path).some(holdsJson)) return [];
    return [{ path, part: JSON.stringify(value) }];
  });
}

function holdsJson({ description, examples, default: value }: JsonSchema): boolean {
  if (typeof description === "string" && /\bJSON\b/i.test(description)) return true;
  return [value, ...(Array.isArray(examples) ? examples : [])].some(isJsonText);
}

const isJsonText = (text: unknown): boolean => parseContainerText(text) !== undefined;

/** Inputs with their texts as base64. */
export interface EncodedInput<Input> {
  readonly input: Input;
  readonly problems: readonly InputProblem[];
  /** Paths of base64 that may have been meant as text, with their values. */
  readonly doubtful: readonly (readonly [path: string, text: string])[];
}

/** Marks plain text where base64 is expected. A colon is not a character of base64. */
const TEXT_PREFIX = "text:";

/** Maximum nesting, the same as that of inputs. */
const MAX_DEPTH = 64;

const schemasWithBytes = new WeakMap<JsonSchema, boolean>();

function hasBytes(root: JsonSchema): boolean {
  const known = schemasWithBytes.get(root);
  if (known !== undefined) return known;
  const found = /"format":"byte"|"contentEncoding":"base64"/.test(JSON.stringify(root));
  schemasWithBytes.set(root, found);
  return found;
}

/**
 * Encodes text after `text:` where the schema has base64. With `format: byte`, all other values
 * there are checked; files take other text as it is.
 */
export function encodeByteInputs<Input>(root: JsonSchema, input: Input): EncodedInput<Input> {
  const encoding: Encoding = { root, problems: [], doubtful: [] };
  if (!hasBytes(root)) return { ...encoding, input };
  const encoded = encode(input, expandSchemas([root], root), [], encoding);
  return { ...encoding, input: encoded as Input };
}

interface Encoding {
  readonly root: JsonSchema;
  readonly problems: InputProblem[];
  readonly doubtful: (readonly [string, string])[];
}

function encode(
  value: unknown,
  schemas: readonly JsonSchema[],
  path: readonly PathSegment[],
  encoding: Encoding,
): unknown {
  if (schemas.length === 0 || path.length > MAX_DEPTH) return value;
  if (typeof value === "string") return encodeText(value, schemas, path, encoding);
  const encodePart = (part: unknown, step: PathSegment): unknown =>
    encode(part, memberSchemas(schemas, step, encoding.root), [...path, step], encoding);
  if (Array.isArray(value)) return value.map(encodePart);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, encodePart(member, name)]),
  );
}

function encodeText(
  text: string,
  schemas: readonly JsonSchema[],
  path: readonly PathSegment[],
  { problems, doubtful }: Encoding,
): string {
  const isByte = schemas.some(({ format }) => format === "byte");
  if (!isByte && !schemas.some((one) => one["contentEncoding"] === "base64")) return text;
  if (text.startsWith(TEXT_PREFIX)) return base64(text.slice(TEXT_PREFIX.length));
  const bytes = decodePadded(text);
  if (bytes === undefined) {
    const problem = `${formatValue(text)} is not base64; put ${TEXT_PREFIX} before plain text`;
    if (isByte) problems.push({ input: formatPath(path), problem });
  } else if (isWord(text) && !isUtf8(bytes)) doubtful.push([formatPath(path), text]);
  return text;
}

/** Bytes of base64 or base64url with its padding. RFC 4648, sections 4 and 5. */
function decodePadded(text: string): Uint8Array | undefined {
  const standard = text
    .replace(/[\r\n]/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  const isPadded = standard.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(standard);
  return isPadded ? decodeBase64(standard) : undefined;
}

/** True for texts that are base64 by accident, such as `test`. */
function isWord(text: string): boolean {
  return text.length <= 32 && /^[A-Za-z0-9/_-]+$/.test(text);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
