import { toSingleLine } from "../diagnostics/text.js";
import { inlineCode } from "./inline-code.js";
import type { LockFile } from "./read-lock.js";
import { type Change, type ChangeClass, changeClasses } from "./types.js";

/** Output formats of a comparison. */
export const diffFormats = ["text", "json", "markdown", "github"] as const;
export type DiffFormat = (typeof diffFormats)[number];

export interface FormatOptions {
  /** The lock that annotations refer to, and the line of each entry in it. */
  readonly file?: { readonly path: string } & Pick<LockFile, "lines" | "schemaLines">;
  /** Do not shorten long lists. */
  readonly verbose?: boolean;
  /** A sentence about parts that were not compared. */
  readonly note?: string;
}

/** Formats changes as text that ends with a line feed. An empty list is also reported. */
export function formatChanges(
  changes: readonly Change[],
  format: DiffFormat,
  options: FormatOptions = {},
): string {
  switch (format) {
    case "json":
      return toJson(changes, options);
    case "markdown":
      return toMarkdown(changes, options);
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
function toJson(changes: readonly Change[], { note }: FormatOptions): string {
  const count = (changeClass: Change["class"]): number =>
    changes.filter((change) => change.class === changeClass).length;
  const text = JSON.stringify(
    {
      breaking: count("breaking"),
      additive: count("additive"),
      cosmetic: count("cosmetic"),
      ...(note !== undefined && { note }),
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

/** Maximum tools or groups of tools shown of one class without `verbose`. */
const MAX_GROUPS = 40;
/** Maximum tools named in front of a change that they share. */
const MAX_NAMES = 10;

/**
 * Formats changes for a terminal: the most severe class first, grouped by tool, one line per
 * change.
 */
function toText(changes: readonly Change[], { verbose = false, note }: FormatOptions): string {
  const lines = changeClasses.flatMap((changeClass) => {
    const groups = groupChanges(changesOfClass(changes, changeClass));
    const visible =
      verbose || groups.length <= MAX_GROUPS + 1 ? groups : groups.slice(0, MAX_GROUPS);
    const remainder =
      groups.length > visible.length
        ? [`  and ${groups.length - visible.length} more tools; --verbose lists them`]
        : [];
    return groups.length === 0
      ? []
      : [
          `${changeClass}:`,
          ...visible.flatMap((group) => groupLines(group, verbose ? Infinity : MAX_NAMES)),
          ...remainder,
        ];
  });
  const count = `${capitalize(countChanges(changes))} for agents.`;
  return [...lines, count, ...(note === undefined ? [] : [note])]
    .map((line) => `${line}\n`)
    .join("");
}

function groupLines({ tools, messages, ofApis }: ChangeGroup, maxNames: number): readonly string[] {
  const head = `  ${nameList(tools.map(toSingleLine), maxNames)}${ofApis}`;
  return messages.length === 1
    ? [`${head}: ${messages[0]!}`]
    : [head, ...messages.map((message) => `    - ${message}`)];
}

/** Joins the names of tools; counts those beyond a maximum. */
export function nameList(names: readonly string[], max: number): string {
  const visible = names.length <= max + 1 ? names : names.slice(0, max);
  const remainder = names.length - visible.length;
  return visible.join(", ") + (remainder > 0 ? ` and ${remainder} more tools` : "");
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Maximum tools named in front of a change that they share. */
const MAX_NAMES_IN_MARKDOWN = 50;
/** GitHub rejects comments of more than 65,536 characters. This limit counts bytes. */
const MAX_BYTES = 60_000;

const headings: Readonly<Record<ChangeClass, string>> = {
  breaking: "Breaking: existing calls may fail or behave differently",
  additive: "Additive: existing calls work as before",
  cosmetic: "Cosmetic: only texts changed",
};

/**
 * Formats changes for a comment on a pull request. Document text is in code spans, so that it
 * creates no links, mentions or images.
 */
function toMarkdown(changes: readonly Change[], { note }: FormatOptions): string {
  const remark = note === undefined ? "" : `\n${note}\n`;
  const head = `### Tools for agents: ${countChanges(changes)}\n${remark}`;
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
  const blocks = groupChanges(changes).map(groupBlock);
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

function groupBlock({ tools, messages, ofApis }: ChangeGroup): string {
  const names = nameList(tools.map(inlineCode), MAX_NAMES_IN_MARKDOWN) + ofApis;
  return messages.length === 1
    ? `- ${names}: ${messages[0]!}\n`
    : `- ${names}\n${messages.map((message) => `  - ${message}\n`).join("")}`;
}

const annotationLevels: Readonly<Record<ChangeClass, "error" | "notice">> = {
  breaking: "error",
  additive: "notice",
  cosmetic: "notice",
};

/**
 * Formats changes as workflow commands, which GitHub shows as annotations at the entry of the tool
 * or shared schema in the lock. Cosmetic changes are only counted.
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
function toAnnotations(changes: readonly Change[], { file, note }: FormatOptions): string {
  const visible = changeClasses.filter((changeClass) => changeClass !== "cosmetic");
  const lines = visible.flatMap((changeClass) =>
    groupChanges(changesOfClass(changes, changeClass)).flatMap(
      ({ tools, messages, schema, ofApis }) => {
        const line =
          schema === undefined ? file?.lines.get(tools[0]!) : file?.schemaLines.get(schema);
        const location = file
          ? `file=${escapeProperty(file.path)},${line === undefined ? "" : `line=${line},`}`
          : "";
        const title = `${nameList(tools, MAX_NAMES)}${ofApis} (${changeClass})`;
        const command = `::${annotationLevels[changeClass]} ${location}title=${escapeProperty(title)}`;
        return messages.map((message) => `${command}::${escapeData(message)}`);
      },
    ),
  );
  const remark = note === undefined ? "" : ` ${note}`;
  return [...lines, `Tools for agents: ${countChanges(changes)}.${remark}`]
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
    .map((changeClass) => [countMessages(changes, changeClass), changeClass] as const)
    .filter(([count]) => count > 0);
  const parts = counts.map(([count, changeClass]) => `${count} ${changeClass}`);
  const last = parts.pop()!;
  const list = parts.length > 0 ? `${parts.join(", ")} and ${last}` : last;
  const total = counts.reduce((sum, [count]) => sum + count, 0);
  return `${list} ${total === 1 ? "change" : "changes"}`;
}

/** Number of changes of a class. A change of a shared schema counts once. */
function countMessages(changes: readonly Change[], changeClass: ChangeClass): number {
  const groups = groupChanges(changesOfClass(changes, changeClass));
  return groups.reduce((sum, { messages }) => sum + messages.length, 0);
}

function changesOfClass(changes: readonly Change[], changeClass: ChangeClass): readonly Change[] {
  return changes.filter((change) => change.class === changeClass);
}

/** Changes that are the same for one or more tools. */
interface ChangeGroup {
  readonly tools: readonly string[];
  readonly messages: readonly string[];
  /** The APIs that all of the tools call, in a server of several: ` (billing)`, or nothing. */
  readonly ofApis: string;
  /** Shared schema that changed. Absent for changes of one tool. */
  readonly schema?: string;
}

/**
 * Groups changes of one class for a reader: by tool, and changes of a shared schema by the tools
 * that it reaches. Keeps the order of the first change of each group.
 */
export function groupChanges(changes: readonly Change[]): readonly ChangeGroup[] {
  const reached = toolsBySharedChange(changes);
  const groups = new Map<
    string,
    Omit<ChangeGroup, "messages" | "ofApis"> & { messages: Set<string> }
  >();
  const apisByTool = new Map(changes.map(({ tool, apis = [] }) => [tool, apis]));
  for (const change of changes) {
    const key = sharedKey(change);
    const tools = reached.get(key ?? "") ?? [];
    const isShared = tools.length > 1;
    const { schema } = change;
    const groupKey = isShared ? JSON.stringify([schema, tools]) : change.tool;
    const group = groups.get(groupKey) ?? {
      tools: isShared ? tools : [change.tool],
      messages: new Set<string>(),
      ...(isShared && schema !== undefined && { schema }),
    };
    group.messages.add(isShared ? sharedMessage(change) : change.message);
    groups.set(groupKey, group);
  }
  return [...groups.values()].map((group) => ({
    ...group,
    messages: [...group.messages],
    ofApis: commonApis(group.tools.map((tool) => apisByTool.get(tool) ?? [])),
  }));
}

function commonApis([first = [], ...others]: readonly (readonly string[])[]): string {
  const common = first.filter((api) => others.every((list) => list.includes(api)));
  return common.length === 0 ? "" : ` (${common.map(toSingleLine).join(", ")})`;
}

/** The tools of each change of a shared schema. */
function toolsBySharedChange(changes: readonly Change[]): ReadonlyMap<string, readonly string[]> {
  const reached = new Map<string, string[]>();
  for (const change of changes) {
    const key = sharedKey(change);
    if (key === undefined) continue;
    const tools = reached.get(key) ?? [];
    if (tools.at(-1) !== change.tool) tools.push(change.tool);
    reached.set(key, tools);
  }
  return reached;
}

/** Equal for changes that are one change of a shared schema. */
const sharedKey = (change: Change): string | undefined =>
  change.schema === undefined
    ? undefined
    : JSON.stringify([change.class, change.schema, sharedMessage(change)]);

/** The message with the path in the shared schema instead of the path in the tool. */
function sharedMessage({ message, schema = "", schemaPath = "", where = "" }: Change): string {
  const path = where.replace(/^(?:input|output)\.?/, "");
  const separator = schemaPath === "" || schemaPath.startsWith("[") ? "" : ".";
  const changed = inlineCode(`${schema}${separator}${schemaPath}`);
  return path === "" ? message : message.replace(inlineCode(path), () => changed);
}
