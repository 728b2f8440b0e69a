/** Number of the first page of a list, or offset of its first item, as the document declares it. */
import type { JsonSchema } from "../../json.js";

/** Number of a first page. */
export interface FirstPage {
  readonly first: number;
  /** True if nothing but a bound or an example suggests the number. */
  readonly firstIsGuess?: true;
}

/** Texts that say from which number pages are counted. */
function countsFrom(number: string): RegExp {
  const counting =
    "start(?:s|ing|ed)?|begin(?:s|ning)?|count(?:s|ed|ing)?|number(?:ed|ing)|index(?:ed|ing)";
  const alternatives = [
    `\\b${number}[- ]?(?:based|indexed)\\b`,
    `\\b(?:${counting}) (?:at|from|with|is|on)(?: page| index| offset| number)? ?${number}(?![\\w.]\\d)\\b`,
    `\\bfirst (?:page|item|result|row|record)(?: number| index)? ?(?:is|=|:|has)(?: the| page| at)*(?: number| index)? ?${number}\\b`,
    `\\b${number} (?:is|=|for|means|returns|being) the first\\b`,
  ];
  return new RegExp(alternatives.join("|"), "i");
}

const FROM_ZERO = countsFrom("(?:0|zero)");
const FROM_ONE = countsFrom("(?:1|one)");

/**
 * Determines the number of the first page. Without any statement it is the usual one. A minimum or
 * an example of 0 is a guess: proposing a page that is known already costs a call, and skipping one
 * loses its items.
 * @param usual number of most APIs: 1 for pages, 0 for offsets
 */
export function firstPage(schema: JsonSchema, usual: number): FirstPage {
  const [preset, described] = [numericDefault(schema), describedFirst(schema)];
  if (preset !== undefined) return { first: Math.max(preset, described ?? 0) };
  if (described !== undefined) return { first: described };
  const { minimum } = schema;
  if (typeof minimum === "number" && minimum > usual) return { first: minimum };
  const hasZero = minimum === 0 || (minimum === undefined && exampleOf(schema) === 0);
  return hasZero && usual === 1 ? { first: 0, firstIsGuess: true } : { first: usual };
}

/** Default of an input that takes a number, also one that is written as text. */
export function numericDefault({ default: value }: JsonSchema): number | undefined {
  const isDigits = typeof value === "string" && /^\d{1,15}$/.test(value);
  if (isDigits) return Number(value);
  return typeof value === "number" ? value : undefined;
}

function exampleOf({ examples }: JsonSchema): unknown {
  return Array.isArray(examples) ? (examples as readonly unknown[])[0] : undefined;
}

/** Characters of a description that are read. */
const MAX_DESCRIPTION = 2000;

/** The number in the description; `undefined` if there is none, or both. */
function describedFirst({ description }: JsonSchema): number | undefined {
  if (typeof description !== "string") return undefined;
  const text = description.slice(0, MAX_DESCRIPTION);
  const [zero, one] = [FROM_ZERO.test(text), FROM_ONE.test(text)];
  if (zero === one) return undefined;
  return zero ? 0 : 1;
}
