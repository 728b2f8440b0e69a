import { memoize } from "../memo.js";
import { isVersion, wordsOf } from "./words.js";

/** One piece of a path template. */
export type PathPart =
  | { readonly kind: "words"; readonly text: string; readonly words: readonly string[] }
  | { readonly kind: "param"; readonly name: string };

/** First segments that say nothing: `/api/v1/pets` is about pets. */
const NOISE = new Set(["api", "rest", "apis", "services", "json"]);

/**
 * A path template in pieces: `/v1/pets/{petId}/visits` → pets, {petId}, visits. Versions, dates,
 * `api` above all parameters and file extensions behind are left out; `{id}:adopt` is two pieces.
 */
export function pathParts(path: string): readonly PathPart[] {
  const parts: PathPart[] = [];
  for (const segment of path.split("/"))
    if (segment !== "")
      parts.push(
        ...segmentParts(
          parts.length > 0 && segment.includes(".") ? segment.replace(NAMESPACE, "") : segment,
        ),
      );
  while (
    parts[1]?.kind === "words" &&
    parts[0]?.kind === "words" &&
    isNoise(parts[0].text, parts[0].words)
  )
    parts.shift();
  const kept = parts.filter(
    (part, i) =>
      part.kind === "param" || !(isVersion(part.text.toLowerCase()) || isMount(parts, i)),
  );
  return kept.length > 0 ? kept : parts;
}

/**
 * `/members/acme.graph.user`, `/items/acme.graph.copy`: the last word of a long dotted one is what
 * OData asks for.
 */
const NAMESPACE = /^[A-Za-z]{3,40}\.(?:[A-Za-z]{3,40}\.){1,8}(?=[A-Za-z]{3})/;

/**
 * `/admin/api/users`: above everything that a parameter picks out, it only says where the API is.
 */
function isMount(parts: readonly PathPart[], at: number): boolean {
  const part = parts[at];
  return (
    at > 0 &&
    at < parts.length - 1 &&
    part?.kind === "words" &&
    part.text === "api" &&
    parts.slice(0, at).every(({ kind }) => kind === "words")
  );
}

/** `api`, `v1`, `api-v1.0`. */
function isNoise(text: string, words: readonly string[]): boolean {
  return (
    words.every((word) => NOISE.has(word) || isVersion(word)) ||
    /^(?:(?:api|rest)[-_.]?v?)?\d+(?:[._]\d+)*$/i.test(text)
  );
}

const segmentParts = memoize(partsOf);

function partsOf(segment: string): readonly PathPart[] {
  const custom = /^(.+[^:]):([A-Za-z]\w*)$/.exec(segment);
  if (custom) return [...partsOf(custom[1] as string), ...partsOf(custom[2] as string)];
  const param = /^([^{]*)\{([^{}]*)\}/.exec(segment);
  if (
    param &&
    /^v?$/i.test(param[1] as string) &&
    /^(?:api[-_]?)?version$/i.test(param[2] as string) &&
    (param[1] !== "" || param[2]?.length !== 7)
  )
    return [];
  if (param) return [...partsOf(param[1] as string), { kind: "param", name: param[2] as string }];
  const text = decode(segment).replace(/\.(json|xml|ya?ml|php|aspx?|do)$/i, "");
  const words = wordsOf(text);
  return words.length > 0 ? [{ kind: "words", text, words }] : [];
}

function decode(segment: string): string {
  try {
    return segment.includes("%") ? decodeURIComponent(segment) : segment;
  } catch {
    return segment;
  }
}

const NO_WORDS: readonly string[] = [];

/**
 * The words of a piece, counted from the end when negative; none where a parameter stands, or
 * nothing.
 */
export function wordsAt(parts: readonly PathPart[], index: number): readonly string[] {
  const part = parts.at(index);
  return part?.kind === "words" ? part.words : NO_WORDS;
}

/** True when a path ends at one thing: `/pets/{petId}`. */
export function endsInParam(parts: readonly PathPart[]): boolean {
  return parts.at(-1)?.kind === "param";
}
