import { quoteText } from "../../diagnostics/text.js";
import { type JsonSchema, omitUndefined, typesOf } from "../../json.js";
import type { Content, Encoding, Operation, RequestBody } from "../../model/types.js";
import type {
  BodyMapping,
  FieldEncoding,
  PartEncodings,
  ParameterSource,
  XmlNode,
} from "../../runtime/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { fieldExamples, type InputCandidate, withExamples } from "../inputs/candidates.js";
import { isJsonMediaType } from "../outputs/payload.js";
import { flattenObject, type FlatObject } from "../schemas/flat-object.js";
import { isFalseSchema } from "../schemas/portable/keywords.js";
import { type AnySchema, resolveSchema, type Schemas } from "../schemas/refs.js";
import { describedBy, titleOf } from "../schemas/title.js";
import {
  chooseContent,
  type ChosenContent,
  fileKind,
  isBinaryMediaType,
  isBinarySchema,
} from "./media-types.js";
import {
  asFile,
  FILE_SCHEMAS,
  fileFields,
  fileItem,
  partEncoding,
  positionalEncodings,
  replaceFileItems,
  replaceFileSchemas,
} from "./multipart.js";
import { bodyFields, hasNoFields, isEmptyByDefault, wholeBodyFields } from "./body-fields.js";
import { type BodyFields, contentInside } from "./envelope.js";
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
  /** The schema accepts fields that it does not name. */
  readonly isOpen?: true;
  /** Names of the objects around the fields, from the outside. */
  readonly envelope?: readonly string[];
  /** The multipart type that is sent when a file is given. */
  readonly withFile?: Content;
}

const UNENFORCED =
  "The body schema constrains which of its fields go together. The tool does not enforce it.";

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
  const chosen = chooseContent(operation, body, schemas, diagnostics);
  const { content, alternativeTypes } = chosen;
  const schema = content.schema ?? {};
  if (!body.required && hasFields(content) && hasNoFields(resolveSchema(schemas, schema))) {
    const message = "The body is not an input: it has no fields.";
    diagnostics.add("plan-parameter-hidden", message, content.location);
    return undefined;
  }
  const object = hasFields(content)
    ? bodyFields(operation, content, schemas, diagnostics)
    : undefined;
  const required = isRequired(body, method, object);
  const withFile = object?.envelope ? undefined : chosen.withFile;
  if (object?.isWeakened) diagnostics.add("plan-schema-keyword", UNENFORCED, content.location);
  return {
    content,
    required,
    schemas,
    ...(object && fieldLimits(object)),
    ...(object?.isOpen && { isOpen: true }),
    ...(object?.envelope && { envelope: object.envelope }),
    ...(alternativeTypes.length > 0 && { alternativeTypes }),
    ...(object && withFile && { withFile }),
    candidates: object
      ? [
          ...fieldCandidates(
            withoutFiles(object, chosen, schemas, diagnostics),
            contentInside(content, object.envelope),
            required,
            schemas,
          ),
          ...(withFile ? fileCandidates(withFile, required, schemas) : []),
        ]
      : [wholeBodyCandidate(operation, body, content, required, schemas)],
  };
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
 * A body with required fields counts as required for POST, PUT and PATCH, unless the document
 * states that it is optional. The default of `required` is false, and most documents omit it by
 * mistake (all of Box and PagerDuty).
 */
function isRequired(body: RequestBody, method: string, object: BodyFields | undefined): boolean {
  const hasRequiredFields =
    object !== undefined && (object.required.size > 0 || object.isEnvelopeRequired === true);
  const isLikely = !body.isStatedOptional && /^(POST|PUT|PATCH)$/.test(method);
  return body.required || (isLikely && hasRequiredFields);
}

