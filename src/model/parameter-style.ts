import type { Context } from "./context.js";
import type { Pointer } from "./pointer.js";
import { quote } from "./diagnostics.js";
import type { ParameterLocation, ParameterStyle } from "./types.js";
import type { RawObject } from "./raw-object.js";

/** The serialization of a parameter value. */
export interface Serialization {
  readonly style: ParameterStyle;
  readonly explode: boolean;
}

/** OpenAPI 3.2, "Style Values"; `cookie` came with 3.2. The first is the default. */
const STYLES: Readonly<Record<ParameterLocation, readonly ParameterStyle[]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form", "cookie"],
  querystring: ["form"],
};

/**
 * Resolves style and explode with the defaults of the location. An invalid style is replaced by the
 * default, with a warning.
 */
export function resolveSerialization(
  c: Context,
  rawStyle: unknown,
  explode: boolean | undefined,
  location: ParameterLocation,
  pointer: Pointer,
): Serialization {
  const style = resolveStyle(c, rawStyle, location, pointer);
  // `deepObject` is only defined with `explode` (3.1: "n/a" otherwise), although the default of
  // `explode` is false.
  if (style === "deepObject") return { style, explode: true };
  return { style, explode: explode ?? (style === "form" || style === "cookie") };
}

function resolveStyle(
  c: Context,
  rawStyle: unknown,
  location: ParameterLocation,
  pointer: Pointer,
): ParameterStyle {
  const styles = STYLES[location];
  const fallback = styles[0] ?? "form";
  if (rawStyle === undefined || rawStyle === null || rawStyle === fallback) return fallback;
  const style = styles.find((name) => name === rawStyle);
  if (style && (style !== "cookie" || c.version === "3.2")) return style;
  const quoted = typeof rawStyle === "string" ? quote(rawStyle) : "that is not a string";
  c.diagnostics.add(
    "model-parameter-style",
    pointer.child("style"),
    `The style ${quoted} is not valid for a ${location} parameter in OpenAPI ${c.version}; \`${fallback}\` is used.`,
  );
  return fallback;
}

/** Reports `allowEmptyValue`, which adds no value that a caller could not send. */
export function reportAllowEmptyValue(c: Context, raw: RawObject, pointer: Pointer): void {
  if (raw.allowEmptyValue === true)
    c.diagnostics.add(
      "model-parameter-ignored",
      pointer.child("allowEmptyValue"),
      "`allowEmptyValue` is ignored: an empty value is sent as it is.",
    );
}
