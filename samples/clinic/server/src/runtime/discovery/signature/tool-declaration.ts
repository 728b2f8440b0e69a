import type { AnyTool } from "../../tools/hooks.js";
import type { JsonSchema } from "../../types.js";
import { membersOf, memberText, typeText, type TypeTextOptions } from "./type-text.js";

const detail = { depth: 6, maxValues: 50, maxMembers: 100 } as const;

/**
 * Writes a tool as a TypeScript function with comments: its description, each input with its type,
 * constraints and description, and the type of the result on request.
 */
export function toolDeclaration(tool: AnyTool, withResult: boolean): string {
  const { name, description, inputSchema, outputSchema } = tool;
  const options: TypeTextOptions = { root: inputSchema, ...detail };
  const inputs = membersOf(inputSchema).flatMap((member) => {
    const comment = commentOf(member.schema);
    const lines = comment === "" ? [] : [`  /** ${comment} */`];
    return [...lines, `  ${memberText(member, options)};`];
  });
  const result =
    withResult && outputSchema
      ? `: ${typeText(outputSchema, { root: outputSchema, ...detail })}`
      : "";
  const parameters = inputs.length > 0 ? `{\n${inputs.join("\n")}\n}` : "{}";
  return `/** ${inComment(description)} */\n${name}(${parameters})${result};`;
}

/** Description and constraints of an input, on one line. */
function commentOf(schema: JsonSchema): string {
  const { description } = schema;
  const text = typeof description === "string" ? description.trim() : "";
  return inComment([text, ...constraintsOf(schema)].filter(Boolean).join(" "));
}

const inComment = (text: string): string => text.replace(/\s*\n\s*/g, " ").replaceAll("*/", "* /");

/** Constraints that the type does not show, unless the description has the number. */
function constraintsOf(schema: JsonSchema): readonly string[] {
  const text = typeof schema["description"] === "string" ? schema["description"] : "";
  return constraints.flatMap(([keyword, label]) => {
    const value = schema[keyword];
    const isStated = typeof value === "number" && hasNumber(text, value);
    if (value === undefined || typeof value === "object" || isStated) return [];
    return [`${label} ${String(value)}.`];
  });
}

const hasNumber = (text: string, value: number): boolean =>
  text.split(/[^\d.-]+/).some((word) => Number(word.replace(/\.$/, "")) === value && word !== "");

const constraints = [
  ["minimum", "At least"],
  ["exclusiveMinimum", "Above"],
  ["maximum", "At most"],
  ["exclusiveMaximum", "Below"],
  ["multipleOf", "A multiple of"],
  ["minItems", "Least number of items:"],
  ["maxItems", "Most items:"],
  ["maxLength", "Most characters:"],
  ["pattern", "Pattern:"],
] as const;
