import { splitPointer } from "../../json-pointer.js";
import { fnv1a } from "../../runtime/data/fnv.js";
import { isMethodKey } from "../methods.js";

/** Globals and utility types of generated code, which no generated type may shadow. */
const RESERVED_TYPE_NAMES = new Set(
  (
    "Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date " +
    "Error EvalError FinalizationRegistry Float32Array Float64Array Function Infinity " +
    "Int16Array Int32Array Int8Array Intl Iterable Iterator JSON Map Math NaN Number Object " +
    "Promise Proxy RangeError ReadonlyArray ReadonlyMap ReadonlySet ReferenceError Reflect " +
    "RegExp Set SharedArrayBuffer String Symbol SyntaxError TypeError URIError Uint16Array " +
    "Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet Awaited Capitalize " +
    "ConstructorParameters Exclude Extract InstanceType Lowercase NoInfer NonNullable Omit " +
    "Parameters Partial Pick Readonly Record Required ReturnType ThisType Uncapitalize " +
    "Uppercase"
  ).split(" "),
);

const MAX_NAME_LENGTH = 80;

/**
 * Allocates type names: unique, valid in TypeScript, ASCII. They are also keys of `$defs` inside
 * JSON pointers.
 */
export class TypeNameAllocator {
  private readonly allocated = new Set<string>();
  /** The next number for each name. */
  private readonly nextNumber = new Map<string, number>();

  /**
   * Allocates the name itself if it is valid and free.
   * @returns undefined otherwise
   */
  allocateExact(name: string): string | undefined {
    return toTypeName(name) === name && !this.allocated.has(name) ? this.register(name) : undefined;
  }

  /** Allocates a name derived from `text`. A number makes it unique. */
  allocate(text: string): string {
    const name = toTypeName(text);
    if (!this.allocated.has(name)) return this.register(name);
    for (let n = this.nextNumber.get(name) ?? 2; ; n++) {
      const numbered = /\d$/.test(name) ? `${name}_${n}` : `${name}${n}`;
      if (this.allocated.has(numbered)) continue;
      this.nextNumber.set(name, n + 1);
      return this.register(numbered);
    }
  }

  private register(name: string): string {
    this.allocated.add(name);
    return name;
  }
}

/**
 * `simple-user` → `SimpleUser`, `HTTPError` → `HTTPError`, `Error` → `ErrorModel`, `2fa` →
 * `Schema2fa`, `用户` → `Schema` + hash.
 */
export function toTypeName(text: string): string {
  const ascii = text.normalize("NFKD").replace(/\p{M}+/gu, "");
  const words = ascii.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const name = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join("");
  if (name === "") return `Schema${hash(text)}`;
  if (name.length > MAX_NAME_LENGTH) return `${name.slice(0, MAX_NAME_LENGTH)}${hash(text)}`;
  if (/^\d/.test(name)) return `Schema${name}`;
  return RESERVED_TYPE_NAMES.has(name) ? `${name}Model` : name;
}

/**
 * The words that a pointer segment contributes. `next` is the segment after it, which it consumes.
 */
const SEGMENTS: ReadonlyMap<string, (next: string) => readonly string[]> = new Map([
  ["properties", (next: string) => [next]],
  ["patternProperties", () => ["value"]],
  ["content", () => []],
  ["responses", (next: string) => ["response", next]],
  ["parameters", (next: string) => ["parameter", next]],
  ["headers", (next: string) => ["header", next]],
  ["allOf", (next: string) => ["part", next]],
  ["anyOf", (next: string) => ["option", next]],
  ["oneOf", (next: string) => ["option", next]],
  ["prefixItems", (next: string) => ["item", next]],
]);
const WORDS: ReadonlyMap<string, string> = new Map([
  ["schema", ""],
  ["items", "item"],
  ["additionalProperties", "value"],
  ["requestBody", "body"],
]);
const COMPONENTS: ReadonlyMap<string, string> = new Map([
  ["responses", "response"],
  ["requestBodies", "body"],
  ["headers", "header"],
]);

/**
 * Derives the name of a schema from the last meaningful segments of its pointer:
 * - `#/components/schemas/Pet/properties/owner` → `Pet owner`
 * - `#/components/responses/Fault/content/x/schema` → `Fault response`
 * - `#/paths/~1pets/get/responses/200/content/application~1json/schema` → `get /pets response 200`
 */
export function nameFromPointer(pointer: string): string {
  const tokens = splitPointer(pointer);
  const [first = "", second = "", third = ""] = tokens;
  if (first === "components")
    return wordsFrom([third, COMPONENTS.get(second) ?? ""], tokens.slice(3));
  if (first !== "paths") return wordsFrom([second, COMPONENTS.get(first) ?? ""], tokens.slice(2));
  return isMethodKey(third)
    ? wordsFrom([third, second], tokens.slice(3))
    : wordsFrom([second], tokens.slice(2));
}

function wordsFrom(start: readonly string[], tokens: readonly string[]): string {
  let result = [...start];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] ?? "";
    const segment = SEGMENTS.get(token);
    if (token === "$defs" || token === "definitions") result = [tokens[++i] ?? ""];
    else if (segment) result.push(...segment(tokens[++i] ?? ""));
    else result.push(WORDS.get(token) ?? token);
  }
  return result.join(" ");
}

const hash = (text: string): string => fnv1a(text).toString(16).padStart(8, "0");
