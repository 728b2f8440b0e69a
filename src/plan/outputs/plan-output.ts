import { isObject, type JsonSchema } from "../../json.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { Projector } from "../schemas/portable/projector.js";
import { limitSchemas } from "../schemas/portable/limits.js";
import { type AnySchema, refName, type Schemas } from "../schemas/refs.js";
import type { ClassifiedOperation } from "../classify.js";
import { createTolerantWriter, type TolerantWriter } from "./tolerant-schema.js";
import { isSameJson } from "../schemas/values.js";

/** What a tool returns. */
export interface OutputPlan {
  /** Model form of what the API sends, before it is wrapped. */
  readonly responseSchema: JsonSchema;
  readonly wrap?: "items" | "value";
  /** Model form of the tool's result. */
  readonly resultSchema: JsonSchema;
  /** As the client sees it: root `type: object`. */
  readonly schema: JsonSchema;
}

/** Makes output schemas; results of the same named schema are made once. */
export type OutputPlanner = (subject: ClassifiedOperation) => OutputPlan | undefined;

/** What of an output does not depend on the operation. */
type SharedOutput = Pick<OutputPlan, "wrap" | "schema"> | "none";

/**
 * @param strict the projector for schemas as they are written; without it they are made tolerant
 */
export function createOutputPlanner(
  schemas: Schemas,
  strict: Projector | undefined,
  diagnostics: DiagnosticCollector,
): OutputPlanner {
  const made = new Map<string, SharedOutput>();
  const writer = createTolerantWriter(schemas);
  const make = (
    sent: JsonSchema,
    mayBeEmpty: boolean,
    subject: ClassifiedOperation,
  ): SharedOutput => {
    const type = writer.rootType(sent);
    if (!type) return "none";
    const wrap = type === "object" ? undefined : type === "array" ? "items" : "value";
    const written = strict && strictSchema(sent, wrap, mayBeEmpty, subject, strict);
    if (strict && !written)
      diagnostics.add(
        "plan-schema-keyword",
        "The result is one of several schemas; hosts want one object, so its schema holds the properties of all.",
        subject.operation.location,
      );
    const schema = written ?? tolerantSchema(sent, wrap, mayBeEmpty, writer);
    return { ...(wrap && { wrap }), schema };
  };
  return (subject) => {
    const sent = responseSchemaOf(subject, diagnostics);
    if (!sent) return undefined;
    const mayBeEmpty = subject.successResponses.some((response) => response.contents.length === 0);
    const key = keyOf(sent, mayBeEmpty);
    const shared =
      (key === undefined ? undefined : made.get(key)) ?? make(sent, mayBeEmpty, subject);
    if (key !== undefined) made.set(key, shared);
    return shared === "none"
      ? undefined
      : { responseSchema: sent, ...shared, resultSchema: wrapSchema(sent, shared.wrap, true) };
  };
}

/** The JSON of the success responses; several that differ become alternatives. */
function responseSchemaOf(
  { jsonContents: json, operation }: ClassifiedOperation,
  diagnostics: DiagnosticCollector,
): JsonSchema | undefined {
  const [first, second] = json;
  if (!second) return first?.schema;
  const distinct: JsonSchema[] = [];
  for (const { schema } of json) {
    if (schema && !distinct.some((known) => isSameJson(known, schema))) distinct.push(schema);
  }
  if (distinct.length < 2) return distinct[0];
  diagnostics.add(
    "plan-output-union",
    `The success responses differ; the result may be any of ${distinct.length}.`,
    operation.location,
  );
  return { anyOf: distinct };
}

/** Only schemas that are a name, or a list of a name, are worth remembering. */
function keyOf(sent: JsonSchema, mayBeEmpty: boolean): string | undefined {
  const own = refName(sent);
  const item =
    isObject(sent.items) && Object.keys(sent).every((key) => PLAIN_LIST.has(key))
      ? refName(sent.items)
      : undefined;
  if (own === undefined && item === undefined) return undefined;
  return `${mayBeEmpty} ${own === undefined ? "list" : "one"} ${own ?? item}`;
}

const PLAIN_LIST = new Set([
  "type",
  "items",
  "description",
  "minItems",
  "maxItems",
  "uniqueItems",
  "examples",
  "title",
]);

function wrapSchema(schema: JsonSchema, wrap: OutputPlan["wrap"], required: boolean): JsonSchema {
  if (!wrap) return schema;
  return { type: "object", properties: { [wrap]: schema }, ...(required && { required: [wrap] }) };
}

function tolerantSchema(
  sent: JsonSchema,
  wrap: OutputPlan["wrap"],
  mayBeEmpty: boolean,
  writer: TolerantWriter,
): JsonSchema {
  const schema = writer.schema(sent);
  return wrapSchema(schema, wrap, !mayBeEmpty);
}

/**
 * As the document writes it, as far as every host takes it. Alternatives at the root are not among
 * that.
 */
function strictSchema(
  sent: JsonSchema,
  wrap: OutputPlan["wrap"],
  mayBeEmpty: boolean,
  { operation }: ClassifiedOperation,
  strict: Projector,
): JsonSchema | undefined {
  const where = { location: operation.location, label: "result" };
  const { fitted, defs } = limitSchemas([{ schema: sent as AnySchema, where }], strict);
  const schema = fitted[0]?.projection.schema ?? {};
  if (wrap === undefined && (schema.anyOf || schema.allOf)) return undefined;
  const root = wrapSchema(schema, wrap, !mayBeEmpty);
  return { ...root, type: "object", ...(Object.keys(defs).length > 0 && { $defs: defs }) };
}
