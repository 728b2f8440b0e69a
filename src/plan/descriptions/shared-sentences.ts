/** Sentences of many tools, which the server's instructions state once. */
import { anyOfPatterns } from "../../language/patterns.js";
import type { Detail, ToolText } from "../text/parts.js";
import { sentencesOf } from "../text/sentences.js";
import { isWarning } from "./print.js";

/** Part of the tools that share a sentence, and their least number. */
const MIN_SHARE = 0.1;
const MIN_TOOLS = 5;
/** Shorter sentences cost little, and say little without their tool. */
const MIN_LENGTH = 40;
/** Room in the instructions. Further sentences stay in the tools. */
const MAX_LENGTH = 800;

/** Sentences about their own call, and warnings, which are read with the tool. */
const ABOUT_CALL = new RegExp(
  anyOfPatterns(
    /\b(?:this|these|it|here|above|below|following)\b/,
    // `in that case`, and no `serializer that takes`
    /(?:^|\b(?:after|and|at|before|by|for|from|if|in|of|on|or|to|with) )that\b/,
    /^(?:also|for example|for instance|hence|however|in addition|likewise|otherwise|so|then|therefore|thus)\b/,
  ),
  "i",
);

/** The next sentence needs the one before it: `These have to be escaped.`, `For example, …` */
const CONTINUES = /^(?:they|these|those|this|that|it|for example|for instance)\b/i;

/** The next sentence is announced: `The limits below are shared by all tools.` */
const ANNOUNCES = /\b(?:below|following)\b/i;

/** The sentences that a tenth or more of the tools have, the most frequent first. */
export function findSharedSentences(texts: readonly ToolText[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { details } of texts)
    for (const sentence of new Set(details.flatMap(({ text }) => sentencesOf(text))))
      counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
  const minimum = Math.max(MIN_TOOLS, texts.length * MIN_SHARE);
  const shared = [...counts].filter(
    ([sentence, count]) =>
      count >= minimum &&
      sentence.length >= MIN_LENGTH &&
      !ABOUT_CALL.test(sentence) &&
      !isWarning(sentence),
  );
  let room = MAX_LENGTH;
  return shared
    .toSorted(([, a], [, b]) => b - a)
    .flatMap(([sentence]) => ((room -= sentence.length + 1) >= 0 ? [sentence] : []));
}

/** Removes sentences from the document's text. */
export function withoutSentences(text: ToolText, removed: ReadonlySet<string>): ToolText {
  if (removed.size === 0) return text;
  const details = text.details.flatMap((detail): readonly Detail[] => {
    const sentences = sentencesOf(detail.text);
    const own = sentences.filter(
      (sentence, i) =>
        !removed.has(sentence) ||
        CONTINUES.test(sentences[i + 1] ?? "") ||
        ANNOUNCES.test(sentences[i - 1] ?? ""),
    );
    return own.length === 0 ? [] : [{ ...detail, text: own.join(" ") }];
  });
  return { ...text, details };
}
