import type { JsonSchema } from "../../json.js";
import { annotate } from "../annotations.js";
import type { Subject } from "../kind.js";
import { wordsOf } from "../name/words.js";
import { sameJson } from "../schema/values.js";
import { type PlannedRequest, type ToolContext, verbFirst } from "../tool.js";
import { planChoice } from "./choice.js";
import { collectionsOf, type Collection } from "./collections.js";
import { itemEnvelopes, listEnvelope, type Envelope } from "./envelope.js";
import { answerOf, formFind, type Find } from "./find.js";
import { type FindResult, planFindResult } from "./find-result.js";
import { planFind } from "./find-tool.js";
import type { Member } from "./member.js";
import { mergeInputs } from "./merge-inputs.js";
import { sameItem } from "./same-item.js";
import type { TaskTool } from "./index.js";
import { singleTask } from "./single.js";
import { updatePairs, refuseUpdate } from "./update.js";
import { updateTool } from "./update-tool.js";
import { forcedVariants } from "./variants.js";
import type { WantedMerge } from "./wanted.js";
import { collectionWords, labelOf } from "./words.js";

/** Why operations cannot be one tool, and which of them is at fault, when it is one. */
interface Obstacle {
  readonly why: string;
  readonly subject?: Subject;
}

/** What forming a tool needs to know. */
export interface Forming {
  readonly request: (subject: Subject) => PlannedRequest;
  readonly toolsetOf: (subject: Subject) => string;
  readonly context: ToolContext;
}

/**
 * Makes one tool of the operations of a `merge` rule. Where inference would have made it too, it is the same tool. Otherwise the
 * inputs that are given choose the operation; what they return may differ, and is the union. What cannot work is said at the rule: other
 * credentials, reading and writing in one, inputs that mean different things, operations that no input tells apart.
 */
export function forcedTask(wanted: WantedMerge, subjects: readonly Subject[], forming: Forming): Formed | undefined {
  const made = single(wanted, subjects, forming) ?? natural(wanted, subjects, forming) ?? byRule(wanted, subjects, forming);
  if (!("why" in made)) return made;
  wanted.refuse(made.why, made.subject?.operation);
  return undefined;
}

/** A tool that can be made. It is written down when its turn comes, so that everything it adds to the plan stands where it does without rules. */
export interface Formed {
  readonly name: string;
  readonly write: () => TaskTool;
}

/** Selection may leave only one of them. */
function single({ name }: WantedMerge, subjects: readonly Subject[], { request, toolsetOf, context }: Forming): Formed | undefined {
  const [only, ...others] = subjects;
  if (!only || others.length > 0) return undefined;
  return { name, write: () => singleTask(request(only), { name, from: "curation" }, toolsetOf(only), context) };
}

/** The tool that inference makes of exactly these operations. */
function natural({ name }: WantedMerge, subjects: readonly Subject[], { request, toolsetOf, context }: Forming): Formed | undefined {
  const [collection, ...others] = collectionsOf(subjects);
  const find = collection && others.length === 0 ? formFind(collection, request, context).find : undefined;
  if (find?.members.length === subjects.length) return findTask(find, name, toolsetOf, context);
  const [update] = updatePairs(subjects);
  if (!update || subjects.length !== 2 || refuseUpdate(update, request, context)) return undefined;
  return { name, write: () => updateTool(update, request(update.patch), { name, from: "curation" }, toolsetOf(update.patch), context) };
}

function findTask(find: Find, name: string, toolsetOf: Forming["toolsetOf"], context: ToolContext): Formed | undefined {
  const result = planFindResult(find, context);
  if (typeof result === "string") return undefined;
  return { name, write: () => writeFind(find, result, name, toolsetOf(baseOf(find)), context) };
}

function writeFind(find: Find, result: FindResult, name: string, toolset: string, context: ToolContext): TaskTool {
  return { tool: planFind(find, result, name, toolset, context), requests: find.members.map((member) => member.request) };
}

const baseOf = ({ members }: Find): Subject => (members[0] as Member).request.subject;

