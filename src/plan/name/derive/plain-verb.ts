import type { Subject } from "../../kind.js";
import { isLink } from "../function-words.js";
import { isCollectionIn, mentions } from "../noun.js";
import type { PathPart } from "../path.js";
import { verbFor } from "./guess.js";

/**
 * The verb of an operationId as the name says it: HTTP words and those of frameworks become what
 * they do here, all others stay.
 * @param rest what stands behind it
 */
export function plainVerb(
  verb: readonly string[],
  rest: readonly string[],
  subject: Subject,
): readonly string[] {
  const [first, more] = verb;
  if (first === undefined) return [verbFor(subject)];
  return more === undefined ? [meant(first, rest, subject)] : verb;
}

/** `get` of a list is `list`, `post` is `create`, or `update` of one thing. */
function meant(verb: string, rest: readonly string[], subject: Subject): string {
  const {
    kind,
    operation: { method },
    parts,
  } = subject;
  const isAll = kind === "list" && (rest[0] === "all" || rest.at(-1) === "list");
  switch (verb) {
    case "get":
      return isAll || (kind === "list" && rest[0] !== "by" && rest[0] !== "one")
        ? isThing(rest, parts)
          ? verb
          : "list"
        : verb;
    case "find":
      return isAll ? "list" : rest[0] === "one" ? "get" : verb;
    case "post":
      return method === "POST" && !mentions(parts, "post") ? verbFor(subject) : verb;
    case "put":
      return method === "PUT" ? verbFor(subject) : verb;
    case "patch":
      return method === "PATCH" ? "update" : verb;
    default:
      return RAILS.get(`${method} ${verb}`) ?? verb;
  }
}

/** `list ids` of `/profiles/{id}/lists` are IDs of lists. */
function isThing([word, more]: readonly string[], parts: readonly PathPart[]): boolean {
  return word === "list" && more !== undefined && !isLink(more) && isCollectionIn(parts, word);
}

/** What Rails and Laravel call the methods of a controller. */
const RAILS: ReadonlyMap<string, string> = new Map([
  ["GET index", "list"],
  ["GET show", "get"],
  ["POST store", "create"],
]);
