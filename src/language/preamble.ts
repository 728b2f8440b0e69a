/** Beginnings of sentences that carry no meaning: `This endpoint …`, the name of the function. */
import { basesOfThirdPerson } from "./inflection.js";
import { canStartImperative, isUnambiguousVerb, isVerb, toImperative } from "./grammar.js";
import { anyOfPatterns } from "./patterns.js";
import { formsOf, imperativeOf } from "./verb-effects.js";
import { splitWords } from "./words.js";

/** Phrases before the verb that carry no meaning: `This endpoint returns …`, `Allows you to …`. */
const NOUN = /(?:endpoint|operation|method|call|api|request|resource|function|service|route)/
  .source;
/** Those who call: `Allows developers to check …`. */
const CALLER =
  "(?:you|one|(?:admin|administrator|app|application|caller|client|consumer|customer|developer|" +
  "merchant|partner|seller|user)s?)";
const AUXILIARY = anyOfPatterns(
  /is used to\s+/,
  /can be used to\s+/,
  /will\s+/,
  new RegExp(`(?:allows|enables|lets) (?:an? |the )?${CALLER}(?: to)?\\s+`),
);
const PREAMBLE_START = anyOfPatterns(
  /(?:an? |the |this )?(?:api )?(?:endpoint|operation|method|call)s? (?:(?:is|can be) )?(?:used )?(?:to|for(?!\s+the\s+\S+\s+to\b))\s+/,
  /used for\s+(?=[a-z]+ing\b)/,
  new RegExp(`the purpose of (?:the |this )?(?:[\\w-]+ ){0,4}${NOUN} is to\\s+`),
  new RegExp(
    `(?:the|this) (?:[\\w-]+ ){1,8}${NOUN} (?:is|can be) used (?:to\\s+|for (?=[a-z]+ing\\b))`,
  ),
  /(?:an? |the |this )?api (?:to|for(?= [a-z]+ing\b))\s+/,
  new RegExp(
    `(?:this|the)\\s+(?:api\\s+|(?:get|post|put|patch|delete)[-\\s])?${NOUN}\\s+(?:${AUXILIARY})?`,
  ),
  /an? (?:api )?(?:endpoint|operation|method|call) (?:that|which) (?:(?:allows|lets|enables) \w+(?: to)?\s+)?/,
  /(?:use|call) (?:this|the) (?:endpoint|operation|method|api|call|request|function)(?: below)? to\s+/,
  new RegExp(`(?:allows?|lets?|enables?) (?:an? |the )?${CALLER}(?: to)?\\s+`),
  /(?:provides?|gives?|offers?) (?:\w+ )?(?:with )?(?:the|an) (?:ability|option|possibility) to\s+/,
  /(?:provides?|offers?) (?:an? (?:convenient |easy |quick |simple )?|the )?(?:functionality|means|way) (?:to|for(?= [a-z]+ing\b))\s+/,
  /(?:calling|invoking|using) this (?:endpoint|operation|method|call|request) (?:will )?(?=[a-z]+s\b)/,
  /will (?!be\b)/,
  /used? to\s+/,
  /(?:attempts?|tries) to\s+/,
  /you can use this (?:endpoint|operation|method|api) to\s+/,
);
const PREAMBLE = new RegExp(`^(?:${PREAMBLE_START})(?=\\S)`, "i");

/** The name of a function as the subject: `UpdateApi can be used to modify an API`. */
const FUNCTION_NAME =
  /^[A-Z][a-z]+(?:[A-Z][a-z]+)+ (?:(?:can be|is) used to|will|allows (?:you|users) to) (?=[a-z])/;

/**
 * Removes such a phrase from the start of a sentence: `Endpoint to delete a user` → delete a user,
 * `Used for checking …` → check ….
 */
export function stripPreamble(text: string): string {
  const named = text.replace(FUNCTION_NAME, "");
  const rest = named.replace(PREAMBLE, "");
  const sentence = rest === named ? rest : gerundToImperative(rest);
  return sentence.replace(/^responds with(?= )/i, "Returns");
}

