/** The input `fields`, with which a call chooses the fields of its result. */
import { isObject, type JsonSchema } from "../json.js";
import { isEssentialField, keyFieldRank, NO_RANK, pickOrder } from "../key-fields.js";
import type { FieldPath } from "../runtime/data/field-paths.js";
import type { FieldSelection, OperationBinding } from "../runtime/types.js";
import { inputProperties, requestParameters } from "./bound-parameters.js";
import { fieldSource, type FieldSource } from "./configuration/result-fields.js";
import { consumedFields, type Consumers, consumersByProducer } from "./consumed-fields.js";
import type { PlanOptions } from "./options.js";
import { allFields, listItems } from "./schemas/flat-object.js";
import type { AnySchema, Schemas } from "./schemas/refs.js";
import type { PlannedTool } from "./types.js";

const INPUT = "fields";

/** Names of parameters with which APIs let callers choose fields. */
const OWN_PARAMETER = /^\$?(?:_?fields?|select)$/i;

/** Minimum number of fields of an item, with those inside it, that is worth a choice. */
const MIN_FIELDS = 12;

/** Maximum number of names in the description of the input. */
const MAX_NAMES = 12;

/**
 * Adds the input `fields` to tools for which the configuration asks: to single tools, or to all
 * that read large items. Fields that other tools need as IDs always stay.
 */
export function addFieldSelections(
  tools: readonly PlannedTool[],
  { configuration }: PlanOptions,
  schemas: Schemas,
): readonly PlannedTool[] {
  const forAll = configuration?.content.server?.fields === true;
  if (!forAll && tools.every(({ fields }) => fields === undefined)) return tools;
  const consumers = consumersByProducer(tools);
  return tools.map((tool) => {
    const { fields = forAll && isLargeRead(tool, schemas), workflow } = tool;
    if (fields === false || workflow) return tool;
    const source = fieldSource(tool.output ?? {}, [], schemas);
    const own = ownParameter(tool);
    if (own !== undefined) return withReason(tool, `The API's own input ${own} selects fields.`);
    if (source.fields.size === 0 && !tool.hasUndocumentedFields) return tool;
    const kept = keptFields(tool, source, consumers.get(tool.definition.name) ?? []);
    return withSelection(tool, source, kept, schemas);
  });
}

/** Fields that are always returned: IDs that other tools take. */
function keptFields(
  tool: PlannedTool,
  { fields }: FieldSource,
  consumers: Consumers,
): readonly FieldPath[] {
  const names = [...fields.keys()];
  const needed = consumedFields(tool, names, consumers);
  const own = names.filter((name) => /^(?:id|uuid|sid)$/i.test(name)).slice(0, 1);
  const searched = tool.definition.operations.flatMap(({ pagination }) => {
    const pointer = pagination?.after?.pointer;
    return pointer === undefined ? [] : [pointer.slice(1)];
  });
  return [...new Set([...own, ...needed, ...searched])].filter((name) => fields.has(name));
}

function isLargeRead({ definition, output }: PlannedTool, schemas: Schemas): boolean {
  if (!definition.annotations.readOnlyHint || !output || !definition.outputSchema) return false;
  const { fields } = fieldSource(output, [], schemas);
  const inner = [...fields.values()].reduce<number>(
    (count, field) => count + innerFields(field, schemas).size,
    0,
  );
  return fields.size + inner >= MIN_FIELDS;
}

const innerFields = (field: AnySchema, schemas: Schemas): ReadonlyMap<string, AnySchema> =>
  allFields(listItems(field, schemas) ?? field, schemas);

/** The parameter of the API for the same purpose, or an input with the name. */
function ownParameter(tool: PlannedTool): string | undefined {
  const inQuery = tool.definition.operations.flatMap(({ request }) =>
    requestParameters(request).flatMap(({ location, wireName = "" }) =>
      location === "query" && OWN_PARAMETER.test(wireName) ? [wireName] : [],
    ),
  );
  return inQuery[0] ?? tool.inputs.find(({ name }) => name === INPUT)?.name;
}

const withReason = (tool: PlannedTool, reason: string): PlannedTool => ({
  ...tool,
  reasons: [...tool.reasons, reason],
});

