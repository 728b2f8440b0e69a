import { shortHash } from "../names/name-length.js";
import { toAscii } from "../names/words.js";
import type { InputCandidate, InputLocation } from "./candidates.js";

const MAX_INPUT_NAME_LENGTH = 64;
const LEGAL_INPUT_NAME = /^[a-zA-Z0-9_]{1,64}$/;

/** Priority of locations when names collide. Within a location, the document's order decides. */
const LOCATION_ORDER: readonly InputLocation[] = [
  "path",
  "query",
  "header",
  "cookie",
  "querystring",
  "body",
];

/**
 * Names the inputs of one tool: `^[a-zA-Z0-9_]{1,64}$`, unique. Legal names stay. Names that hosts
 * reject are rewritten (`filter[x]` → filter_x, `X-Trace` → x_trace). The second of two equal names
 * gets its location as a prefix (`body_id`). Legal names take precedence over rewritten ones.
 * @returns the names, in the order of the candidates
 */
export function nameInputs(candidates: readonly InputCandidate[]): readonly string[] {
  const written = candidates.map((candidate) => candidate.wireName);
  if (written.every(isLegalInputName) && new Set(written).size === written.length) return written;
  const taken = new Set<string>();
  const names = new Map<InputCandidate, string>();
  const ordered = LOCATION_ORDER.flatMap((location) =>
    candidates.filter((candidate) => candidate.in === location),
  );
  const assign = (candidate: InputCandidate, preferred: string): void => {
    const name = freeName(preferred, candidate, taken);
    taken.add(name);
    names.set(candidate, name);
  };
  for (const candidate of ordered)
    if (isLegalInputName(candidate.wireName)) assign(candidate, candidate.wireName);
  for (const candidate of ordered)
    if (!isLegalInputName(candidate.wireName)) assign(candidate, rewriteName(candidate));
  return candidates.map((candidate) => names.get(candidate) as string);
}

/** `__proto__` is legal for hosts, but unsafe as a key in JavaScript. */
function isLegalInputName(name: string): boolean {
  return LEGAL_INPUT_NAME.test(name) && name !== "__proto__";
}

function rewriteName({ wireName, in: location }: InputCandidate): string {
  const text = toAscii(location === "header" ? wireName.toLowerCase() : wireName);
  const name = text.replace(/[^a-zA-Z0-9_]+/g, "_").replace(/^_+|_+$/g, "");
  if (name === "" || name === "__proto__") return `${location}_${shortHash(wireName)}`;
  return name.length <= MAX_INPUT_NAME_LENGTH
    ? name
    : `${name.slice(0, MAX_INPUT_NAME_LENGTH - 7)}_${shortHash(wireName)}`;
}

function freeName(
  preferred: string,
  { in: location }: InputCandidate,
  taken: ReadonlySet<string>,
): string {
  if (!taken.has(preferred)) return preferred;
  const prefixed = `${location}_${preferred}`.slice(0, MAX_INPUT_NAME_LENGTH);
  if (!taken.has(prefixed)) return prefixed;
  for (let n = 2; ; n++) {
    const numbered = `${prefixed.slice(0, MAX_INPUT_NAME_LENGTH - String(n).length - 1)}_${n}`;
    if (!taken.has(numbered)) return numbered;
  }
}
