/** Types of authentication, of the consent of users, and of the platform that a server runs on. */
import type { SecuritySchemeDefinition } from "../security-schemes.js";
import type { ApiContext, SendFunction, WrapSend } from "../request/types.js";
import type { Store } from "../store/types.js";
import type { Folder } from "../files/files.js";
import type { SignInPlatform, ToolConsent } from "./consent-types.js";

/** Context of authentication: the API, its environment and the functions of the platform. */
export interface AuthContext extends ApiContext {
  readonly platform?: Platform;
  /** State that several processes share. */
  readonly store?: Store;
  /** Consent of the user behind the caller, for one tool. */
  readonly consent?: ToolConsent;
}

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
export interface Platform extends SignInPlatform {
  /** Reads a text file that a setting names. */
  readTextFile?(path: string): Promise<string>;
  /**
   * Opens the folder in which tools may read and save files.
   * @returns the folder, or the problem as a clause without a subject
   */
  openFolder?(path: string): Promise<Folder | string>;
  /** Sends requests to the API instead of `fetch`, which cannot present client certificates. */
  readonly send?: SendFunction;
  /** Sends requests to authorization servers. The default is the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

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
