/** The part of `mcp-gen eval` that needs no model. */
import { suggestionFor, toSingleLine } from "../diagnostics/index.js";
import { isObject } from "../json.js";
import type { MockApi } from "../mock/index.js";
import type { PlannedTool, ToolPlan } from "../plan/types.js";
import type { GeneratedFile } from "../render/index.js";
import type { DiscoveryNames } from "../runtime/discovery/names.js";
import { validateInput } from "../runtime/tools/validate-input.js";
import { type Session, startSession } from "../try/index.js";
import { completeInput, needsSource } from "./call-inputs.js";
import { containsText, isOpen, matchesGlob } from "./match-value.js";
import { createResponder, findRequestProblems, parseRequestPattern } from "./mock-state.js";
import { isKnown, type Knowledge } from "./sources.js";
import { discoveryNamesOf } from "./tool-calls.js";
import { alternativesOf, type ExpectedCall, type Inputs, type Task } from "./types.js";

/** Result of the checks of a task without a model. */
export interface TaskCheck {
  readonly task: Task;
  /** Reasons why no agent can solve it as it stands, as sentences. */
  readonly problems: readonly string[];
  /** Observations that may be right, and are worth a look. */
  readonly notes: readonly string[];
  /**
   * Place of each expected tool, or of the first other that does as well, in the answer of the
   * search to the prompt; absent if not in it.
   */
  readonly ranks: readonly { readonly tool: string; readonly rank?: number }[];
}

/** Characters of an error that a problem quotes. */
const MAX_QUOTED = 400;

/**
 * Checks tasks against a server and a mock of its API: the expected calls are valid and succeed,
 * agents can know their IDs, and the search finds their tools.
 * @throws ServerExitedError when the server does not start
 */
export async function checkTasks(
  tasks: readonly Task[],
  plan: ToolPlan,
  files: readonly GeneratedFile[],
  onTask?: (check: TaskCheck) => void,
): Promise<readonly TaskCheck[]> {
  let respond: ReturnType<typeof createResponder> = () => undefined;
  // This mode has the search, and calls any tool.
  const session = await startSession(plan, files, {
    mode: "discovery",
    respond: (request) => respond(request),
  });
  try {
    const checks: TaskCheck[] = [];
    for (const task of tasks) {
      respond = createResponder(task.given ?? []);
      const check = await new TaskChecker(task, plan, session).check();
      checks.push(check);
      onTask?.(check);
    }
    return checks;
  } finally {
    await session.close();
  }
}

class TaskChecker {
  readonly #task: Task;
  readonly #plan: ToolPlan;
  readonly #session: Session;
  readonly #names: DiscoveryNames;
  readonly #problems: string[] = [];
  readonly #notes: string[] = [];
  readonly #results: unknown[] = [];
  /** Names of the tools that were called. */
  readonly #called: string[] = [];

  constructor(task: Task, plan: ToolPlan, session: Session) {
    this.#task = task;
    this.#plan = plan;
    this.#session = session;
    this.#names = discoveryNamesOf(plan);
  }

  async check(): Promise<TaskCheck> {
    const task = this.#task;
    this.#checkPatterns();
    const before = this.#session.mock.requests.length;
    for (const call of task.expect) await this.#checkCall(call);
    if (this.#problems.length === 0)
      this.#problems.push(
        ...findRequestProblems(task.then ?? [], this.#session.mock.requests.slice(before)),
      );
    const ranks = await this.#rank();
    this.#checkRanks(ranks);
    return { task, problems: this.#problems, notes: this.#notes, ranks };
  }

  /** Checks names of tools and requests that the task only mentions. */
  #checkPatterns(): void {
    const { never = [], given = [], then = [], expect } = this.#task;
    const names = this.#plan.tools.map(({ definition }) => definition.name);
    for (const glob of never) {
      if (expect.flatMap(alternativesOf).some(({ tool }) => matchesGlob(glob, tool)))
        this.#problems.push(`never: ${glob} forbids an expected tool`);
      else if (!names.some((name) => matchesGlob(glob, name)))
        this.#notes.push(`never: no tool is called ${glob}${suggestionFor(glob, names)}`);
    }
    for (const { request } of [...given, ...then])
      if (!parseRequestPattern(request))
        this.#problems.push(`${request} is not a request: write it as GET /pets/pet_1`);
  }

  /** Makes a call; other calls that do as well only have to exist. */
  async #checkCall(call: ExpectedCall): Promise<void> {
    const tools = alternativesOf(call).map((one) => this.#findTool(one));
    const [tool] = tools;
    if (!tool || tools.includes(undefined)) return;
    const input = completeInput(tool, call.with ?? {}, this.#apiOf(tool));
    this.#checkSources(tool, call.with ?? {}, input);
    // A task may expect that the server itself refuses a call.
    if (call.fails || this.#isValid(tool, input)) await this.#call(call, input);
    this.#called.push(call.tool);
  }

  /** The tool of a call; undefined after a problem with its name or the names of its inputs. */
  #findTool(call: ExpectedCall): PlannedTool | undefined {
    const tool = this.#plan.tools.find(({ definition }) => definition.name === call.tool);
    if (!tool) {
      const names = this.#plan.tools.map(({ definition }) => definition.name);
      this.#problems.push(`There is no tool ${call.tool}${suggestionFor(call.tool, names)}`);
      return undefined;
    }
    const unknown = Object.keys(call.with ?? {}).filter((name) => !isInput(tool, name));
    const inputNames = tool.inputs.map(({ name }) => name);
    for (const name of unknown)
      this.#problems.push(`${call.tool} has no input ${name}${suggestionFor(name, inputNames)}`);
    return unknown.length > 0 ? undefined : tool;
  }

  #apiOf({ definition }: PlannedTool): MockApi {
    return this.#session.apiOf(definition.api);
  }

  #isValid({ definition }: PlannedTool, input: Inputs): boolean {
    const validated = validateInput(definition.inputSchema, input, { allowIdentifiers: true });
    if (validated.ok) return true;
    for (const { input: name, problem } of validated.problems)
      this.#problems.push(`${definition.name}: ${name === "" ? "" : `${name} `}${problem}`);
    return false;
  }

