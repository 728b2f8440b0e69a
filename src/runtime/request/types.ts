/** Types of a request to the API: its context, the request, its deadline, and its response or failure. */
import type { ApiDefinition } from "../api-definition.js";
import type { OperationBinding, RequestMapping, ToolDefinition, ToolInput } from "../types.js";

/** Environment variables of the process. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Context of every request of a server. */
export interface ApiContext {
  readonly api: ApiDefinition;
  readonly env: Env;
  /** Headers that the client of this call passes on; see `forwardHeaders` of the HTTP settings. */
  readonly forwarded?: readonly ForwardedHeader[];
  /** Present if the tokens of callers are exchanged for those of the API. */
  readonly exchange?: CallerExchange;
}

/** The token of one caller, and the settings of its exchange. */
export interface CallerExchange {
  /** Verified access token of the caller; empty if it has none. */
  readonly token: string;
  readonly settings: TokenExchangeSettings;
}

/** The token of one caller, and the settings of its exchange by the prefix of the API's variables. */
export interface CallerExchanges {
  /** Verified access token of the caller; empty if it has none. */
  readonly token: string;
  readonly settings: ReadonlyMap<string, TokenExchangeSettings>;
}

/** Exchange of callers' tokens for tokens of the API. RFC 8693. */
export interface TokenExchangeSettings {
  /** Issuer of the callers' tokens. */
  readonly issuer: string;
  /** Token endpoint, instead of the one in the issuer's metadata. */
  readonly tokenUrl?: string;
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
  /** Fields of the request: `audience`, `resource`, `scope` and those of the provider. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A header that a client may send for the API. */
export interface ForwardedHeader {
  /** Name in the client's request, in lower case. */
  readonly from: string;
  /** Name in the request to the API. */
  readonly name: string;
  /** Empty when the client did not send it. */
  readonly value: string;
  /** The only API that gets it, in a server of several. */
  readonly api?: string;
}

/** An HTTP request before credentials. */
export interface BoundRequest {
  readonly method: string;
  /** Absolute, encoded URL with the origin and the base path of the server. */
  readonly url: string;
  /** Headers in wire order, with the names of the document. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Uint8Array | string;
}

/** A reason why an input cannot be sent. */
export interface InputProblem {
  /** Name of the input; empty for another problem, such as a missing setting. */
  readonly input: string;
  /** A clause without the name: `is empty; the path needs a value`. It quotes no other value. */
  readonly problem: string;
  /** True if only the document says so, and the API may take the value. */
  readonly isDisputable?: true;
  /** True for an input that is required and not given. */
  readonly isMissing?: true;
  /** True for an object or a list in place of a text, which documents often declare for either. */
  readonly isStructure?: true;
}

/** A request, or all problems of the input that prevent it. */
export type BindResult =
  | { readonly ok: true; readonly request: BoundRequest }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/** Sources of the credentials of a request, without their values. */
export interface SentCredentials {
  /** Environment variables of this server. */
  readonly variables: readonly string[];
  /** Headers of the client that were passed on, under its names. */
  readonly headers: readonly string[];
  /** Scopes that the request requires and the sign-in of the user was not granted. */
  readonly missingScopes?: readonly string[];
  /** True if the rejected token was dropped, so that the next call is sent with another. */
  readonly isTokenDropped?: boolean;
  /** True if the `Authorization` header has one word: a key without a scheme such as `Bearer`. */
  readonly hasBareAuthorization?: boolean;
}

/** Successes of earlier calls, as evidence about the settings of a call. */
export interface EarlierSuccesses {
  /** True if a call with the same base URL has succeeded. */
  isBaseUrlRight(): boolean;
  /** True if a call with the same credentials has succeeded at the same origin. */
  haveSucceeded(credentials: SentCredentials): boolean;
  /**
   * True if a call has succeeded whose path is the same up to this input, or that listed the item
   * of this path, or an item with this value as the ID that the name of the input means.
   */
  hasAccepted(input: string, value?: unknown): boolean;
  /** Name of the tool that has deleted the item of the path up to this input. */
  deletedBy(pathInput: string): string | undefined;
  /** True if a call of the same operation has succeeded. */
  hasOperation(): boolean;
  /** True if the same request of this caller has failed with this status, and has not succeeded since. */
  hasFailed(status: number): boolean;
}

/** A request with credentials, and every secret in it, for redaction. */
export type AuthResult =
  | {
      readonly ok: true;
      readonly request: BoundRequest;
      readonly secrets: readonly string[];
      readonly credentials: SentCredentials;
      /** Present for a credential that the request itself does not carry. */
      readonly wrapSend?: WrapSend;
    }
  /** Names the variables to set. It has no values. */
  | { readonly ok: false; readonly message: string };

/**
 * Client certificate of the connection (mutual TLS), as PEM text. A client that cannot present it
 * must not send the request.
 */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Sends one request, without following redirects, and marks the deadline when the API may have seen
 * it.
 * @throws an error with a code of the client; any error once the deadline has expired
 */
export type SendFunction = (request: BoundRequest, options: SendOptions) => Promise<HttpResponse>;

/** Adds the credential of a connection, or the answer to a challenge, to what is sent. */
export type WrapSend = (send: SendFunction) => SendFunction;

interface SendOptions {
  /** Aborts the request and the reading of its response. */
  readonly deadline: Deadline;
  /** A second request does no harm. */
  readonly isRepeatable: boolean;
  /** Client certificate of the connection (mutual TLS). */
  readonly tls?: ClientCertificate;
}

/** A response with an unread body. It must be collected, drained or discarded. */
export interface HttpResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: ResponseHeaders;
  /** False after HEAD, and with 204, 205 and 304. */
  readonly hasBody: boolean;
  /**
   * Reads the body without its content codings. Beyond `limit` bytes, the connection is closed.
   * @param acceptsPart resolve with what has been read when the deadline expires, instead of
   *   rejecting
   */
  collect(limit: number, acceptsPart?: boolean): Promise<CollectedBody>;
  /** Skips the body, so that the connection can be reused if that costs little. */
  drain(limit: number): Promise<void>;
  /** Skips the body and closes the connection. */
  discard(): void;
}

/** Chunks of a body that was read. */
export interface CollectedBody {
  readonly chunks: readonly Uint8Array[];
  /** Size of all chunks in bytes. */
  readonly size: number;
  /** Present if the deadline expired before the end of the body. */
  readonly isPart?: true;
}

/**
 * The part of `Headers` (Fetch Standard) that the runtime uses. Node loads its whole `fetch` for
 * the first `Headers`.
 */
export interface ResponseHeaders extends Iterable<[string, string]> {
  /** Values of the same name, joined by commas. */
  get(name: string): string | null;
  has(name: string): boolean;
  getSetCookie(): string[];
}

/** UTF-8 text, which is the cheapest to read, or bytes of any other content. */
export type Body = string | Uint8Array;

/** A response with its body. */
export interface ApiResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: ResponseHeaders;
  /** Without its content codings. */
  readonly body: Body;
  /** Size of the decoded body in bytes. */
  readonly size: number;
  /** Present if the body is the beginning of a stream. */
  readonly cut?: BodyCut;
}

