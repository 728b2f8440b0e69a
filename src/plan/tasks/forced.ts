import type { Subject } from "../kind.js";
import { wordsOf } from "../name/words.js";
import { type PlannedRequest, type ToolContext, verbFirst } from "../tool.js";
import { planChoice } from "./choice.js";
import { type Collection, collectionsOf } from "./collections.js";
import { type Find, formFind } from "./find.js";
import { type FindResult, planFindResult } from "./find-result.js";
import { planFind } from "./find-tool.js";
import { choiceMembers, findMembers, roleOf } from "./forced-members.js";
import type { TaskTool } from "./index.js";
import type { Member } from "./member.js";
import { mergeInputs } from "./merge-inputs.js";
import { type Obstacle, obstacleAmong, reads } from "./obstacle.js";
import { singleTask } from "./single.js";
import { refuseUpdate, updatePairs } from "./update.js";
import { updateTool } from "./update-tool.js";
import { forcedVariants } from "./variants.js";
import type { WantedMerge } from "./wanted.js";

/** What forming a tool needs to know. */
export interface Forming {
  readonly request: (subject: Subject) => PlannedRequest;
  readonly toolsetOf: (subject: Subject) => string;
  readonly context: ToolContext;
}

/**
 * Makes one tool of the operations of a `merge` rule. Where inference would have made it too, it is
 * the same tool. Otherwise the inputs that are given choose the operation; what they return may
 * differ, and is the union. What cannot work is said at the rule: other credentials, reading and
 * writing in one, inputs that mean different things, operations that no input tells apart.
 */
export function forcedTask(
  wanted: WantedMerge,
  subjects: readonly Subject[],
  forming: Forming,
): Formed | undefined {
  const made =
    single(wanted, subjects, forming) ??
    natural(wanted, subjects, forming) ??
    byRule(wanted, subjects, forming);
  if (!("why" in made)) return made;
  wanted.refuse(made.why, made.subject?.operation);
  return undefined;
}

/**
 * A tool that can be made. It is written down when its turn comes, so that everything it adds to
 * the plan stands where it does without rules.
 */
export interface Formed {
  readonly name: string;
  readonly write: () => TaskTool;
}

/** Selection may leave only one of them. */
function single(
  { name }: WantedMerge,
  subjects: readonly Subject[],
  { request, toolsetOf, context }: Forming,
): Formed | undefined {
  const [only, ...others] = subjects;
  if (!only || others.length > 0) return undefined;
  return {
    name,
    write: () => singleTask(request(only), { name, from: "curation" }, toolsetOf(only), context),
  };
}

/** The tool that inference makes of exactly these operations. */
function natural(
  { name }: WantedMerge,
  subjects: readonly Subject[],
  { request, toolsetOf, context }: Forming,
): Formed | undefined {
  const [collection, ...others] = collectionsOf(subjects);
  const find =
    collection && others.length === 0 ? formFind(collection, request, context).find : undefined;
  if (find?.members.length === subjects.length) return findTask(find, name, toolsetOf, context);
  const [update] = updatePairs(subjects);
  if (!update || subjects.length !== 2 || refuseUpdate(update, request, context)) return undefined;
  return {
    name,
    write: () =>
      updateTool(
        update,
        request(update.patch),
        { name, from: "curation" },
        toolsetOf(update.patch),
        context,
      ),
  };
}

function findTask(
  find: Find,
  name: string,
  toolsetOf: Forming["toolsetOf"],
  context: ToolContext,
): Formed | undefined {
  const result = planFindResult(find, context);
  if (typeof result === "string") return undefined;
  return { name, write: () => writeFind(find, result, name, toolsetOf(baseOf(find)), context) };
}

function writeFind(
  find: Find,
  result: FindResult,
  name: string,
  toolset: string,
  context: ToolContext,
): TaskTool {
  return {
    tool: planFind(find, result, name, toolset, context),
    requests: find.members.map((member) => member.request),
  };
}

const baseOf = ({ members }: Find): Subject => (members[0] as Member).request.subject;

function byRule(
  wanted: WantedMerge,
  subjects: readonly Subject[],
  forming: Forming,
): Formed | Obstacle {
  const { context, toolsetOf } = forming;
  const obstacle = obstacleAmong(subjects, context);
  if (obstacle) return obstacle;
  const isFind = subjects.some((subject) => roleOf(subject) !== "get") && subjects.every(reads);
  const found = isFind ? findMembers(subjects, forming) : choiceMembers(subjects, forming);
  if ("why" in found) return found;
  const inputs = mergeInputs(found.members);
  if (typeof inputs === "string") return { why: inputs };
  const variants = forcedVariants(found.members, isFind);
  if (typeof variants === "string") return { why: variants };
  const find: Find = {
    collection: collectionFor(wanted.name, found.members, context),
    ...found,
    inputs,
    variants,
  };
  const { name } = wanted;
  const toolset = toolsetOf(subjects[0] as Subject);
  if (!isFind) return { name, write: () => planChoice(find, name, toolset, context) };
  const result = planFindResult(find, context);
  return typeof result === "string"
    ? { why: result }
    : { name, write: () => writeFind(find, result, name, toolset, context) };
}

/** A merge has no path of its own: it is called as its rule says. */
function collectionFor(name: string, members: readonly Member[], context: ToolContext): Collection {
  const paths = members.map(({ request }) => request.subject.operation.path);
  return {
    path: paths.join(", "),
    words: wordsOf(verbFirst(name, context).split("_").slice(1).join("_")),
    searches: [],
  };
}
