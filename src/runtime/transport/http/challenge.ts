/** Results of verifying tokens, and challenges of clients for another. */
import type { ToolScopes } from "./caller-settings.js";
import { errorReply, type Reply } from "./messages.js";

/**
 * The result of verifying a token: granted, rejected with a reason for the client, or unknown
 * because the issuer cannot be reached.
 */
export type TokenVerdict =
  | {
      readonly kind: "granted";
      /** Owner of the token. */
      readonly subject: string;
      /** The owner, if the token states it as such. */
      readonly user?: string;
      readonly scopes: readonly string[];
    }
  | { readonly kind: "invalid" | "insufficient" | "unknown"; readonly reason: string };

/** Verifies an access token. Never rejects. */
export interface VerifyToken {
  (token: string): Promise<TokenVerdict>;
  /** True if the keys of the issuer are known. Rejects if they cannot be read. */
  hasKeys(): Promise<boolean>;
}

/** Protected resource metadata, by which clients find the authorization server. RFC 9728. */
export interface ResourceMetadata {
  /**
   * Address of the document. The well-known path precedes the path of the resource. RFC 9728,
   * section 3.1.
   */
  readonly url: string;
  readonly document: object;
}

/** The part of the access rules that concerns access tokens of an authorization server. */
export interface OAuthRules {
  /** Verifies access tokens of an authorization server. */
  readonly verify?: VerifyToken;
  /** Authorization server of the access tokens. */
  readonly issuer?: string;
  readonly metadata?: ResourceMetadata;
  /** Scopes that every token needs. */
  readonly scopes: readonly string[];
  /** Callers whose scopes limit the tools. */
  readonly toolScopes: ToolScopes;
}

/**
 * The challenge to a request without a valid token. It has no error code for a request without a
 * token (RFC 6750, section 3.1), and the address of the resource metadata (RFC 9728, section 5.1).
 */
export function challenge(
  { metadata, scopes }: Pick<OAuthRules, "metadata" | "scopes">,
  status: number,
  message: string,
  error?: string,
): Reply {
  const parameters = {
    error,
    error_description: error && message,
    scope: scopes.join(" ") || undefined,
    resource_metadata: metadata?.url,
  };
  const fields = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value.replace(/[^\x20-\x7e]|["\\]/g, "")}"`],
  );
  return errorReply(status, message, { "www-authenticate": `Bearer ${fields.join(", ")}`.trim() });
}
