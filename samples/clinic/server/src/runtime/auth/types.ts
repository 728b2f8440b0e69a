import type { Platform, SignInLink, SignInRequest, SignInToken } from "../client/platform.js";
import type { ApiContext, ClientCertificate } from "../request/types.js";

/** Context of authentication: the API, its environment and what the platform can do. */
export interface AuthContext extends ApiContext {
  readonly platform?: Platform;
  /** Consent of the user behind the caller, for one tool. */
  readonly consent?: ToolConsent;
}

/** Consent of one user to calls of an API. */
export interface UserConsent {
  /** True if no token of others is used instead. */
  readonly replacesSharedTokens: boolean;
  /**
   * Returns the token of a scheme; undefined without consent.
   * @param rejected a token that the API no longer accepts
   */
  token(request: SignInRequest, rejected?: string): Promise<SignInToken | undefined>;
  /**
   * Asks for consent to the calls of a tool.
   * @returns the address for the user, a problem as sentences, or undefined if it is not possible
   */
  request(request: SignInRequest, tool: string): Promise<SignInLink | string | undefined>;
  /** Waits until the consent that was asked for with a tool is given. */
  settled(tool: string): Promise<void>;
}

/** Consent of one user to the calls of a tool. */
export interface ToolConsent extends Pick<UserConsent, "replacesSharedTokens" | "token"> {
  readonly tool: string;
  settled(): Promise<void>;
  request(request: SignInRequest): Promise<SignInLink | string | undefined>;
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
