import { equalJson } from "./schema/schema-version.js";
import type { SchemaDirection } from "./schema/types.js";
import { schemaChanges, type SharedNameLookup } from "./schema/changes.js";
import type { Change, ChangeClass, LockedTool } from "./types.js";
import { inlineChange, inlineCode, inlineJson } from "./inline-code.js";
import { omitUndefined } from "../json.js";

/**
 * Compares two versions of one tool, which may have been renamed. Fields that only a running server
 * knows are not compared.
 */
export function toolChanges(
  was: LockedTool,
  now: LockedTool,
  sharedName?: SharedNameLookup,
): readonly Change[] {
  const computed = new Set([...(was.computed ?? []), ...(now.computed ?? [])]);
  const [before, after] = [withoutFields(was, computed), withoutFields(now, computed)];
  const tool = after.name;
  const renamed: readonly Change[] =
    before.name === tool
      ? []
      : [
          {
            class: "breaking",
            kind: "tool-renamed",
            tool,
            message: `Renamed from ${inlineCode(before.name)}.`,
            was: before.name,
            now: tool,
          },
        ];
  const same = equalJson(definitionOf(before), definitionOf(after));
  return [
    ...renamed,
    ...operationChanges(before, after),
    ...(same ? [] : definitionChanges(before, after, sharedName)),
  ];
}

function withoutFields(tool: LockedTool, names: ReadonlySet<string>): LockedTool {
  if (names.size === 0) return tool;
  const known = Object.entries(tool).filter(([name]) => !names.has(name));
  return { inputSchema: {}, ...Object.fromEntries(known) } as unknown as LockedTool;
}

function definitionOf({
  operations: _,
  requests: __,
  custom: ___,
  computed: ____,
  ...definition
}: LockedTool): object {
  return definition;
}

/** Reports added and removed operations. The same call then has another effect. */
function operationChanges(before: LockedTool, after: LockedTool): readonly Change[] {
  const removed = before.operations.filter((operation) => !after.operations.includes(operation));
  const added = after.operations.filter((operation) => !before.operations.includes(operation));
  if (removed.length + added.length === 0) return [];
  const clauses = [
    ...(removed.length > 0 ? [`no longer uses ${removed.map(inlineCode).join(", ")}`] : []),
    ...(added.length > 0 ? [`now uses ${added.map(inlineCode).join(", ")}`] : []),
  ];
  return [
    {
      class: "breaking",
      kind: "operations",
      tool: after.name,
      where: "operations",
      message: `It ${clauses.join(", and ")}.`,
      was: before.operations,
      now: after.operations,
    },
  ];
}

function definitionChanges(
  before: LockedTool,
  after: LockedTool,
  sharedName: SharedNameLookup | undefined,
): readonly Change[] {
  return [
    ...textChange("title", before, after),
    ...textChange("description", before, after),
    ...annotationChanges(before, after),
    ...hiddenChanges(before, after),
    ...approvalChanges(before, after),
    ...locateChanges(
      schemaChanges(before.inputSchema, after.inputSchema, "input", sharedName),
      "input",
      after.name,
    ),
    ...outputChanges(before, after, sharedName),
  ];
}

function textChange(
  kind: "title" | "description",
  before: LockedTool,
  after: LockedTool,
): readonly Change[] {
  const [was, now] = [before[kind], after[kind]];
  if (was === now) return [];
  return [
    omitUndefined({
      class: "cosmetic",
      kind,
      tool: after.name,
      where: kind,
      message: textMessage(`The ${kind}`, was, now),
      was,
      now,
    }),
  ];
}

function textMessage(subject: string, was: string | undefined, now: string | undefined): string {
  if (was === undefined) return `${subject} was added: ${inlineCode(now ?? "")}.`;
  if (now === undefined) return `${subject} was removed; it was ${inlineCode(was)}.`;
  return `${subject} changed ${inlineChange(was, now)}.`;
}

/**
 * Annotations that hosts use to decide about confirmation, with the value that requires more care.
 * MCP 2026-07-28, ToolAnnotations.
 */
