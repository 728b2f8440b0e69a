import { toImperative, isUnambiguousVerb, isVerb, canStartImperative } from "./grammar.js";
import { splitWords } from "./words.js";

/** An identifier and the verb that follows it: `UpdatePassword updates …`, `List returns …`. */
const LEADING_IDENTIFIER = /^([A-Z][a-z]+(?:[A-Z]+[a-z]*\d*)*)\s+([a-z]{3,20})(?=\s)/;

/**
 * Removes the name of the documented function, with which Go comments start: `UpdatePassword
 * updates a password` → updates a password. Applies when the first word is the operationId, starts
 * with a verb, or is repeated by the verb after it.
 */
export function stripLeadingIdentifier(text: string, operationId: string | undefined): string {
  const [, name = "", verb = ""] = LEADING_IDENTIFIER.exec(text) ?? [];
  if (name === "" || !namesOperation(name, verb, operationId)) return text;
  return text.slice(name.length).trimStart();
}

function namesOperation(name: string, verb: string, operationId: string | undefined): boolean {
  const [first, second] = splitWords(name);
  const imperative = toImperative(verb);
  if (second === undefined && !isVerb(first)) return false;
  if (imperative === first || verb === first) return isVerb(first);
  if (
    imperative === undefined ||
    !(isUnambiguousVerb(imperative) || canStartImperative(imperative))
  )
    return false;
  if (second !== undefined && isVerb(first)) return true;
  const id = operationId?.replace(/(?<=[a-z])\d$/, "");
  const ends =
    id !== undefined && id.endsWith(name) && !/[a-z]/i.test(id.charAt(id.length - name.length - 1));
  return ends && (second !== undefined || imperative === "return");
}
