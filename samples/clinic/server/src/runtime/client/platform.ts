import type { SecuritySchemeDefinition } from "../api-definition.js";
import type { Folder } from "../files/files.js";
import type { SendFunction } from "./types.js";

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
