import { type JsonSchema, typesOf } from "../../json.js";
import type { Operation } from "../../model/types.js";
import type { Expression, LinkedStep, LinkedWorkflow, Value } from "../../workflow/index.js";
import { type AnySchema, resolveSchema, type Schemas } from "../schemas/refs.js";
import { describeAcceptedValues } from "../schemas/values.js";
import { isForParameter } from "./arguments.js";
import { schemaAt } from "./value-schema.js";

/** Use of an input in a request. */
interface InputUse {
  readonly schema: JsonSchema;
  readonly description?: string;
}

/**
 * Completes the inputs of a workflow by the operations they are sent to. Many authors declare only
 * `type: string`, and operations have texts, values and formats. Declarations of the author stay.
 */
export function inferWorkflowInputs(
  linked: LinkedWorkflow,
  operation: Operation,
  schemas: Schemas,
): Operation {
  const [content, ...others] = operation.body?.contents ?? [];
  if (!operation.body || content?.schema === undefined) return operation;
  return {
    ...operation,
    body: {
      ...operation.body,
      contents: [
        { ...content, schema: inferSchema(content.schema, linked, schemas, 0) },
        ...others,
      ],
    },
  };
}

/** Maximum nesting of inputs and of called workflows. */
const MAX_DEPTH = 8;

function inferSchema(
  schema: JsonSchema,
  linked: LinkedWorkflow,
  schemas: Schemas,
  depth: number,
): JsonSchema {
  if (depth > MAX_DEPTH) return schema;
  const target = resolveSchema(schemas, schema);
  const properties = Object.entries(target.properties ?? {}).map(
    ([name, inputSchema]) =>
      [
        name,
        inferProperty(inputSchema, usesOfInput(linked, name, schemas, 0, new Set()), schemas),
      ] as const,
  );
  const parts = target.allOf?.map((part) =>
    typeof part === "boolean" ? part : inferSchema(part, linked, schemas, depth + 1),
  );
  const required =
    target.required === undefined && depth === 0
      ? properties.flatMap(([name, inputSchema]) =>
          isRequiredByStep(inputSchema, name, linked, schemas) ? name : [],
        )
      : [];
  return {
    ...target,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(required.length > 0 && { required }),
    ...(parts && { allOf: parts }),
  };
}

/** Tests whether a workflow without declared required inputs cannot finish without this one. */
function isRequiredByStep(
  schema: AnySchema,
  name: string,
  { steps }: LinkedWorkflow,
  schemas: Schemas,
): boolean {
  if (
    typeof schema === "boolean" ||
    schema.default !== undefined ||
    resolveSchema(schemas, schema).default !== undefined
  )
    return false;
  const branch = steps.findIndex(({ onSuccess }) => onSuccess.length > 0);
  return steps.slice(0, branch < 0 ? undefined : branch + 1).some(
    ({ call, arguments: stepArguments }) =>
      call.kind === "operation" &&
      stepArguments.some((argument) => {
        const parameter = isInputExpression(argument.value, name)
          ? call.operation.parameters.find((candidate) => isForParameter(argument, candidate))
          : undefined;
        return (
          parameter?.required === true &&
          (parameter.schema.default ?? resolveSchema(schemas, parameter.schema).default) ===
            undefined
        );
      }),
  );
}

/**
 * All uses of an input that is sent unchanged.
 * @param visited inputs of workflows that were already visited; workflows called by many steps have
 * the same uses each time
 */
function usesOfInput(
  linked: LinkedWorkflow,
  name: string,
  schemas: Schemas,
  depth: number,
  visited: Set<string>,
): readonly InputUse[] {
  const key = JSON.stringify([linked.workflow.location.file, linked.workflow.id, name]);
  if (depth > MAX_DEPTH || visited.has(key)) return [];
  visited.add(key);
  return linked.steps.flatMap((step) => [
    ...usesInArguments(step, name, schemas, depth, visited),
    ...usesInBody(step, name, schemas),
  ]);
}

function usesInBody(
  { call, body }: LinkedStep,
  name: string,
  schemas: Schemas,
): readonly InputUse[] {
  // Replacements may add fields that the payload lacks.
  if (call.kind !== "operation" || !body?.payload || body.replacements.length > 0) return [];
  return usesInPayload(body.payload, bodySchema(body.contentType, call.operation), name, schemas);
}

function usesInArguments(
  { call, arguments: stepArguments }: LinkedStep,
  name: string,
  schemas: Schemas,
  depth: number,
  visited: Set<string>,
): readonly InputUse[] {
  const sent = stepArguments.filter(({ value }) => isInputExpression(value, name));
  if (call.kind === "workflow")
    return sent.flatMap((argument) =>
      usesOfInput(call.workflow, argument.name, schemas, depth + 1, visited),
    );
  return sent.flatMap((argument): readonly InputUse[] => {
    const parameter = call.operation.parameters.find((candidate) =>
      isForParameter(argument, candidate),
    );
    return parameter
      ? [
          {
            schema: parameter.schema,
            ...(parameter.description !== undefined && { description: parameter.description }),
          },
        ]
      : [];
  });
}

