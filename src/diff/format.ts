import { toSingleLine } from "../diagnostics/text.js";
import { inlineCode } from "./inline-code.js";
import { type Change, type ChangeClass, changeClasses } from "./types.js";

/** Output formats of a comparison. */
export const diffFormats = ["text", "json", "markdown", "github"] as const;
export type DiffFormat = (typeof diffFormats)[number];

export interface FormatOptions {
  /** The lock that annotations refer to, and the line of each tool in it. */
  readonly file?: { readonly path: string; readonly lines: ReadonlyMap<string, number> };
  /** Do not shorten long lists. */
  readonly verbose?: boolean;
}

/** Formats changes as text that ends with a line feed. An empty list is also reported. */
export function formatChanges(
  changes: readonly Change[],
  format: DiffFormat,
  options: FormatOptions = {},
): string {
  switch (format) {
    case "json":
      return toJson(changes);
    case "markdown":
      return toMarkdown(changes);
    case "github":
      return toAnnotations(changes, options);
    case "text":
      return toText(changes, options);
  }
}

/**
 * One JSON object, to which fields are only ever added. ASCII only, so that a terminal interprets
 * nothing in it.
 */
function toJson(changes: readonly Change[]): string {
  const count = (changeClass: Change["class"]): number =>
    changes.filter((change) => change.class === changeClass).length;
  const text = JSON.stringify(
    {
      breaking: count("breaking"),
      additive: count("additive"),
      cosmetic: count("cosmetic"),
      changes,
    },
    null,
    2,
  );
  const ascii = text.replace(/[\u007f-\uffff]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${code}`;
  });
  return `${ascii}\n`;
}

/** Maximum tools shown of one class without `verbose`. */
const MAX_TOOLS = 40;

/**
 * Formats changes for a terminal: the most severe class first, grouped by tool, one line per
 * change.
 */
function toText(changes: readonly Change[], { verbose = false }: FormatOptions): string {
  const lines = changeClasses.flatMap((changeClass) => {
    const tools = [...groupByTool(changesOfClass(changes, changeClass))];
    const visible = verbose || tools.length <= MAX_TOOLS + 1 ? tools : tools.slice(0, MAX_TOOLS);
    const remainder =
      tools.length > visible.length
        ? [`  and ${tools.length - visible.length} more tools; --verbose lists them`]
        : [];
    return tools.length === 0
      ? []
      : [
          `${changeClass}:`,
          ...visible.flatMap(([tool, list]) => toolLines(tool, list)),
          ...remainder,
        ];
  });
  return [...lines, `${capitalize(countChanges(changes))} for agents.`]
    .map((line) => `${line}\n`)
    .join("");
}

function toolLines(tool: string, changes: readonly Change[]): readonly string[] {
  const [first, ...further] = changes;
  if (first && further.length === 0) return [`  ${toSingleLine(tool)}: ${first.message}`];
  return [`  ${toSingleLine(tool)}`, ...changes.map(({ message }) => `    - ${message}`)];
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** GitHub rejects comments of more than 65,536 characters. This limit counts bytes. */
const MAX_BYTES = 60_000;

const headings: Readonly<Record<ChangeClass, string>> = {
  breaking: "Breaking: calls may fail or have another effect",
  additive: "Additive: everything that worked still works",
  cosmetic: "Cosmetic: only text changed",
};

/**
 * Formats changes for a comment on a pull request. Document text stands in code spans, so that it
 * creates no links, mentions or images.
 */
function toMarkdown(changes: readonly Change[]): string {
  const head = `### Tools for agents: ${countChanges(changes)}\n`;
  const sections = changeClasses.flatMap((changeClass) =>
    section(changeClass, changesOfClass(changes, changeClass)),
  );
  let text = head;
  let room = MAX_BYTES;
  for (const [i, block] of sections.entries()) {
    room -= Buffer.byteLength(block);
    if (room < 0)
      return `${text}\n…and ${sections.length - i} more sections, which exceed the size limit.\n`;
    text += block;
  }
  return text;
}

/**
 * The heading with the first tool, then one block per further tool. Cosmetic changes are collapsed.
 */
function section(changeClass: ChangeClass, changes: readonly Change[]): readonly string[] {
  const blocks = [...groupByTool(changes)].map(([tool, list]) => toolBlock(tool, list));
  if (blocks.length === 0) return [];
  if (changeClass === "cosmetic") return [fold(headings[changeClass], blocks)];
  return [`\n**${headings[changeClass]}**\n\n${blocks[0]}`, ...blocks.slice(1)];
}

function fold(summary: string, blocks: readonly string[]): string {
  const visible = blocks.slice(0, 200);
  const remainder =
    blocks.length > visible.length ? `- and ${blocks.length - visible.length} more tools\n` : "";
  return `\n<details><summary>${summary}</summary>\n\n${visible.join("")}${remainder}\n</details>\n`;
}

function toolBlock(tool: string, changes: readonly Change[]): string {
  const [first, ...further] = changes;
  if (first && further.length === 0) return `- ${inlineCode(tool)}: ${first.message}\n`;
  return `- ${inlineCode(tool)}\n${changes.map(({ message }) => `  - ${message}\n`).join("")}`;
}

const annotationLevels: Readonly<Record<ChangeClass, "error" | "notice">> = {
  breaking: "error",
  additive: "notice",
  cosmetic: "notice",
};

/**
 * Formats changes as workflow commands, which GitHub shows as annotations at the tool's entry in
 * the lock. Cosmetic changes are only counted.
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
function toAnnotations(changes: readonly Change[], { file }: FormatOptions): string {
  const visible = changes.filter((change) => change.class !== "cosmetic");
  const lines = visible.map((change) => {
    const line = file?.lines.get(change.tool);
    const location = file
      ? `file=${escapeProperty(file.path)},${line === undefined ? "" : `line=${line},`}`
      : "";
    const level = annotationLevels[change.class];
    return (
      `::${level} ` +
      `${location}title=${escapeProperty(`${change.tool} (${change.class})`)}::${escapeData(change.message)}`
    );
  });
  return [...lines, `Tools for agents: ${countChanges(changes)}.`]
    .map((line) => `${line}\n`)
    .join("");
}

/** Escapes the message of a command: a single line without percent signs. */
function escapeData(text: string): string {
  return toSingleLine(text).replaceAll("%", "%25");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** `2 breaking, 1 additive and 3 cosmetic changes`, `no changes`. */
export function countChanges(changes: readonly Change[]): string {
  if (changes.length === 0) return "no changes";
  const counts = changeClasses
    .map((changeClass) => [changesOfClass(changes, changeClass).length, changeClass] as const)
    .filter(([count]) => count > 0);
  const parts = counts.map(([count, changeClass]) => `${count} ${changeClass}`);
  const last = parts.pop()!;
  const list = parts.length > 0 ? `${parts.join(", ")} and ${last}` : last;
  return `${list} ${changes.length === 1 ? "change" : "changes"}`;
}

function changesOfClass(changes: readonly Change[], changeClass: ChangeClass): readonly Change[] {
  return changes.filter((change) => change.class === changeClass);
}

/** Groups changes by tool and keeps their order. */
function groupByTool(changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> {
  const tools = new Map<string, Change[]>();
  for (const change of changes)
    (tools.get(change.tool) ?? tools.set(change.tool, []).get(change.tool)!).push(change);
  return tools;
}
