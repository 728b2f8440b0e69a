import { isObject, type JsonSchema } from "../../json.js";
import type { Operation, Response } from "../../model/types.js";
import {
  toJsonPointer,
  matchDeclaredName,
  type Condition,
  type Expression,
  type LinkedStep,
  type Value,
} from "../../workflow/index.js";
import { type AnySchema, resolveSchema, type Schemas } from "../schemas/refs.js";
import { successResponses } from "../outputs/payload.js";
import type { WorkflowOutput, PlannedWorkflow } from "../types.js";
import { splitPointer } from "../../json-pointer.js";
import { compositionParts } from "../../json-schema.js";

/** Schemas of everything that expressions of a workflow may refer to. */
export interface TypeContext {
  readonly schemas: Schemas;
  readonly inputs: ReadonlyMap<string, JsonSchema>;
  /** Outputs of earlier steps. */
  readonly steps: ReadonlyMap<string, readonly WorkflowOutput[]>;
  readonly workflows: ReadonlyMap<string, PlannedWorkflow>;
  /** Step with the response. */
  readonly step?: LinkedStep;
  readonly calls?: PlannedWorkflow;
}

const STRING_SCHEMA: JsonSchema = { type: "string" };
const ANY_SCHEMA: JsonSchema = {};

/** Schema of a value in model form; `{}` if unknown. */
export function valueSchema(value: Value, context: TypeContext): JsonSchema {
  switch (value.kind) {
    case "expression":
      return expressionSchema(value.expression, context);
    case "template":
      return STRING_SCHEMA;
    case "selector":
      return selectorSchema(value, context);
    default:
      return ANY_SCHEMA;
  }
}

function selectorSchema(
  { context, language, selector }: Extract<Value, { kind: "selector" }>,
  c: TypeContext,
): JsonSchema {
  const pointer = language === "jsonpointer" ? selector : toJsonPointer(selector);
  return pointer === undefined
    ? ANY_SCHEMA
    : schemaAt(expressionSchema(context, c), splitPointer(pointer), c.schemas);
}

function expressionSchema(expression: Expression, context: TypeContext): JsonSchema {
  switch (expression.kind) {
    case "statusCode":
      return { type: "integer" };
    case "url":
    case "method":
    case "self":
    case "source":
    case "header":
      return STRING_SCHEMA;
    case "body":
      return expression.of === "response" && context.step?.call.kind === "operation"
        ? schemaAt(
            responseBodySchema(context.step.call.operation, context.step),
            expression.path,
            context.schemas,
          )
        : ANY_SCHEMA;
    case "inputs": {
      const { name, path } = matchDeclaredName(expression.name, [...context.inputs.keys()]);
      return schemaAt(
        context.inputs.get(name) ?? ANY_SCHEMA,
        [...path, ...expression.path],
        context.schemas,
      );
    }
    case "steps":
      return expression.workflow === undefined
        ? outputSchema(context.steps.get(expression.step) ?? [], expression, context.schemas)
        : ANY_SCHEMA;
    case "outputs":
      return outputSchema(context.calls?.outputs ?? [], expression, context.schemas);
    default:
      return ANY_SCHEMA;
  }
}

function outputSchema(
  outputs: readonly WorkflowOutput[],
  { name, path }: { readonly name: string; readonly path: readonly string[] },
  schemas: Schemas,
): JsonSchema {
  const found = matchDeclaredName(
    name,
    outputs.map((output) => output.name),
  );
  return schemaAt(
    outputs.find((output) => output.name === found.name)?.type ?? ANY_SCHEMA,
    [...found.path, ...path],
    schemas,
  );
}

/** Response schema of a finished step: that of the required status, else of any success. */
function responseBodySchema(operation: Operation, { criteria = [] }: LinkedStep): JsonSchema {
  const statuses = criteria.flatMap((criterion) =>
    criterion.kind === "simple" ? requiredStatuses(criterion.condition) : [],
  );
  const byStatus =
    statuses.length === 1 ? responsesForStatus(operation.responses, String(statuses[0])) : [];
  const responses = byStatus.length > 0 ? byStatus : successResponses(operation.responses);
  const contents = responses.flatMap(({ contents: all }) => all);
  const json = contents.filter(
    ({ mediaType, schema }) => /[/+]json$/.test(mediaType) && schema !== undefined,
  );
  if (json.length === 0)
    return contents.length > 0 &&
      contents.every(({ mediaType }) => /^text\/|[/+]xml$/.test(mediaType))
      ? STRING_SCHEMA
      : ANY_SCHEMA;
  const [first, ...others] = [...new Set(json.map(({ schema }) => schema as JsonSchema))];
  return others.length === 0 ? (first as JsonSchema) : { anyOf: [first as JsonSchema, ...others] };
}

function requiredStatuses(condition: Condition): readonly number[] {
  if (condition.kind === "and")
    return [...requiredStatuses(condition.left), ...requiredStatuses(condition.right)];
  if (condition.kind !== "compare" || condition.operator !== "==") return [];
  const { left, right } = condition;
  return left.kind === "value" &&
    left.expression.kind === "statusCode" &&
    right.kind === "literal" &&
    typeof right.value === "number"
    ? [right.value]
    : [];
}

function responsesForStatus(responses: readonly Response[], status: string): readonly Response[] {
  const key = [status, `${status[0]}XX`, "default"].find((candidate) =>
    responses.some(
      (response) => response.status.toUpperCase() === candidate || response.status === candidate,
    ),
  );
  return responses.filter(
    (response) => response.status === key || response.status.toUpperCase() === key,
  );
}

/** Schema of a part of a value; `{}` if unknown. Follows references and alternatives. */
export function schemaAt(
  schema: AnySchema,
  path: readonly string[],
  schemas: Schemas,
  depth = 0,
): JsonSchema {
  if (schema === true || schema === false || depth > 40) return ANY_SCHEMA;
  const [step, ...rest] = path;
  if (step === undefined) return schema;
  const target = resolveSchema(schemas, schema);
  const part = childSchema(target, step);
  if (part !== undefined) return schemaAt(part, rest, schemas, depth + 1);
  for (const alternative of compositionParts(target)) {
    const found = schemaAt(alternative, path, schemas, depth + 1);
    if (Object.keys(found).length > 0) return found;
  }
  return ANY_SCHEMA;
}

function childSchema(target: JsonSchema, step: string): AnySchema | undefined {
  if (isObject(target.properties) && Object.hasOwn(target.properties, step))
    return target.properties[step] as AnySchema;
  if (/^\d+$/.test(step) && (isObject(target.items) || target.prefixItems))
    return target.prefixItems?.[Number(step)] ?? (target.items as AnySchema | undefined);
  return isObject(target.additionalProperties) ? target.additionalProperties : undefined;
}