/**
 * Tests whether a value is the input itself, as an expression or as the only part of a template.
 */
export function isInputExpression(value: Value, name: string): boolean {
  const [only, second] = value.kind === "template" ? value.parts : [];
  const expression: Expression | undefined =
    value.kind === "expression"
      ? value.expression
      : second === undefined && typeof only === "object"
        ? only
        : undefined;
  return expression?.kind === "inputs" && expression.name === name && expression.path.length === 0;
}

function bodySchema(contentType: string | undefined, { body }: Operation): AnySchema | undefined {
  const contents = body?.contents ?? [];
  return (
    contents.find(({ mediaType }) => mediaType === contentType) ??
    contents.find(({ mediaType }) => /[/+]json$/.test(mediaType)) ??
    contents[0]
  )?.schema;
}

function usesInPayload(
  value: Value,
  schema: AnySchema | undefined,
  name: string,
  schemas: Schemas,
): readonly InputUse[] {
  if (schema === undefined || typeof schema === "boolean") return [];
  if (isInputExpression(value, name)) return [{ schema }];
  if (value.kind === "record")
    return value.entries.flatMap(([key, part]) =>
      usesInPayload(part, schemaAt(schema, [key], schemas), name, schemas),
    );
  return value.kind === "list"
    ? value.items.flatMap((part, i) =>
        usesInPayload(part, schemaAt(schema, [String(i)], schemas), name, schemas),
      )
    : [];
}

const ANNOTATION_KEYWORDS =
  "title description default examples deprecated readOnly writeOnly".split(" ");
const STRING_KEYWORDS = ["enum", "const", "format", "pattern", "minLength", "maxLength"];

/** Adds inferred keywords to an input that its author does not declare. */
function inferProperty(schema: AnySchema, uses: readonly InputUse[], schemas: Schemas): AnySchema {
  const [first] = uses;
  if (!first || typeof schema === "boolean") return schema;
  const description = inferDescription(schema, uses, schemas);
  const rules = agreedKeywords(schema, uses, schemas);
  return { ...rules, ...schema, ...(description !== undefined && { description }) };
}

function inferDescription(
  inputSchema: JsonSchema,
  uses: readonly InputUse[],
  schemas: Schemas,
): string | undefined {
  if ((inputSchema.description ?? resolveSchema(schemas, inputSchema).description) !== undefined)
    return undefined;
  const declared = uses
    .map(
      ({ description, schema }) =>
        description ?? schema.description ?? resolveSchema(schemas, schema).description,
    )
    .find((text) => text !== undefined && text.trim() !== "");
  const kinds = new Set(
    uses.map(({ schema }) =>
      typesOf(resolveSchema(schemas, schema))
        .filter((type) => type !== "null")
        .join(),
    ),
  );
  const isOther =
    inputSchema.type === "string" &&
    kinds.size === 1 &&
    /^(?:integer|number|boolean)$/.test([...kinds][0] ?? "");
  if (!isOther) return declared;
  const kind = `Takes ${describeAcceptedValues(uses[0]?.schema, schemas)}.`;
  return declared === undefined ? kind : `${declared.trim().replace(/([^.!?])$/, "$1.")} ${kind}`;
}

/** Keywords that all uses agree on and the author does not declare. */
function agreedKeywords(
  inputSchema: JsonSchema,
  uses: readonly InputUse[],
  schemas: Schemas,
): JsonSchema {
  const targets = uses.map(({ schema }) => resolveSchema(schemas, schema));
  const [first] = targets;
  const declared = Object.keys(inputSchema).filter(
    (keyword) => !ANNOTATION_KEYWORDS.includes(keyword),
  );
  if (!first || targets.some((target) => JSON.stringify(target) !== JSON.stringify(first)))
    return {};
  const kinds = typesOf(first);
  if (declared.length === 0)
    return omitKeywords(first, ["default", "title", "description", "examples"]);
  if (
    declared.length > 1 ||
    inputSchema.type === undefined ||
    kinds.length !== 1 ||
    kinds[0] !== inputSchema.type
  )
    return {};
  if (inputSchema.type === "string")
    return Object.fromEntries(
      STRING_KEYWORDS.flatMap((keyword) => (keyword in first ? [[keyword, first[keyword]]] : [])),
    );
  return inputSchema.type === "object" || inputSchema.type === "array"
    ? omitKeywords(first, ANNOTATION_KEYWORDS)
    : {};
}

function omitKeywords(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)),
  );
}
