import type { Subject } from "../../kind.js";
import { singular } from "../inflect.js";
import { wordsAt } from "../path.js";
import { isStrongVerb, isVerb } from "../verbs.js";
import { wordsOf } from "../words.js";

/** What functions of a web framework are called behind what they do. */
const FUNCTION = new Set(["route", "endpoint", "handler", "controller", "api"]);

/** What Django's REST framework puts behind every identifier, by the method. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  POST: ["create"],
  PUT: ["update"],
  PATCH: ["partial", "update"],
  DELETE: ["destroy"],
};

/**
 * The chunks of an operationId without what frameworks put behind it: `get_agent_route` → get
 * agent, unless the document knows routes; `order_complete_create` of `POST /order/{id}/complete` →
 * order, complete.
 */
export function withoutSuffixes(chunks: string[][], id: string, subject: Subject): string[][] {
  const own = chunks.at(-1);
  if (own === undefined || own.length < 3 || /[A-Z]/.test(id)) return chunks;
  const before = chunks.slice(0, -1);
  if (
    FUNCTION.has(own.at(-1) as string) &&
    own.some(isVerb) &&
    !isKnown(own.at(-1) as string, own, subject)
  )
    return [...before, own.slice(0, -1)];
  const action = actionOf(own, subject);
  return action === undefined ? chunks : [...before, ...action];
}

/** The path, the tags or what a person wrote have the word, too. */
function isKnown(
  word: string,
  own: readonly string[],
  { operation: { summary = "", tags }, parts }: Subject,
): boolean {
  const said = wordsOf(summary);
  const written = said.join(" ") === own.join(" ") ? [] : said;
  const words = [
    ...written,
    ...tags.flatMap(wordsOf),
    ...parts.flatMap((part) => (part.kind === "words" ? part.words : wordsOf(part.name))),
  ];
  return words.some((other) => singular(other) === word);
}

/**
 * What stands before the suffix is the last piece of the path, and says what is done: then it is no
 * thing that is created.
 */
function actionOf(
  own: readonly string[],
  { operation: { method }, parts }: Subject,
): string[][] | undefined {
  const suffix = Object.hasOwn(ACTIONS, method) ? (ACTIONS[method] as readonly string[]) : [];
  const piece = wordsAt(parts, -1);
  const rest = own.slice(0, -suffix.length);
  if (
    suffix.length === 0 ||
    piece.length === 0 ||
    own.slice(-suffix.length).join(" ") !== suffix.join(" ")
  )
    return undefined;
  const doing = piece.some(isStrongVerb) || (piece.length === 1 && isVerb(piece[0]));
  if (
    !doing ||
    rest.length <= piece.length ||
    rest.slice(-piece.length).join(" ") !== piece.join(" ")
  )
    return undefined;
  return [rest.slice(0, -piece.length), [...piece]];
}
