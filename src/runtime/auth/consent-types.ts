/** Types of sign-ins, and of the consent of users to calls of an API. */
import type { SecuritySchemeDefinition } from "../security-schemes.js";

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

/** The part of a platform that signs users in. */
export interface SignInPlatform {
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
}
