/** Prints the parts of a tool's text as its description. Nothing else writes descriptions. */
import { joinFirst } from "../../diagnostics/index.js";
import { IRREVERSIBLE, REPLACES_ALL } from "../effects/phrase-rules.js";
import { joinWithAnd, joinWithOr, toSentence, truncateText } from "../text/sentences.js";
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
const MAX_OPENING_LENGTH = 120;
const MAX_FILTERS = 4;
const MAX_NAMED_INPUTS = 6;

/** Prints the description of a tool from its parts. */
export const printDescription = (tool: PlannedTool): PlannedTool => ({
  ...tool,
  definition: { ...tool.definition, description: printText(tool.text) },
});

/**
 * Prints a text: the purpose, the document's further text, and the sentences about the call, its
 * result and its effects. The document's further text is shortened to the room that the others leave.
 */
export function printText(text: ToolText): string {
  const details = text.details.map(printDetail);
  const shown = (effects: readonly StatedEffect[]): string => {
    const tail = tailSentences({ ...text, effects }).join(" ");
    const longest = MAX_DESCRIPTION_LENGTH - tail.length - 1;
    const purpose = truncateText(printPurpose(text.purpose), longest);
    const room = MAX_DESCRIPTION_LENGTH - purpose.length - tail.length - 2;
    return joinParts([purpose, shortenDetails(details, room), tail]);
  };
  const written = shown([]).toLowerCase();
  const unstated = text.effects.filter((effect) => !EFFECTS[effect].stated.test(written));
  return truncateText(shown(unstated), MAX_DESCRIPTION_LENGTH, false);
}

const joinParts = (parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join(" ");

function tailSentences(text: ToolText): readonly string[] {
  const { useWhen, steps, errors, collectedItems } = text;
  return [
    ...(useWhen === undefined ? [] : [useWhen]),
    ...(steps === undefined ? [] : [steps]),
    ...text.limits.map(printLimit),
    ...text.result,
    ...(errors === undefined ? [] : [errors]),
    ...text.effects.map((effect) => EFFECTS[effect].sentence),
    ...(text.isDeprecated ? ["Deprecated."] : []),
    ...new Set(text.alternatives.map(printAlternative)),
    ...(collectedItems === undefined
      ? []
      : [`Collects up to ${collectedItems} items, from several pages where needed.`]),
  ];
}

const EFFECTS: Readonly<
  Record<StatedEffect, { readonly sentence: string; readonly stated: RegExp }>
> = {
  replacesAll: { sentence: "Replaces all of it; omitted fields are lost.", stated: REPLACES_ALL },
  isIrreversible: { sentence: "Cannot be undone.", stated: IRREVERSIBLE },
};

/** Shortens details to a length. Each of several gets an equal share. */
function shortenDetails(details: readonly string[], room: number): string {
  if (details.length === 0) return "";
  const share = Math.floor(room / details.length) - 1;
  const shortened =
    details.length > 1 ? details.map((detail) => truncateText(detail, share)) : details;
  return truncateText(shortened.join(" "), room);
}

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
