import { shortHash } from "../names/name-length.js";
import { toAscii } from "../names/words.js";
import type { InputCandidate, InputLocation } from "./candidates.js";

const MAX_INPUT_NAME_LENGTH = 64;
const LEGAL_INPUT_NAME = /^[a-zA-Z0-9_]{1,64}$/;

/** Who has the first word on a name; the document's order decides within a place. */
const LOCATION_ORDER: readonly InputLocation[] = [
  "path",
  "query",
  "header",
  "cookie",
  "querystring",
  "body",
];

/**
 * Names for the inputs of one tool: `^[a-zA-Z0-9_]{1,64}$`, unique. A name that is legal stays as
 * it is; one that hosts refuse is rewritten (`filter[x]` → filter_x, `X-Trace` → x_trace). Where
 * two want the same name, the second is called by its place (`body_id`). Legal names come before
 * rewritten ones.
 * @returns the names, in the order of the candidates
 */
export function nameInputs(candidates: readonly InputCandidate[]): readonly string[] {
  const written = candidates.map((candidate) => candidate.wireName);
  if (written.every(isLegalInputName) && new Set(written).size === written.length) return written;
  const taken = new Set<string>();
  const names = new Map<InputCandidate, string>();
  const ordered = LOCATION_ORDER.flatMap((place) =>
    candidates.filter((candidate) => candidate.in === place),
  );
  const claim = (candidate: InputCandidate, wanted: string): void => {
    const name = freeName(wanted, candidate, taken);
    taken.add(name);
    names.set(candidate, name);
  };
  for (const candidate of ordered)
    if (isLegalInputName(candidate.wireName)) claim(candidate, candidate.wireName);
  for (const candidate of ordered)
    if (!isLegalInputName(candidate.wireName)) claim(candidate, rewriteName(candidate));
  return candidates.map((candidate) => names.get(candidate) as string);
}

/** `__proto__` is legal for hosts, but no key that a JavaScript program should meet. */
function isLegalInputName(name: string): boolean {
  return LEGAL_INPUT_NAME.test(name) && name !== "__proto__";
}

function rewriteName({ wireName, in: place }: InputCandidate): string {
  const text = toAscii(place === "header" ? wireName.toLowerCase() : wireName);
  const name = text.replace(/[^a-zA-Z0-9_]+/g, "_").replace(/^_+|_+$/g, "");
  if (name === "" || name === "__proto__") return `${place}_${shortHash(wireName)}`;
  return name.length <= MAX_INPUT_NAME_LENGTH
    ? name
    : `${name.slice(0, MAX_INPUT_NAME_LENGTH - 7)}_${shortHash(wireName)}`;
}

function freeName(
  wanted: string,
  { in: place }: InputCandidate,
  taken: ReadonlySet<string>,
): string {
  if (!taken.has(wanted)) return wanted;
  const placed = `${place}_${wanted}`.slice(0, MAX_INPUT_NAME_LENGTH);
  if (!taken.has(placed)) return placed;
  for (let n = 2; ; n++) {
    const numbered = `${placed.slice(0, MAX_INPUT_NAME_LENGTH - String(n).length - 1)}_${n}`;
    if (!taken.has(numbered)) return numbered;
  }
}
