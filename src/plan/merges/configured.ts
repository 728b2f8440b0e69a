import { isSameJson, type JsonSchema } from "../../json.js";
import { type Collection, collectionsOf, collectionWords } from "../related-operations.js";
import { splitWords } from "../../language/words.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { operationLabel } from "../operations/identity.js";
import { type Envelope, findListEnvelope, itemEnvelopeCandidates } from "../pagination/envelope.js";
import type { ConfiguredMerge, PlannedRequest, PlannedTask, ToolContext } from "../tool-context.js";
import { withoutNamespace } from "../tool.js";
import { type ActionMerge, buildActionTool } from "./action-tool.js";
import { buildChoiceTool } from "./choice-tool.js";
import { buildFindTool, type FindResult, planFindResult } from "./find-tool.js";
import { compareItems, type FindMerge, planFindMerge, responseSchema } from "./find.js";
import { mergeInputs, withSelectableId } from "./merge-inputs.js";
import { renameInputs } from "./rename-inputs.js";
import { planSingleTask } from "./single.js";
import { buildUpdateTask, rejectUpdate, updatePairs } from "./update.js";
import { configuredVariants, inputNames, type Member } from "./variants.js";

/** Context in which tools are merged. */
export interface MergeContext {
  readonly request: (classified: ClassifiedOperation) => PlannedRequest;
  readonly toolsetOf: (candidate: ClassifiedOperation) => string;
  readonly context: ToolContext;
}

/**
 * Merges the operations of a `merge` rule. The inferred tool is used if inference merges the same
 * operations. Otherwise the provided inputs choose the operation, and the result is the union.
 * Reports at the rule: different credentials, reads with writes, inputs of different meaning,
 * operations that no input distinguishes.
 */
export function planConfiguredMerge(
  merge: ConfiguredMerge,
  operations: readonly ClassifiedOperation[],
  given: MergeContext,
): ConfiguredTool | undefined {
  const mergeContext = withNames(merge, given);
  const merged =
    mergeSingle(merge, operations, mergeContext) ??
    (merge.choice
      ? mergeByChoice(merge, merge.choice, operations, mergeContext)
      : (mergeAsInferred(merge, operations, mergeContext) ??
        mergeByRule(merge, operations, mergeContext)));
  if (!("reason" in merged)) return merged;
  merge.reject(merged.reason, merged.operation?.operation);
  return undefined;
}

/** Plans requests with the new names of their inputs, each once. */
function withNames({ names }: ConfiguredMerge, context: MergeContext): MergeContext {
  const renamed = new Map<ClassifiedOperation, PlannedRequest>();
  return {
    ...context,
    request: (classified) => {
      const configured = names.get(classified.operation);
      const known = renamed.get(classified);
      if (!configured) return context.request(classified);
      const request = known ?? renameInputs(context.request(classified), configured);
      renamed.set(classified, request);
      return request;
    },
  };
}

/** Tool whose calls name the operation. Reads and writes go together, because the call says which. */
function mergeByChoice(
  merge: ConfiguredMerge,
  { input, values }: NonNullable<ConfiguredMerge["choice"]>,
  operations: readonly ClassifiedOperation[],
  mergeContext: MergeContext,
): ConfiguredTool | MergeConflict {
  const { context, toolsetOf } = mergeContext;
  const conflict = findContrast(operations, [[returnsJson, "returns JSON", "does not"]]);
  if (conflict) return conflict;
  const lists = listMembers(operations, mergeContext);
  const { members } = lists ?? choiceMembers(operations, mergeContext);
  const taken = members.find((member) => inputNames(member).includes(input));
  if (taken)
    return {
      reason: `${operationLabel(taken.request.classified)} has an input ${input} of its own`,
      operation: taken.request.classified,
    };
  const inputs = mergeInputs(members);
  if (typeof inputs === "string") return { reason: inputs };
  const memberOf = new Map(members.map((member) => [member.request.classified.operation, member]));
  const actions = merge.operations.flatMap((operation, i) => {
    const member = memberOf.get(operation);
    return member ? [{ member, value: values[i] as string }] : [];
  });
  const { name } = merge;
  const toolset = toolsetOf(operations[0] as ClassifiedOperation);
  const collection = collectionOfMerge(name, members, context);
  const result = lists && planFindResult({ ...lists, collection, variants: [], inputs }, context);
  const action: ActionMerge = {
    input,
    actions,
    inputs,
    ...(typeof result === "object" && { result: { ...result, words: collection.words } }),
  };
  return { name, build: () => buildActionTool(action, name, toolset, context) };
}

/** Members of a merge whose operations all read lists, which then have one form of result. */
function listMembers(
  operations: readonly ClassifiedOperation[],
  mergeContext: MergeContext,
): MergeMembers | undefined {
  const areLists = operations.every(
    (classified) => isReadOnly(classified) && memberRole(classified) !== "get",
  );
  const lists = areLists ? findMembers(operations, mergeContext) : undefined;
  return lists && "members" in lists ? lists : undefined;
}

