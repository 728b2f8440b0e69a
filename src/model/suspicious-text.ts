import type { Pointer } from "./pointer.js";
import type { Context } from "./context.js";
import { quote } from "./diagnostics.js";

/*
 * Texts of a document reach a model that acts on them. No check can detect all malicious texts, but
 * two kinds deserve a review: invisible characters, and instructions to the model.
 */

/**
 * Characters that `src/diagnostics/clean.ts` removes, except those common in legitimate texts:
 * joiners, carriage returns, soft hyphens.
 */
const HIDDEN = anyOf(
  /[\u034f\u115f\u1160\u180b-\u180f\u200c\u200d\ufe00-\ufe0f]{3,}/,
  /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f]/,
  /[\u202a-\u202e\u2061-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]/,
  /[\udb40-\udb43][\udc00-\udfff]/,
  /\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]/,
);

/** Beginnings of instructions to a model in published attacks on tool descriptions. */
const INSTRUCTION = anyOf(
  /<\/?(?:IMPORTANT|important|SYSTEM|system)>/,
  /[Ii]gnore (?:all |any )?(?:the |your )?(?:previous|prior|above|earlier) /,
  /[Dd]isregard (?:all|any|the|your|previous|prior) /,
  /[Dd]o not (?:tell|inform|mention)[^.\n]{0,40} user/,
  /[Bb]efore (?:using|calling) (?:this|any)(?: other)? tool/,
  /\.ssh\/|id_rsa/,
);

function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"));
}

/** True for a text that a person should review. */
export function isSuspicious(text: string): boolean {
  return HIDDEN.test(text) || INSTRUCTION.test(text);
}

/** Warns about hidden characters and about instructions to a model. */
export function reportSuspicious(c: Context, text: string, pointer: Pointer): void {
  if (HIDDEN.test(text))
    c.diagnostics.add(
      "model-hidden-characters",
      pointer,
      "The text contains control or invisible characters; they are removed.",
      "Check what they hide.",
    );
  const match = INSTRUCTION.exec(text);
  if (match)
    c.diagnostics.add(
      "model-prompt-injection",
      pointer,
      `The text reads like an instruction to a model (${quote(match[0].trim())}); it is kept.`,
      "Check that the document is trustworthy, or replace the text with an overlay.",
    );
}
