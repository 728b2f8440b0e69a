/** Types of authentication, of the consent of users, and of the platform that a server runs on. */
import type { ApiDefinition } from "../api-definition.js";
import type { SecuritySchemeDefinition } from "../security-schemes.js";
import type { ApiContext, SendFunction, WrapSend } from "../request/types.js";
import type { Store } from "../store/types.js";
import type { Folder } from "../files/files.js";

/** Context of authentication: the API, its environment and the functions of the platform. */
export interface AuthContext extends ApiContext {
  readonly platform?: Platform;
  /** State that several processes share. */
  readonly store?: Store;
  /** Consent of the user behind the caller, for one tool. */
  readonly consent?: ToolConsent;
}

/** Consent of one user to calls of an API. */
export interface UserConsent {
  /** True if no other caller's token is used instead. */
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
  /** Waits until a requested consent is given. */
  settled(tool: string): Promise<void>;
}

/** Consent of one user to the calls of a tool. */
export interface ToolConsent extends Pick<UserConsent, "replacesSharedTokens" | "token"> {
  readonly tool: string;
  settled(): Promise<void>;
  request(request: SignInRequest): Promise<SignInLink | string | undefined>;
}

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
  readonly signedInToken: NonNullable<Platform["signedInToken"]>;
  readonly requestSignIn: NonNullable<Platform["requestSignIn"]>;
  readonly signInsSettled: NonNullable<Platform["signInsSettled"]>;
}

/** Loads the module auth/sign-in on first use. */
export type LoadSignIn = () => Promise<SignInModule>;

/** A credential in the request itself. */
export interface MessageCredential {
  readonly in: "header" | "query" | "cookie";
  readonly name: string;
  readonly value: string;
  /** Forms in which the API may return the secret. */
  readonly secrets: readonly string[];
}

/** A credential that needs the connection or the API's answer: it wraps the function that sends. */
interface ExchangeCredential {
  readonly in: "exchange";
  readonly wrapSend: WrapSend;
  /** Forms in which the API may return the secret. */
  readonly secrets: readonly string[];
}

type Credential = MessageCredential | ExchangeCredential;

/** The credential of one scheme, or the reason why there is none. */
export type CredentialResult = { readonly ok: true; readonly credential: Credential } | AuthFailure;

/** Options of the authentication of one call. */
export interface AuthOptions {
  /** Sends requests to token endpoints. */
  readonly fetch?: typeof globalThis.fetch;
  /** Ends the wait of this call. A token request that other calls wait for continues. */
  readonly signal?: AbortSignal;
}

/** The reason why a request is not sent. It names variables, never their values. */
export interface AuthFailure {
  readonly ok: false;
  readonly message: string;
  /** Alternatives to set, such as `CLINIC_USERNAME and CLINIC_PASSWORD`, if none is complete. */
  readonly missing?: readonly string[];
}

/** The client of a request over HTTP, once it is authenticated. */
export interface Caller {
  /** Identity under which data of one caller is stored. Empty: an unidentified caller. */
  readonly id: string;
  /** What the identity depends on: the issuer of its token, or the digest of a bearer token. */
  readonly realm?: string;
  /** True if several callers may have the identity, because they share a bearer token. */
  readonly isShared?: true;
  /** Address of its connection, which tells callers without an identity apart. */
  readonly address?: string;
  /** Scopes of its access token. Absent for other credentials. */
  readonly scopes?: readonly string[];
  /** Subject of its access token, if that has one: the user. */
  readonly user?: string;
  /** Its verified access token, for an exchange. Absent for other credentials. */
  readonly token?: string;
  /** Name of the API or toolset at whose address it calls. Absent: all of them. */
  readonly view?: string;
  /** True if its client answers forms while the request runs. */
  readonly answersForms?: true;
}

/**
 * Functions that only some platforms have. The entry point passes them in, so that no other module
 * imports `node:` modules: the same tools run in Cloudflare Workers, Deno and Bun.
 */
export interface Platform {
  /** Reads a text file that a setting names. */
  readTextFile?(path: string): Promise<string>;
  /**
   * Opens the folder in which tools may read and save files.
   * @returns the folder, or the problem as a clause without a subject
   */
  openFolder?(path: string): Promise<Folder | string>;
  /**
   * Returns the token of a user who signed in on this machine; undefined without a sign-in.
   * @param rejected a token that the API no longer accepts
   */
  signedInToken?(request: SignInRequest, rejected?: string): Promise<SignInToken | undefined>;
  /**
   * Starts a sign-in of the user of this machine.
   * @returns the address for a browser on this machine
   */
  requestSignIn?(request: SignInRequest, scopes: readonly string[]): Promise<SignInLink>;
  /** Waits for the sign-ins that were started. */
  signInsSettled?(): Promise<void>;
  /** Sends requests to the API instead of `fetch`, which cannot present client certificates. */
  readonly send?: SendFunction;
  /** Sends requests to authorization servers. The default is the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** An address at which a user signs in. */
export interface SignInLink {
  readonly id: string;
  readonly url: string;
}

/** A sign-in: everything that its tokens are bound to, and the secret of the client. */
export interface SignInRequest {
  /** Name of the API. */
  readonly api: string;
  readonly schemeName: string;
  readonly scheme: Extract<SecuritySchemeDefinition, { kind: "oauth2" }>;
  readonly baseUrl: string;
  /** Origins other than that of the base URL to which the token may be sent. */
  readonly hosts?: readonly string[];
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
  /** Command that signs the user of this machine in, as texts name it. */
  readonly loginCommand?: string;
}

/** An access token, or the reason why there is none, as a sentence for the agent. */
export type SignInToken =
  | {
      readonly ok: true;
      readonly value: string;
      readonly secrets: readonly string[];
      /** Scopes of the token. Empty: not stated. */
      readonly scopes: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

/** An access token with the secrets of its grant, for redaction. */
export type AccessTokenResult =
  | { readonly ok: true; readonly value: string; readonly secrets: readonly string[] }
  | AuthFailure;

/** A context with the tokens of signed-in users. */
export interface SignedInContext {
  readonly ok: true;
  readonly context: AuthContext;
  /** Secrets in addition to the tokens, for redaction. */
  readonly secrets: readonly string[];
  /** Scopes of the tokens, by the variable that holds a token. Empty: not stated. */
  readonly scopes: ReadonlyMap<string, readonly string[]>;
}

/** A scheme that may have a sign-in. */
export type SignInScheme = Extract<SecuritySchemeDefinition, { kind: "oauth2" }>;
