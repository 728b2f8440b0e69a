import { type Change, changeClasses } from "../types.js";
import { oneLine } from "../../diagnostics/clean.js";
import { byTool, countChanges, of } from "./count.js";
import type { FormatOptions } from "./index.js";

/** Tools of one class that are shown unless everything is wanted. */
const TOOLS = 40;

/** For a terminal: the most severe first, by tool, a line for each change. */
export function toText(changes: readonly Change[], { verbose = false }: FormatOptions): string {
  const lines = changeClasses.flatMap((one) => {
    const tools = [...byTool(of(changes, one))];
    const some = verbose || tools.length <= TOOLS + 1 ? tools : tools.slice(0, TOOLS);
    const more =
      tools.length > some.length
        ? [`  and ${tools.length - some.length} more tools; --verbose lists them`]
        : [];
    return tools.length === 0
      ? []
      : [`${one}:`, ...some.flatMap(([tool, list]) => toolLines(tool, list)), ...more];
  });
  return [...lines, `${capital(countChanges(changes))} for agents.`]
    .map((line) => `${line}\n`)
    .join("");
}

function toolLines(tool: string, changes: readonly Change[]): readonly string[] {
  const [first, ...others] = changes;
  if (first && others.length === 0) return [`  ${oneLine(tool)}: ${first.message}`];
  return [`  ${oneLine(tool)}`, ...changes.map(({ message }) => `    - ${message}`)];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