function byRule(wanted: WantedMerge, subjects: readonly Subject[], forming: Forming): Formed | Obstacle {
  const { context, request, toolsetOf } = forming;
  const obstacle = obstacleAmong(subjects, context);
  if (obstacle) return obstacle;
  const isFind = subjects.some((subject) => roleOf(subject) !== "get") && subjects.every(reads);
  const found = isFind ? findMembers(subjects, forming) : { item: {}, members: subjects.map((subject): Member => ({ role: "get", request: request(subject), envelope: NO_ENVELOPE })) };
  if ("why" in found) return found;
  const inputs = mergeInputs(found.members);
  if (typeof inputs === "string") return { why: inputs };
  const variants = forcedVariants(found.members, isFind);
  if (typeof variants === "string") return { why: variants };
  const find: Find = { collection: collectionFor(wanted.name, found.members, context), ...found, inputs, variants };
  const { name } = wanted;
  const toolset = toolsetOf(subjects[0] as Subject);
  if (!isFind) return { name, write: () => planChoice(find, name, toolset, context) };
  const result = planFindResult(find, context);
  return typeof result === "string" ? { why: result } : { name, write: () => writeFind(find, result, name, toolset, context) };
}

/** What no merge may do: use other credentials for one of them, or hide a write behind a read. */
function obstacleAmong(subjects: readonly Subject[], { security }: ToolContext): Obstacle | undefined {
  const [first, ...rest] = subjects as readonly [Subject, ...Subject[]];
  for (const subject of rest) {
    const two = `${labelOf(first)} and ${labelOf(subject)}`;
    if (!sameJson(security.ownOf(subject.operation), security.ownOf(first.operation))) return { why: `${two} need different credentials`, subject };
    if (reads(subject) !== reads(first)) return { why: `${labelOf(reads(first) ? first : subject)} only reads and ${labelOf(reads(first) ? subject : first)} writes; hosts ask before they write`, subject };
    if (deletes(subject) !== deletes(first)) return { why: `${labelOf(deletes(first) ? first : subject)} deletes and ${labelOf(deletes(first) ? subject : first)} does not`, subject };
    if (isJson(subject) !== isJson(first)) return { why: `${labelOf(isJson(first) ? first : subject)} answers with JSON and ${labelOf(isJson(first) ? subject : first)} with something else`, subject };
  }
  return undefined;
}

const reads = (subject: Subject): boolean => annotate(subject, "").readOnlyHint;
const deletes = ({ operation }: Subject): boolean => operation.method === "DELETE";
/** An answer without content goes with both. */
const isJson = ({ json, success }: Subject): boolean => json.length > 0 || success.every(({ contents }) => contents.length === 0);

const NO_ENVELOPE: Envelope = { pointer: "", item: {}, rest: [] };

function roleOf({ kind }: Subject): Member["role"] {
  return kind === "list" || kind === "search" ? kind : "get";
}

const RANK: Readonly<Record<Member["role"], number>> = { list: 0, get: 1, search: 2 };

/** The operations with where their answers have the items, lists first; and the union of what the items are. */
function findMembers(subjects: readonly Subject[], { request, context }: Forming): { readonly members: readonly Member[]; readonly item: JsonSchema } | Obstacle {
  const members: Member[] = [];
  let item: JsonSchema | undefined;
  for (const subject of subjects.toSorted((a, b) => RANK[roleOf(a)] - RANK[roleOf(b)])) {
    const envelope = envelopeOf(subject, item, context);
    if (!envelope) return { why: `the ${roleOf(subject) === "get" ? "object" : "list"} in the answer of ${labelOf(subject)} cannot be told`, subject };
    members.push({ role: roleOf(subject), request: request(subject), envelope });
    item = item === undefined ? envelope.item : union(item, envelope.item, context);
  }
  return { members, item: item ?? {} };
}

function envelopeOf(subject: Subject, item: JsonSchema | undefined, { schemas }: ToolContext): Envelope | undefined {
  const answer = answerOf(subject);
  if (!answer) return undefined;
  const words = collectionWords(subject);
  if (roleOf(subject) !== "get") return listEnvelope(answer, words, schemas);
  const possible = itemEnvelopes(answer, words, schemas);
  return possible.find((one) => item && sameItem(item, one.item, schemas).same) ?? possible[0];
}

function union(item: JsonSchema, other: JsonSchema, { schemas }: ToolContext): JsonSchema {
  const sameness = sameItem(item, other, schemas);
  return sameness.same ? sameness.item : { anyOf: [...((item.anyOf as readonly JsonSchema[] | undefined) ?? [item]), other] };
}

/** A merge has no path of its own: it is called as its rule says. */
function collectionFor(name: string, members: readonly Member[], context: ToolContext): Collection {
  const paths = members.map(({ request }) => request.subject.operation.path);
  return { path: paths.join(", "), words: wordsOf(verbFirst(name, context).split("_").slice(1).join("_")), searches: [] };
}
