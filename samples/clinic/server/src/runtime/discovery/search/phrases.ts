/** Words between the parts of a phrasal verb: `log the user out`. */
const gap = String.raw`(?:[\w ]{0,30} )?`;

/** Verbs of several words, and the words that tools use for them. */
const phrases: readonly (readonly [RegExp, string])[] = (
  [
    [`(?:log|sign)(?:s|ged|ned|ging|ning)? ${gap}out\\b`, "logout"],
    ["(?:log|sign)(?:s|ged|ned|ging|ning)? in(?:to)?\\b", "login"],
    ["sign(?:s|ed|ing)? up\\b", "register"],
    ["set(?:s|ting)? up\\b", "create"],
    ["get(?:s|ting)? rid of\\b", "delete"],
    [`(?:throw|take|kick)s?(?= ${gap}(?:out|away|off)\\b)`, "remove"],
    [`(?:bring|get)s? (?=${gap}back\\b)`, "restore "],
    ["takes? back\\b", "withdraw delete"],
    ["takes? (?=an? )", "create "],
    [`roll(?:s|ed|ing)? (?=${gap}back\\b)`, "rollback "],
    ["money back\\b", "refund"],
    ["shut(?:s|ting)? down\\b", "stop"],
    ["(?:turn|switch)(?:s|es|ed|ing)? (?:it )?on\\b", "enable"],
    ["(?:turn|switch)(?:s|es|ed|ing)? (?:it )?off\\b", "disable"],
    ["turn(?:s|ed|ing)? (?:it )?(?:up|down)\\b", "set volume level"],
    [`hand(?:s|ed|ing)? (?=${gap}over\\b|[\\w ]{0,30} to\\b)`, "transfer "],
    ["take(?:s|n)? over\\b", "replace"],
    ["call(?:s|ed|ing)? off\\b", "cancel"],
    ["put(?:s|ting)? off\\b", "postpone"],
    ["writes? down\\b", "set description"],
    ["look(?:s|ed|ing)? (?:up|for)\\b|search(?:es)? for\\b", "find"],
    ["find out\\b", "get"],
    ["back(?:s|ed|ing)? up\\b", "backup"],
    ["check(?:s|ed|ing)? out\\b", "checkout"],
    ["gives? (?=(?:[\\w ]{0,40} )?(?:access|permissions?|rights)\\b)", "grant "],
    ["who (?:am i|i am)\\b", "current user me"],
    [
      "(?:notify|notifies|tell|inform|alert) (?=.{0,60}\\bwhen(?:ever)?\\b)",
      "create webhook subscription ",
    ],
    ["tell (?!me\\b|us\\b)", "send message "],
    ["copy (?=.{0,40}\\b(?:out of|from)\\b)", "download "],
  ] as const
).map(([pattern, replacement]) => [new RegExp(`\\b(?:${pattern})`, "giu"), replacement]);

/** Replaces verbs of several words by the words that tools use. */
export function normalizePhrases(text: string): string {
  const named = text.replace(/\bmake (?=\p{Lu}\p{Ll}+ an? )/gu, "set ");
  return phrases.reduce((rest, [pattern, words]) => rest.replace(pattern, words), named);
}
