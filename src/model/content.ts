import type { JsonSchema } from "../json.js";
import type { At } from "./at.js";
import type { Context } from "./context.js";
import { deref, type Located } from "./deref.js";
import { readEncodings } from "./encoding.js";
import { examplesOf } from "./examples.js";
import { quote } from "./findings.js";
import { concreteType, fullName, isXml, parseMediaType } from "./media-type.js";
import { withPartDefaults } from "./part-defaults.js";
import { own, type Raw } from "./read.js";
import { toSchema } from "./schema/convert.js";
import type { Content } from "./types.js";

export type Direction = "request" | "response";

/** OpenAPI 3.x `content`: one item per usable media type, in document order. */
export function readContents(
  c: Context,
  content: Raw,
  at: At,
  direction: Direction,
): readonly Content[] {
  const contents = new Contents(c, direction);
  for (const written of Object.keys(content)) {
    const place = at.child(written);
    contents.add(written, place, (mediaType) => {
      const media = deref(c, content[written] ?? {}, place, "media type", true);
      return media ? readMedia(c, media, mediaType) : { place: place.place };
    });
  }
  return contents.list;
}

/** Collects contents under the normal names of their media types. */
export class Contents {
  private readonly found = new Map<string, Content>();

  constructor(
    private readonly c: Context,
    private readonly direction: Direction,
  ) {}

  get list(): readonly Content[] {
    return [...this.found.values()];
  }

  /**
   * Adds one media type. An illegal name, or a second one that comes to the same, is left out with
   * a warning.
   */
  add(
    written: string,
    at: At,
    read: (mediaType: string) => Omit<Content, "mediaType" | "sentAs" | "range">,
  ): void {
    const { c, found } = this;
    const parsed = parseMediaType(written);
    if (!parsed) {
      c.findings.add(
        "model-media-type",
        at,
        `${quote(written)} is not a legal media type; it is left out.`,
      );
      return;
    }
    const fields = read(parsed.name);
    const mediaType = concreteType(parsed.name, c.schemas.target(c, fields.schema), this.direction);
    const elements =
      this.direction === "request" && (isXml(mediaType) || mediaType.startsWith("multipart/"))
        ? { elements: c.elements }
        : undefined;
    const same = found.get(mediaType);
    const isRange = mediaType !== parsed.name;
    if (isRange) this.reportRange(written, mediaType, at);
    else if (parsed.dropped.length > 0)
      c.findings.add(
        "model-media-type",
        at,
        `Parameters of the media type ${quote(written)} cannot be sent and are left out.`,
      );
    // Nothing is lost by it where it says the same, or is not for us to choose.
    if (same)
      c.findings.add(
        this.direction === "response" ||
          JSON.stringify(same.schema) === JSON.stringify(fields.schema)
          ? "model-media-type-repeated"
          : "model-media-type",
        at,
        `${quote(written)} comes to the same as another media type here, ${quote(mediaType)}; the first is used.`,
      );
    else
      found.set(mediaType, {
        mediaType,
        ...(isRange && this.direction === "response" && { range: parsed.name }),
        ...(!isRange && parsed.parameters.length > 0 && { sentAs: fullName(parsed) }),
        ...fields,
        ...elements,
      });
  }

  /**
   * What is sent has one type, which the range leaves open. What comes says its own type, and is
   * read by it.
   */
  private reportRange(written: string, mediaType: string, at: At): void {
    const code = this.direction === "request" ? "model-media-type-range" : "model-response-range";
    this.c.findings.add(
      code,
      at,
      `The media range ${quote(written)} is taken as ${quote(mediaType)}.`,
    );
  }
}

/** OpenAPI 3.x Media Type Object. */
function readMedia(
  c: Context,
  { raw, at }: Located,
  mediaType: string,
): Omit<Content, "mediaType"> {
  const schema = mediaSchema(c, raw, at);
  const examples = examplesOf(c, raw, at);
  const encodings = readEncodings(c, raw, at, mediaType);
  const complete = mediaType.startsWith("multipart/")
    ? withPartDefaults(c, schema, encodings)
    : encodings;
  return {
    ...(schema && { schema }),
    ...(examples.length > 0 && { examples }),
    ...complete,
    place: at.place,
  };
}

/**
 * The schema of the whole; for the sequential media types of 3.2 a list of what comes one after the
 * other.
 */
function mediaSchema(c: Context, raw: Raw, at: At): JsonSchema | undefined {
  const schema = own(raw, "schema");
  if (schema !== undefined && schema !== null) return toSchema(c, schema, at.child("schema"));
  const item = own(raw, "itemSchema");
  if (item === undefined || item === null) return undefined;
  return { type: "array", items: toSchema(c, item, at.child("itemSchema")) };
}
