import { type JsonSchema } from "../json.js";
import type { Context } from "./context.js";
import type { Pointer } from "./pointer.js";
import { type Problem, quote } from "./diagnostics.js";
import { readEncodings } from "./encoding.js";
import { formSchema } from "./form-fields.js";
import { concreteMediaType, formatMediaType, isXmlType, parseMediaType } from "./media-type.js";
import { addPartDefaults } from "./part-defaults.js";
import { ownProperty, type RawObject } from "./raw-object.js";
import { type LocatedObject, locateObject } from "./references.js";
import { convertSchema } from "./schema/convert.js";
import { findSchemaProblem } from "./schema/resolved-schema.js";
import type { Content } from "./types.js";
import { readExamples } from "./examples.js";

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
