import { shortHash } from "../name/hash.js";
import { toAscii } from "../name/words.js";
import type { Candidate, InputPlace } from "./candidate.js";

const MAX_NAME = 64;
const LEGAL = /^[a-zA-Z0-9_]{1,64}$/;

/** Who has the first word on a name; the document's order decides within a place. */
const ORDER: readonly InputPlace[] = ["path", "query", "header", "cookie", "querystring", "body"];

/**
 * Names for the inputs of one tool: `^[a-zA-Z0-9_]{1,64}$`, unique. A name that is legal stays as
 * it is; one that hosts refuse is rewritten (`filter[x]` → filter_x, `X-Trace` → x_trace). Where
 * two want the same name, the second is called by its place (`body_id`). Legal names come before
 * rewritten ones.
 * @returns the names, in the order of the candidates
 */
export function nameInputs(candidates: readonly Candidate[]): readonly string[] {
  const written = candidates.map((candidate) => candidate.wireName);
  if (written.every(isLegal) && new Set(written).size === written.length) return written;
  const taken = new Set<string>();
  const names = new Map<Candidate, string>();
  const ordered = ORDER.flatMap((place) =>
    candidates.filter((candidate) => candidate.place === place),
  );
  const claim = (candidate: Candidate, wanted: string): void => {
    const name = freeName(wanted, candidate, taken);
    taken.add(name);
    names.set(candidate, name);
  };
  for (const candidate of ordered)
    if (isLegal(candidate.wireName)) claim(candidate, candidate.wireName);
  for (const candidate of ordered)
    if (!isLegal(candidate.wireName)) claim(candidate, rewritten(candidate));
  return candidates.map((candidate) => names.get(candidate) as string);
}

/** `__proto__` is legal for hosts, but no key that a JavaScript program should meet. */
function isLegal(name: string): boolean {
  return LEGAL.test(name) && name !== "__proto__";
}

function rewritten({ wireName, place }: Candidate): string {
  const text = toAscii(place === "header" ? wireName.toLowerCase() : wireName);
  const name = text.replace(/[^a-zA-Z0-9_]+/g, "_").replace(/^_+|_+$/g, "");
  if (name === "" || name === "__proto__") return `${place}_${shortHash(wireName)}`;
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 7)}_${shortHash(wireName)}`;
}

function freeName(wanted: string, { place }: Candidate, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  const placed = `${place}_${wanted}`.slice(0, MAX_NAME);
  if (!taken.has(placed)) return placed;
  for (let n = 2; ; n++) {
    const numbered = `${placed.slice(0, MAX_NAME - String(n).length - 1)}_${n}`;
    if (!taken.has(numbered)) return numbered;
  }
}