function withSelection(
  tool: PlannedTool,
  source: FieldSource,
  kept: readonly FieldPath[],
  schemas: Schemas,
): PlannedTool {
  const { definition, fields, hasUndocumentedFields } = tool;
  const chosen = Array.isArray(fields) ? (fields as readonly FieldPath[]) : undefined;
  const isOpen = hasUndocumentedFields || !isComplete(definition.outputSchema, source, schemas);
  const selection: FieldSelection = {
    input: INPUT,
    ...(source.list !== undefined && { list: source.list }),
    kept,
    ...(chosen && { default: chosen }),
    ...(isOpen && { isOpen: true }),
  };
  const description = describe(source, chosen, schemas);
  const schema: JsonSchema = { type: "array", items: { type: "string" }, description };
  const properties = { ...inputProperties(definition), [INPUT]: schema };
  const operations = definition.operations.map((operation): OperationBinding => ({
    ...operation,
    response: { ...operation.response, fields: selection },
  }));
  return withReason(
    {
      ...tool,
      inputs: [...tool.inputs, { name: INPUT, description, required: false, type: schema }],
      definition: {
        ...definition,
        ...(definition.outputSchema && {
          outputSchema: withOptionalFields(definition.outputSchema as JsonSchema, source),
        }),
        inputSchema: { ...definition.inputSchema, properties },
        operations,
      },
    },
    `Calls choose the fields of the result with ${INPUT}, as configured.`,
  );
}

/** Output schema that requires none of the fields that a call can leave out. */
function withOptionalFields(schema: JsonSchema, { list }: FieldSource): JsonSchema {
  const { required: _, ...optional } = withoutRequired(schema) as JsonSchema;
  const { required: stated } = schema;
  return { ...optional, ...(list !== undefined && stated && { required: stated }) };
}

/** A part of a schema without the keyword `required`. A property of that name is not a list of names. */
function withoutRequired(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutRequired);
  if (!isObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part).flatMap(([key, value]) =>
      key === "required" && Array.isArray(value) ? [] : [[key, withoutRequired(value)]],
    ),
  );
}

/** Names some fields, dotted where an inner one says more, and states the default. */
function describe(
  { fields, list }: FieldSource,
  chosen: readonly FieldPath[] | undefined,
  schemas: Schemas,
): string {
  const names = pickOrder([...fields.keys()]).map((name) =>
    dottedName(name, fields.get(name) as AnySchema, schemas),
  );
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  const owner = list === undefined ? "the result" : `each of the ${list}`;
  const known = names.length === 0 ? "" : ` ${names.slice(0, MAX_NAMES).join(", ")}${more}.`;
  const defaults = chosen
    ? `Default: ${chosen.map((path) => (typeof path === "string" ? path : path.join("."))).join(", ")}; ["*"] for all.`
    : "Default: all.";
  return `Fields of ${owner} to return, dotted for inner ones:${known || " any."} ${defaults}`;
}

/** `user` → user.login. Fields without a name inside them stay. */
function dottedName(name: string, field: AnySchema, schemas: Schemas): string {
  const inner = pickOrder(
    [...innerFields(field, schemas).keys()].filter(
      (one) => isEssentialField(one) || keyFieldRank(one) < NO_RANK,
    ),
  );
  const telling = inner.find((one) => /^(?:name|title|login|email)$/i.test(one)) ?? inner[0];
  return telling === undefined ? name : `${name}.${telling}`;
}

/** True if the output schema names all fields. Large schemas are cut. */
function isComplete(
  outputSchema: PlannedTool["definition"]["outputSchema"],
  source: FieldSource,
  schemas: Schemas,
): boolean {
  if (!outputSchema) return false;
  const defs = (outputSchema["$defs"] ?? {}) as Schemas;
  const shown = fieldSource(outputSchema as JsonSchema, [], defs);
  const hasAll = (all: AnySchema, some: AnySchema | undefined, depth: number): boolean => {
    if (depth === 0 || some === undefined) return some !== undefined;
    const known = innerFields(some, defs);
    return [...innerFields(all, schemas)].every(
      ([name, field]) =>
        known.size === 0 || (known.has(name) && hasAll(field, known.get(name), depth - 1)),
    );
  };
  return (
    shown.list === source.list && isObject(shown.schema) && hasAll(source.schema, shown.schema, 3)
  );
}
