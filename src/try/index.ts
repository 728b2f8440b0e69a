import {
  documentInputs,
  type MockApi,
  sampleInput,
  type Schema,
  SchemaSet,
  type ContractTool,
} from "../mock/index.js";
import type { PlannedTool, ToolPlan } from "../plan/index.js";
import type { GeneratedFile } from "../render/index.js";
import type { ListedTool, ToolResult, StdioClient } from "./client.js";
import { type Session, startSession } from "./session.js";

export { type ListedTool, ServerExitedError, type StdioClient, type ToolResult } from "./client.js";
export { mockApi, type Session, type SessionOptions, startSession } from "./session.js";

/** One call of a tool and its outcome. */
export interface TestCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Requests to the mock, and its responses. */
  readonly requests: readonly {
    readonly method: string;
    readonly url: string;
    readonly status: number;
    readonly violations: readonly string[];
  }[];
  readonly result: ToolResult;
  /**
   * `unknown` when there is no valid sample input, or when a workflow does not accept the samples
   * of the mock.
   */
  readonly verdict: "works" | "fails" | "unknown";
  /** Reason for the verdict `unknown`. */
  readonly reason?: string;
}

/** Selection of calls, and callbacks. */
interface TryOptions {
  /** Names of the tools to call. Default: all. */
  readonly only?: readonly string[];
  /** Input of the calls instead of sample inputs. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly onStart?: (started: {
    readonly url: string;
    readonly tools: readonly ListedTool[];
  }) => void;
  readonly onCall?: (call: TestCall, done: number, of: number) => void;
  /** Called after one call without required inputs, when every tool is tried. */
  readonly onInvalidCall?: (call: TestCall) => void;
  /** Aborts the run. The temporary folder is removed all the same. */
  readonly signal?: AbortSignal;
}

/** Maximum number of tools for calls with several inputs. More tools are called once each. */
const FULL_TEST_LIMIT = 100;

/**
 * Runs a generated server as a host does, with a mock of its API that rejects undocumented
 * requests, and calls its tools with values from the document. Removes everything it creates.
 * @throws ServerExitedError when the server does not start
 */
export async function tryServer(
  plan: ToolPlan,
  files: readonly GeneratedFile[],
  options: TryOptions = {},
): Promise<readonly TestCall[]> {
  const session = await startSession(plan, files);
  try {
    if (!plan.apis) return await tryApi(session, plan.tools, options);
    const calls: TestCall[] = [];
    // Workflows belong to no API.
    for (const name of [...plan.apis.map((api) => api.name), undefined]) {
      const tools = plan.tools.filter(({ definition }) => definition.api === name);
      const isCalled = ({ definition }: PlannedTool): boolean =>
        options.only?.includes(definition.name) ?? true;
      if (!tools.some(isCalled) || options.signal?.aborted) continue;
      calls.push(...(await tryApi(session, tools, options)));
    }
    return calls;
  } finally {
    await session.close();
  }
}

/** Calls the tools of one API. */
async function tryApi(
  { client, mock, ...session }: Session,
  tools: readonly PlannedTool[],
  options: TryOptions,
): Promise<readonly TestCall[]> {
  const name = tools[0]?.definition.api;
  const names = new Set(tools.map(({ definition }) => definition.name));
  const isOwn = (listed: ListedTool): boolean => name === undefined || names.has(listed.name);
  options.onStart?.({
    url: session.urlOf(name),
    tools: (await client.listTools()).filter(isOwn),
  });
  const requests = () => mock.requests;
  const api = session.apiOf(name);
  const calls = await callAll(client, planCalls(tools, api, options), requests, options);
  const careless =
    options.only || options.input || options.signal?.aborted
      ? undefined
      : tools.find(({ inputs, workflow }) => !workflow && inputs.some(({ required }) => required));
  if (careless)
    await callAll(client, [{ tool: careless, input: {} }], requests, {
      ...(options.onInvalidCall && { onCall: options.onInvalidCall }),
    });
  return calls;
}

interface PlannedCall {
  readonly tool: PlannedTool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly problem?: string;
}

function planCalls(
  tools: readonly PlannedTool[],
  api: MockApi,
  { only, input }: TryOptions,
): readonly PlannedCall[] {
  const schemas = new SchemaSet(api.schemas, "request");
  const selection = only ? tools.filter(({ definition }) => only.includes(definition.name)) : tools;
  return selection.flatMap((tool): readonly PlannedCall[] => {
    if (input) return [{ tool, input }];
    const samples = sampleInputs(tool, api, schemas).map((call) => ({ tool, ...call }));
    return selection.length > FULL_TEST_LIMIT ? samples.slice(0, 1) : samples;
  });
}

function sampleInputs(
  { definition, workflow }: PlannedTool,
  api: MockApi,
  schemas: SchemaSet,
): readonly { readonly input: Readonly<Record<string, unknown>>; readonly problem?: string }[] {
  if (workflow) return [{ input: sampleInput(definition.inputSchema as Schema).full }];
  return documentInputs(definition as ContractTool, api, schemas);
}

async function callAll(
  client: StdioClient,
  calls: readonly PlannedCall[],
  requests: () => readonly {
    readonly method: string;
    readonly url: string;
    readonly status: number;
    readonly violations: readonly { readonly at: string; readonly problem: string }[];
  }[],
  { onCall, signal }: TryOptions,
): Promise<readonly TestCall[]> {
  const results: TestCall[] = [];
  for (const { tool, input, problem } of calls) {
    if (signal?.aborted) break;
    const before = requests().length;
    const result = await client.callTool(tool.definition.name, input);
    const sentRequests = requests()
      .slice(before)
      .map(({ method, url, status, violations }) => ({
        method,
        url,
        status,
        violations: violations.map(({ at, problem: text }) => `${at} ${text}`),
      }));
    const call = {
      tool: tool.definition.name,
      input,
      requests: sentRequests,
      result,
      ...judgeResult(tool, result, problem),
    };
    results.push(call);
    onCall?.(call, results.length, calls.length);
  }
  return results;
}

function judgeResult(
  { workflow }: PlannedTool,
  { isError, text }: ToolResult,
  problem: string | undefined,
): Pick<TestCall, "verdict" | "reason"> {
  if (!isError) return { verdict: "works" };
  if (problem !== undefined) return { verdict: "unknown", reason: problem };
  if (workflow)
    return {
      verdict: "unknown",
      reason:
        `${text.split("\n", 1)[0] as string} ` +
        "The mock's sampled responses do not meet the criteria of its steps.",
    };
  if (text.includes("asks for credentials"))
    return { verdict: "unknown", reason: "it needs credentials without a sample value" };
  return text.startsWith("Not sent: no result of ")
    ? { verdict: "unknown", reason: "it looks up a name that the mock does not have" }
    : { verdict: "fails" };
}
