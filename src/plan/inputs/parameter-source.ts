import type { Parameter } from "../../model/types.js";
import type { JsonValue, ParameterSource, ConstantSource } from "../../runtime/types.js";
import type { InputCandidate, InputRole } from "./candidates.js";
import { typesOf } from "../schemas/refs.js";

type ParameterStyle = Pick<
  ConstantSource,
  "style" | "explode" | "allowReserved" | "contentType" | "encoding"
>;

/** Source of a candidate's value in the request. Undefined when it is not sent. */
export function parameterSource(
  candidate: InputCandidate,
  role: InputRole,
  input: string | undefined,
  defaultValue: JsonValue | undefined,
): ParameterSource | undefined {
  const style = styleOf(candidate.parameter);
  switch (role.kind) {
    case "excluded":
      return undefined;
    case "generated":
      return { generate: "uuid" };
    case "constant":
      return { value: role.value, ...style };
    case "env":
      return { env: role.env, ...(role.required && { required: true }), ...style };
    case "input": {
      if (input === undefined) return undefined;
      const source = {
        from: input,
        ...style,
        ...(candidate.separator && { separator: candidate.separator }),
        ...(defaultValue !== undefined && { default: defaultValue }),
      };
      return Object.keys(source).length === 1 ? input : source;
    }
  }
}

/**
 * Style attributes that differ from the default of the parameter's location: `form`, exploded, in
 * query and cookie; `simple` elsewhere. Scalars look the same in most styles and need none.
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
    ...(isScalar(parameter) ? {} : arrayStyle(parameter)),
    ...(allowReserved && { allowReserved }),
  };
}

function arrayStyle({ in: location, style, explode }: Parameter): ParameterStyle {
  const defaultStyle = location === "query" || location === "cookie" ? "form" : "simple";
  const defaultExplode = style === "form" || style === "cookie";
  const isExplodeExplicit = style !== "deepObject" && explode !== defaultExplode;
  return { ...(style !== defaultStyle && { style }), ...(isExplodeExplicit && { explode }) };
}

function isScalar({ style, schema }: Parameter): boolean {
  const types = typesOf(schema);
  const isCommonStyle =
    style === "form" ||
    style === "simple" ||
    style === "spaceDelimited" ||
    style === "pipeDelimited";
  return (
    isCommonStyle &&
    types.length > 0 &&
    types.every((type) => type !== "array" && type !== "object")
  );
}
