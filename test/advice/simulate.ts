import { sampleInput } from "../../src/mock/index.js";
import type { ToolPlan } from "../../src/plan/types.js";
import { sampleEnvironment } from "../../src/render/views/tools.js";
import type { SendFunction } from "../../src/runtime/request/types.js";
import { callTool, createServerContext, type ServerContext } from "../../src/runtime/index.js";
import type { ToolDefinition, ToolInput } from "../../src/runtime/types.js";
import { validateInput } from "../../src/runtime/tools/validate-input.js";
import { textOf } from "../runtime/support/clinic.js";
import { type Advice, parseAdvice, type Step } from "./parse-advice.js";

/** Statuses that every call is answered with; `timeout` is an API that does not answer. */
export const failures = [400, 401, 403, 404, 409, 422, 429, 500, "timeout"] as const;
type ApiFailure = (typeof failures)[number];

/** Figures of one document, and every false advice. */
export interface Simulation {
  tools: number;
  /** First calls: operations of tools × failures. */
  cases: number;
  /** Calls in all, with those that advice led to. */
  calls: number;
  /** First calls that the sampled input did not allow. */
  unsent: number;
  readonly findings: string[];
}

/** Maximum number of calls that follow each other. */
const MAX_CHAIN = 8;

/** Answers every request with one failure, which a test can change between calls. */
function createFailingApi(): { failure: ApiFailure; readonly send: SendFunction } {
  const api: ReturnType<typeof createFailingApi> = {
    failure: 400,
    send: async (_, { deadline }) => {
      const { failure } = api;
      if (failure === "timeout") {
        deadline.markSent();
        await new Promise((resolve) => deadline.onExpire(() => resolve(undefined)));
        throw new Error("expired");
      }
      // A 422 without a word.
      const body = new TextEncoder().encode(failure === 422 ? "" : '{"message":"no"}');
      return {
        status: failure,
        statusText: "",
        headers: new Headers({ "content-type": "application/json" }),
        hasBody: true,
        collect: () => Promise.resolve({ chunks: [body], size: body.byteLength }),
        drain: () => Promise.resolve(),
        discard: () => undefined,
      };
    },
  };
  return api;
}

/**
 * Calls every operation of every tool against an API that fails in every way, and follows the
 * advice literally. A finding is advice that names what does not exist, cannot be followed, leads
 * in a circle, or leads nowhere.
 */
export async function simulateAdvice(plan: ToolPlan): Promise<Simulation> {
  const failing = createFailingApi();
  const [server, impatient] = ["30000", "2"].map((ms) => createServer(plan, failing.send, ms));
  const simulation = { tools: 0, cases: 0, calls: 0, unsent: 0, findings: [] };
  const walk = new Walk(server!, plan, simulation);
  const impatientWalk = new Walk(impatient!, plan, simulation);
  for (const { definition, workflow } of plan.tools) {
    if (workflow) continue;
    simulation.tools++;
    for (const input of inputsOf(definition)) {
      for (const failure of failures) {
        failing.failure = failure;
        const agent = failure === "timeout" ? impatientWalk : walk;
        await agent.start(definition, input, failure);
      }
    }
  }
  return simulation;
}

function createServer(plan: ToolPlan, send: SendFunction, timeoutMs: string): ServerContext {
  const created = createServerContext({
    api: plan.api,
    tools: plan.tools.map(({ definition }) => definition),
    env: { ...environmentOf(plan), [`${plan.api.envPrefix}_TIMEOUT_MS`]: timeoutMs },
    platform: { send },
    write: () => undefined,
  });
  if (!created.ok) throw new Error(created.problems.join(" "));
  return created.context;
}

function environmentOf(plan: ToolPlan): Record<string, string> {
  const { envPrefix: prefix } = plan.api;
  return {
    ...Object.fromEntries(Object.keys(sampleEnvironment(plan)).map((name) => [name, "made-up"])),
    LOG_LEVEL: "silent",
    [`${prefix}_BASE_URL`]: "http://api.example",
    [`${prefix}_MAX_RETRY_WAIT_MS`]: "0",
  };
}

/** One input for every operation of a tool: what it requires, and what selects the operation. */
function inputsOf({ inputSchema, operations }: ToolDefinition): readonly ToolInput[] {
  const { minimal, full } = sampleInput(inputSchema);
  return operations.map(({ whenProvided }) => ({
    ...minimal,
    ...Object.fromEntries(whenProvided.map((name) => [name, full[name]])),
  }));
}

/** An agent that does what it reads, and nothing else. */
class Walk {
  private readonly definitions: ReadonlyMap<string, ToolDefinition>;

