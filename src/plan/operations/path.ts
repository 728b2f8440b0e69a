/** Segments of path templates. */
import { decodePercent } from "../../json-pointer.js";
import { translatePhrase } from "../../language/foreign-verbs.js";
import { isPlural, isVerb, pluralize } from "../../language/grammar.js";
import { NOISE_SEGMENTS } from "../../language/lexicon.js";
import { memoize } from "../../language/patterns.js";
import { isVersion, splitWords } from "../../language/words.js";
import type { PathSegment } from "./types.js";

/**
 * Parses a path template: `/v1/pets/{petId}/visits` → pets, {petId}, visits. Omits versions, dates,
 * `api` before all parameters, and file extensions. `{id}:adopt` gives two segments.
 */
export const parsePathTemplate: (path: string) => readonly PathSegment[] = memoize((path) => {
  const parts: PathSegment[] = [];
  for (const segment of path.split("/")) {
    if (segment === "") continue;
    const hasNamespace = parts.length > 0 && segment.includes(".");
    parts.push(...parseSegment(hasNamespace ? segment.replace(NAMESPACE, "") : segment));
  }
  while (parts[1]?.kind === "words" && isNoiseSegment(parts[0])) parts.shift();
  const meaningful = parts.filter((part, i) =>
    part.kind === "param"
      ? !isVersionNumber(parts, i)
      : !(isVersion(part.text.toLowerCase()) || isMountPoint(parts, i) || isFormat(parts, i)),
  );
  return meaningful.length > 0 ? meaningful : parts;
});

/**
 * `/members/acme.graph.user`, `/items/acme.graph.copy`: the namespace of an OData type or action.
 */
const NAMESPACE = /^[A-Za-z]{3,40}\.(?:[A-Za-z]{3,40}\.){1,8}(?=[A-Za-z]{3})/;

/** `/admin/api/users`: `api` before all parameters only locates the API. */
function isMountPoint(parts: readonly PathSegment[], index: number): boolean {
  const part = parts[index];
  return (
    index > 0 &&
    index < parts.length - 1 &&
    part?.kind === "words" &&
    part.text === "api" &&
    parts.slice(0, index).every(({ kind }) => kind === "words")
  );
}

/** `/containers/json`: the format of the response. */
const isFormat = (parts: readonly PathSegment[], index: number): boolean =>
  index > 0 &&
  index === parts.length - 1 &&
  /^(?:json|xml)$/.test(segmentWords(parts, index).join(" "));

/** `/search/{versionNumber}/geocode`: that of the API, unlike `/versions/{versionNumber}`. */
function isVersionNumber(parts: readonly PathSegment[], index: number): boolean {
  const part = parts[index];
  const before = segmentWords(parts, index - 1).at(-1) ?? "";
  return (
    part?.kind === "param" &&
    /^version[-_]?(?:number|no)$/i.test(part.name) &&
    index < 2 &&
    index < parts.length - 1 &&
    !/^versions?$/.test(index === 0 ? "" : before)
  );
}

/** `api`, `v1`, `api-v1.0`. */
function isNoiseSegment(part: PathSegment | undefined): boolean {
  return (
    part?.kind === "words" &&
    (part.words.every((word) => NOISE_SEGMENTS.has(word) || isVersion(word)) ||
      part.words.join(" ") === "api public" ||
      part.words.join(" ") === "public api" ||
      /^(?:(?:api|rest)[-_.]?v?)?\d+(?:[._]\d+)*$/i.test(part.text))
  );
}

const parseSegment = memoize(splitSegment);

/**
 * `/pets.{format}`, `/pets{mediaTypeExtension}`: the format of the response is not a parameter of
 * the resource.
 */
const FORMAT_PARAMETER =
  /(?:\.\{(?:ext|extension|(?:file|output|response)?[-_]?format|(?:content|file|media)[-_]?type)\}|(?<=[^/]){\w{0,20}extension\})$/i;

