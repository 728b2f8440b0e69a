import type { JsonSchema } from "../../json.js";
import type { ToolName } from "../names/index.js";
import { operationLabel, operationRef } from "../operation-ref.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import { isSameJson } from "../schemas/values.js";
import type { PlannedRequest, PlannedTask, ToolContext } from "../tool-context.js";
import { planTool } from "../tool.js";
import type { MergeRejection } from "./find.js";
import type { ClassifiedOperation } from "../classified-operation.js";

/** PATCH that also stands for the PUT of its path. */
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
  const rejection = (reason: string): MergeRejection => ({
    rejected: put,
    base: patch,
    reason,
    siblings: "update",
  });
  const [a, b] = [patch.operation, put.operation];
  if (!isSameJson(security.overrideOf(a), security.overrideOf(b)))
    return rejection("they need different credentials");
  if (!isSameJson(a.servers, b.servers)) return rejection("they are on different servers");
  if (a.deprecated !== b.deprecated) return rejection("one of them is deprecated");
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
  return undefined;
}

/**
 * Tests whether a PATCH takes the same fields and requires no more: Django REST framework has a
 * `PatchedPet` beside each `Pet`.
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

/** Builds the tool of a PATCH that also stands for the PUT of its path. */
export function buildUpdateTask(
  { put }: UpdateMerge,
  request: PlannedRequest,
  name: ToolName,
  toolset: string,
  context: ToolContext,
): PlannedTask {
  const tool = planTool(request, name, toolset, context);
  const reason =
    `Stands for ${operationLabel(put)} too: it takes and returns the same, ` +
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