/**
 * A possible tool. It is built in document order, so that diagnostics and names keep their order.
 */
export interface ConfiguredTool {
  readonly name: string;
  readonly build: () => PlannedTask;
}

/** Selection may leave a single operation. */
function mergeSingle(
  { name }: ConfiguredMerge,
  operations: readonly ClassifiedOperation[],
  { request, toolsetOf, context }: MergeContext,
): ConfiguredTool | undefined {
  const [only, ...others] = operations;
  if (!only || others.length > 0) return undefined;
  return {
    name,
    build: () =>
      planSingleTask(request(only), { name, source: "configuration" }, toolsetOf(only), context),
  };
}

/** Tool that inference makes of exactly these operations. */
function mergeAsInferred(
  { name }: ConfiguredMerge,
  operations: readonly ClassifiedOperation[],
  { request, toolsetOf, context }: MergeContext,
): ConfiguredTool | undefined {
  const [collection, ...others] = collectionsOf(operations);
  const find =
    collection && others.length === 0
      ? planFindMerge(collection, request, context).find
      : undefined;
  if (find?.members.length === operations.length) return mergeFind(find, name, toolsetOf, context);
  const [update] = updatePairs(operations);
  if (!update || operations.length !== 2 || rejectUpdate(update, request, context))
    return undefined;
  return {
    name,
    build: () =>
      buildUpdateTask(
        update,
        request(update.patch),
        { name, source: "configuration" },
        toolsetOf(update.patch),
        context,
      ),
  };
}

function mergeFind(
  find: FindMerge,
  name: string,
  toolsetOf: MergeContext["toolsetOf"],
  context: ToolContext,
): ConfiguredTool | undefined {
  const result = planFindResult(find, context);
  if (typeof result === "string") return undefined;
  return {
    name,
    build: () => buildFind(find, result, name, toolsetOf(baseOperation(find)), context),
  };
}

function buildFind(
  find: FindMerge,
  result: FindResult,
  name: string,
  toolset: string,
  context: ToolContext,
): PlannedTask {
  return {
    tool: buildFindTool(find, result, name, toolset, context),
    requests: find.members.map((member) => member.request),
  };
}

const baseOperation = ({ members }: FindMerge): ClassifiedOperation =>
  (members[0] as Member).request.classified;

function mergeByRule(
  merge: ConfiguredMerge,
  operations: readonly ClassifiedOperation[],
  mergeContext: MergeContext,
): ConfiguredTool | MergeConflict {
  const { context, toolsetOf } = mergeContext;
  const conflict = findMergeConflict(operations, context);
  if (conflict) return conflict;
  const isFind =
    operations.some((classified) => memberRole(classified) !== "get") &&
    operations.every(isReadOnly);
  const merged = isFind
    ? findMembers(operations, mergeContext)
    : choiceMembers(operations, mergeContext);
  if ("reason" in merged) return merged;
  const inputs = mergeInputs(merged.members);
  if (typeof inputs === "string") return { reason: inputs };
  const variants = configuredVariants(merged.members, isFind);
  if (typeof variants === "string") return { reason: variants };
  const find: FindMerge = {
    collection: collectionOfMerge(merge.name, merged.members, context),
    ...merged,
    inputs,
    variants,
  };
  const { name } = merge;
  const toolset = toolsetOf(operations[0] as ClassifiedOperation);
  if (!isFind) return { name, build: () => buildChoiceTool(find, name, toolset, context) };
  const result = planFindResult(find, context);
  return typeof result === "string"
    ? { reason: result }
    : { name, build: () => buildFind(find, result, name, toolset, context) };
}

/** A configured merge has no path of its own, so it takes its words from its name. */
function collectionOfMerge(
  name: string,
  members: readonly Member[],
  context: ToolContext,
): Collection {
  const paths = members.map(({ request }) => request.classified.operation.path);
  return {
    path: paths.join(", "),
    words: splitWords(withoutNamespace(name, context).split("_").slice(1).join("_")),
    searches: [],
  };
}

/** Operations of a tool, and the union of their items. */
interface MergeMembers {
  readonly members: readonly Member[];
  readonly item: JsonSchema;
}

/** Role of an operation in a find tool. */
function memberRole({ kind }: ClassifiedOperation): Member["role"] {
  return kind === "list" || kind === "search" ? kind : "get";
}

const ROLE_RANK: Readonly<Record<Member["role"], number>> = { list: 0, get: 1, search: 2 };

const NO_ENVELOPE: Envelope = { pointer: "", item: {}, otherFields: [] };