/** Leaves out fields that are files, which only another media type of the body can carry. */
function withoutFiles(
  object: FlatObject,
  { content, filesElsewhere, withFile }: ChosenContent,
  schemas: Schemas,
  diagnostics: DiagnosticCollector,
): FlatObject {
  const files = [...object.properties].filter(
    ([name, schema]) =>
      filesElsewhere.has(name) && isBinarySchema(resolveSchema(schemas, schema), undefined),
  );
  if (files.length === 0) return object;
  for (const [name] of withFile ? [] : files)
    diagnostics.add(
      "plan-body-alternative",
      `The file ${quoteText(name, 60)} is not an input: ${content.mediaType} cannot carry files.`,
      content.location,
    );
  const names = new Set(files.map(([name]) => name));
  return {
    ...object,
    properties: new Map([...object.properties].filter(([name]) => !names.has(name))),
  };
}

/** The files of a multipart type that is sent only when one of them is given. */
function fileCandidates(
  withFile: Content,
  isBodyRequired: boolean,
  schemas: Schemas,
): InputCandidate[] {
  const object = flattenObject(schemas, withFile.schema ?? {});
  const all = object ? fieldCandidates(object, withFile, isBodyRequired, schemas) : [];
  return all.filter(({ file }) => file).map((candidate) => ({ ...candidate, required: false }));
}

function fieldCandidates(
  object: FlatObject,
  content: Content,
  required: boolean,
  schemas: Schemas,
): InputCandidate[] {
  const candidates: InputCandidate[] = [];
  const hasFiles = content.mediaType.startsWith("multipart/");
  for (const [wireName, schema] of object.properties) {
    const target = resolveSchema(schemas, schema);
    if (schema.readOnly === true || target.readOnly === true || isFalseSchema(target)) continue;
    const file = hasFiles ? fileKind(schema, schemas, content, wireName) : undefined;
    candidates.push({
      in: "body",
      wireName,
      schema: file
        ? FILE_SCHEMAS[file]
        : withExamples(schema, target, fieldExamples(content, wireName)),
      description: describedBy(schema, wireName, schemas),
      usage: { location: content.location, label: wireName },
      required: required && object.required.has(wireName),
      deprecated: (schema.deprecated ?? target.deprecated) === true,
      ...(file && { file }),
      ...(!required && { isInOptionalBody: true }),
    });
  }
  return candidates;
}

function wholeBodyCandidate(
  operation: Operation,
  body: RequestBody,
  content: Content,
  required: boolean,
  schemas: Schemas,
): InputCandidate {
  const isBinary = isBinaryMediaType(content.mediaType);
  const schema = wholeBodyFields(operation, wholeBodySchema(content, schemas), schemas);
  const usage = { location: content.location, label: "body" };
  const types = typesOf(resolveSchema(schemas, schema)).filter((type) => type !== "null");
  const isJsonText = isJsonMediaType(content.mediaType) && types.join() === "string";
  return {
    in: "body",
    wireName: "body",
    isWholeBody: true,
    ...(isJsonText && { isJsonText }),
    schema: isBinary
      ? FILE_SCHEMAS.one
      : withExamples(schema, resolveSchema(schemas, schema), content.examples ?? []),
    description:
      body.description ??
      schema.description ??
      titleOf(schema, "body", schemas) ??
      (types.join() === "string" && !isBinary ? textToSend(content.mediaType) : undefined),
    required: required && !isEmptyByDefault(operation, content, schemas),
    deprecated: false,
    usage,
    ...(isBinary && { file: "one" }),
  };
}

/** Describes a text by its media type, unless any text is of that. */
const textToSend = (mediaType: string): string | undefined =>
  /^text\/plain\b|[/+]json\b|\*/.test(mediaType) ? undefined : `Text to send, as ${mediaType}.`;

