import { splitWords } from "../names/words.js";

/** Bound of a range that the name of an input expresses: `created_gte`, `price_max`. */
export interface Bound {
  /** Words of the bounded value: `created`. */
  readonly stem: readonly string[];
  readonly side: "Lower" | "Upper";
  /** Known for `gt`, `gte`, `lt` and `lte` only. */
  readonly isInclusive?: boolean;
}

const SIDES: readonly (readonly [words: RegExp, side: Bound["side"]])[] = [
  [/^(?:gte?|min|minimum|from|after|since|start|on or after)$/, "Lower"],
  [/^(?:lte?|max|maximum|to|before|until|till|end|on or before)$/, "Upper"],
];

/** Reads the bound at the end or the start of a name. */
export function parseBound(name: string): Bound | undefined {
  const words = splitWords(name);
  const suffix = [3, 1]
    .map((length) => words.slice(-length).join(" "))
    .find((text) => sideOf(text));
  const prefix = /^(?:min|max)(?:imum)?$/.test(words[0] ?? "") ? (words[0] as string) : undefined;
  const operator = suffix ?? prefix ?? "";
  const side = sideOf(operator);
  const length = operator.split(" ").length;
  const stem = suffix === undefined ? words.slice(1) : words.slice(0, -length);
  if (side === undefined || stem.length === 0) return undefined;
  const isComparison = /^[gl]te?$/.test(operator);
  return { stem, side, ...(isComparison && { isInclusive: operator.endsWith("e") }) };
}

const sideOf = (words: string): Bound["side"] | undefined =>
  SIDES.find(([pattern]) => pattern.test(words))?.[1];

/** `Lower bound of created, inclusive`. */
export function boundPhrase({ stem, side, isInclusive }: Bound): string {
  const ending = isInclusive === undefined ? "" : isInclusive ? ", inclusive" : ", exclusive";
  return `${side} bound of ${stem.join(" ")}${ending}`;
}