/** The reason why only the beginning of a stream was read. */
export type BodyCut =
  | { readonly kind: "deadline"; readonly afterMs: number }
  /** `limit` in bytes. */
  | { readonly kind: "size"; readonly limit: number };

/** True if the status is one of success (2xx). */
export function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}

/**
 * A call that ended without a result. Failures are values, not exceptions; errors/ has their texts
 * for agents. `sent` is true if the API may have received the request.
 */
export type Failure =
  /** Credentials are missing. `message` names the variables to set. */
  | { readonly kind: "credentials"; readonly message: string }
  /** The API responded with an error status. */
  | { readonly kind: "status"; readonly response: ApiResponse }
  /** The API responded with a success status and an error in the body. */
  | { readonly kind: "refused"; readonly response: ApiResponse; readonly value: unknown }
  /**
   * The API responded with a success status, but the body breaks its description. `excerpt` is the
   * start of the body; `shown` is true if the result has the whole body.
   */
  | {
      readonly kind: "unusable";
      readonly response: ApiResponse;
      readonly reason: string;
      readonly excerpt?: string;
      readonly shown?: boolean;
    }
  | { readonly kind: "tooLarge"; readonly limit: number }
  | { readonly kind: "timeout"; readonly afterMs: number; readonly sent: boolean }
  /** The client cancelled the call. */
  | { readonly kind: "cancelled" }
  /** The server stopped before the call had ended. */
  | { readonly kind: "interrupted"; readonly sent: boolean }
  /**
   * No response: name resolution, connection, TLS or invalid HTTP. `permanent` if a retry fails the
   * same way.
   */
  | {
      readonly kind: "connection";
      readonly cause: string;
      readonly sent: boolean;
      readonly permanent: boolean;
    }
  | { readonly kind: "redirect"; readonly cause: string }
  /**
   * The request was not sent: too many others wait, or its turn would come too late. `expectedMs`
   * is the time until the next request would have its turn, 0 if that is unknown.
   */
  | { readonly kind: "busy"; readonly waitedMs: number; readonly expectedMs: number }
  /**
   * The request was not sent, because the host of the API does not work: so many requests in a row
   * have failed, the latest with a status or a cause. `waitMs` is the time until one is sent.
   */
  | {
      readonly kind: "unavailable";
      readonly origin: string;
      readonly failures: number;
      readonly waitMs: number;
      readonly status?: number;
      readonly cause?: string;
    };