const verbOfGerund = (word: string): string | undefined =>
  imperativeOf(word) ?? formsOf(word).find(canStartImperative);

/** `checking whether … and setting …` → check whether … and set …. */
export const gerundToImperative = (text: string): string =>
  !/^[a-z]+ing /i.test(text)
    ? text
    : text.replace(
        /(^|\b(?:and|or|then) )([a-z]+ing)(?= [a-z])/gi,
        (_, before: string, word: string) => before + (verbOfGerund(word.toLowerCase()) ?? word),
      );

/**
 * An identifier and the verb that follows it: `UpdatePassword updates …`, `List returns …`. Each
 * capital starts a part, so that a text has one division only.
 */
const LEADING_IDENTIFIER =
  /^([A-Z][a-z]+(?:[A-Z][a-z]*\d*)*)\s+([a-z]{3,20})(?=[\s,])(?: (an?|the|all)(?= ))?/;

/** The command of a client before the identifier: `lncli: getinfo GetInfo returns …`. */
const COMMAND = /^([a-z]{2,20}:(?: [a-z]{2,20}){1,4}) (?=[A-Z])/;

/**
 * Removes the name of the documented function, with which Go comments start: `UpdatePassword
 * updates a password` → updates a password. Applies when the first word is the operationId, starts
 * with a verb, or is repeated by the verb after it: `Watch watches keys` → Watch keys. A command
 * before it moves to the end.
 */
export function stripLeadingIdentifier(text: string, operationId: string | undefined): string {
  const [, command] = COMMAND.exec(text) ?? [];
  const body = command === undefined ? text : text.slice(command.length + 1);
  const [, name = "", verb = "", article] = LEADING_IDENTIFIER.exec(body) ?? [];
  if (name === "") return text;
  const [first = "", second] = splitWords(name);
  const isRepeated = second === undefined && repeats(first, verb);
  if (!isRepeated && !namesOperation(name, verb, article, operationId)) return text;
  const rest = body.slice(name.length).trimStart();
  const sentence = isRepeated ? name + rest.slice(verb.length) : rest;
  return command === undefined ? sentence : `${sentence.replace(/\.$/, "")}. ${command}.`;
}

/** `Patch patch …`, `Defragment defragments …`: the word is a verb, also one of no table. */
const repeats = (first: string, verb: string): boolean =>
  verb === first ? isVerb(first) : basesOfThirdPerson(verb).includes(first);

function namesOperation(
  name: string,
  verb: string,
  article: string | undefined,
  operationId: string | undefined,
): boolean {
  const words = splitWords(name);
  const [first] = words;
  const isCompound = words.length > 1;
  const imperative = toImperative(verb);
  if (imperative === undefined) return isCompound && /^(?:attempts|tries)$/.test(verb);
  if (isCompound) return isVerb(first) || imperative === first || isPartOfId(words, operationId);
  const isStated = article !== undefined || isStatedVerb(first, imperative);
  return verb !== imperative && isStated && isLastPart(name, operationId);
}

/** `DeleteUser` of `DeleteUserV2` and of `Users_DeleteUser2`: the ID has it at its start or end. */
function isPartOfId(words: readonly string[], operationId = ""): boolean {
  const id = ` ${splitWords(withoutNumber(operationId)).join(" ")} `;
  const name = ` ${words.join(" ")} `;
  return id.startsWith(name) || id.endsWith(name);
}

/** `Status` of `Maintenance_Status` and of `Status2`. */
function isLastPart(name: string, operationId = ""): boolean {
  const id = withoutNumber(operationId);
  return id.endsWith(name) && !/[a-z]/i.test(id.charAt(id.length - name.length - 1));
}

/** The number of a second operation with the same name. */
const withoutNumber = (operationId: string): string => operationId.replace(/(?<=[a-z])\d$/, "");

/**
 * `Status gets …` states what the operation does. `Delete records …` does not: after a verb, a word
 * that is a noun as well is its object.
 */
const isStatedVerb = (first: string | undefined, imperative: string): boolean =>
  !isVerb(first) || imperative === "return" || isUnambiguousVerb(imperative);
