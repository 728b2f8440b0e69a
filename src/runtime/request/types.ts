import type { ApiDefinition } from "../api-definition.js";

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

/** The token of one caller, and how it is exchanged. */
export interface CallerExchange {
  /** Verified access token of the caller; empty if it has none. */
  readonly token: string;
  readonly settings: TokenExchangeSettings;
}

/** Exchange of callers' tokens for tokens of the API. RFC 8693. */
export interface TokenExchangeSettings {
  /** Issuer of the callers' tokens. */
  readonly issuer: string;
  /** Token endpoint, instead of that of the issuer's metadata. */
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
  /** Name of the input; empty when it is about no input, such as a missing setting. */
  readonly input: string;
  /** A clause without the name: `is empty; the path needs a value`. It repeats no other value. */
  readonly problem: string;
}

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
}

/** A request with credentials, and every secret in it, for redaction. */
export type AuthResult =
  | {
      readonly ok: true;
      readonly request: BoundRequest;
      readonly secrets: readonly string[];
      readonly credentials: SentCredentials;
      readonly tls?: ClientCertificate;
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
