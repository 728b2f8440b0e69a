/** Texts about the percent-encoding of values in URLs, which requests do themselves. */
import { flattenMarkdown, inlineTables } from "./markdown.js";
import { appendSentences, splitSentence } from "./sentences.js";

const MENTION = /(?<!form-)\b(?:UR[LI]|percent)[- ]?(?:encod|escap)(?:ed?|es|ing)\b/i;
const DEMAND = /\b(?:must|should|needs?|ha(?:s|ve) to|required|(?:be|make) sure|remember)\b/i;

/**
 * Rewrites a description that asks callers to percent-encode a value. Requests encode all values
 * (RFC 3986, section 2.1), so that an encoded one would be encoded twice: `The URL-encoded path of
 * the project.` → `The path of the project. Do not URL-encode it.`
 */
export function withoutUrlEncoding(text: string): string {
  const plain = flattenMarkdown(inlineTables(text));
  if (!MENTION.test(plain)) return text;
  const kept: string[] = [];
  let isAfterDropped = false;
  for (let rest = plain; rest !== "";) {
    const [sentence, after] = splitSentence(rest);
    const rewritten: string =
      isAfterDropped && continues(sentence) ? "" : rewriteSentence(sentence);
    isAfterDropped = rewritten === "";
    if (!isAfterDropped) kept.push(rewritten);
    rest = after;
  }
  return appendSentences(kept.join(" "), "Do not URL-encode it.");
}

/** True for a sentence that belongs to the one before: `are accepted`, or an encoded example. */
const continues = (sentence: string): boolean => /^[a-z]|%[0-9A-F]{2}/.test(sentence);

/** Removes the demand to encode a value from a sentence about an operation. */
export const withoutEncodingDemand = (sentence: string): string =>
  MENTION.test(sentence) && DEMAND.test(sentence) ? rewriteSentence(sentence) : sentence;

/** A sentence without its mentions of encoding; empty for one that has no other subject. */
function rewriteSentence(sentence: string): string {
  const rewritten = withoutAttribute(sentence);
  return MENTION.test(rewritten) ? "" : decodeEscapes(rewritten);
}

/** True for a text with escapes, such as `group%2Fproject`. */
export const isPercentEncoded = (value: unknown): boolean =>
  typeof value === "string" && /%[0-9a-f]{2}/i.test(value);

/** Decodes the escapes of an example, such as `group%2Fproject`. Other values are not changed. */
export const decodeExample = (value: unknown): unknown =>
  typeof value === "string" ? decodeEscapes(value) : value;

function decodeEscapes(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

const ENCODED = String.raw`(?:properly )?(?<!form-)\b(?:UR[LI]|percent)[- ]?(?:encoded|escaped)\b`;
const BE_ENCODED = `be ${ENCODED},? and`;
const MUST = "\\b(?:must|should|needs? to|ha(?:s|ve) to) (?:also )?";
/** Words after a participle that is not an attribute: `must be URL-encoded if …`. */
const NO_NOUN =
  "(?!(?:and|as|because|before|by|e\\.g|for|if|in|or|per|since|so|to|unless|when|with)\\b)";

const ATTRIBUTES: readonly (readonly [pattern: RegExp, replacement: string])[] = (
  [
    [`\\(${ENCODED}\\) ?`, ""],
    // `needs to be URL-encoded and is made up of …`
    [`${MUST}${BE_ENCODED} (?=(?:is|are|has|have|can|may)\\b)`, ""],
    // `must be percent-encoded and quoted`
    [`\\b${BE_ENCODED} (?=\\w+ed\\b)`, "be "],
    [`\\ban? ${ENCODED},? (?=${NO_NOUN}[aeiou])`, "an "],
    [`\\ban? ${ENCODED},? (?=${NO_NOUN}\\w)`, "a "],
    [`(?:, )?(?<!\\b(?:be|is|are) )${ENCODED},? (?=${NO_NOUN}\\w)`, " "],
    // `…, URL-encoded or escaped`
    [`, ${ENCODED} or [\\w-]+(?=[.,;]|$)`, ""],
  ] as const
).map(([pattern, replacement]) => [new RegExp(pattern, "gi"), replacement]);

/** `A URL-encoded JSON object` → `A JSON object`. */
function withoutAttribute(sentence: string): string {
  const text = ATTRIBUTES.reduce((rest, [pattern, by]) => rest.replace(pattern, by), sentence);
  if (text === sentence) return sentence;
  const trimmed = text.replace(/ {2,}/g, " ").trim();
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
}
