import type { JsonSchema } from "../json.js";
import type { Context } from "./context.js";
import { quote } from "./diagnostics.js";
import { addPartDefaults, readEncodings } from "./encoding.js";
import { readExamples } from "./examples.js";
import { concreteMediaType, formatMediaType, isXmlType, parseMediaType } from "./media-type.js";
import type { Pointer } from "./pointer.js";
import { ownProperty, type RawObject } from "./raw-object.js";
import { dereference, type LocatedObject } from "./references.js";
import { convertSchema } from "./schema/convert.js";
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
  for (const mediaTypeText of Object.keys(content)) {
    const mediaPointer = pointer.child(mediaTypeText);
    contents.add(mediaTypeText, mediaPointer, (mediaType) => {
      const media = dereference(c, content[mediaTypeText] ?? {}, mediaPointer, "media type", true);
      return media ? readMediaType(c, media, mediaType) : { location: mediaPointer.location };
    });
  }
  return contents.contents;
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
    read: (mediaType: string) => Omit<Content, "mediaType" | "sentAs" | "range">,
  ): void {
    const { c, byMediaType } = this;
    const parsed = parseMediaType(mediaTypeText);
    if (!parsed) {
      c.diagnostics.add(
        "model-media-type",
        pointer,
        `${quote(mediaTypeText)} is not a valid media type; it is left out.`,
      );
      return;
    }
    const fields = read(parsed.name);
    const mediaType = concreteMediaType(
      parsed.name,
      c.schemas.dereference(c, fields.schema),
      this.direction,
    );
    const elements =
      this.direction === "request" && (isXmlType(mediaType) || mediaType.startsWith("multipart/"))
        ? { xmlElements: c.xmlElements }
        : undefined;
    const duplicate = byMediaType.get(mediaType);
    const isRange = mediaType !== parsed.name;
    if (isRange) this.reportRange(mediaTypeText, mediaType, pointer);
    else if (parsed.droppedParameters.length > 0)
      c.diagnostics.add(
        "model-media-type",
        pointer,
        `Some parameters of the media type ${quote(mediaTypeText)} cannot be sent; they are left out.`,
      );
    // A duplicate with the same schema loses nothing. A response chooses its media type itself.
    if (duplicate)
      c.diagnostics.add(
        this.direction === "response" ||
          JSON.stringify(duplicate.schema) === JSON.stringify(fields.schema)
          ? "model-duplicate-media-type"
          : "model-media-type",
        pointer,
        `${quote(mediaTypeText)} is equivalent to another media type here, ${quote(mediaType)}; the first is used.`,
      );
    else
      byMediaType.set(mediaType, {
        mediaType,
        ...(isRange && this.direction === "response" && { mediaRange: parsed.name }),
        ...(!isRange &&
          parsed.parameters.length > 0 && { contentTypeHeader: formatMediaType(parsed) }),
        ...fields,
        ...elements,
      });
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
): Omit<Content, "mediaType"> {
  const schema = mediaSchema(c, raw, pointer);
  const examples = readExamples(c, raw, pointer);
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
