import { toImperative, isUnambiguousVerb, isVerb, canStartImperative } from "./grammar.js";
import { splitWords } from "./words.js";

/** An identifier in front, and what it does: `UpdatePassword updates …`, `List returns …`. */
const LEADING_IDENTIFIER = /^([A-Z][a-z]+(?:[A-Z]+[a-z]*\d*)*)\s+([a-z]{3,20})(?=\s)/;

/**
 * A text without the name of the function that it is a comment of, as Go has them: `UpdatePassword
 * updates a password` → updates a password. What stands in front is the operationId, starts with a
 * verb itself, or is what the verb behind it says again; else the text stays.
 */
export function stripLeadingIdentifier(text: string, operationId: string | undefined): string {
  const [, name = "", verb = ""] = LEADING_IDENTIFIER.exec(text) ?? [];
  if (name === "" || !namesOperation(name, verb, operationId)) return text;
  return text.slice(name.length).trimStart();
}

function namesOperation(name: string, verb: string, operationId: string | undefined): boolean {
  const [first, more] = splitWords(name);
  const told = toImperative(verb);
  if (more === undefined && !isVerb(first)) return false;
  if (told === first || verb === first) return isVerb(first);
  if (told === undefined || !(isUnambiguousVerb(told) || canStartImperative(told))) return false;
  if (more !== undefined && isVerb(first)) return true;
  const id = operationId?.replace(/(?<=[a-z])\d$/, "");
  const ends =
    id !== undefined && id.endsWith(name) && !/[a-z]/i.test(id.charAt(id.length - name.length - 1));
  return ends && (more !== undefined || told === "return");
}
