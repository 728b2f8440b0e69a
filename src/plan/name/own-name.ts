import { imperativeOf, isStrongVerb, isVerb, startsImperative } from "./verbs.js";
import { wordsOf } from "./words.js";

/** An identifier in front, and what it does: `UpdatePassword updates …`, `List returns …`. */
const CALLED = /^([A-Z][a-z]+(?:[A-Z]+[a-z]*\d*)*)\s+([a-z]{3,20})(?=\s)/;

/**
 * A text without the name of the function that it is a comment of, as Go has them: `UpdatePassword
 * updates a password` → updates a password. What stands in front is the operationId, starts with a
 * verb itself, or is what the verb behind it says again; else the text stays.
 */
export function withoutOwnName(text: string, operationId: string | undefined): string {
  const [, name = "", verb = ""] = CALLED.exec(text) ?? [];
  if (name === "" || !isOwn(name, verb, operationId)) return text;
  return text.slice(name.length).trimStart();
}

function isOwn(name: string, verb: string, operationId: string | undefined): boolean {
  const [first, more] = wordsOf(name);
  const told = imperativeOf(verb);
  if (more === undefined && !isVerb(first)) return false;
  if (told === first || verb === first) return isVerb(first);
  if (told === undefined || !(isStrongVerb(told) || startsImperative(told))) return false;
  if (more !== undefined && isVerb(first)) return true;
  const id = operationId?.replace(/(?<=[a-z])\d$/, "");
  const ends =
    id !== undefined && id.endsWith(name) && !/[a-z]/i.test(id.charAt(id.length - name.length - 1));
  return ends && (more !== undefined || told === "return");
}