  constructor(
    private readonly server: ServerContext,
    private readonly plan: ToolPlan,
    private readonly simulation: Simulation,
  ) {
    this.definitions = new Map(plan.tools.map(({ definition }) => [definition.name, definition]));
  }

  /** Starts with the input, or with every input where the tool does not accept it. */
  async start(
    { name, inputSchema }: ToolDefinition,
    input: ToolInput,
    failure: ApiFailure,
  ): Promise<void> {
    this.simulation.cases++;
    const path = `${name} ${failure}`;
    if (await this.follow(name, input, [], path)) return;
    if (!(await this.follow(name, sampleInput(inputSchema).full, [], path)))
      this.simulation.unsent++;
  }

  /**
   * Calls a tool and follows its advice.
   * @param before earlier calls of the chain, the first one first
   * @returns false if the first call was not sent
   */
  private async follow(
    tool: string,
    input: ToolInput,
    before: readonly string[],
    path: string,
  ): Promise<boolean> {
    const key = `${tool} ${JSON.stringify(input)}`;
    const repetitions = before.filter((call) => call === key).length;
    if (repetitions > 1 || before.length > MAX_CHAIN) return this.report("loop", path, key);
    this.simulation.calls++;
    const text = textOf(await callTool(this.server, this.server.tools.find(tool), input));
    if (text.startsWith("Not sent"))
      return before.length > 0 && this.report("cannot be called", path, text);
    const advice = parseAdvice(text);
    this.check(tool, advice, path, text);
    // A second failure ends the attempts, as the advice says.
    const isRepeated = repetitions > 0 && /If it fails again, tell the user/.test(text);
    if (isRepeated) return true;
    for (const step of advice.steps)
      for (const next of this.nextCalls(step, tool, input))
        await this.follow(next.tool, next.input, [...before, key], `${path} > ${next.tool}`);
    return true;
  }

  private nextCalls(
    step: Step,
    tool: string,
    input: ToolInput,
  ): readonly { readonly tool: string; readonly input: ToolInput }[] {
    switch (step.kind) {
      case "retry":
        return [{ tool: step.tool, input }];
      case "omit":
        return [{ tool, input: without(input, step.input) }];
      case "get":
        return step.tools.map((name) => this.prepare(name, without(input, step.input)));
      case "read":
        return [this.prepare(step.tool, input)];
      case "change":
        return [];
    }
  }

  /** The input of another tool: what the agent has, and values that it can choose or obtain. */
  private prepare(
    name: string,
    given: ToolInput,
  ): { readonly tool: string; readonly input: ToolInput } {
    const definition = this.definitions.get(name);
    if (!definition) return { tool: name, input: {} };
    const [smallest = {}] = inputsOf(definition).toSorted(
      (one, other) => Object.keys(one).length - Object.keys(other).length,
    );
    const shared = Object.entries(given).filter(
      ([input, value]) => Object.hasOwn(smallest, input) && typeof value !== "object",
    );
    const input = { ...smallest, ...Object.fromEntries(shared) };
    // A sampled value of one tool may have another form than the other tool requires.
    return {
      tool: name,
      input: validateInput(definition.inputSchema, input).ok ? input : smallest,
    };
  }

  private check(tool: string, advice: Advice, path: string, text: string): void {
    for (const name of advice.tools)
      if (!this.definitions.has(name)) this.report("unknown tool", path, `${name}: ${text}`);
    for (const name of advice.variables)
      if (!this.isVariable(name)) this.report("unknown variable", path, `${name}: ${text}`);
    const properties = this.propertiesOf(tool);
    for (const input of advice.steps.flatMap(inputsOfStep))
      if (!properties.has(input)) this.report("unknown input", path, `${input}: ${text}`);
    if (advice.steps.length === 0 && !advice.isFinal) this.report("no advice", path, text);
  }

  private isVariable(name: string): boolean {
    const { environment, api } = this.plan;
    return environment.some((one) => one.name === name) || name.startsWith(`${api.envPrefix}_`);
  }

  private propertiesOf(tool: string): ReadonlySet<string> {
    const definition = this.definitions.get(tool);
    return new Set(Object.keys((definition?.inputSchema["properties"] ?? {}) as object));
  }

  private report(kind: string, path: string, detail: string): true {
    this.simulation.findings.push(`${kind}: ${path}: ${detail}`);
    return true;
  }
}

function inputsOfStep(step: Step): readonly string[] {
  if (step.kind === "change") return step.inputs.map((name) => name.split(/[.[]/)[0] ?? "");
  return step.kind === "get" || step.kind === "omit" ? [step.input] : [];
}

function without(input: ToolInput, name: string): ToolInput {
  return Object.fromEntries(Object.entries(input).filter(([key]) => key !== name));
}