  async #call({ tool, fails = false }: ExpectedCall, input: Inputs): Promise<void> {
    const { client, mock } = this.#session;
    const before = mock.requests.length;
    const { isError, text, structured } = await client.callTool(this.#names.call, {
      name: tool,
      arguments: input,
    });
    this.#results.push(structured ?? text);
    const call = `${tool} with ${JSON.stringify(input)}`;
    if (!isError && fails !== false)
      this.#problems.push(`${call} succeeded. Let the API refuse it with given`);
    if (!isError || fails === true || (fails !== false && containsText(fails, text))) return;
    const violations = mock.requests.slice(before).flatMap((request) => request.violations);
    const reason = violations.map(({ at, problem }) => `${at} ${problem}`).join("; ");
    const message = reason || toSingleLine(text).slice(0, MAX_QUOTED);
    this.#problems.push(
      fails === false
        ? `${tool} failed with ${JSON.stringify(input)}: ${message}`
        : `${call} did not fail with ${JSON.stringify(fails)}, but: ${message}`,
    );
  }

  /** Reports IDs that an agent cannot know, and notes other values that the prompt does not have. */
  #checkSources(tool: PlannedTool, expected: Inputs, input: Inputs): void {
    const knowledge: Knowledge = { prompt: this.#task.say, results: this.#results };
    for (const { name, required, producers = [] } of tool.inputs) {
      const value = expected[name];
      if (producers.length === 0) {
        if (value !== undefined && !isOpen(value) && !isObject(value) && !isKnown(value, knowledge))
          this.#notes.push(`${tool.definition.name}: ${name} is not in the words of the user`);
        if (value === undefined && required && needsSource(tool, name))
          this.#problems.push(
            `${tool.definition.name} needs ${name}, which no tool returns. Put it into say and with`,
          );
        continue;
      }
      const isGiven = value !== undefined && !isOpen(value);
      if (isGiven ? isKnown(value, knowledge) : !required && value === undefined) continue;
      if (!isGiven && producers.some((producer) => this.#called.includes(producer))) continue;
      this.#problems.push(
        isGiven
          ? `${tool.definition.name}: no agent can know ${name} ${JSON.stringify(input[name])}. ` +
              "Put it into say, or into a result with given"
          : `${tool.definition.name} needs ${name}. Expect a call of ${producers.join(" or ")} ` +
              "before, or give it in with",
      );
    }
  }

  /** Reports tools that agents cannot see, because the server lists few tools and the search misses them. */
  #checkRanks(ranks: TaskCheck["ranks"]): void {
    const { mode, listed } = this.#plan.budget;
    if (mode === "tools") return;
    for (const { tool, rank } of ranks)
      if (rank === undefined && !listed.includes(tool))
        this.#problems.push(`The search does not find ${tool} for the words of the user`);
  }

  /** Places of the expected tools in one answer of the search to the prompt. */
  async #rank(): Promise<TaskCheck["ranks"]> {
    const { client } = this.#session;
    const { structured } = await client.callTool(this.#names.search, { query: this.#task.say });
    const found = isObject(structured) && Array.isArray(structured.tools) ? structured.tools : [];
    const names = (found as readonly { readonly name: string }[]).map(({ name }) => name);
    const choices = new Map(this.#task.expect.map((call) => [call.tool, alternativesOf(call)]));
    return [...choices].map(([tool, alternatives]) => {
      const at = names.findIndex((name) => alternatives.some((one) => one.tool === name));
      return at < 0 ? { tool } : { tool: names[at] as string, rank: at + 1 };
    });
  }
}

function isInput({ definition }: PlannedTool, name: string): boolean {
  const { properties = {}, additionalProperties } = definition.inputSchema as {
    readonly properties?: object;
    readonly additionalProperties?: unknown;
  };
  // Without the keyword, further inputs are accepted, but no agent can know of them.
  const isOffered = additionalProperties === true || isObject(additionalProperties);
  return Object.hasOwn(properties, name) || isOffered;
}

/** The words of a task in one line, shortened. */
export function titleOf({ say }: Task, maxLength = 70): string {
  const line = toSingleLine(say);
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1)}…`;
}
