import type { JsonSchema } from "../../json.js";
import type { Content, Encoding, Operation, RequestBody } from "../../model/types.js";
import type { BodyBinding, FieldEncoding, PartEncodings, Wire } from "../../runtime/types.js";
import type { Findings } from "../findings.js";
import type { Candidate } from "../inputs/candidate.js";
import { objectView, type ObjectView } from "../inputs/object-view.js";
import { type AnySchema, resolve, type Schemas } from "../schema/refs.js";
import { FILES, fileFields, fileItem, withFiles } from "./files.js";
import { chooseContent, fileKind, isBinaryType } from "./media.js";
import { partEncoding, positionalEncodings, withFileItems } from "./parts.js";
import { xmlRoot } from "./xml.js";

/** A body before its inputs have names. */
export interface BodyPlan {
  readonly content: Content;
  readonly required: boolean;
  readonly candidates: readonly Candidate[];
  readonly schemas: Schemas;
  /** How many of its fields there must be, and may be, beyond those that are required. */
  readonly least?: number;
  readonly most?: number;
  /** Further media types of a file. */
  readonly others?: readonly string[];
}

/** `fetch` sends no body with these, and RFC 9110 gives one no meaning. */
const BODILESS = new Set(["GET", "HEAD"]);

/**
 * Chooses a media type and takes the body apart: its fields where it is a plain object, else the
 * body as one.
 */
export function planBody(
  operation: Operation,
  schemas: Schemas,
  findings: Findings,
): BodyPlan | undefined {
  const { body, method } = operation;
  if (!body || body.contents.length === 0) return undefined;
  if (BODILESS.has(method)) {
    findings.add(
      "plan-body-left-out",
      `The body is left out: a ${method} request cannot have one.`,
      operation.place,
    );
    return undefined;
  }
  const { content, others } = chooseContent(body, schemas, findings);
  const schema = content.schema ?? {};
  if (!body.required && isFieldwise(content) && hasNoFields(resolve(schemas, schema))) {
    findings.add("plan-parameter-hidden", "The body is no input: it has no fields.", content.place);
    return undefined;
  }
  const view = isFieldwise(content) ? objectView(schemas, schema) : undefined;
  const required = isRequired(body, method, view);
  if (view?.loosened)
    findings.add(
      "plan-schema-keyword",
      "The body says which of its fields go together; the tool does not check it.",
      content.place,
    );
  return {
    content,
    required,
    schemas,
    ...(view && countsOf(view)),
    ...(others.length > 0 && { others }),
    candidates: view
      ? fields(view, content, required, schemas)
      : [whole(body, content, required, schemas)],
  };
}

/** `{type: object, properties: {}}`: generators write it where there is no body. */
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

/** Only what the required fields do not see to. */
function countsOf({
  least,
  most,
  required,
  properties,
}: ObjectView): Pick<BodyPlan, "least" | "most"> {
  return { ...(least > required.size && { least }), ...(most < properties.size && { most }) };
}

/** Text and bytes have no fields, whatever their schema says. */
function isFieldwise({ mediaType }: Content): boolean {
  return (
    /json\b|[/+]xml\b|x-www-form-urlencoded|^multipart\//.test(mediaType) &&
    !/jsonl|json-seq|ndjson|json-lines/.test(mediaType)
  );
}

/**
 * A body that is not said to be required, but has required fields, is required where bodies are the
 * point of the method: the default of `required` is false, and hardly anybody means it (all of Box
 * and PagerDuty forget it).
 */
function isRequired(body: RequestBody, method: string, view: ObjectView | undefined): boolean {
  return (
    body.required ||
    (/^(POST|PUT|PATCH)$/.test(method) && view !== undefined && view.required.size > 0)
  );
}

function fields(
  view: ObjectView,
  content: Content,
  required: boolean,
  schemas: Schemas,
): Candidate[] {
  const found: Candidate[] = [];
  const hasFiles = content.mediaType.startsWith("multipart/");
  for (const [wireName, schema] of view.properties) {
    const target = resolve(schemas, schema);
    if (schema.readOnly === true || target.readOnly === true || isForbidden(target)) continue;
    const file = hasFiles ? fileKind(schema, schemas, content, wireName) : undefined;
    found.push({
      place: "body",
      wireName,
      schema: file ? FILES[file] : schema,
      description: schema.description ?? target.description,
      where: { place: content.place, label: wireName },
      required: required && view.required.has(wireName),
      deprecated: (schema.deprecated ?? target.deprecated) === true,
      ...(file && { file }),
      ...(!required && { optionalBody: true }),
    });
  }
  return found;
}

