/** An agent that works on one task: asks the model, calls the tools, until the model is done. */
import type { Session, ToolResult } from "../../try/index.js";
import type { DiscoveryNames } from "../../runtime/discovery/names.js";
import { stepCalls } from "../step-calls.js";
import { unwrapCall } from "../tool-calls.js";
import type { MadeCall, Task } from "../types.js";
import { askModel, type ModelAccess } from "./ask-model.js";
import { formatResult, type Host } from "./host-forms.js";
import { type Message, type ModelCall, ModelError, type ModelTool, type Usage } from "./model.js";

/** Bounds of one attempt. */
export interface AttemptLimits {
  readonly turns: number;
  /** Tokens that are read and written in all. */
  readonly tokens: number;
}

/** Record of one attempt. */
export interface Attempt {
  /** Calls of tools of the API, in order. */
  readonly calls: readonly MadeCall[];
  /** All calls, with what the model read. */
  readonly transcript: readonly TranscriptEntry[];
  /** Final text of the model. */
  readonly answer?: string;
  readonly usage: Usage;
  readonly turns: number;
  /** Reason why it ended without an answer, as a sentence. */
  readonly stopped?: string;
}

export type TranscriptEntry =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "call";
      readonly name: string;
      readonly input: unknown;
      readonly result: string;
      readonly isError: boolean;
    };

/** The server, and how the model sees it. */
export interface AgentSetting {
  readonly session: Session;
  readonly tools: readonly ModelTool[];
  readonly names: DiscoveryNames;
  readonly access: ModelAccess;
  readonly host: Host;
  readonly limits: AttemptLimits;
}

/** Works on a task. A fault of the model's API ends the attempt, with the reason in `stopped`. */
export async function runTask({ say }: Task, setting: AgentSetting): Promise<Attempt> {
  return await new Agent(setting).run(say);
}

class Agent {
  readonly #setting: AgentSetting;
  readonly #messages: Message[] = [];
  readonly #calls: MadeCall[] = [];
  readonly #transcript: TranscriptEntry[] = [];
  #usage: Usage = { input: 0, output: 0 };
  #turns = 0;

  constructor(setting: AgentSetting) {
    this.#setting = setting;
  }

  async run(prompt: string): Promise<Attempt> {
    this.#messages.push({ role: "user", text: prompt });
    try {
      return await this.#loop();
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      return this.#end({ stopped: error.message });
    }
  }

  async #loop(): Promise<Attempt> {
    const { limits } = this.#setting;
    while (this.#turns < limits.turns) {
      if (this.#usage.input + this.#usage.output >= limits.tokens)
        return this.#end({ stopped: `The limit of ${limits.tokens} tokens was reached` });
      const { text, calls } = await this.#ask();
      if (text !== "") this.#transcript.push({ kind: "text", text });
      if (calls.length === 0) return this.#end({ answer: text });
      this.#messages.push({ role: "model", text, calls });
      this.#messages.push({ role: "results", results: await this.#callAll(calls) });
    }
    return this.#end({ stopped: `The limit of ${limits.turns} turns was reached` });
  }

  async #ask() {
    const { access, session, tools } = this.#setting;
    const { instructions: system } = session.client;
    const turn = await askModel(access, { system, tools, messages: this.#messages });
    this.#turns += 1;
    this.#usage = {
      input: this.#usage.input + turn.usage.input,
      output: this.#usage.output + turn.usage.output,
    };
    return turn;
  }

  /** Calls tools one after the other: hosts run calls of one turn in parallel, mocks in any order. */
  async #callAll(calls: readonly ModelCall[]) {
    const results = [];
    for (const call of calls) {
      const { isError, ...result } = await this.#call(call);
      const text = formatResult({ isError, ...result }, this.#setting.host);
      this.#transcript.push({
        kind: "call",
        name: call.name,
        input: call.input,
        result: text,
        isError,
      });
      results.push({ id: call.id, text, isError });
    }
    return results;
  }

  async #call({ name, input, problem }: ModelCall): Promise<ToolResult> {
    const { session, names } = this.#setting;
    const result =
      problem === undefined
        ? await session.client.callTool(name, input)
        : { isError: true, text: problem };
    const { isError, text, structured } = result;
    const steps = stepCalls(name, input, {
      isError,
      result: isError ? text : (structured ?? text),
    });
    const call = steps ? undefined : unwrapCall({ tool: name, input }, names);
    if (steps) this.#calls.push(...steps);
    if (call)
      this.#calls.push({
        ...call,
        isError: result.isError,
        ...(result.isError && { text: result.text }),
      });
    return result;
  }

  #end(end: Pick<Attempt, "answer" | "stopped">): Attempt {
    return {
      ...end,
      calls: this.#calls,
      transcript: this.#transcript,
      usage: this.#usage,
      turns: this.#turns,
    };
  }
}
