import type { ApiDefinition } from "../types.js";

/** Environment variables as the process has them. */
export type Env = Readonly<Record<string, string | undefined>>;

/** What every request of a server shares. */
export interface ApiContext {
  readonly api: ApiDefinition;
  readonly env: Env;
  /** What the client of this one call passes on; see `forwardHeaders` of the HTTP settings. */
  readonly forwarded?: readonly ForwardedHeader[];
}

/** A header that a client may send for the API. */
export interface ForwardedHeader {
  /** Its name in the client's request, in lower case. */
  readonly from: string;
  /** Its name in the request to the API. */
  readonly name: string;
  /** Empty: the client did not send it. */
  readonly value: string;
}

/** A complete HTTP request before credentials. */
export interface BoundRequest {
  readonly method: string;
  /** Absolute URL, already encoded; its origin and base path are those of the server. */
  readonly url: string;
  /** In wire order; names as the document writes them. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Uint8Array | string;
}

/** One reason why an input cannot be sent. */
export interface InputProblem {
  /** Name of the input; empty when it is none in particular (a setting is missing). */
  readonly input: string;
  /** A clause without the name: `is empty; the path needs a value`. Repeats no other value. */
  readonly problem: string;
}

export type BindResult =
  | { readonly ok: true; readonly request: BoundRequest }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/** `request` with credentials, and every secret string in it, for redaction. */
export type AuthResult =
  | {
      readonly ok: true;
      readonly request: BoundRequest;
      readonly secrets: readonly string[];
      readonly tls?: ClientCertificate;
    }
  /** `message`: which variables to set, for a person and a model: no values. */
  | { readonly ok: false; readonly message: string };

/**
 * What the connection itself has to present (mutual TLS). PEM text; whoever cannot use it must not
 * send the request.
 */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}
