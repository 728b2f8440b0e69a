/**
 * Values as text: OpenAPI leaves the conversion to implementations (3.1.1, Appendix B); this is
 * ours.
 */
import { isCompound, isList, type Sendable } from "./sendable.js";

/**
 * One value as plain text: numbers in decimal digits without an exponent, arrays and objects as
 * JSON.
 */
export function plainText(value: Sendable): string {
  if (typeof value === "number") return decimal(value);
  return isCompound(value) ? jsonText(value) : String(value);
}

/** JSON without white space. Unlike `JSON.stringify` it writes `bigint`s, in full. */
export function jsonText(value: Sendable): string {
  if (typeof value === "bigint") return String(value);
  if (!isCompound(value)) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(jsonText).join(",")}]`;
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`,
  );
  return `{${members.join(",")}}`;
}

/** JSON that a header can carry: everything beyond ASCII as `\u` escapes. */
export function asciiJson(value: Sendable): string {
  return jsonText(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * JavaScript writes 1.5e-7 where many servers want 0.00000015. Positive exponents do not occur:
 * such numbers are not sendable.
 */
function decimal(value: number): string {
  const [mantissa = "", exponent] = String(value).split("e");
  if (exponent === undefined) return mantissa;
  const sign = value < 0 ? "-" : "";
  return `${sign}0.${"0".repeat(-Number(exponent) - 1)}${mantissa.replace(/[-.]/g, "")}`;
}
