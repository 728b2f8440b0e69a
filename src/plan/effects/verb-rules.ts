/** Verbs whose effect depends on their object or on the method. */
import { COMPUTING_VERBS, effectOfVerb, NOUNS_OF_ACTIONS } from "../../language/verb-effects.js";
import type { Action, Effect } from "../operations/types.js";
import {
  ALLOCATION,
  CREDENTIAL,
  DERIVED_DATA,
  DESTRUCTION,
  EARLIER_STATE,
  isCreatedByRequest,
  LIGHT_LINK,
  OMISSION,
  PERSON,
  READING_NOUN,
  REQUESTED_DATA,
  VERIFIED_OWNER,
} from "./phrases.js";
import type { Rule } from "./rule.js";

/** Gives a verb with certain objects another effect than the table of verbs. */
interface VerbRule extends Rule {
  readonly looksAt: "verb";
  readonly verbs: ReadonlySet<string>;
  readonly isObject?: (object: string) => boolean;
  /** The rule applies only to safe methods. */
  readonly isSafe?: true;
}

const rule = (
  id: string,
  verbs: string | ReadonlySet<string>,
  isObject: RegExp | ((object: string) => boolean) | undefined,
  adds: Effect,
  example: Rule["example"],
): VerbRule => ({
  id,
  looksAt: "verb",
  verbs: typeof verbs === "string" ? new Set(verbs.split(" ")) : verbs,
  ...(isObject && {
    isObject: isObject instanceof RegExp ? (object: string) => isObject.test(object) : isObject,
  }),
  adds,
  example,
});

const onSafeMethods = (one: VerbRule): VerbRule => ({ ...one, isSafe: true });

/** `Requests the server to check for new episodes`. */
const ASKS_TO_ACT = /^the \w+ to (?!get|list|provide|return|send|show)\w/;

/** `Request the current time`. `Request the deletion of a user` asks for an action. */
const isRequestedData = (object: string): boolean =>
  REQUESTED_DATA.test(object) ||
  (/^the\b/.test(object) &&
    !ASKS_TO_ACT.test(object) &&
    !isCreatedByRequest(object) &&
    !/^(?:(?!based|by|for|from|in|of|on)\S+ ?)+/
      .exec(object)?.[0]
      .split(" ")
      .some((word) => isWrite(NOUNS_OF_ACTIONS.get(word) ?? word)));

const isWrite = (verb: string): boolean => (effectOfVerb(verb) ?? "reads") !== "reads";

/** Words that follow a verb without an object: `expire after an hour`, `expire minutes later`. */
const INTRANSITIVE =
  /^(?:in|after|within|at|on|when|once|if|by|from|automatically|seconds?|minutes?|hours?|days?|weeks?|months?)\b/;

/** The first rule that applies decides. */
export const verbRules: readonly VerbRule[] = [
  rule("reset-password", "reset", /\bpass(?:word|code)\b/, "changes", [
    "POST /users/{id}/credentials",
    "Reset the password of a user",
    "---",
  ]),
  rule("anonymize-person", "anonymise anonymize", PERSON, "destroys", [
    "POST /users/{id}/privacy",
    "Anonymize the user",
    "-D-",
  ]),
  rule("renew-credential", "regenerate rotate reset roll", CREDENTIAL, "destroys", [
    "POST /apps/{id}/access",
    "Rotate the signing key",
    "-D-",
  ]),
  rule("release-allocation", "release", ALLOCATION, "destroys", [
    "POST /networks/{id}/address",
    "Release an IP",
    "-D-",
  ]),
  rule("rebuild-derived-data", "rebuild recreate", DERIVED_DATA, "starts", [
    "POST /shops/{id}/maintenance",
    "Rebuild the search index",
    "---",
  ]),
  rule("leave-out", "leave", OMISSION, "changes", [
    "POST /forms/{id}/answers",
    "Leave the answer blank",
    "---",
  ]),
  // `It will expire after an hour` is about the result.
  rule("expire-later", "expire", INTRANSITIVE, "changes", [
    "POST /links",
    "Expire in an hour",
    "---",
  ]),
  rule(
    "restore-earlier-state",
    "restore",
    (object) => EARLIER_STATE.test(object) && !/\b(?:deleted|new)\b/.test(object),
    "destroys",
    ["POST /databases/{id}/state", "Restore a backup", "-D-"],
  ),
  rule("delete-mark", "delete", LIGHT_LINK, "removes", [
    "DELETE /posts/{id}/mark",
    "Delete a star",
    "--I",
  ]),
  rule(
    "ask-for-deletion",
    "request schedule start trigger initiate submit perform run create begin queue enqueue execute",
    DESTRUCTION,
    "destroys",
    ["POST /users/{id}/privacy", "Schedule a deletion", "-D-"],
  ),
  rule("perform-reading", "perform run execute do make issue", READING_NOUN, "reads", [
    "POST /items/results",
    "Perform a search",
    "R-I",
  ]),
  onSafeMethods(
    rule("request-data", "request", isRequestedData, "reads", [
      "GET /account",
      "Request the account details",
      "R-I",
    ]),
  ),
  onSafeMethods(
    rule("verify-owner", "verify confirm", VERIFIED_OWNER, "changes", [
      "GET /users/confirmation",
      "Verify an email address",
      "---",
    ]),
  ),
  onSafeMethods(
    rule("verify", "verify confirm", undefined, "reads", [
      "GET /signature",
      "Verify a signature",
      "R-I",
    ]),
  ),
  onSafeMethods(
    rule("create-by-computing", COMPUTING_VERBS, isCreatedByRequest, "adds", [
      "GET /access",
      "Generate a token",
      "---",
    ]),
  ),
  onSafeMethods(
    rule("compute", COMPUTING_VERBS, undefined, "reads", [
      "GET /sales",
      "Generate a report",
      "R-I",
    ]),
  ),
];

/** A statement with the effect of its verb on its object: `Reset a password` only changes. */
export function refineByObject<T extends Action>(statement: T, isSafe: boolean): T {
  const found = verbRules.find(
    (one) =>
      one.verbs.has(statement.verb) &&
      (one.isSafe === undefined || isSafe) &&
      (one.isObject?.(statement.object) ?? true),
  );
  return found ? { ...statement, effect: found.adds } : statement;
}
