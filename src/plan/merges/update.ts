import { isSameJson, type JsonSchema } from "../../json.js";
import { singularize } from "../../language/grammar.js";
import type { ToolName } from "../names/index.js";
import { splitWords } from "../../language/words.js";
import { isUnavailable } from "../operations/availability.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { operationLabel, operationRef } from "../operations/identity.js";
import { objectFields } from "../schemas/flat-object.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import { matchesSchema } from "../schemas/values.js";
import type { PlannedRequest, PlannedTask, ToolContext } from "../tool-context.js";
import { planTool } from "../tool.js";
import type { MergeRejection } from "./find.js";
import { wordIn } from "../../language/patterns.js";

/** PATCH that also replaces the PUT of its path. */
export interface UpdateMerge {
  readonly patch: ClassifiedOperation;
  readonly put: ClassifiedOperation;
}

/** Pairs of PATCH and PUT on one path, in document order. */
export function updatePairs(operations: readonly ClassifiedOperation[]): readonly UpdateMerge[] {
  const puts = new Map(
    operations
      .filter(({ operation }) => operation.method === "PUT" && !operation.fixedQuery)
      .map((classified) => [classified.operation.path, classified]),
  );
  return operations.flatMap((patch) => {
    const put =
      patch.operation.method === "PATCH" && !patch.operation.fixedQuery
        ? puts.get(patch.operation.path)
        : undefined;
    return put ? [{ patch, put }] : [];
  });
}

/** Finds the reason against merging a PUT into a PATCH; undefined if there is none. */
export function rejectUpdate(
  { patch, put }: UpdateMerge,
  request: (classified: ClassifiedOperation) => PlannedRequest,
  { schemas, security }: ToolContext,
): MergeRejection | undefined {
  const unrelated = (reason: string): MergeRejection => ({ rejected: put, base: patch, reason });
  const rejection = (reason: string): MergeRejection => ({
    ...unrelated(reason),
    siblings: "update",
  });
  const [a, b] = [patch.operation, put.operation];
  if (!isSameJson(security.overrideOf(a), security.overrideOf(b)))
    return rejection("they need different credentials");
  if (!isSameJson(a.servers, b.servers)) return rejection("they are on different servers");
  if (a.deprecated !== b.deprecated) return rejection("one of them is deprecated");
  if (isUnavailable(a) !== isUnavailable(b)) return rejection("one of them is not available");
  if (addsToo(put)) return rejection("the PUT also creates");
  if (!hasSameObject(patch, put)) return unrelated("their words describe different things");
  const [body, putBody] = [request(patch).body?.content, request(put).body?.content];
  if (
    !body ||
    !putBody ||
    body.mediaType !== putBody.mediaType ||
    !body.schema ||
    !putBody.schema ||
    !isSameBody(body.schema, putBody.schema, schemas)
  )
    return rejection("their bodies differ");
  if (!isSameJson(inputSchemas(request(patch)), inputSchemas(request(put))))
    return rejection("their inputs differ");
  if (
    !isSameJson(
      patch.jsonContents.map(({ schema }) => schema),
      put.jsonContents.map(({ schema }) => schema),
    )
  )
    return rejection("their results differ");
  const kept = fieldNotCleared(body.schema, putBody.schema, schemas);
  return kept === undefined ? undefined : rejection(`a PATCH cannot clear ${kept}`);
}

/** Tests whether the document states that an operation creates missing resources. */
const addsToo = ({ effects }: ClassifiedOperation): boolean =>
  effects.evidence.some(
    ({ source, effect, words }) =>
      source !== "method" &&
      (effect === "adds" ? !/^put\b/i.test(words) : /^(?:upsert|create)\b/i.test(words)),
  );

/** Tests whether the words name the same resource, if both name one. */
function hasSameObject(patch: ClassifiedOperation, put: ClassifiedOperation): boolean {
  const [one, other] = [objectOf(patch), objectOf(put)];
  return one === "" || other === "" || one === other;
}

/** `an existing pet by its ID` → `pet`. */
function objectOf({ effects }: ClassifiedOperation): string {
  const [head = ""] = (effects.mainAction?.object ?? "").split(OBJECT_END);
  return splitWords(head)
    .filter((word) => !NOT_OF_OBJECT.test(word))
    .map(singularize)
    .join(" ");
}

/** End of the object of a verb. */
const OBJECT_END = /\b(?:by|for|from|identified|in|of|on|partially|that|using|which|with)\b|[(,:;]/;

/** Words that do not name a resource. */
const NOT_OF_OBJECT = wordIn(
  "a all an any complete completely entire existing full fully given its new one part " +
    "partial single some specific specified the this whole your",
);

/** Field that a PUT clears by omission, and no value of the PATCH clears. */
function fieldNotCleared(patch: JsonSchema, put: JsonSchema, schemas: Schemas): string | undefined {
  const fields = objectFields(patch, schemas);
  const required = new Set(resolveSchema(schemas, put).required);
  const found = [...(fields ?? [])].find(
    ([name, field]) => !required.has(name) && !isClearable(field, schemas),
  );
  return found?.[0];
}

/** Null clears a field. One that the API sets needs no clearing. */
function isClearable(field: JsonSchema, schemas: Schemas): boolean {
  const target = resolveSchema(schemas, field);
  return target.readOnly === true || matchesSchema(null, target, schemas);
}

/**
 * Tests whether a PATCH takes the same fields and requires no more: Django REST framework has a
 * `PatchedPet` for each `Pet`.
 */
function isSameBody(patch: JsonSchema, put: JsonSchema, schemas: Schemas): boolean {
  if (isSameJson(patch, put)) return true;
  const [patchSchema, putSchema] = [resolveSchema(schemas, patch), resolveSchema(schemas, put)];
  if (!patchSchema.properties || !putSchema.properties) return false;
  return (
    (patchSchema.required ?? []).every((name) => putSchema.required?.includes(name)) &&
    isSameJson(withoutRequired(patchSchema), withoutRequired(putSchema))
  );
}

/** Schema without its name and its required fields. */
function withoutRequired({
  required: _,
  title: __,
  description: ___,
  ...rest
}: JsonSchema): JsonSchema {
  return rest;
}

/** Names and schemas of inputs, without texts. */
function inputSchemas({ inputs }: PlannedRequest): unknown {
  return Object.fromEntries(
    Object.entries(inputs.schema.properties ?? {}).map(([name, schema]) => [
      name,
      { ...(schema as JsonSchema), description: "" },
    ]),
  );
}

/** Builds the tool of a PATCH that also replaces the PUT of its path. */
export function buildUpdateTask(
  { put }: UpdateMerge,
  request: PlannedRequest,
  name: ToolName,
  toolset: string,
  context: ToolContext,
): PlannedTask {
  const tool = planTool(request, name, toolset, context);
  const reason =
    `Also replaces ${operationLabel(put)}: inputs and results are the same, ` +
    "and PATCH changes only the provided fields.";
  return {
    tool: {
      ...tool,
      operations: [...tool.operations, operationRef(put.operation)],
      reasons: [...tool.reasons, reason],
    },
    requests: [request],
  };
}
