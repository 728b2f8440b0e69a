/** Code blocks and tables of operations, which the description of a tool lacks. */
import { groupBy } from "../../groups.js";
import type { Operation } from "../../model/types.js";
import { operationKey } from "../operations/identity.js";
import { hasBlocks, missingBlocks } from "../text/blocks.js";
import { TRUNCATION_MARK } from "../text/sentences.js";
import { CUT } from "../text/whole-texts.js";
import type { PlannedTool } from "../types.js";
import { MAX_DESCRIPTION_LENGTH, MAX_FULL_LENGTH } from "./print.js";

/**
 * Adds what operations say in code blocks and tables to the whole description of their tools, word
 * for word, and marks the listed one.
 */
export function quoteBlocks(
  tools: readonly PlannedTool[],
  operations: readonly Operation[],
): readonly PlannedTool[] {
  const quotable = operations.filter(({ description = "" }) => hasBlocks(description));
  const byKey = groupBy(quotable, operationKey);
  return tools.map((tool) => {
    const own = tool.operations.flatMap((one) => byKey.get(operationKey(one)) ?? []);
    return own.length === 0 || tool.text.isConfigured ? tool : quoteOperations(tool, own);
  });
}

function quoteOperations(tool: PlannedTool, operations: readonly Operation[]): PlannedTool {
  const { definition } = tool;
  const shown = JSON.stringify(definition);
  const quotes = operations.flatMap(({ method, path, description = "" }) => {
    const blocks = missingBlocks(description, shown);
    const source = tool.operations.length > 1 ? ` of ${method} ${path}` : "";
    return blocks.length === 0 ? [] : [`From the API's documentation${source}:`, ...blocks];
  });
  if (quotes.length === 0) return tool;
  const { description, fullDescription = description } = definition;
  const whole = cutAfterLine([fullDescription, ...quotes].join("\n\n"), MAX_FULL_LENGTH);
  return {
    ...tool,
    text: { ...tool.text, quotes },
    definition: { ...definition, description: markCut(description), fullDescription: whole },
  };
}

function cutAfterLine(text: string, max: number): string {
  if (text.length <= max) return text;
  const room = max - CUT.length - 1;
  const end = text.lastIndexOf("\n", room);
  return `${text.slice(0, end < 0 ? room : end)}\n${CUT}`;
}

const markCut = (description: string): string =>
  description.includes(TRUNCATION_MARK) ||
  description.length + CUT.length + 1 > MAX_DESCRIPTION_LENGTH
    ? description
    : `${description} ${CUT}`;