function wholeBodySchema(content: Content, schemas: Schemas): JsonSchema {
  const { schema, mediaType } = content;
  if (schema && mediaType.startsWith("multipart/")) {
    const withFiles = replaceFileSchemas(schema, content, schemas);
    return replaceFileItems(withFiles, content, schemas, fileItem);
  }
  const isText = isBinaryMediaType(mediaType) || mediaType.startsWith("text/");
  return schema ?? (isText ? { type: "string" } : {});
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
  const { content, required, schemas, minFields, maxFields, alternativeTypes, isOpen } = plan;
  const { envelope, withFile } = plan;
  const base = omitUndefined({
    contentType: content.contentTypeHeader ?? content.mediaType,
    alternativeTypes,
    required: required || undefined,
    minProperties: minFields,
    maxProperties: maxFields,
    xml: xmlOf(content, schemas),
  });
  const [first] = sources;
  if (first?.[0].isWholeBody) {
    const isEmpty = required && !first[0].required;
    return {
      ...base,
      from: first[1] as string,
      ...(isEmpty && { emptyByDefault: true }),
      ...wholeEncoding(content, schemas),
    };
  }
  const candidates = sources.map(([candidate]) => candidate);
  return omitUndefined({
    ...base,
    envelope,
    fields: Object.fromEntries(sources.map(([candidate, source]) => [candidate.wireName, source])),
    isOpen,
    hiddenFields: isOpen && hiddenFields(plan, candidates),
    encoding: fieldEncodings(candidates, plan, fileNameInputs),
    fileType: candidates.some(({ file }) => file) ? withFile?.mediaType : undefined,
  });
}

/** Fields of an open body that have no source. */
function hiddenFields(
  { candidates }: BodyPlan,
  sent: readonly InputCandidate[],
): readonly string[] | undefined {
  const names = new Set(sent.map(({ wireName }) => wireName));
  const hidden = candidates.flatMap(({ wireName }) => (names.has(wireName) ? [] : [wireName]));
  return hidden.length > 0 ? hidden : undefined;
}

/** Element names of an XML body; undefined when the default names apply. */
function xmlOf({ mediaType, schema, xmlElements }: Content, schemas: Schemas): XmlNode | undefined {
  if (!schema || !/[/+]xml\b/.test(mediaType)) return undefined;
  const node = xmlRoot(schema, schemas, xmlElements);
  return Object.keys(node).length > 0 ? node : undefined;
}

/** Encodings of the fields that need one, by name. */
function fieldEncodings(
  candidates: readonly InputCandidate[],
  plan: BodyPlan,
  fileNameInputs: ReadonlyMap<string, string>,
): Readonly<Record<string, FieldEncoding>> | undefined {
  const encodings = candidates.flatMap((candidate): [string, FieldEncoding][] => {
    const encoding = fieldEncoding(candidate, plan, fileNameInputs);
    return encoding ? [[candidate.wireName, encoding]] : [];
  });
  return encodings.length > 0 ? Object.fromEntries(encodings) : undefined;
}

/** Builds the binding of a body that comes from one input. */
export function bindWholeBody(plan: BodyPlan, from: string): BodyMapping {
  const { content, schemas, candidates } = plan;
  const fields = candidates.filter(({ isWholeBody }) => !isWholeBody);
  return omitUndefined({
    contentType: content.contentTypeHeader ?? content.mediaType,
    from,
    xml: xmlOf(content, schemas),
    encoding: fieldEncodings(fields, plan, new Map()),
  });
}

function fieldEncoding(
  { wireName, schema, file }: InputCandidate,
  { content: chosen, withFile, schemas }: BodyPlan,
  fileNameInputs: ReadonlyMap<string, string>,
): FieldEncoding | undefined {
  const content = (file && withFile) || chosen;
  const context = { schemas, elements: content.xmlElements };
  const part = partEncoding(itemOf(schema, schemas), encodingOf(content, wireName) ?? {}, context);
  const encoding = omitUndefined({
    ...(file ? asFile(part) : part),
    filenameInput: fileNameInputs.get(wireName),
  });
  return Object.keys(encoding).length > 0 ? encoding : undefined;
}

/** Schema of one part. Each item of a list is a separate part. */
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
  const entries = [...names].map((name): [string, FieldEncoding] => {
    const encoding = partEncoding(undefined, encodingOf(content, name) ?? {}, context);
    return [name, files.has(name) ? asFile(encoding) : encoding];
  });
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
