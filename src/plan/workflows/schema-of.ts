import { isObject, type JsonSchema, stepsOf } from "../../json.js";
import type { Operation, Response } from "../../model/types.js";
import {
  asPointer,
  declared,
  type Condition,
  type Expression,
  type LinkedStep,
  type Value,
} from "../../workflow/index.js";
import { type AnySchema, resolve, type Schemas } from "../schema/refs.js";
import { successResponses } from "../schema/success.js";
import type { PlannedOutput, PlannedWorkflow } from "../types.js";

/** What the expressions of one workflow may lead to, with what it looks like. */
export interface TypeContext {
  readonly schemas: Schemas;
  readonly inputs: ReadonlyMap<string, JsonSchema>;
  /** Outputs of steps that were looked at already. */
  readonly steps: ReadonlyMap<string, readonly PlannedOutput[]>;
  readonly workflows: ReadonlyMap<string, PlannedWorkflow>;
  /** The step whose answer is meant. */
  readonly step?: LinkedStep;
  readonly calls?: PlannedWorkflow;
}

const TEXT: JsonSchema = { type: "string" };
const ANYTHING: JsonSchema = {};

/** What a value looks like, in model form; `{}` when nobody knows. */
export function schemaOfValue(value: Value, c: TypeContext): JsonSchema {
  switch (value.kind) {
    case "expression":
      return schemaOf(value.expression, c);
    case "template":
      return TEXT;
    case "selector":
      return ofSelector(value, c);
    default:
      return ANYTHING;
  }
}

function ofSelector(
  { context, language, selector }: Extract<Value, { kind: "selector" }>,
  c: TypeContext,
): JsonSchema {
  const pointer = language === "jsonpointer" ? selector : asPointer(selector);
  return pointer === undefined
    ? ANYTHING
    : inside(schemaOf(context, c), stepsOf(pointer), c.schemas);
}

function schemaOf(expression: Expression, c: TypeContext): JsonSchema {
  switch (expression.kind) {
    case "statusCode":
      return { type: "integer" };
    case "url":
    case "method":
    case "self":
    case "source":
    case "header":
      return TEXT;
    case "body":
      return expression.of === "response" && c.step?.call.kind === "operation"
        ? inside(bodySchema(c.step.call.operation, c.step), expression.path, c.schemas)
        : ANYTHING;
    case "inputs": {
      const { name, path } = declared(expression.name, [...c.inputs.keys()]);
      return inside(c.inputs.get(name) ?? ANYTHING, [...path, ...expression.path], c.schemas);
    }
    case "steps":
      return expression.workflow === undefined
        ? ofOutputs(c.steps.get(expression.step) ?? [], expression, c.schemas)
        : ANYTHING;
    case "outputs":
      return ofOutputs(c.calls?.outputs ?? [], expression, c.schemas);
    default:
      return ANYTHING;
  }
}

function ofOutputs(
  outputs: readonly PlannedOutput[],
  { name, path }: { readonly name: string; readonly path: readonly string[] },
  schemas: Schemas,
): JsonSchema {
  const found = declared(
    name,
    outputs.map((one) => one.name),
  );
  return inside(
    outputs.find((one) => one.name === found.name)?.type ?? ANYTHING,
    [...found.path, ...path],
    schemas,
  );
}

/**
 * What an operation answers when the step is done: by the status that the step asks for, else by
 * any success.
 */
function bodySchema(operation: Operation, { criteria = [] }: LinkedStep): JsonSchema {
  const wanted = criteria.flatMap((one) => (one.kind === "simple" ? statusIn(one.condition) : []));
  const byStatus = wanted.length === 1 ? responsesFor(operation.responses, String(wanted[0])) : [];
  const responses = byStatus.length > 0 ? byStatus : successResponses(operation.responses);
  const contents = responses.flatMap(({ contents: all }) => all);
  const json = contents.filter(
    ({ mediaType, schema }) => /[/+]json$/.test(mediaType) && schema !== undefined,
  );
  if (json.length === 0)
    return contents.length > 0 &&
      contents.every(({ mediaType }) => /^text\/|[/+]xml$/.test(mediaType))
      ? TEXT
      : ANYTHING;
  const [first, ...others] = [...new Set(json.map(({ schema }) => schema as JsonSchema))];
  return others.length === 0 ? (first as JsonSchema) : { anyOf: [first as JsonSchema, ...others] };
}

function statusIn(condition: Condition): readonly number[] {
  if (condition.kind === "and") return [...statusIn(condition.left), ...statusIn(condition.right)];
  if (condition.kind !== "compare" || condition.operator !== "==") return [];
  const { left, right } = condition;
  return left.kind === "value" &&
    left.expression.kind === "statusCode" &&
    right.kind === "literal" &&
    typeof right.value === "number"
    ? [right.value]
    : [];
}

function responsesFor(responses: readonly Response[], status: string): readonly Response[] {
  const key = [status, `${status[0]}XX`, "default"].find((one) =>
    responses.some((response) => response.status.toUpperCase() === one || response.status === one),
  );
  return responses.filter(
    (response) => response.status === key || response.status.toUpperCase() === key,
  );
}

/**
 * The schema of a part of a value; `{}` when the schema does not say. Follows references, and
 * alternatives as far as one of them knows.
 */
export function inside(
  schema: AnySchema,
  path: readonly string[],
  schemas: Schemas,
  depth = 0,
): JsonSchema {
  if (schema === true || schema === false || depth > 40) return ANYTHING;
  const [step, ...rest] = path;
  if (step === undefined) return schema;
  const target = resolve(schemas, schema);
  const part = partOf(target, step);
  if (part !== undefined) return inside(part, rest, schemas, depth + 1);
  for (const alternative of [
    ...(target.allOf ?? []),
    ...(target.anyOf ?? []),
    ...(target.oneOf ?? []),
  ]) {
    const found = inside(alternative, path, schemas, depth + 1);
    if (Object.keys(found).length > 0) return found;
  }
  return ANYTHING;
}

function partOf(target: JsonSchema, step: string): AnySchema | undefined {
  if (isObject(target.properties) && Object.hasOwn(target.properties, step))
    return target.properties[step] as AnySchema;
  if (/^\d+$/.test(step) && (isObject(target.items) || target.prefixItems))
    return target.prefixItems?.[Number(step)] ?? (target.items as AnySchema | undefined);
  return isObject(target.additionalProperties) ? target.additionalProperties : undefined;
}
