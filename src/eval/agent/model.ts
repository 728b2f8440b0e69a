/** A language model behind an HTTP API, without the differences between the APIs. */
import type { Inputs } from "../types.js";

/** A tool as a model sees it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A call that a model asks for. */
export interface ModelCall {
  /** Identifies the call in the conversation. */
  readonly id: string;
  readonly name: string;
  readonly input: Inputs;
  /** Reason why the arguments cannot be used. */
  readonly problem?: string;
}

/** Message of a conversation. */
export type Message =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "model"; readonly text: string; readonly calls: readonly ModelCall[] }
  | { readonly role: "results"; readonly results: readonly CallResult[] };

interface CallResult {
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
}

/** One response of a model. */
export interface ModelTurn {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly usage: Usage;
}

/** Tokens, as the API counts them. */
export interface Usage {
  readonly input: number;
  readonly output: number;
}

/** Input of a model in each turn. */
export interface Conversation {
  readonly system: string;
  readonly tools: readonly ModelTool[];
  readonly messages: readonly Message[];
}

/** Sampling of a model. */
export interface ModelSettings {
  readonly name: string;
  readonly temperature?: number;
  /** Most tokens of one response. */
  readonly maxTokens: number;
}

/** The wire format of a provider. */
export interface ModelApi {
  /** Base URL of the provider. */
  readonly baseUrl: string;
  /** Environment variable with the key of the provider. */
  readonly keyVariable: string;
  /** Path below the base URL. */
  readonly path: string;
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  readonly request: (conversation: Conversation, settings: ModelSettings) => unknown;
  /** @throws ModelError if the response has another form */
  readonly response: (body: unknown) => ModelTurn;
}

/** The model could not be asked, or its answer could not be read. The message is a sentence. */
export class ModelError extends Error {
  override readonly name = "ModelError";
}