/** Members with unchanged responses. */
function choiceMembers(
  operations: readonly ClassifiedOperation[],
  { request }: MergeContext,
): MergeMembers {
  return {
    item: {},
    members: operations.map((classified): Member => ({
      role: "get",
      request: request(classified),
      envelope: NO_ENVELOPE,
    })),
  };
}

/** Members with the positions of their items, lists first, and the union of the items. */
function findMembers(
  operations: readonly ClassifiedOperation[],
  { request, context }: MergeContext,
): MergeMembers | MergeConflict {
  const members: Member[] = [];
  let item: JsonSchema | undefined;
  for (const classified of operations.toSorted(
    (a, b) => ROLE_RANK[memberRole(a)] - ROLE_RANK[memberRole(b)],
  )) {
    const envelope = envelopeOf(classified, item, context);
    if (!envelope) return { reason: ambiguousResponse(classified), operation: classified };
    const role = memberRole(classified);
    members.push({ role, request: withSelectableId(role, request(classified)), envelope });
    item = item === undefined ? envelope.item : unionOfItems(item, envelope.item, context);
  }
  return { members, item: item ?? {} };
}

function ambiguousResponse(classified: ClassifiedOperation): string {
  const content = memberRole(classified) === "get" ? "object" : "list";
  return `the ${content} in the response of ${operationLabel(classified)} is ambiguous`;
}

function envelopeOf(
  classified: ClassifiedOperation,
  item: JsonSchema | undefined,
  { schemas }: ToolContext,
): Envelope | undefined {
  const responseBody = responseSchema(classified);
  if (!responseBody) return undefined;
  const words = collectionWords(classified);
  if (memberRole(classified) !== "get") return findListEnvelope(responseBody, words, schemas);
  const candidates = itemEnvelopeCandidates(responseBody, words, schemas);
  return (
    candidates.find((candidate) => item && compareItems(item, candidate.item, schemas).same) ??
    candidates[0]
  );
}

function unionOfItems(item: JsonSchema, other: JsonSchema, { schemas }: ToolContext): JsonSchema {
  const comparison = compareItems(item, other, schemas);
  return comparison.same
    ? comparison.item
    : { anyOf: [...((item.anyOf as readonly JsonSchema[] | undefined) ?? [item]), other] };
}

/** Reason against a merge, and the operation that causes it, if there is one. */
interface MergeConflict {
  readonly reason: string;
  readonly operation?: ClassifiedOperation;
}

/** Finds reasons against any merge: different credentials, or a write together with a read. */
function findMergeConflict(
  operations: readonly ClassifiedOperation[],
  { security }: ToolContext,
): MergeConflict | undefined {
  const [first, ...rest] = operations as readonly [ClassifiedOperation, ...ClassifiedOperation[]];
  const credentials = security.overrideOf(first.operation);
  for (const operation of rest) {
    const pair = [first, operation] as const;
    if (!isSameJson(security.overrideOf(operation.operation), credentials))
      return {
        reason: `${pair.map(operationLabel).join(" and ")} need different credentials`,
        operation,
      };
  }
  return findContrast(operations, [
    [isReadOnly, "only reads", "writes, and hosts ask before a write"],
    [isDelete, "deletes", "does not"],
    [returnsJson, "returns JSON", "does not"],
  ]);
}

/** A difference that operations of one tool must not have, with the words for both sides. */
type Contrast = readonly [
  test: (classified: ClassifiedOperation) => boolean,
  matching: string,
  other: string,
];

/** Finds the first operation that differs from the first one. */
function findContrast(
  [first, ...rest]: readonly ClassifiedOperation[],
  contrasts: readonly Contrast[],
): MergeConflict | undefined {
  for (const operation of rest)
    for (const difference of contrasts) {
      const reason = contrast([first as ClassifiedOperation, operation], ...difference);
      if (reason !== undefined) return { reason, operation };
    }
  return undefined;
}

/** `a only reads and b writes`, if the test distinguishes two operations. */
function contrast(
  [first, second]: readonly [ClassifiedOperation, ClassifiedOperation],
  test: (classified: ClassifiedOperation) => boolean,
  matching: string,
  other: string,
): string | undefined {
  if (test(first) === test(second)) return undefined;
  const [match, mismatch] = test(first) ? [first, second] : [second, first];
  return `${operationLabel(match)} ${matching} and ${operationLabel(mismatch)} ${other}`;
}

/** Tests whether an operation changes nothing. */
const isReadOnly = (classified: ClassifiedOperation): boolean => classified.effects.isReadOnly;
const isDelete = ({ operation }: ClassifiedOperation): boolean => operation.method === "DELETE";
/** A response without content fits both kinds. */
const returnsJson = ({ jsonContents, successResponses }: ClassifiedOperation): boolean =>
  jsonContents.length > 0 || successResponses.every(({ contents }) => contents.length === 0);
