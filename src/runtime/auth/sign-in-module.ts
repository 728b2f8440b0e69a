/** The module of sign-ins, auth/sign-in, as other modules see it. */
import type { ApiDefinition } from "../api-definition.js";
import type { Store } from "../store/types.js";
import type { SignInPlatform, SignInRequest, UserConsent } from "./consent-types.js";
import type { AuthContext } from "./types.js";

/** Context of a command that signs in or out. */
export interface SignInCommandContext {
  readonly api: ApiDefinition;
  readonly apiContext: AuthContext;
  /** Scopes that the offered tools need of a scheme. */
  readonly scopesOf: (schemeName: string) => readonly string[];
}

/** Settings of consent over HTTP. */
export interface ConsentSettings {
  /** Public address of this server. */
  readonly publicUrl: string;
  /** Issuer of the callers' tokens, and this server as its client. */
  readonly issuer: string;
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
  /** The sign-ins that users may be asked for. */
  signIns(): readonly CallerSignIn[];
  /** Encrypts links and states. Absent: a secret of the store, else of the process. */
  readonly secret?: string;
  /** State that several processes share. Absent: it is in memory. */
  readonly store?: Store;
}

/** A sign-in to an API that callers are asked for. */
export interface CallerSignIn {
  readonly request: SignInRequest;
  /** Title of the API. */
  readonly title: string;
  readonly scopes: readonly string[];
  /**
   * Path to which the authorization server of the API sends the browser back. Each API has its own,
   * so that no server can pass for that of another. RFC 9700, section 4.4.2.
   */
  readonly callback: string;
}

/** A request of a browser. */
export interface BrowserRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly cookies: string;
}

/** A response to a browser. */
export interface BrowserReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Consent of callers over HTTP. */
export interface ConsentBroker {
  /**
   * The consent of one user.
   * @param subject undefined for a caller that is not known as a user
   */
  of(subject: string | undefined): UserConsent;
  /** Serves a request of a browser. No part of the request becomes the target of a redirect. */
  answer(request: BrowserRequest): Promise<BrowserReply>;
}

/** The module auth/sign-in, which only APIs with a sign-in need. */
export interface SignInModule {
  /**
   * Runs `login`, `logout` or `status`.
   * @returns the exit code
   */
  runSignInCommand(
    action: string,
    argv: readonly string[],
    context: SignInCommandContext,
  ): Promise<number>;
  createConsentBroker(settings: ConsentSettings): ConsentBroker;
  readonly signedInToken: NonNullable<SignInPlatform["signedInToken"]>;
  readonly requestSignIn: NonNullable<SignInPlatform["requestSignIn"]>;
  readonly signInsSettled: NonNullable<SignInPlatform["signInsSettled"]>;
}

/** Loads the module auth/sign-in on first use. */
export type LoadSignIn = () => Promise<SignInModule>;

/** The functions of the module for a platform; it is loaded by the first call. */
export function signInFunctions(
  load: LoadSignIn,
): Pick<SignInModule, "signedInToken" | "requestSignIn" | "signInsSettled"> {
  return {
    signedInToken: async (...request) => (await load()).signedInToken(...request),
    requestSignIn: async (...request) => (await load()).requestSignIn(...request),
    signInsSettled: async () => (await load()).signInsSettled(),
  };
}
