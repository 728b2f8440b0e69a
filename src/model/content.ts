import { isObject, type JsonSchema } from "../json.js";
import { type Context, type Pointer, type Problem, quote } from "./context.js";
import { readEncodings } from "./encoding.js";
import { formSchema } from "./form-fields.js";
import { concreteMediaType, formatMediaType, isXmlType, parseMediaType } from "./media-type.js";
import { addPartDefaults } from "./part-defaults.js";
import { ownProperty, type RawObject, readObject } from "./raw-object.js";
import { dereference, type LocatedObject, locateObject } from "./references.js";
import { convertSchema } from "./schema/convert.js";
import { findSchemaProblem } from "./schema/resolved-schema.js";
import type { Content } from "./types.js";

type Direction = "request" | "response";

/** Reads an OpenAPI 3.x `content` object: one item per usable media type, in document order. */
export function readContents(
  c: Context,
  content: RawObject,
  pointer: Pointer,
  direction: Direction,
): readonly Content[] {
  const contents = new ContentCollector(c, direction);
  const effect = direction === "request" ? "the media type is left out" : UNKNOWN_RESULT;
  for (const mediaTypeText of Object.keys(content)) {
    const mediaPointer = pointer.child(mediaTypeText);
    const media = locateMedia(c, content[mediaTypeText], mediaPointer);
    const isBroken = "problem" in media;
    if (isBroken) c.diagnostics.addProblem(media.problem, effect);
    if (!isBroken || direction === "response")
      contents.add(mediaTypeText, mediaPointer, (mediaType) =>
        isBroken
          ? { location: mediaPointer.location }
          : readMediaType(c, media, mediaType, direction),
      );
  }
  return contents.contents;
}

/** Effect of a response that cannot be read. */
export const UNKNOWN_RESULT = "the result is unknown";

/** Returns a Media Type Object, or the reason why it is unknown. */
export function locateMedia(
  c: Context,
  value: unknown,
  pointer: Pointer,
): LocatedObject | { readonly problem: Problem } {
  const media = locateObject(c, value ?? {}, pointer, "media type");
  if ("problem" in media) return media;
  const schema = ownProperty(media.raw, "schema");
  const problem = findSchemaProblem(c, schema, media.pointer.child("schema"));
  return problem ? { problem } : media;
}

export function describeInvalidMediaType(text: string, pointer: Pointer): Problem {
  return {
    code: "model-media-type",
    location: pointer.location,
    message: `${quote(text)} is not a valid media type`,
  };
}

/** Collects contents by their normalized media types. */
export class ContentCollector {
  private readonly byMediaType = new Map<string, Content>();

  constructor(
    private readonly c: Context,
    private readonly direction: Direction,
  ) {}

  get contents(): readonly Content[] {
    return [...this.byMediaType.values()];
  }

  /** Adds one media type. An invalid or duplicate media type is left out with a warning. */
  add(
    mediaTypeText: string,
    pointer: Pointer,
    read: (mediaType: string) => Omit<Content, "mediaType" | "contentTypeHeader" | "mediaRange">,
  ): void {
    const { c, byMediaType, direction } = this;
    const parsed = parseMediaType(mediaTypeText);
    if (!parsed) {
      const problem = describeInvalidMediaType(mediaTypeText, pointer);
      return c.diagnostics.addProblem(problem, "it is left out");
    }
    const fields = read(parsed.name);
    const target = c.schemas.dereference(c, fields.schema);
    const mediaType = concreteMediaType(parsed.name, target, direction);
    const isRange = mediaType !== parsed.name;
    if (isRange) this.reportRange(mediaTypeText, mediaType, pointer);
    else if (parsed.droppedParameters.length > 0)
      c.diagnostics.add(
        "model-media-type",
        pointer,
        `Some parameters of the media type ${quote(mediaTypeText)} cannot be sent; they are left out.`,
      );
    const duplicate = byMediaType.get(mediaType);
    const content = {
      mediaType,
      ...(isRange && direction === "response" && { mediaRange: parsed.name }),
      ...(!isRange &&
        parsed.parameters.length > 0 && { contentTypeHeader: formatMediaType(parsed) }),
      ...fields,
      ...this.xmlElementsOf(mediaType),
    };
    if (duplicate) this.reportDuplicate(mediaTypeText, duplicate, content, pointer);
    else byMediaType.set(mediaType, content);
  }

