import type { Platform } from "../client/platform.js";
import type { ApiContext, ClientCertificate } from "../request/types.js";

/** Context of authentication: the API, its environment and what the platform can do. */
export interface AuthContext extends ApiContext {
  readonly platform?: Platform;
}

/** A credential in the request itself. */
export interface MessageCredential {
  readonly in: "header" | "query" | "cookie";
  readonly name: string;
  readonly value: string;
  /** Forms in which the API may return the secret. */
  readonly secrets: readonly string[];
}

type Credential =
  | MessageCredential
  | { readonly in: "connection"; readonly tls: ClientCertificate };

export type CredentialResult = { readonly ok: true; readonly credential: Credential } | AuthFailure;

export interface AuthOptions {
  /** Sends requests to token endpoints. */
  readonly fetch?: typeof globalThis.fetch;
  /** Ends the wait of this call. A token request that other calls wait for goes on. */
  readonly signal?: AbortSignal;
}

/** The reason why a request is not sent. It names variables, never their values. */
export interface AuthFailure {
  readonly ok: false;
  readonly message: string;
  /** Alternatives to set, such as `CLINIC_USERNAME and CLINIC_PASSWORD`, if none is complete. */
  readonly missing?: readonly string[];
}
