import type { AnyTool } from "../../tools/hooks.js";
import { visitSchema } from "./visit-schema.js";

/** Fields of the index. */
export const searchFields = [
  "name",
  "title",
  "summary",
  "description",
  "inputs",
  "inputTexts",
  "values",
  "outputs",
  "path",
  "toolset",
  "keywords",
] as const;

export type SearchField = (typeof searchFields)[number];

const maxDescription = 500;

/** Collects the searched texts of a tool. */
export function toolText(tool: AnyTool): Readonly<Record<SearchField, string>> {
  const { name, title, description, inputSchema, outputSchema } = tool;
  const summary = /^.*?[.!?\u3002](?=\s|$)/s.exec(description.slice(0, 500))?.[0] ?? description;
  return {
    name,
    title,
    summary,
    description: description.slice(summary.length, maxDescription),
    ...inputText(inputSchema),
    outputs: fieldNames(outputSchema),
    path: pathWords(tool),
    toolset: tool.toolset ?? "",
    keywords: "keywords" in tool ? (tool.keywords ?? []).join(" ") : "",
  };
}

/** Paths of a tool's operations, without parameters. */
export function pathWords(tool: AnyTool): string {
  if (!("operations" in tool)) return "";
  const paths = tool.operations.map(({ request }) => request.path.replace(/\{[^{}]*\}/g, " "));
  return [...new Set(paths)].join(" ");
}

const inputLimits = { depth: 2, count: 60 };
const outputLimits = { depth: 3, count: 40 };
const maxInputText = 100;

/** Names, descriptions and values of enums of the inputs. */
function inputText(schema: unknown): Readonly<Record<"inputs" | "inputTexts" | "values", string>> {
  const names: string[] = [];
  const texts: string[] = [];
  const values: string[] = [];
  visitSchema(schema, inputLimits, (name, { description, enum: options }) => {
    names.push(name);
    if (typeof description === "string") texts.push(opening(description));
    if (Array.isArray(options))
      for (const option of options) if (typeof option === "string") values.push(option);
  });
  return { inputs: names.join(" "), inputTexts: texts.join(" "), values: values.join(" ") };
}

/** The start of a description, without the advice where a value comes from. */
function opening(description: string): string {
  const advice = description.indexOf("Get it from ");
  return description.slice(0, advice < 0 ? maxInputText : Math.min(advice, maxInputText));
}

function fieldNames(schema: unknown): string {
  const names: string[] = [];
  visitSchema(schema, outputLimits, (name) => names.push(name));
  return names.join(" ");
}
