/** Whole texts of the descriptions in the input schemas of tools. */
import { isObject, type JsonSchema } from "../../json.js";
import { fullInputSchemaOf } from "../../runtime/tools/full-description.js";
import { estimateToolTokens } from "../../runtime/tools/shown-definition.js";
import { escapePointerToken } from "../../json-pointer.js";
import { operationKey } from "../operations/identity.js";
import type { CrossReferences } from "../text/tool-marks.js";
import { TRUNCATION_MARK } from "../text/sentences.js";
import { CUT, type WholeTexts } from "../text/whole-texts.js";
import { MAX_DESCRIPTION_LENGTH } from "./print.js";
import type { PlannedTool } from "../types.js";

/** Adds to each tool the whole texts of the descriptions that its input schema has shortened. */
export function addWholeTexts(
  tools: readonly PlannedTool[],
  texts: WholeTexts,
  { operationOf }: CrossReferences,
): readonly PlannedTool[] {
  const names = new Map(
    tools.flatMap(({ operations, definition }) =>
      operations.map((operation) => [operationKey(operation), definition.name] as const),
    ),
  );
  const named = texts.withNames((index) => {
    const operation = operationOf(index);
    return (operation && names.get(operationKey(operation))) ?? "another tool";
  });
  return tools.map((tool) => addTo(tool, named));
}

function addTo(tool: PlannedTool, texts: WholeTexts): PlannedTool {
  const found: Record<string, string> = {};
  collect(tool.definition.inputSchema, "", texts, found);
  return Object.keys(found).length === 0
    ? tool
    : { ...tool, definition: { ...tool.definition, fullInputDescriptions: found } };
}

/** Limits of a list that has room for whole texts: half of what the budget grants by default. */
const SHORT_LIST = { tools: 80, tokens: 12_500 } as const;

/**
 * Puts the whole texts of tools and inputs in place of the shortened ones if the list is short with
 * them. A description that hosts would cut stays shortened.
 */
export function listWholeTexts(tools: readonly PlannedTool[]): readonly PlannedTool[] {
  if (tools.length > SHORT_LIST.tools) return tools;
  const whole = tools.map(withWholeTexts);
  const tokens = whole.reduce((sum, { definition }) => sum + estimateToolTokens(definition), 0);
  return tokens <= SHORT_LIST.tokens ? whole : tools;
}

function withWholeTexts(tool: PlannedTool): PlannedTool {
  const { fullInputDescriptions, ...definition } = tool.definition;
  if (fullInputDescriptions === undefined) return withQuotes(tool);
  const inputSchema = fullInputSchemaOf(tool.definition) as typeof definition.inputSchema;
  return withQuotes({ ...tool, definition: { ...definition, inputSchema } });
}

/** Adds the quotes. Sentences of the server's instructions, which the whole text has, are not repeated. */
function withQuotes(tool: PlannedTool): PlannedTool {
  const { fullDescription: _, ...definition } = tool.definition;
  const { quotes = [] } = tool.text;
  const description = [definition.description.replace(MARK_AT_END, ""), ...quotes].join("\n\n");
  const isWhole =
    quotes.length > 0 &&
    description.length <= MAX_DESCRIPTION_LENGTH &&
    !description.includes(TRUNCATION_MARK);
  return isWhole ? { ...tool, definition: { ...definition, description } } : tool;
}

const MARK_AT_END = new RegExp(` ${CUT}$`);

/** Keywords with schemas by name. */
const SCHEMA_MAPS = new Set(["properties", "patternProperties", "$defs"]);
/** Keywords with values, which are not schemas. */
const VALUES = new Set(["default", "examples", "enum", "const", "required"]);

function collect(
  schema: JsonSchema,
  pointer: string,
  texts: WholeTexts,
  found: Record<string, string>,
): void {
  const { description } = schema;
  const whole = description?.includes(CUT) === true ? texts.of(description) : undefined;
  if (whole !== undefined) found[pointer] = whole;
  for (const [keyword, value] of Object.entries(schema)) {
    if (typeof value !== "object" || VALUES.has(keyword)) continue;
    const at = `${pointer}/${keyword}`;
    if (Array.isArray(value) || SCHEMA_MAPS.has(keyword)) {
      for (const [key, one] of Object.entries(value as object))
        if (isObject(one)) collect(one, `${at}/${escapePointerToken(key)}`, texts, found);
    } else if (isObject(value)) collect(value, at, texts, found);
  }
}
