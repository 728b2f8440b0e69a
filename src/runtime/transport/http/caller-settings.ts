/** Callers that an authorization server knows: their settings, and the pages for their consent. */
import type { UserConsent } from "../../auth/consent-types.js";
import type { TokenExchangeSettings } from "../../request/types.js";
import type { Reply } from "./messages.js";

/** The server as an OAuth 2.0 protected resource. RFC 9728. */
export interface OAuthSettings {
  /** Issuer identifier, compared with `iss` character by character. */
  readonly issuer: string;
  /** Public address of this server: the `resource` of its metadata. */
  readonly publicUrl: string;
  /** Accepted audiences; `aud` of a token must contain one of them. */
  readonly audiences: readonly string[];
  /** Address of the keys. Found through the issuer's metadata by default. */
  readonly jwksUrl?: string;
  /** Required scopes. A broader scope satisfies a narrower one. */
  readonly scopes: readonly string[];
  /** Broader scopes by narrower scope. */
  readonly broaderScopes: ReadonlyMap<string, readonly string[]>;
  /**
   * Callers whose scopes limit the tools: those with a scope that the API knows (`auto`), all or
   * none.
   */
  readonly toolScopes: ToolScopes;
  readonly algorithms: readonly string[];
}

export const toolScopesModes = ["auto", "always", "never"] as const;
export type ToolScopes = (typeof toolScopesModes)[number];

/** Consent of each caller in a browser: this server as a client of the callers' issuer. */
export interface CallerSignInSettings {
  readonly issuer: string;
  readonly publicUrl: string;
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
}

/** The settings; all are absent without an authorization server. */
export interface CallerSettings {
  /** Accepts access tokens of an authorization server. */
  readonly oauth?: OAuthSettings;
  /** Exchanges of callers' tokens for those of an API, by the prefix of its variables. */
  readonly tokenExchanges?: ReadonlyMap<string, TokenExchangeSettings>;
  /** Lets each caller consent in a browser. */
  readonly signIn?: CallerSignInSettings;
}

/** A request for a page. */
export interface PageRequest {
  readonly method: string;
  readonly path: string;
  /** Query of the target, without `?`. */
  readonly query: string;
  header(name: string): string | undefined;
}

/** Consent of callers, and the pages for it. */
export interface ConsentPages {
  /** @param user undefined for a caller that is not known as a user */
  of(user: string | undefined): UserConsent;
  /** Serves a page; undefined for other paths. */
  answer(head: PageRequest): Promise<Reply> | undefined;
}
