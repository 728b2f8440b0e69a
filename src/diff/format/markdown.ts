import { type Change, type ChangeClass, changeClasses } from "../types.js";
import { code } from "../words.js";
import { byTool, countChanges, of } from "./count.js";

/** GitHub refuses comments of more than 65,536 characters; these are bytes. */
const ROOM = 60_000;

const headings: Readonly<Record<ChangeClass, string>> = {
  breaking: "Breaking: what agents did may fail, or do something else",
  additive: "Additive: everything that worked still works",
  wording: "Wording: only text changed",
};

/**
 * For a comment on a pull request. Text of the document stands in code spans: it links, pings and
 * embeds nothing.
 */
export function toMarkdown(changes: readonly Change[]): string {
  const head = `### Tools for agents: ${countChanges(changes)}\n`;
  const sections = changeClasses.flatMap((one) => section(one, of(changes, one)));
  let text = head;
  let room = ROOM;
  for (const [i, block] of sections.entries()) {
    room -= Buffer.byteLength(block);
    if (room < 0)
      return `${text}\n…and ${sections.length - i} more parts, which did not fit here.\n`;
    text += block;
  }
  return text;
}

/** The heading with the first tool, and one block for each other tool. Wording is folded up. */
function section(one: ChangeClass, changes: readonly Change[]): readonly string[] {
  const blocks = [...byTool(changes)].map(([tool, list]) => toolBlock(tool, list));
  if (blocks.length === 0) return [];
  if (one === "wording") return [fold(headings[one], blocks)];
  return [`\n**${headings[one]}**\n\n${blocks[0]}`, ...blocks.slice(1)];
}

function fold(summary: string, blocks: readonly string[]): string {
  const shown = blocks.slice(0, 200);
  const more =
    blocks.length > shown.length ? `- and ${blocks.length - shown.length} more tools\n` : "";
  return `\n<details><summary>${summary}</summary>\n\n${shown.join("")}${more}\n</details>\n`;
}

function toolBlock(tool: string, changes: readonly Change[]): string {
  const [first, ...others] = changes;
  if (first && others.length === 0) return `- ${code(tool)}: ${first.message}\n`;
  return `- ${code(tool)}\n${changes.map(({ message }) => `  - ${message}\n`).join("")}`;
}
