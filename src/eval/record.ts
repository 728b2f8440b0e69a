/** The calls of a conversation as a task: reads the messages between a host and a server. */
import { isObject } from "../json.js";
import { isSecretConstant, isSecretName } from "../plan/secret-names.js";
import { stepCalls } from "./step-calls.js";
import type { ExpectedCall, Inputs } from "./types.js";

/** Names of discovery tools: `search_tools`, `shop_call_read_tool`, `describe_api_tools_2`. */
const SEARCHES = /(?:^|_)(?:search|describe)_(?:api_)?tools(?:_\d+)?$/;
const CALLERS = /(?:^|_)call_(?:read_)?(?:api_)?tool(?:_\d+)?$/;

/** Collects successful calls from JSON-RPC messages. */
export class CallRecorder {
  readonly #pending = new Map<unknown, { readonly name: string; readonly input: Inputs }>();
  readonly #calls: ExpectedCall[] = [];

  /** Successful calls in order. Values of secret inputs are open (`*`). */
  get calls(): readonly ExpectedCall[] {
    return this.#calls;
  }

  /** Reads a message of the host. */
  request(line: string): void {
    const message = parse(line);
    if (message?.method !== "tools/call" || !isObject(message.params)) return;
    const { name, arguments: input } = message.params;
    this.#pending.set(message.id, { name: String(name), input: isObject(input) ? input : {} });
  }

  /** Reads a message of the server. */
  response(line: string): void {
    const message = parse(line);
    const call = message && this.#pending.get(message.id);
    if (!call) return;
    this.#pending.delete(message.id);
    if (!isObject(message.result) || !isDone(message.result)) return;
    this.#calls.push(...callsOf(call.name, call.input, message.result));
  }
}

/** The successful calls of the API's tools that a successful call made. */
function callsOf(
  name: string,
  input: Inputs,
  { structuredContent: result }: Readonly<Record<string, unknown>>,
): readonly ExpectedCall[] {
  const steps = stepCalls(name, input, { isError: false, result });
  if (steps) return steps.flatMap((step) => (step.isError ? [] : [toCall(step.tool, step.input)]));
  const call = unwrapLoggedCall(name, input);
  return call ? [toCall(call.tool, call.input)] : [];
}

/** False for an error, and for a question to the user, after which the call is repeated. */
function isDone({ isError, resultType }: Readonly<Record<string, unknown>>): boolean {
  return isError !== true && resultType !== "input_required";
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return isObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The tool of the API that a call of any server is about, by the name of the called tool alone.
 * @returns undefined for a call that searches or describes tools
 */
export function unwrapLoggedCall(
  name: string,
  input: Inputs,
): { readonly tool: string; readonly input: Inputs } | undefined {
  if (SEARCHES.test(name)) return undefined;
  if (!CALLERS.test(name)) return { tool: name, input };
  const { arguments: given } = input;
  const args = typeof given === "string" ? parse(given) : given;
  return { tool: String(input.name), input: isObject(args) ? args : {} };
}

function toCall(tool: string, input: Inputs): ExpectedCall {
  const given = Object.entries(input).map(([key, value]) => [key, hideSecrets(key, value)]);
  return { tool, ...(given.length > 0 && { with: Object.fromEntries(given) as Inputs }) };
}

/** Opens the values of secrets, also inside other values. */
function hideSecrets(key: string, value: unknown): unknown {
  if (isSecretName(key) || (typeof value === "string" && isSecretConstant("", value))) return "*";
  if (Array.isArray(value)) return value.map((item) => hideSecrets("", item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, hideSecrets(name, part)]),
  );
}