function splitSegment(written: string): readonly PathSegment[] {
  const segment = written.replace(FORMAT_PARAMETER, "");
  const custom = /^(.+[^:]):([A-Za-z]\w*)$/.exec(segment);
  if (custom) return [...splitSegment(custom[1] as string), ...splitSegment(custom[2] as string)];
  const [, prefix = "", name] = /^([^{]*)\{([^{}]*)\}/.exec(segment) ?? [];
  if (name !== undefined) {
    return isVersionParameter(prefix, name)
      ? []
      : [...splitSegment(prefix), { kind: "param", name }];
  }
  const text = (decodePercent(segment) ?? segment).replace(/\.(json|xml|ya?ml|php|aspx?|do)$/i, "");
  const words = translatePhrase(splitWords(text));
  return words.length > 0 ? [{ kind: "words", text, words }] : [];
}

/** `v{version}`, `{apiVersion}`. A lone `{version}` can be the version of a resource. */
function isVersionParameter(prefix: string, name: string): boolean {
  return (
    /^v?$/i.test(prefix) &&
    /^(?:api[-_]?)?version$/i.test(name) &&
    (prefix !== "" || name.length !== "version".length)
  );
}

/** Operations whose shared start says something about the document rather than about them. */
const MIN_SHARING = 8;

/**
 * The segments with which all paths begin, if each has more: `/tier2/{company}` of
 * `/tier2/{company}/photos` and `/tier2/{company}/areas`, `/v3/admin` of `/v3/admin/orders` and
 * `/v3/admin/prices/{id}`. They say nothing about an operation; empty without such segments.
 */
export function sharedPathStart(paths: readonly string[]): string {
  if (paths.length < MIN_SHARING) return "";
  const [start = ""] = /^(?:\/[^/{}]+)+\/\{[^{}]+\}\//.exec(paths[0] ?? "") ?? [];
  const isShared = start !== "" && paths.every((path) => path.startsWith(start));
  // `/search/{version}/geocode` searches.
  if (isShared && !splitWords(start.replace(/\{.*/, "")).some(isVerb)) return start.slice(0, -1);
  return sharedFolders(paths);
}

/** Share of paths whose own part can be a verb: `store` is a noun as well. */
const MAX_VERBS = 0.1;

/**
 * The folders of all paths, without collections (`/numbers/pi`) and objects of verbs (`/scan/start`).
 */
function sharedFolders(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split("/").slice(1));
  let length = 0;
  const isFolder = (segment: string): boolean =>
    !segment.includes("{") &&
    !splitWords(segment).some((word) => isVerb(word) || isPlural(word)) &&
    others.every((segments) => segments[length] === segment);
  while (length < first.length - 1 && isFolder(first[length] as string)) length++;
  const rests = [first, ...others].map((segments) => segments.slice(length));
  const isNamed = rests.every(([own = ""]) => own !== "" && !own.includes("{"));
  const verbs = rests.filter(([own = "", second]) => !second && isVerb(splitWords(own)[0]));
  return isNamed && verbs.length < rests.length * MAX_VERBS && length > 0
    ? `/${first.slice(0, length).join("/")}`
    : "";
}

const NO_WORDS: readonly string[] = [];

/**
 * Words of a segment; a negative index counts from the end. Empty for parameters and outside the
 * path.
 */
export function segmentWords(parts: readonly PathSegment[], index: number): readonly string[] {
  const part = parts.at(index);
  return part?.kind === "words" ? part.words : NO_WORDS;
}

/** True when a path ends at one item: `/pets/{petId}`. */
export function endsInParameter(parts: readonly PathSegment[]): boolean {
  return parts.at(-1)?.kind === "param";
}

/** True when the last segment contains a word. */
export function lastSegmentHas(parts: readonly PathSegment[], word: string): boolean {
  return segmentWords(parts, -1).includes(word);
}

/** True when a segment is the plural of a word: `posts` for `post`. */
export function pathHasCollection(parts: readonly PathSegment[], word: string): boolean {
  const plural = pluralize(word);
  return parts.some((part) => part.kind === "words" && part.words.at(-1) === plural);
}

/** Words after which a path names a topic: `/settings/update`. */
const TOPICS = /^(?:config|configs|configuration|options|preferences|settings)$/;

/** Tests whether the last segment names a topic of the segment before it: `/settings/update`. */
export const endsInTopic = (parts: readonly PathSegment[]): boolean =>
  TOPICS.test(segmentWords(parts, -2).at(-1) ?? "");
