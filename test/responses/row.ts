import type { Endpoint } from "./snippets.js";

/** A response as a server sent it, shortened, with the values of its names. */
export interface RealResponse {
  readonly status: number;
  /** A text or bytes as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The response goes on: the connection stays open after these bytes. */
  readonly open?: true;
  /** The connection breaks after these bytes. */
  readonly broken?: true;
}

/** One exchange, and what an agent must read of it in either form of the result. */
export interface ResponseRow {
  /** The server that sent it, and the event. */
  readonly name: string;
  /** The operation of the response, and others of the same document. */
  readonly endpoint: Endpoint;
  readonly others?: readonly Endpoint[];
  readonly input?: Readonly<Record<string, unknown>>;
  /** Environment variables, without their prefix. */
  readonly env?: Readonly<Record<string, string>>;
  readonly response: RealResponse;
  /** The result is an error. Absent: a success. */
  readonly fails?: true;
  /** Facts besides the values of the body. */
  readonly says?: readonly (string | RegExp)[];
  /** Sentences that are false here, besides those that are always false. */
  readonly never?: readonly RegExp[];
  /** The body is too large for a result, or is no text: its values are not all expected. */
  readonly partial?: true;
  /** The JSON body of the request. */
  readonly sends?: unknown;
  /** Number of requests, if the API must be called more or less than once. */
  readonly requests?: number;
}
