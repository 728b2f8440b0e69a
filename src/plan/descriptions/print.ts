/** Prints the parts of a tool's text as its description. Nothing else writes descriptions. */
import { anyOfPhrases } from "../../language/patterns.js";
import type { CallExample } from "../../configuration/types.js";
import { joinFirst } from "../../diagnostics/index.js";
import { IRREVERSIBLE, REPLACES_ALL } from "../effects/phrase-rules.js";
import {
  joinWithAnd,
  joinWithOr,
  sentencesOf,
  toSentence,
  truncateText,
} from "../text/sentences.js";
import type { PlannedTool } from "../types.js";
import type {
  Alternative,
  Condition,
  Detail,
  FindPurpose,
  Limit,
  Purpose,
  StatedEffect,
  ToolText,
} from "../text/parts.js";

/** Maximum length. Hosts truncate descriptions at 1,024 characters. */
export const MAX_DESCRIPTION_LENGTH = 1000;
/** Maximum length of the text for a model that asks for it. */
export const MAX_FULL_LENGTH = 10_000;
const MAX_OPENING_LENGTH = 120;
const MAX_FILTERS = 4;
const MAX_NAMED_INPUTS = 6;

/**
 * Prints the description of a tool from its parts, and the whole text if it is shortened.
 * @param text the parts without those that the server's instructions state
 */
export function printDescription(tool: PlannedTool, text: ToolText = tool.text): PlannedTool {
  const description = printText(text);
  const fullDescription = printText(tool.text, MAX_FULL_LENGTH);
  const isShortened = fullDescription.length > description.length;
  return {
    ...tool,
    definition: { ...tool.definition, description, ...(isShortened && { fullDescription }) },
  };
}

/**
 * Prints a text: the purpose, the document's further text, and the sentences about the call, its
 * result and its effects. The document's further text is shortened to the room that the others
 * leave.
 */
export function printText(text: ToolText, max = MAX_DESCRIPTION_LENGTH): string {
  const details = text.details.map(printDetail);
  const wholePurpose = printPurpose(text.purpose);
  const shown = (effects: readonly StatedEffect[]): string => {
    const tail = tailSentences({ ...text, effects }).join(" ");
    const longest = max - tail.length - 1;
    const purpose = truncateText(wholePurpose, longest);
    const room = max - purpose.length - tail.length - 2;
    return joinParts([purpose, shortenDetails(details, room), tail]);
  };
  if (text.effects.length === 0) return truncateText(shown([]), max, false);
  const written = shown([]).toLowerCase();
  const unstated = text.effects.filter((effect) => !EFFECTS[effect].stated.test(written));
  return truncateText(shown(unstated), max, false);
}

const joinParts = (parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join(" ");

function tailSentences(text: ToolText): readonly string[] {
  const { useWhen, notFor, steps, errors, readsBack, job, collectedItems, examples = [] } = text;
  return [
    ...(useWhen === undefined ? [] : [useWhen]),
    ...(notFor === undefined ? [] : [notFor]),
    ...(steps === undefined ? [] : [steps]),
    ...text.limits.map(printLimit),
    ...printResult(text),
    ...(readsBack === undefined ? [] : [READS_BACK[readsBack]]),
    ...(errors === undefined ? [] : [errors]),
    ...(job === undefined || job === 0 ? [] : [printWait(job)]),
    ...text.effects.map((effect) => EFFECTS[effect].sentence),
    ...(text.asksUser ? ["Asks the user before it is sent."] : []),
    ...(text.isDeprecated ? ["Deprecated."] : []),
    ...new Set(text.alternatives.map(printAlternative)),
    ...(collectedItems === undefined
      ? []
      : [`Collects up to ${collectedItems} items, from several pages where needed.`]),
    ...examples.map(printExample),
  ];
}

const READS_BACK = {
  always: "Reads it back as current.",
  ifEmpty: "If the API returns nothing, reads it back as current.",
} as const;

function printExample({ say, call }: CallExample): string {
  return `Example: for ${JSON.stringify(say)} call it with ${JSON.stringify(call)}.`;
}

const printWait = (job: true | number): string =>
  `Waits until the work is done, ${job === true ? "by default up to 45 s" : `up to ${job} s`}.`;

/**
 * `Returns id and name.`, after a text that says `Returns …` itself: `The result has id and name.`
 */
function printResult({ purpose, details, result }: ToolText): readonly string[] {
  const written = [printPurpose(purpose), ...details.map(({ text }) => text)];
  const isStated = written.some((text) => RETURNS.test(text));
  const told = isStated ? result.filter((phrase) => !SCALAR.test(phrase)) : result;
  return told.map((phrase) => `${isStated ? "The result has" : "Returns"} ${phrase}.`);
}

const RETURNS = /(?:^|[.!?:] )Returns /;
const SCALAR = /^(?:an? \w+|a list of items)$/;

const EFFECTS: Readonly<
  Record<StatedEffect, { readonly sentence: string; readonly stated: RegExp }>
> = {
  replacesAll: { sentence: "Replaces all of it; omitted fields are lost.", stated: REPLACES_ALL },
  isIrreversible: { sentence: "Cannot be undone.", stated: IRREVERSIBLE },
};

/** Shortens details to a length. Short ones leave their room to the others. */
function shortenDetails(details: readonly string[], room: number): string {
  const whole = details.join(" ");
  if (whole.length <= room && !details.includes("")) return whole; // nearly all
  const shares = new Map<string, number>();
  let remaining = room - details.length + 1;
  const byLength = details.toSorted((a, b) => a.length - b.length);
  for (const [i, detail] of byLength.entries()) {
    const share = Math.min(detail.length, Math.floor(remaining / (byLength.length - i)));
    shares.set(detail, share);
    remaining -= share;
  }
  const shortened = details.map((detail) => shortenDetail(detail, shares.get(detail) ?? 0));
  return shortened.filter((detail) => detail !== "").join(" ");
}

/** Shortens a text, and keeps its warnings after the mark of the cut. */
function shortenDetail(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < MIN_DETAIL_LENGTH) return "";
  const warnings = warningsOf(text).filter((warning) => !truncateText(text, max).includes(warning));
  const room = max - warnings.reduce((sum, warning) => sum + warning.length + 1, 0);
  return room < max / 2
    ? truncateText(text, max)
    : [truncateText(text, room), ...warnings].join(" ");
}

