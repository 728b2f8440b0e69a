import type { JsonSchema } from "../../json.js";
import type { Subject } from "../kind.js";
import type { ToolContext } from "../tool.js";
import { type Envelope, itemEnvelopes, listEnvelope } from "./envelope.js";
import { answerOf } from "./find.js";
import type { Forming } from "./forced.js";
import type { Member } from "./member.js";
import type { Obstacle } from "./obstacle.js";
import { sameItem } from "./same-item.js";
import { collectionWords, labelOf } from "./words.js";

/** The operations of a tool, and the union of what the items of their answers are. */
export interface Members {
  readonly members: readonly Member[];
  readonly item: JsonSchema;
}

/** What an operation does in a tool that finds. */
export function roleOf({ kind }: Subject): Member["role"] {
  return kind === "list" || kind === "search" ? kind : "get";
}

const RANK: Readonly<Record<Member["role"], number>> = { list: 0, get: 1, search: 2 };

const NO_ENVELOPE: Envelope = { pointer: "", item: {}, rest: [] };

/** Operations whose answers stay as they are. */
export function choiceMembers(subjects: readonly Subject[], { request }: Forming): Members {
  return {
    item: {},
    members: subjects.map((subject): Member => ({
      role: "get",
      request: request(subject),
      envelope: NO_ENVELOPE,
    })),
  };
}

/**
 * The operations with where their answers have the items, lists first; and the union of what the
 * items are.
 */
export function findMembers(
  subjects: readonly Subject[],
  { request, context }: Forming,
): Members | Obstacle {
  const members: Member[] = [];
  let item: JsonSchema | undefined;
  for (const subject of subjects.toSorted((a, b) => RANK[roleOf(a)] - RANK[roleOf(b)])) {
    const envelope = envelopeOf(subject, item, context);
    if (!envelope)
      return {
        why: `the ${roleOf(subject) === "get" ? "object" : "list"} in the answer of ${labelOf(subject)} cannot be told`,
        subject,
      };
    members.push({ role: roleOf(subject), request: request(subject), envelope });
    item = item === undefined ? envelope.item : union(item, envelope.item, context);
  }
  return { members, item: item ?? {} };
}

function envelopeOf(
  subject: Subject,
  item: JsonSchema | undefined,
  { schemas }: ToolContext,
): Envelope | undefined {
  const answer = answerOf(subject);
  if (!answer) return undefined;
  const words = collectionWords(subject);
  if (roleOf(subject) !== "get") return listEnvelope(answer, words, schemas);
  const possible = itemEnvelopes(answer, words, schemas);
  return possible.find((one) => item && sameItem(item, one.item, schemas).same) ?? possible[0];
}

function union(item: JsonSchema, other: JsonSchema, { schemas }: ToolContext): JsonSchema {
  const sameness = sameItem(item, other, schemas);
  return sameness.same
    ? sameness.item
    : { anyOf: [...((item.anyOf as readonly JsonSchema[] | undefined) ?? [item]), other] };
}
