import type { Parameter } from "../../model/types.js";
import type { JsonValue, ParameterSource, ConstantSource } from "../../runtime/types.js";
import type { InputCandidate, InputRole } from "./candidates.js";
import { typesOf } from "../schemas/refs.js";

type ParameterStyle = Pick<
  ConstantSource,
  "style" | "explode" | "allowReserved" | "contentType" | "encoding"
>;

/** How a candidate reaches the wire. Undefined: it does not. */
export function parameterSource(
  candidate: InputCandidate,
  role: InputRole,
  input: string | undefined,
  fallback: JsonValue | undefined,
): ParameterSource | undefined {
  const style = styleOf(candidate.parameter);
  switch (role.kind) {
    case "none":
      return undefined;
    case "generated":
      return { generate: "uuid" };
    case "constant":
      return { value: role.value, ...style };
    case "env":
      return { env: role.env, ...(role.required && { required: true }), ...style };
    case "input": {
      if (input === undefined) return undefined;
      const wire = { from: input, ...style, ...(fallback !== undefined && { default: fallback }) };
      return Object.keys(wire).length === 1 ? input : wire;
    }
  }
}

/**
 * What differs from the default of the parameter's place: `form`, exploded, in query and cookie;
 * `simple` elsewhere. A plain value looks the same in most styles, and then needs none.
 */
export function styleOf(parameter: Parameter | undefined): ParameterStyle {
  if (!parameter) return {};
  if (parameter.contentType !== undefined)
    return {
      contentType: parameter.contentType,
      ...(parameter.encoding && { encoding: parameter.encoding }),
    };
  const { allowReserved } = parameter;
  return {
    ...(isPlain(parameter) ? {} : arrayStyle(parameter)),
    ...(allowReserved && { allowReserved }),
  };
}

function arrayStyle({ in: place, style, explode }: Parameter): ParameterStyle {
  const usualStyle = place === "query" || place === "cookie" ? "form" : "simple";
  const usualExplode = style === "form" || style === "cookie";
  const saysExplode = style !== "deepObject" && explode !== usualExplode;
  return { ...(style !== usualStyle && { style }), ...(saysExplode && { explode }) };
}

function isPlain({ style, schema }: Parameter): boolean {
  const types = typesOf(schema);
  const samePlain =
    style === "form" ||
    style === "simple" ||
    style === "spaceDelimited" ||
    style === "pipeDelimited";
  return (
    samePlain && types.length > 0 && types.every((type) => type !== "array" && type !== "object")
  );
}
