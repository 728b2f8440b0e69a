import type { JsonSchema } from "../../json.js";
import type { Content, Encoding, Operation, RequestBody } from "../../model/types.js";
import type {
  BodyMapping,
  FieldEncoding,
  PartEncodings,
  ParameterSource,
} from "../../runtime/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { InputCandidate } from "../inputs/candidates.js";
import { type FlatObject, flattenObject } from "../schemas/flat-object.js";
import { type AnySchema, resolveSchema, type Schemas } from "../schemas/refs.js";
import { chooseContent, fileKind, isBinaryMediaType } from "./media-types.js";
import {
  FILE_SCHEMAS,
  fileFields,
  fileItem,
  partEncoding,
  positionalEncodings,
  replaceFileItems,
  replaceFileSchemas,
} from "./multipart.js";
import { xmlRoot } from "./xml.js";

/** A body before its inputs have names. */
export interface BodyPlan {
  readonly content: Content;
  readonly required: boolean;
  readonly candidates: readonly InputCandidate[];
  readonly schemas: Schemas;
  /** Minimum and maximum number of fields beyond the required ones. */
  readonly minFields?: number;
  readonly maxFields?: number;
  /** Further media types of a file. */
  readonly alternativeTypes?: readonly string[];
}

/** Methods whose body `fetch` rejects and RFC 9110 gives no meaning. */
const BODILESS_METHODS = new Set(["GET", "HEAD"]);

/**
 * Chooses a media type and splits the body: into its fields when it is a plain object, else into
 * one input.
 */
export function planBody(
  operation: Operation,
  schemas: Schemas,
  diagnostics: DiagnosticCollector,
): BodyPlan | undefined {
  const { body, method } = operation;
  if (!body || body.contents.length === 0) return undefined;
  if (BODILESS_METHODS.has(method)) {
    diagnostics.add(
      "plan-body-omitted",
      `The body is left out: a ${method} request cannot have one.`,
      operation.location,
    );
    return undefined;
  }
  const { content, alternativeTypes } = chooseContent(body, schemas, diagnostics);
  const schema = content.schema ?? {};
  if (!body.required && hasFields(content) && hasNoFields(resolveSchema(schemas, schema))) {
    diagnostics.add(
      "plan-parameter-hidden",
      "The body is no input: it has no fields.",
      content.location,
    );
    return undefined;
  }
  const view = hasFields(content) ? flattenObject(schemas, schema) : undefined;
  const required = isRequired(body, method, view);
  if (view?.isWeakened)
    diagnostics.add(
      "plan-schema-keyword",
      "The body says which of its fields go together; the tool does not check it.",
      content.location,
    );
  return {
    content,
    required,
    schemas,
    ...(view && fieldLimits(view)),
    ...(alternativeTypes.length > 0 && { alternativeTypes }),
    candidates: view
      ? fieldCandidates(view, content, required, schemas)
      : [wholeBodyCandidate(body, content, required, schemas)],
  };
}

/** `{type: object, properties: {}}`: generators write it for operations without a body. */
function hasNoFields({
  properties,
  additionalProperties,
  patternProperties,
  allOf,
  anyOf,
  oneOf,
}: JsonSchema): boolean {
  return (
    properties !== undefined &&
    Object.keys(properties).length === 0 &&
    (additionalProperties === undefined || additionalProperties === false) &&
    !patternProperties &&
    !allOf &&
    !anyOf &&
    !oneOf
  );
}

/** Limits that the required fields do not imply. */
function fieldLimits({
  minProperties,
  maxProperties,
  required,
  properties,
}: FlatObject): Pick<BodyPlan, "minFields" | "maxFields"> {
  return {
    ...(minProperties > required.size && { minFields: minProperties }),
    ...(maxProperties < properties.size && { maxFields: maxProperties }),
  };
}

/** Text and binary bodies have no fields, whatever their schema is. */
function hasFields({ mediaType }: Content): boolean {
  return (
    /json\b|[/+]xml\b|x-www-form-urlencoded|^multipart\//.test(mediaType) &&
    !/jsonl|json-seq|ndjson|json-lines/.test(mediaType)
  );
}

/**
 * A body with required fields counts as required for POST, PUT and PATCH. The default of `required`
 * is false, and most documents omit it by mistake (all of Box and PagerDuty).
 */
function isRequired(body: RequestBody, method: string, view: FlatObject | undefined): boolean {
  return (
    body.required ||
    (/^(POST|PUT|PATCH)$/.test(method) && view !== undefined && view.required.size > 0)
  );
}

function fieldCandidates(
  view: FlatObject,
  content: Content,
  required: boolean,
  schemas: Schemas,
): InputCandidate[] {
  const candidates: InputCandidate[] = [];
  const hasFiles = content.mediaType.startsWith("multipart/");
  for (const [wireName, schema] of view.properties) {
    const target = resolveSchema(schemas, schema);
    if (schema.readOnly === true || target.readOnly === true || isNeverSchema(target)) continue;
    const file = hasFiles ? fileKind(schema, schemas, content, wireName) : undefined;
    candidates.push({
      in: "body",
      wireName,
      schema: file ? FILE_SCHEMAS[file] : schema,
      description: schema.description ?? target.description,
      where: { location: content.location, label: wireName },
      required: required && view.required.has(wireName),
      deprecated: (schema.deprecated ?? target.deprecated) === true,
      ...(file && { file }),
      ...(!required && { isInOptionalBody: true }),
    });
  }
  return candidates;
}