/** True if a value is a failure rather than a response. */
export function isFailure(outcome: ApiResponse | Failure): outcome is Failure {
  return "kind" in outcome;
}

/** The value of a header, whose name has no case. RFC 9110, section 5.1. */
export function headerIn(headers: BoundRequest["headers"], name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1];
}

/** Time that a call may still spend waiting before retries, for all of its requests together. */
export interface RetryWait {
  remainingMs: number;
}

/** The end of a call: by the clock, by its client or by the shutdown of the server. */
export interface Deadline {
  /** The reason, once the call must end. */
  readonly expired: Failure | undefined;
  /**
   * Aborted at the end, with the failure as its reason. Created on first use, because most calls
   * need none.
   */
  readonly signal: AbortSignal;
  /** True if the API may have seen the request. */
  readonly sent: boolean;
  readonly retryWait: RetryWait;
  /** Milliseconds until the deadline. */
  remainingMs(): number;
  /** Moves the end, for time that the call does not wait for one of its own requests. */
  extend(ms: number): void;
  /** Notes that the request is about to be written to a connection. */
  markSent(): void;
  /** Ends the call, because the server stops. */
  interrupt(): void;
  /**
   * Sets the one listener for the end of the call, or removes it. It is called at once if the call
   * must end already. A call has one wait at a time, and an abort listener costs more than the rest
   * of it.
   */
  onExpire(listener: (() => void) | undefined): void;
  /** Stops the clock. To be called at the end of the call. */
  dispose(): void;
}

/** Outcome of one authenticated request. */
export interface RequestOutcome {
  readonly response: ApiResponse | Failure;
  /** Credentials that were sent. They must not leave the server. */
  readonly secrets: readonly string[];
  /** Sources of the credentials. Absent if nothing was sent. */
  readonly credentials?: SentCredentials;
  readonly retries: number;
}

/**
 * A `CallToolResult` of the SDK. Its type is not imported, because the types of the generator reach
 * this file, and users of the generator need not have the SDK.
 */
export interface NestedResult {
  readonly content: readonly { readonly type: string; readonly text?: unknown }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** A tool call with the request that it sends. */
export interface ApiCall {
  readonly api: ApiDefinition;
  readonly tool: ToolDefinition;
  /** True if the tool calls several APIs, so that messages name the one of the request. */
  readonly isOfSeveral?: true;
  readonly input: ToolInput;
  readonly mapping: RequestMapping;
  /** Reads the thing that the request would change or remove. Absent if nothing reads it. */
  readThing?(): Promise<NestedResult | undefined>;
  /** Sends the request as a dry run of the API. Absent if the API has none. */
  previewWrite?(): Promise<NestedResult | undefined>;
  /** True if the request only reads, although its tool may write. */
  readonly onlyReads?: true;
  /** Documented meanings of statuses; see `documentedStatus`. */
  readonly statuses?: OperationBinding["statuses"];
  /** The request without credentials. */
  readonly request: BoundRequest;
  /** Identity of the caller. Absent: the only one. */
  readonly caller?: string;
  /** The request of the same call that the API rejected before it had any effect. */
  readonly rejected?: ApiCall;
  /** Sources of the credentials that were sent. Absent before the request was sent. */
  readonly credentials?: SentCredentials;
  /** Finds an offered tool. */
  readonly findTool: FindTool;
  /** True if another operation of the tool serves the input without one part of it. */
  servesWithout?(input: string): boolean;
  /** Absent where successes are not recorded. */
  readonly earlier?: EarlierSuccesses;
  /** Inputs with IDs that the call found by names in a list. */
  readonly foundInputs?: readonly string[];
  /** True if a later call may have what the API demands against its document. */
  readonly isCorrectable?: true;
}

/** The part of a tool that decides whether it can be called. */
export type CallableTool = Pick<ToolDefinition, "name" | "inputSchema"> &
  Partial<Pick<ToolDefinition, "producers" | "operations" | "annotations">>;

/** Finds an offered tool by its name. */
export type FindTool = (name: string) => CallableTool | undefined;
