/** Candidates for tasks, for the owner of a server to edit. */
import { stringify } from "yaml";
import { isObject } from "../json.js";
import type { MockApi } from "../mock/index.js";
import type { PlannedTool, ToolPlan } from "../plan/types.js";
import type { GeneratedFile } from "../render/index.js";
import { mockApi } from "../try/index.js";
import { completeInput, needsSource } from "./call-inputs.js";
import type { ExpectedCall, Inputs, Task } from "./types.js";

/** Most tasks of a draft. */
const MAX_TASKS = 30;
/** Most values that the words of a task have. */
const MAX_VALUES = 4;

const HEADER = `# yaml-language-server: $schema=https://unpkg.com/mcp-gen/mcp-gen-eval.schema.json
# A draft: these words were made from the descriptions of the tools, so that finding the tools for them
# proves little. Write them anew in the words of your users, with the names and dates that they would say,
# and delete what nobody would ask for. docs/eval.md describes the keys.
`;

/**
 * Drafts tasks: the configured examples of calls, workflows, tools with `useWhen`, writes after the
 * read that gives their ID, and single calls.
 */
export function draftTasks(plan: ToolPlan, files: readonly GeneratedFile[]): readonly Task[] {
  const apis = new Map<string | undefined, MockApi>();
  const apiOf = ({ definition: { api: name } }: PlannedTool): MockApi => {
    const api = apis.get(name) ?? mockApi(files, name);
    apis.set(name, api);
    return api;
  };
  const drafts = plan.tools.map((tool) => ({ tool, task: draftTask(tool, plan, apiOf) }));
  const weight = ({ tool }: (typeof drafts)[number]): number =>
    tool.workflow ? 3 : tool.text.useWhen !== undefined ? 2 : isWrite(tool) ? 1 : 0;
  const inferred = drafts.sort((a, b) => weight(b) - weight(a)).map(({ task }) => task);
  return [...plan.tools.flatMap(configuredTasks), ...inferred].slice(0, MAX_TASKS);
}

/** The examples of a tool, in the words of its owner. */
function configuredTasks({ definition, text }: PlannedTool): readonly Task[] {
  return (text.examples ?? []).map(({ say, call }) => ({
    say,
    expect: [{ tool: definition.name, with: call }],
  }));
}

/** The tasks as a file. */
export function writeDraft(tasks: readonly Task[]): string {
  return HEADER + stringify(tasks, { lineWidth: 100 });
}

function draftTask(tool: PlannedTool, plan: ToolPlan, apiOf: (tool: PlannedTool) => MockApi): Task {
  const api = apiOf(tool);
  const { definition } = tool;
  const before = lookupsOf(tool, plan, [definition.name]).flatMap((name) =>
    plan.tools.filter((one) => one.definition.name === name),
  );
  const known = { ...unreturnedIds(tool, api), ...exampleInputs(tool, api) };
  const calls = before.map((one) => expectedCall(one, unreturnedIds(one, apiOf(one))));
  const said = Object.assign({}, ...calls.map((call) => call.with), known) as Inputs;
  const never = forbiddenNames(tool, plan);
  return {
    say: wordsOf(tool, said),
    expect: [...calls, expectedCall(tool, known)],
    ...(calls.length > 0 && { ordered: true }),
    ...(never.length > 0 && { never }),
  };
}

function expectedCall({ definition: { name } }: PlannedTool, known: Inputs): ExpectedCall {
  return { tool: name, ...(Object.keys(known).length > 0 && { with: known }) };
}

/** Samples of the required IDs that no tool returns, so that the user must say them. */
function unreturnedIds(tool: PlannedTool, api: MockApi): Inputs {
  if (tool.workflow) return {};
  const names = tool.inputs
    .filter(({ name, required, producers = [] }) => {
      return required && producers.length === 0 && needsSource(tool, name);
    })
    .map(({ name }) => name);
  const samples = names.length > 0 ? completeInput(tool, {}, api) : {};
  return Object.fromEntries(names.map((name) => [name, samples[name]])) as Inputs;
}

/** Tools whose results have the IDs that a call needs, and theirs, in the order of their calls. */
function lookupsOf(
  { inputs }: PlannedTool,
  plan: ToolPlan,
  known: readonly string[],
): readonly string[] {
  const needed = inputs.flatMap(({ required, producers: [first] = [] }) =>
    required && first !== undefined && !known.includes(first) ? [first] : [],
  );
  const chain = needed.flatMap((name) => {
    const tool = plan.tools.find(({ definition }) => definition.name === name);
    return tool ? [...lookupsOf(tool, plan, [...known, ...needed]), name] : [];
  });
  return [...new Set(chain)];
}

/** Values that a user can say: those of the document's example that are neither IDs nor nested. */
function exampleInputs(tool: PlannedTool, api: MockApi): Inputs {
  const examples = tool.definition.operations.flatMap(({ request }) => {
    const { method, path, body } = request;
    const operation = api.operations.find((one) => one.method === method && one.path === path);
    const [whole] = operation?.body?.contents.flatMap((content) => content.examples ?? []) ?? [];
    const example = (body?.envelope ?? []).reduce<unknown>(
      (value, name) => (isObject(value) ? value[name] : undefined),
      whole,
    );
    return Object.entries(body?.fields ?? {}).flatMap(([field, source]) =>
      typeof source === "string" && isObject(example) ? [[source, example[field]] as const] : [],
    );
  });
  const byInput = new Map(examples);
  const named = tool.inputs.flatMap(({ name, producers = [] }) => {
    const value = byInput.get(name);
    const canBeSaid = typeof value === "string" || typeof value === "number";
    return producers.length === 0 && canBeSaid ? [[name, value] as const] : [];
  });
  return Object.fromEntries(named.slice(0, MAX_VALUES));
}

/** Words from the description, with the values that the call needs. */
function wordsOf({ definition, text }: PlannedTool, known: Inputs): string {
  const [purpose = definition.description] = definition.description.split(/[.:](?:\s|$)/);
  const values = Object.entries(known).map(([name, value]) => `${name} ${String(value)}`);
  const words = values.length > 0 ? `${purpose}: ${values.join(", ")}` : purpose;
  return text.useWhen === undefined ? words : `${words} (${situationOf(text.useWhen)})`;
}

/** The situation in "Use when somebody asks." */
const situationOf = (useWhen: string): string =>
  useWhen.replace(/^use (?=when |if )/i, "").replace(/\.$/, "");

/** Names of tools that destroy, which a task of another kind must not call. */
function forbiddenNames({ definition }: PlannedTool, { tools }: ToolPlan): readonly string[] {
  const isDestroying = (name: string): boolean => /^(?:.*_)?delete_/.test(name);
  const exists = tools.some((tool) => isDestroying(tool.definition.name));
  return exists && !isDestroying(definition.name) ? ["*delete_*"] : [];
}

function isWrite({ definition }: PlannedTool): boolean {
  return !definition.annotations.readOnlyHint;
}