/** True for `{ not: {} }`, the model form of `false`. */
const isNeverSchema = (schema: JsonSchema): boolean =>
  typeof schema.not === "object" &&
  Object.keys(schema.not).length === 0 &&
  Object.keys(schema).length === 1;

function wholeBodyCandidate(
  body: RequestBody,
  content: Content,
  required: boolean,
  schemas: Schemas,
): InputCandidate {
  const binary = isBinaryMediaType(content.mediaType);
  const schema =
    (content.schema && content.mediaType.startsWith("multipart/")
      ? replaceFileItems(
          replaceFileSchemas(content.schema, content, schemas),
          content,
          schemas,
          fileItem,
        )
      : content.schema) ??
    (binary || content.mediaType.startsWith("text/") ? { type: "string" } : {});
  const where = { location: content.location, label: "body" };
  return {
    in: "body",
    wireName: "body",
    isWholeBody: true,
    schema: binary ? FILE_SCHEMAS.one : schema,
    description: body.description ?? schema.description,
    required,
    deprecated: false,
    where,
    ...(binary && { file: "one" }),
  };
}

/**
 * Builds the binding of a planned body.
 * @param sources sources of its candidates, in order, including constants and generated values
 * @param fileNameInputs by field name of a file, the input that takes its file name
 */
export function bindBody(
  plan: BodyPlan,
  sources: readonly (readonly [InputCandidate, ParameterSource])[],
  fileNameInputs: ReadonlyMap<string, string>,
): BodyMapping {
  const { content, required, schemas, minFields, maxFields, alternativeTypes } = plan;
  const xml =
    /[/+]xml\b/.test(content.mediaType) && content.schema
      ? xmlRoot(content.schema, schemas, content.xmlElements)
      : undefined;
  const base = {
    contentType: content.contentTypeHeader ?? content.mediaType,
    ...(alternativeTypes && { alternativeTypes }),
    ...(required && { required }),
    ...(minFields !== undefined && { minProperties: minFields }),
    ...(maxFields !== undefined && { maxProperties: maxFields }),
    ...(xml && Object.keys(xml).length > 0 && { xml }),
  };
  const [first] = sources;
  if (first?.[0].isWholeBody)
    return { ...base, from: first[1] as string, ...wholeEncoding(content, schemas) };
  const encoding = sources.flatMap(([candidate]): [string, FieldEncoding][] => {
    const one = fieldEncoding(candidate, plan, fileNameInputs);
    return one ? [[candidate.wireName, one]] : [];
  });
  return {
    ...base,
    fields: Object.fromEntries(sources.map(([candidate, source]) => [candidate.wireName, source])),
    ...(encoding.length > 0 && { encoding: Object.fromEntries(encoding) }),
  };
}

/** Builds the binding of a body that comes from one input. */
export function bindWholeBody(plan: BodyPlan, from: string): BodyMapping {
  const { content, schemas, candidates } = plan;
  const xml =
    /[/+]xml\b/.test(content.mediaType) && content.schema
      ? xmlRoot(content.schema, schemas, content.xmlElements)
      : undefined;
  const encoding = candidates.flatMap((candidate): [string, FieldEncoding][] => {
    const one = candidate.isWholeBody ? undefined : fieldEncoding(candidate, plan, new Map());
    return one ? [[candidate.wireName, one]] : [];
  });
  return {
    contentType: content.contentTypeHeader ?? content.mediaType,
    from,
    ...(xml && Object.keys(xml).length > 0 && { xml }),
    ...(encoding.length > 0 && { encoding: Object.fromEntries(encoding) }),
  };
}

function fieldEncoding(
  { wireName, schema, file }: InputCandidate,
  { content, schemas }: BodyPlan,
  fileNameInputs: ReadonlyMap<string, string>,
): FieldEncoding | undefined {
  const filename = fileNameInputs.get(wireName);
  const encoding = {
    ...partEncoding(itemOf(schema, schemas), encodingOf(content, wireName) ?? {}, {
      schemas,
      elements: content.xmlElements,
    }),
    ...(file && { file: true }),
    ...(filename !== undefined && { filenameInput: filename }),
  };
  return Object.keys(encoding).length > 0 ? encoding : undefined;
}

/** Schema of one part. Each item of a list is a part of its own. */
function itemOf(schema: JsonSchema, schemas: Schemas): AnySchema | undefined {
  const target = resolveSchema(schemas, schema);
  return target.type === "array" ? (target.items as AnySchema | undefined) : schema;
}

function wholeEncoding(content: Content, schemas: Schemas): PartEncodings {
  const context = { schemas, elements: content.xmlElements };
  const isMultipart = content.mediaType.startsWith("multipart/") && content.schema !== undefined;
  const files = isMultipart
    ? fileFields(content.schema ?? {}, content, schemas)
    : new Set<string>();
  const names = new Set([...Object.keys(content.encoding ?? {}), ...files]);
  const entries = [...names].map(
    (name) =>
      [
        name,
        {
          ...partEncoding(undefined, encodingOf(content, name) ?? {}, context),
          ...(files.has(name) && { file: true }),
        },
      ] as const,
  );
  return {
    ...(entries.length > 0 && { encoding: Object.fromEntries(entries) }),
    ...(isMultipart && positionalEncodings(content.schema ?? {}, content, context)),
  };
}

function encodingOf(content: Content, name: string): Encoding | undefined {
  return content.encoding && Object.hasOwn(content.encoding, name)
    ? content.encoding[name]
    : undefined;
}