/** `{ not: {} }` is `false` in model form. */
const isForbidden = (schema: JsonSchema): boolean =>
  typeof schema.not === "object" &&
  Object.keys(schema.not).length === 0 &&
  Object.keys(schema).length === 1;

function whole(
  body: RequestBody,
  content: Content,
  required: boolean,
  schemas: Schemas,
): Candidate {
  const binary = isBinaryType(content.mediaType);
  const schema =
    (content.schema && content.mediaType.startsWith("multipart/")
      ? withFileItems(withFiles(content.schema, content, schemas), content, schemas, fileItem)
      : content.schema) ??
    (binary || content.mediaType.startsWith("text/") ? { type: "string" } : {});
  const where = { place: content.place, label: "body" };
  return {
    place: "body",
    wireName: "body",
    whole: true,
    schema: binary ? FILES.one : schema,
    description: body.description ?? schema.description,
    required,
    deprecated: false,
    where,
    ...(binary && { file: "one" }),
  };
}

/**
 * The binding of a planned body.
 * @param wires the wires of its candidates, in order; constants and generated values among them
 * @param filenames by wire name of a file field, the input that holds the file's name
 */
export function bodyBinding(
  plan: BodyPlan,
  wires: readonly (readonly [Candidate, Wire])[],
  filenames: ReadonlyMap<string, string>,
): BodyBinding {
  const { content, required, schemas, least, most, others } = plan;
  const xml =
    /[/+]xml\b/.test(content.mediaType) && content.schema
      ? xmlRoot(content.schema, schemas, content.elements)
      : undefined;
  const base = {
    contentType: content.sentAs ?? content.mediaType,
    ...(others && { others }),
    ...(required && { required }),
    ...(least !== undefined && { least }),
    ...(most !== undefined && { most }),
    ...(xml && Object.keys(xml).length > 0 && { xml }),
  };
  const [first] = wires;
  if (first?.[0].whole)
    return { ...base, from: first[1] as string, ...wholeEncoding(content, schemas) };
  const encoding = wires.flatMap(([candidate]): [string, FieldEncoding][] => {
    const one = fieldEncoding(candidate, plan, filenames);
    return one ? [[candidate.wireName, one]] : [];
  });
  return {
    ...base,
    fields: Object.fromEntries(wires.map(([candidate, wire]) => [candidate.wireName, wire])),
    ...(encoding.length > 0 && { encoding: Object.fromEntries(encoding) }),
  };
}

/**
 * The binding of a body that comes whole from one input, an object of its fields where it has any.
 */
export function wholeBody(plan: BodyPlan, from: string): BodyBinding {
  const { content, schemas, candidates } = plan;
  const xml =
    /[/+]xml\b/.test(content.mediaType) && content.schema
      ? xmlRoot(content.schema, schemas, content.elements)
      : undefined;
  const encoding = candidates.flatMap((candidate): [string, FieldEncoding][] => {
    const one = candidate.whole ? undefined : fieldEncoding(candidate, plan, new Map());
    return one ? [[candidate.wireName, one]] : [];
  });
  return {
    contentType: content.sentAs ?? content.mediaType,
    from,
    ...(xml && Object.keys(xml).length > 0 && { xml }),
    ...(encoding.length > 0 && { encoding: Object.fromEntries(encoding) }),
  };
}

function fieldEncoding(
  { wireName, schema, file }: Candidate,
  { content, schemas }: BodyPlan,
  filenames: ReadonlyMap<string, string>,
): FieldEncoding | undefined {
  const filename = filenames.get(wireName);
  const encoding = {
    ...partEncoding(itemOf(schema, schemas), ownEncoding(content, wireName) ?? {}, {
      schemas,
      elements: content.elements,
    }),
    ...(file && { file: true }),
    ...(filename !== undefined && { filename }),
  };
  return Object.keys(encoding).length > 0 ? encoding : undefined;
}

/** Each item of a list is a part of its own. */
function itemOf(schema: JsonSchema, schemas: Schemas): AnySchema | undefined {
  const target = resolve(schemas, schema);
  return target.type === "array" ? (target.items as AnySchema | undefined) : schema;
}

function wholeEncoding(content: Content, schemas: Schemas): PartEncodings {
  const context = { schemas, elements: content.elements };
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
          ...partEncoding(undefined, ownEncoding(content, name) ?? {}, context),
          ...(files.has(name) && { file: true }),
        },
      ] as const,
  );
  return {
    ...(entries.length > 0 && { encoding: Object.fromEntries(entries) }),
    ...(isMultipart && positionalEncodings(content.schema ?? {}, content, context)),
  };
}

function ownEncoding(content: Content, name: string): Encoding | undefined {
  return content.encoding && Object.hasOwn(content.encoding, name)
    ? content.encoding[name]
    : undefined;
}