/** A shorter beginning of a text says nothing. */
const MIN_DETAIL_LENGTH = 40;
const MAX_WARNINGS = 2;
const MAX_WARNING_LENGTH = 200;

function warningsOf(text: string): readonly string[] {
  return sentencesOf(text)
    .filter((sentence) => sentence.length <= MAX_WARNING_LENGTH && isWarning(sentence))
    .slice(0, MAX_WARNINGS);
}

/** True for sentences about a loss, a charge, or an effect that cannot be stopped. */
export const isWarning = (sentence: string): boolean => WARNING.test(sentence);

/** Words about a loss, a charge, or an effect that cannot be stopped. */
const WARNING = new RegExp(
  `\\b(?:${anyOfPhrases(
    "overwrit\\w+",
    "(?:is|are|be|gets?|being) (?:\\w+ly )?(?:deleted|destroyed|erased|lost|removed|wiped|charged|billed)",
    "irreversibl[ey], cannot be (?:undone|reversed|recovered|restored), can(?:not|'t|’t) undo",
    "permanently, at once, data loss",
  )})\\b`,
  "i",
);

function printDetail({ text, condition }: Detail): string {
  const sentence = toSentence(capitalizeSentence(text));
  return condition ? `${printCondition(condition)}: ${sentence}` : sentence;
}

const printCondition = ({ given, omitted }: Condition): string =>
  given.length > 0
    ? `With ${joinWithAnd(given)}`
    : omitted.length > 0
      ? `Without ${joinWithOr(omitted)}`
      : "Otherwise";

/** `get hives.` → Get hives. Identifiers stay: `iPhone`, `user_id`. */
export const capitalizeSentence = (text: string): string =>
  /^[a-z]{2,}(?=[ .,])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

/** Prints a purpose as one sentence. */
export const printPurpose = (purpose: Purpose): string =>
  typeof purpose === "string" ? purpose : printFindPurpose(purpose);

/** `Find pets by ID or by status, species.` */
function printFindPurpose({ verb, noun, ids, filters }: FindPurpose): string {
  const idNames = joinWithAnd(ids.map(({ phrase }) => phrase));
  const phrases = [...new Set(filters.map(({ phrase }) => phrase))];
  for (let most = Math.min(MAX_FILTERS, phrases.length); most > 0; most--) {
    const by = joinWithOr(phrases.slice(0, most));
    const sentence =
      ids.length > 0 ? `${verb} ${noun} by ${idNames}, or by ${by}.` : `${verb} ${noun} by ${by}.`;
    if (sentence.length <= MAX_OPENING_LENGTH) return sentence;
  }
  const plain = `${[verb, noun].join(" ").trim()}.`;
  if (ids.length === 0) return plain;
  const combined = `${verb} ${noun}: one by ${idNames}, or all.`;
  return combined.length <= MAX_OPENING_LENGTH ? combined : plain;
}

function printLimit(limit: Limit): string {
  if (typeof limit === "string") return limit;
  return "atLeast" in limit
    ? `Needs at least ${limit.atLeast} of ${joinFirst(limit.inputs, MAX_NAMED_INPUTS)}.`
    : `Needs ${limit.oneOf.map(joinWithAnd).join(", or ")}.`;
}

function printAlternative({ when, tool }: Alternative): string {
  const condition = typeof when === "string" ? when : `${when.word} ${joinWithAnd(when.inputs)}`;
  return `${condition} use ${tool}.`;
}
