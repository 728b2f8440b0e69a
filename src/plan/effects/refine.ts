import {
  ALLOCATION,
  CREDENTIAL,
  DERIVED_DATA,
  DESTRUCTION,
  EARLIER_STATE,
  EXCLUSIVE_ROLE,
  isCreatedByRequest,
  LIGHT_LINK,
  MACHINE,
  PERSON,
  READING_NOUN,
  REQUESTED_DATA,
  VERIFIED_OWNER,
} from "./phrases.js";
import type { SourcedStatement } from "./evidence.js";
import type { Effect } from "./types.js";

/** Verbs that a GET states of what it only computes: `Generate a report`. */
const WEAK_ON_SAFE_METHODS = new Set(
  (
    "build compile compose convert crawl follow generate index issue log make order perform ping place play post " +
    "print process record register report run scan scrape test track watch"
  ).split(" "),
);

/** Verbs of asking for an action that the object names: `Schedule a deletion`. */
const ASKING_VERBS =
  /^(?:request|schedule|start|trigger|initiate|submit|perform|run|create|begin|queue|enqueue|execute)$/;

/** Verbs of actions that only the object names: `Perform a search`. */
const PERFORMING_VERBS = /^(?:perform|run|execute|do|make|issue)$/;

/** Words that follow a verb without an object: `expire after an hour`, `expire minutes later`. */
const INTRANSITIVE =
  /^(?:in|after|within|at|on|when|once|if|by|from|automatically|seconds?|minutes?|hours?|days?|weeks?|months?)\b/;

/** Effect of a verb with its object; undefined when the verb alone decides. */
type ObjectRule = (statement: SourcedStatement, isSafe: boolean) => Effect | undefined;

const OBJECT_RULES: readonly ObjectRule[] = [
  ({ verb, object }) =>
    verb === "reset" && /\bpass(?:word|code)\b/.test(object) ? "changes" : undefined,
  ({ verb, object }) =>
    verb === "check" && /^(?:in|into|out)\b/.test(object) ? "changes" : undefined,
  ({ verb, object }) =>
    /^anonymi[sz]e$/.test(verb) && PERSON.test(object) ? "destroys" : undefined,
  ({ verb, object }) => (verb === "cancel" && DESTRUCTION.test(object) ? "changes" : undefined),
  ({ verb, object }) =>
    /^(?:regenerate|rotate|reset|roll)$/.test(verb) && CREDENTIAL.test(object)
      ? "destroys"
      : undefined,
  ({ verb, object }) => (verb === "release" && ALLOCATION.test(object) ? "destroys" : undefined),
  ({ verb, object }) => (verb === "turn_off" && MACHINE.test(object) ? "destroys" : undefined),
  ({ verb, object }) =>
    /^(?:rebuild|recreate)$/.test(verb) && DERIVED_DATA.test(object) ? "starts" : undefined,
  ({ verb, object }) =>
    /^(?:swap|switch)$/.test(verb) && EXCLUSIVE_ROLE.test(object) ? "destroys" : undefined,
  // `It will expire after an hour` is about the result.
  ({ verb, object }) => (verb === "expire" && INTRANSITIVE.test(object) ? "changes" : undefined),
  ({ verb, object }) =>
    verb === "restore" && EARLIER_STATE.test(object) && !/\b(?:deleted|new)\b/.test(object)
      ? "destroys"
      : undefined,
  ({ verb, object }) =>
    verb === "move" && /\b(?:trash|recycle bin)\b/.test(object) ? "destroys" : undefined,
  ({ verb, object }) =>
    /^(?:remove|delete)$/.test(verb) && LIGHT_LINK.test(object) ? "removes" : undefined,
  ({ verb, object }) =>
    verb === "remove" && /\bfrom (?:the )?(?:trash|recycle bin|archive)\b/.test(object)
      ? "changes"
      : undefined,
  ({ verb, object }) =>
    ASKING_VERBS.test(verb) && DESTRUCTION.test(object) ? "destroys" : undefined,
  ({ verb, object }) => (verb === "respond" && object.startsWith("with") ? "reads" : undefined),
  ({ verb, object }) => (verb === "indicate" && !object.startsWith("that") ? "reads" : undefined),
  ({ verb, object }) =>
    PERFORMING_VERBS.test(verb) && READING_NOUN.test(object) ? "reads" : undefined,
  ({ verb, object }, isSafe) =>
    isSafe && verb === "request" && REQUESTED_DATA.test(object) ? "reads" : undefined,
  ({ verb, object }, isSafe) =>
    isSafe && verb === "verify" ? (VERIFIED_OWNER.test(object) ? "changes" : "reads") : undefined,
  ({ verb, object }, isSafe) =>
    isSafe && WEAK_ON_SAFE_METHODS.has(verb)
      ? isCreatedByRequest(object)
        ? "adds"
        : "reads"
      : undefined,
];

/** A statement with the effect of its verb on its object: `Reset a password` only changes. */
export function refineByObject(statement: SourcedStatement, isSafe: boolean): SourcedStatement {
  for (const rule of OBJECT_RULES) {
    const effect = rule(statement, isSafe);
    if (effect !== undefined) return { ...statement, effect };
  }
  return statement;
}
