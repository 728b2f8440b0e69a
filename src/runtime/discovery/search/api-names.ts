import type { Clause } from "./query.js";
import { stemOf, wordsOf } from "./terms.js";

/** Words that a query may write as several: `Label Studio` for `labelstudio`. */
const maxNameWords = 4;

/** Words of names of APIs that people leave out. */
const generic = new Set("api apis rest web service http openapi public v1 v2 v3".split(" "));

/** The name of an API as one word: `github` for `GitHub REST API`. */
function joinedName(name: string): string {
  const words = wordsOf(name.replaceAll("_", " ")).map((word) => word.toLowerCase());
  const specific = words.filter((word) => !generic.has(word));
  return (specific.length > 0 ? specific : words).join("");
}

/** Writes names of APIs in a query as one word each, so that `GitHub` is not read as two. */
export function joinApiNames(query: string, apis: readonly string[]): string {
  if (apis.length === 0) return query;
  const names = new Set(apis.map(joinedName));
  const words = [...query.matchAll(/[\p{L}\p{N}\p{M}]+/gu)];
  let text = "";
  let end = 0;
  for (let i = 0; i < words.length; i++)
    for (let count = Math.min(maxNameWords, words.length - i); count > 0; count--) {
      const run = words.slice(i, i + count);
      const name = run.map(([word]) => word.toLowerCase()).join("");
      if (!names.has(name)) continue;
      text += query.slice(end, words[i]!.index) + name;
      end = run.at(-1)!.index + run.at(-1)![0].length;
      i += count - 1;
      break;
    }
  return text + query.slice(end);
}

/** Positions of the APIs that a clause names, or that its context names if it names none. */
export function namedApis({ terms }: Clause, apis: readonly string[]): ReadonlySet<number> {
  const found = apis.map((api) => terms.get(stemOf(joinedName(api))) ?? 0);
  const most = Math.max(...found);
  return new Set(most === 0 ? [] : found.flatMap((weight, i) => (weight === most ? [i] : [])));
}

/** Clauses that say more than the names of APIs: `GitHub: close an issue` asks for one thing. */
export function withoutLoneNames(
  clauses: readonly Clause[],
  apis: readonly string[],
): readonly Clause[] {
  const names = new Set(apis.map((api) => stemOf(joinedName(api))));
  const others = clauses.filter(
    ({ terms, act }) =>
      act !== undefined || [...terms].some(([term, weight]) => weight === 1 && !names.has(term)),
  );
  return others.length > 0 ? others : clauses;
}
