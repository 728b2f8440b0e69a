/** Tasks of `eval.yaml`. `mcp-gen-eval.schema.json` describes them, and validates the file. */

/** A task: what a user says, and the calls that solve it. */
export interface Task {
  readonly say: string;
  readonly expect: readonly ExpectedCall[];
  readonly ordered?: boolean;
  /** Names of tools, in which `*` stands for any characters. */
  readonly never?: readonly string[];
  readonly answer?: string;
  readonly given?: readonly GivenResponse[];
  readonly then?: readonly ExpectedRequest[];
}

/** A call that a task needs. Inputs that are not in `with` do not matter. */
export interface ExpectedCall {
  readonly tool: string;
  readonly with?: Inputs;
  /** True, or a text of the error, if the call must fail. */
  readonly fails?: boolean | string;
  /** Other calls that do as well. */
  readonly or?: readonly ExpectedCall[];
}

export type Inputs = Readonly<Record<string, unknown>>;

/** A response of the mock in place of the documented one. */
export interface GivenResponse {
  readonly request: string;
  readonly status?: number;
  readonly body?: unknown;
  readonly times?: number;
}

/** A request that the mock must have received. */
export interface ExpectedRequest {
  readonly request: string;
  readonly body?: unknown;
  readonly times?: number;
}

/**
 * A call of a tool of the API. Calls through `call_tool` count as calls of the tool that they name,
 * and steps of `run_reads` as calls of their own.
 */
export interface MadeCall {
  readonly tool: string;
  readonly input: Inputs;
  readonly isError: boolean;
  /** Text of an error. */
  readonly text?: string;
}

/** A call and the others that do as well. */
export function alternativesOf(call: ExpectedCall): readonly ExpectedCall[] {
  return [call, ...(call.or ?? []).flatMap(alternativesOf)];
}