  /** Bodies of these types may contain XML, so requests need the element names. */
  private xmlElementsOf(mediaType: string): Pick<Content, "xmlElements"> | undefined {
    if (this.direction !== "request") return undefined;
    const mayHaveXml = isXmlType(mediaType) || mediaType.startsWith("multipart/");
    return mayHaveXml ? { xmlElements: this.c.xmlElements } : undefined;
  }

  /**
   * Reports a duplicate. One with the same schema is without loss, and a response has its own media
   * type.
   */
  private reportDuplicate(
    mediaTypeText: string,
    first: Content,
    duplicate: Content,
    pointer: Pointer,
  ): void {
    const isHarmless =
      this.direction === "response" ||
      JSON.stringify(first.schema) === JSON.stringify(duplicate.schema);
    this.c.diagnostics.add(
      isHarmless ? "model-duplicate-media-type" : "model-media-type",
      pointer,
      `${quote(mediaTypeText)} is equivalent to another media type here, ` +
        `${quote(first.mediaType)}; the first is used.`,
    );
  }

  /** Reports a media range. A request needs one concrete type; a response states its own type. */
  private reportRange(mediaTypeText: string, mediaType: string, pointer: Pointer): void {
    const code = this.direction === "request" ? "model-media-type-range" : "model-response-range";
    this.c.diagnostics.add(
      code,
      pointer,
      `The media range ${quote(mediaTypeText)} is read as ${quote(mediaType)}.`,
    );
  }
}

/** Reads an OpenAPI 3.x Media Type Object. */
function readMediaType(
  c: Context,
  { raw, pointer }: LocatedObject,
  mediaType: string,
  direction: Direction,
): Omit<Content, "mediaType"> {
  const declared = mediaSchema(c, raw, pointer);
  const isForm = direction === "request" && mediaType === "multipart/form-data";
  const schema = declared && isForm ? formSchema(c, declared, pointer) : declared;
  const examples = schema === declared ? readExamples(c, raw, pointer) : [];
  const encodings = readEncodings(c, raw, pointer, mediaType);
  const complete = mediaType.startsWith("multipart/")
    ? addPartDefaults(c, schema, encodings)
    : encodings;
  return {
    ...(schema && { schema }),
    ...(examples.length > 0 && { examples }),
    ...complete,
    location: pointer.location,
  };
}

/**
 * Reads the schema of the whole content. The sequential media types of 3.2 become an array of
 * `itemSchema`.
 */
function mediaSchema(c: Context, raw: RawObject, pointer: Pointer): JsonSchema | undefined {
  const schema = ownProperty(raw, "schema");
  if (schema !== undefined && schema !== null)
    return convertSchema(c, schema, pointer.child("schema"));
  const item = ownProperty(raw, "itemSchema");
  if (item === undefined || item === null) return undefined;
  return { type: "array", items: convertSchema(c, item, pointer.child("itemSchema")) };
}

/**
 * Reads `example` and `examples` of a parameter, header or media type as values. External examples
 * are not fetched. OpenAPI 3.2, "Example Object": `dataValue` is the value, `serializedValue` its
 * text.
 */
export function readExamples(c: Context, owner: RawObject, pointer: Pointer): readonly unknown[] {
  if (!("example" in owner || "examples" in owner)) return [];
  const values: unknown[] = [];
  const example = ownProperty(owner, "example");
  if (example !== undefined && example !== null) values.push(example);
  const plural = ownProperty(owner, "examples");
  // An array is JSON Schema's form, and a frequent mistake here.
  if (Array.isArray(plural)) return [...values, ...plural];
  const named = readObject(c, owner, "examples", pointer) ?? {};
  for (const name of Object.keys(named)) {
    const located = dereference(c, named[name], pointer.child("examples").child(name), "example");
    const value = located && exampleValue(c, located.raw, located.pointer);
    if (value !== undefined) values.push(value);
  }
  return values;
}

function exampleValue(c: Context, raw: RawObject, pointer: Pointer): unknown {
  for (const key of ["value", "dataValue", "serializedValue"]) {
    const value = ownProperty(raw, key);
    if (value !== undefined) return value;
  }
  if (isObject(raw) && "externalValue" in raw) {
    c.diagnostics.add(
      "model-example",
      pointer,
      "`externalValue` is not fetched; the example is left out.",
    );
  }
  return undefined;
}
