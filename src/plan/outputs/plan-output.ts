import { isObject, isSameJson, type JsonSchema } from "../../json.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { type AnySchema, refName, type SchemaOrigins, type Schemas } from "../schemas/refs.js";
import { type Projector, limitSchemas } from "../schemas/portable/projection.js";
import { successJsonContents } from "./payload.js";
import { createTolerantWriter, type TolerantWriter } from "./tolerant-schema.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { collectionWords } from "../related-operations.js";

/** The result of a tool. */
export interface OutputPlan {
  /** Schema of the response in model form, before it is wrapped. */
  readonly responseSchema: JsonSchema;
  readonly wrap?: "items" | "value";
  /** Words of the last segment of the path that is not a parameter: the resource. */
  readonly subject: readonly string[];
  /** Name of the list in the response, for a tool that returns it as `items`. */
  readonly listName?: string;
  /** Schema of the tool's result in model form. */
  readonly resultSchema: JsonSchema;
  /** Schema for the client: root `type: object`. */
  readonly schema: JsonSchema;
}

/** Plans outputs. Results of the same named schema are planned once. */
export type OutputPlanner = (classified: ClassifiedOperation) => OutputPlan | undefined;

/** The part of an output that does not depend on the operation. */
type SharedOutput = Pick<OutputPlan, "wrap" | "schema"> | "none";

/** Property for a result that is not an object, by the type of its root. */
const WRAPPERS = { object: undefined, array: "items", other: "value" } as const;

/**
 * Creates an output planner.
 * @param strict projects schemas as written; without it they become tolerant
 */
export function createOutputPlanner(
  schemas: Schemas,
  strict: Projector | undefined,
  { diagnostics, origins }: { diagnostics: DiagnosticCollector; origins: SchemaOrigins },
): OutputPlanner {
  const cache = new Map<string, SharedOutput>();
  const writer = createTolerantWriter(schemas, origins);
  const plan = (
    responseSchema: JsonSchema,
    mayBeEmpty: boolean,
    classified: ClassifiedOperation,
  ): SharedOutput => {
    const type = writer.rootType(responseSchema);
    if (!type) return "none";
    const wrap = WRAPPERS[type];
    const written = strict && strictSchema(responseSchema, wrap, mayBeEmpty, classified, strict);
    if (strict && !written)
      diagnostics.add(
        "plan-schema-keyword",
        "The result has alternative schemas. Hosts require one object, so its schema has the properties of all.",
        classified.operation.location,
      );
    const schema = written ?? tolerantSchema(responseSchema, wrap, mayBeEmpty, writer);
    return { ...(wrap && { wrap }), schema };
  };
  return (classified) => {
    if (hasResponseWithoutJson(classified, schemas)) return undefined;
    const responseSchema = responseSchemaOf(classified, diagnostics);
    if (!responseSchema) return undefined;
    const mayBeEmpty = classified.successResponses.some(
      (response) => response.contents.length === 0,
    );
    const key = keyOf(responseSchema, mayBeEmpty);
    const cached = key === undefined ? undefined : cache.get(key);
    const shared = cached ?? plan(responseSchema, mayBeEmpty, classified);
    if (key !== undefined) cache.set(key, shared);
    if (shared === "none") return undefined;
    const resultSchema = wrapSchema(responseSchema, shared.wrap, true);
    return { responseSchema, subject: collectionWords(classified), ...shared, resultSchema };
  };
}

/**
 * True if a success status has other content only: a file, while another status reports in JSON
 * that the file is not ready. A result with an output schema must be structured.
 */
function hasResponseWithoutJson(
  { successResponses, jsonContents }: ClassifiedOperation,
  schemas: Schemas,
): boolean {
  return (
    jsonContents.length > 0 &&
    successResponses.some(
      (response) =>
        response.contents.length > 0 && successJsonContents([response], schemas).length === 0,
    )
  );
}

/** Schema of the success responses; different schemas become alternatives. */
function responseSchemaOf(
  { jsonContents, operation }: ClassifiedOperation,
  diagnostics: DiagnosticCollector,
): JsonSchema | undefined {
  const [first, second] = jsonContents;
  if (!second) return first?.schema;
  const distinct: JsonSchema[] = [];
  for (const { schema } of jsonContents) {
    if (schema && !distinct.some((candidate) => isSameJson(candidate, schema)))
      distinct.push(schema);
  }
  if (distinct.length < 2) return distinct[0];
  diagnostics.add(
    "plan-output-union",
    `The success responses have ${distinct.length} different schemas. The output schema allows all of them.`,
    operation.location,
  );
  return { anyOf: distinct };
}

/** Cache key. Only named schemas and lists of them are cached. */
function keyOf(responseSchema: JsonSchema, mayBeEmpty: boolean): string | undefined {
  const name = refName(responseSchema);
  const item =
    isObject(responseSchema.items) &&
    Object.keys(responseSchema).every((key) => PLAIN_LIST.has(key))
      ? refName(responseSchema.items)
      : undefined;
  if (name === undefined && item === undefined) return undefined;
  return `${mayBeEmpty} ${name === undefined ? "list" : "one"} ${name ?? item}`;
}

const PLAIN_LIST = new Set(
  "type items description minItems maxItems uniqueItems examples title".split(" "),
);

function wrapSchema(schema: JsonSchema, wrap: OutputPlan["wrap"], required: boolean): JsonSchema {
  if (!wrap) return schema;
  return { type: "object", properties: { [wrap]: schema }, ...(required && { required: [wrap] }) };
}

function tolerantSchema(
  responseSchema: JsonSchema,
  wrap: OutputPlan["wrap"],
  mayBeEmpty: boolean,
  writer: TolerantWriter,
): JsonSchema {
  const schema = writer.schema(responseSchema);
  return wrapSchema(schema, wrap, !mayBeEmpty && wrap === "items");
}

/**
 * Schema as written in the document, projected to what every host accepts. Undefined for
 * alternatives at the root.
 */
function strictSchema(
  responseSchema: JsonSchema,
  wrap: OutputPlan["wrap"],
  mayBeEmpty: boolean,
  { operation }: ClassifiedOperation,
  strict: Projector,
): JsonSchema | undefined {
  const usage = { location: operation.location, label: "result" };
  const { parts, defs } = limitSchemas([{ schema: responseSchema as AnySchema, usage }], strict);
  const schema = parts[0]?.projection.schema ?? {};
  if (wrap === undefined && (schema.anyOf || schema.allOf)) return undefined;
  const root = wrap ? wrapSchema(schema, wrap, !mayBeEmpty) : openRoot(schema, defs);
  return { ...root, type: "object", ...(Object.keys(defs).length > 0 && { $defs: defs }) };
}

/** Allows further properties, because results also have notes and the values that do not fit. */
function openRoot(schema: JsonSchema, defs: Readonly<Record<string, AnySchema>>): JsonSchema {
  const target = defs[/^#\/\$defs\/([^/]+)$/.exec(schema.$ref ?? "")?.[1] ?? ""];
  const { $ref: _, ...rest } = schema;
  if (isObject(target) && isClosed(target)) return openRoot({ ...target, ...rest }, defs);
  if (!isClosed(schema)) return schema;
  const { additionalProperties: __, maxProperties: ___, ...open } = schema;
  return open;
}

function isClosed({ additionalProperties, maxProperties }: JsonSchema): boolean {
  return additionalProperties !== undefined || maxProperties !== undefined;
}