const cautiousValues: Readonly<Record<string, boolean>> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
const annotationMessages: Readonly<Record<string, readonly [whenTrue: string, whenFalse: string]>> =
  {
    readOnlyHint: ["It is now read-only.", "It is no longer read-only."],
    destructiveHint: ["It may now be destructive.", "It is no longer destructive."],
    idempotentHint: ["It is now idempotent.", "It is no longer idempotent."],
    openWorldHint: [
      "It now interacts with external systems.",
      "It no longer interacts with external systems.",
    ],
  };

function annotationChanges(before: LockedTool, after: LockedTool): readonly Change[] {
  const [old, young] = [before.annotations ?? {}, after.annotations ?? {}];
  const names = [...new Set([...Object.keys(old), ...Object.keys(young)])].filter(
    (name) => !equalJson(old[name], young[name]),
  );
  return names.map((name): Change => {
    const [was, now] = [old[name], young[name]];
    const message =
      typeof now === "boolean" && Object.hasOwn(annotationMessages, name)
        ? annotationMessages[name]![now ? 0 : 1]
        : annotationMessage(name, was, now);
    return {
      class: annotationClass(name, was, now),
      kind: "annotation",
      tool: after.name,
      where: `annotations.${name}`,
      message,
      was,
      now,
    };
  });
}

/** Reports a tool that clients no longer see, or see again. */
function hiddenChanges(
  { hidden: was }: LockedTool,
  { hidden: now, name }: LockedTool,
): readonly Change[] {
  if (was === now) return [];
  const about = { kind: "hidden", tool: name, where: "hidden", was, now } as const;
  return [
    now
      ? { ...about, class: "breaking", message: "Clients no longer see it, and cannot call it." }
      : { ...about, class: "additive", message: "Clients see it, and can call it." },
  ];
}

/**
 * Reports a question to the user that is new, gone or another one. Without it, calls have effects
 * that nobody has agreed to; with it, clients without forms are refused.
 */
function approvalChanges(before: LockedTool, after: LockedTool): readonly Change[] {
  const [was, now] = [before.approve, after.approve];
  if (was === now) return [];
  const about = { kind: "approval", tool: after.name, where: "approve", was, now } as const;
  return [omitUndefined({ ...about, class: "breaking", message: approvalMessage(was, now) })];
}

function approvalMessage(was: LockedTool["approve"], now: LockedTool["approve"]): string {
  if (now === undefined) return "It no longer asks the user before it is sent.";
  if (now === "name") return "The user now has to type a name before it is sent.";
  if (was === undefined) return "It now asks the user before it is sent.";
  return "The user no longer has to type a name before it is sent; a yes is enough.";
}

function annotationMessage(name: string, was: unknown, now: unknown): string {
  const subject = `The annotation ${inlineCode(name)}`;
  if (now === undefined) return `${subject} was removed; it was ${inlineJson(was)}.`;
  return `${subject} is ${inlineJson(now)} now; ${was === undefined ? "there was none" : `it was ${inlineJson(was)}`}.`;
}

/**
 * Classifies a changed annotation. A missing one has the value that requires more care. An unknown
 * one may matter.
 */
function annotationClass(name: string, was: unknown, now: unknown): ChangeClass {
  if (name === "title") return "cosmetic";
  if (!Object.hasOwn(cautiousValues, name)) return "breaking";
  const demanding = cautiousValues[name]!;
  if ((was ?? demanding) === (now ?? demanding)) return "cosmetic";
  return (now ?? demanding) === demanding ? "breaking" : "additive";
}

function outputChanges(
  before: LockedTool,
  after: LockedTool,
  sharedName: SharedNameLookup | undefined,
): readonly Change[] {
  const [was, now] = [before.outputSchema, after.outputSchema];
  const about = { kind: "values", tool: after.name, where: "output" } as const;
  if (was && now)
    return locateChanges(schemaChanges(was, now, "output", sharedName), "output", after.name);
  if (was)
    return [{ ...about, class: "breaking", message: "Its results no longer have a schema." }];
  return now ? [{ ...about, class: "additive", message: "Its results now have a schema." }] : [];
}

function locateChanges(
  changes: ReturnType<typeof schemaChanges>,
  direction: SchemaDirection,
  tool: string,
): readonly Change[] {
  return changes.map(({ path, ...change }) => ({
    ...change,
    tool,
    where: path === "" ? direction : `${direction}.${path}`,
  }));
}
