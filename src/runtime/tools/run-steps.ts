/** `run_steps`: calls several tools in one call, where later ones may need results of earlier ones. */
import { sanitize } from "../response/shape.js";
import { invalidInputText } from "../errors/explain-failure.js";
import type { AnyTool, CallInfo, CustomTool, StoredTool, ToolLookup } from "./definitions.js";
import { prepareInput } from "./prepare-input.js";
import { isToolError, ToolError } from "./tool-error.js";
import { fillReferences, referredSteps } from "./step-references.js";

/** Sentence for the user who asks for the tool, if it is left out. */
export const stepsProblem: string | undefined = undefined;

/** Maximum number of steps of a call. */
const MAX_STEPS = 10;

interface Step {
  readonly tool: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly quiet?: boolean;
}

/** A step that was called, with the result of its tool. */
interface StepResult {
  readonly step: number;
  readonly tool: string;
  readonly result: unknown;
}

/**
 * Creates the tool. It refuses tools that may destroy something, so that hosts show each of these
 * calls to the user; other writes are asked about one by one, as if they were called alone.
 */
export function createRunSteps(
  name: string,
  lookup: ToolLookup,
): CustomTool<{ readonly steps: readonly Step[] }> {
  const hints = possibleSteps(lookup.tools).map(({ annotations }) => annotations);
  return {
    name,
    title: "Run several calls",
    description:
      "Call several tools in one call, in order. Arguments may take values of earlier results: " +
      "{{1.id}} is id of the result of step 1, {{1.items[0].id}} that of its first item, " +
      "{{1.items[name=Rex].id}} that of its only item named Rex. Stops at the first failure. " +
      "Tools that may destroy something are called alone instead. Returns the result of each step.",
    approve: false,
    annotations: {
      readOnlyHint: hints.every(({ readOnlyHint }) => readOnlyHint),
      destructiveHint: false,
      idempotentHint: hints.every(({ idempotentHint }) => idempotentHint),
      openWorldHint: hints.some(({ openWorldHint }) => openWorldHint),
    },
    inputSchema,
    outputSchema,
    run: async ({ steps }, call) => {
      const problem = steps.map((step, i) => stepProblem(step, i, lookup)).find(Boolean);
      if (problem !== undefined) throw new ToolError(`Nothing was called. ${problem}`);
      return runAll(steps, call);
    },
  };
}

/** The tools that it does not refuse. */
const possibleSteps = (tools: readonly StoredTool[]): readonly StoredTool[] =>
  tools.filter(({ annotations }) => !annotations.destructiveHint);

/**
 * Name of the tool; undefined if it saves no calls, because fewer than two tools can be steps of it.
 * @param isTaken true if another tool has the name
 */
export function runStepsName(
  tools: readonly StoredTool[],
  namespace: string | undefined,
  isTaken: (name: string) => boolean,
): string | undefined {
  if (possibleSteps(tools).length < 2) return undefined;
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  const names = ["run_steps", "run_tool_steps"].map((name) => prefix + name);
  return names.find((name) => !isTaken(name)) ?? `${prefix}run_several_tool_calls`;
}

const inputSchema = {
  type: "object",
  properties: {
    steps: {
      type: "array",
      minItems: 1,
      maxItems: MAX_STEPS,
      items: {
        type: "object",
        properties: {
          tool: { type: "string", minLength: 1, maxLength: 200 },
          arguments: { type: "object", additionalProperties: true },
          quiet: {
            type: "boolean",
            description: "True to leave out its result, which only later steps need.",
          },
        },
        required: ["tool"],
        additionalProperties: false,
      },
    },
  },
  required: ["steps"],
  additionalProperties: false,
} as const;

const outputSchema = {
  type: "object",
  properties: {
    steps: {
      type: "array",
      items: {
        type: "object",
        properties: { step: { type: "integer" }, tool: { type: "string" }, result: {} },
        required: ["step", "tool"],
      },
    },
    stopped: { type: "string", description: "The failure, and the steps that were not run." },
  },
  required: ["steps"],
} as const;

/** Why a step cannot be called, as a sentence. Its input is checked if it needs no other step. */
function stepProblem(
  { tool: name, arguments: args = {} }: Step,
  position: number,
  { find, explainMissing }: ToolLookup,
): string | undefined {
  const step = `Step ${position + 1}`;
  const tool = find(name);
  if (!tool) return `${step}: ${explainMissing(name)}`;
  if (tool.annotations.destructiveHint)
    return `${step}: ${name} may destroy something. Run the steps before it, then call it alone.`;
  const steps = referredSteps(args);
  const later = steps.find((number) => number < 1 || number > position);
  if (later !== undefined)
    return `${step} refers to the result of step ${later}, which is not before it.`;
  return steps.length > 0 ? undefined : inputProblem(step, tool, args);
}

function inputProblem(step: string, tool: AnyTool, args: unknown): string | undefined {
  const prepared = prepareInput(tool, args, false);
  if (prepared.ok || !("operations" in tool)) return undefined;
  return `${step}: ${sanitize(invalidInputText(tool, prepared.problems))}`;
}

/** Calls the tools in order, up to the first failure. */
async function runAll(steps: readonly Step[], call: CallInfo): Promise<object> {
  const results: unknown[] = [];
  const shown: StepResult[] = [];
  for (const [i, { tool, arguments: args = {}, quiet = false }] of steps.entries()) {
    call.progress(`Step ${i + 1} of ${steps.length}: ${tool}`);
    const outcome = await runOne(tool, args, results, call);
    if ("problem" in outcome) {
      const stopped = stopText(steps, i, outcome.problem);
      if (i === 0) throw new ToolError(stopped);
      return { steps: shown, stopped };
    }
    results.push(outcome.result);
    if (!quiet) shown.push({ step: i + 1, tool, result: outcome.result });
  }
  return { steps: shown };
}

/** Calls one tool, or tells why it failed. */
async function runOne(
  name: string,
  args: object,
  results: readonly unknown[],
  { tools }: CallInfo,
): Promise<{ readonly result: unknown } | { readonly problem: string }> {
  const filled = fillReferences(args, results);
  if (!filled.ok) return { problem: `It was not called. ${filled.problem}.` };
  try {
    return { result: await tools[name]!(filled.value as Record<string, unknown>) };
  } catch (error) {
    if (isToolError(error)) return { problem: error.message };
    throw error;
  }
}

function stopText(steps: readonly Step[], failed: number, problem: string): string {
  const first = failed + 2;
  const last = steps.length;
  const rest =
    first > last
      ? ""
      : first === last
        ? ` Step ${last} was not run.`
        : ` Steps ${first} to ${last} were not run.`;
  const before = failed === 0 ? "" : failed === 1 ? " Step 1 was." : ` Steps 1 to ${failed} were.`;
  return `Step ${failed + 1} (${steps[failed]!.tool}) failed.${rest}${rest && before}\n${problem}`;
}
