import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { formsOf } from "./auth/secrets.js";
import type { Env } from "./bind/types.js";
import { rewrite } from "./shape/rewrite.js";
import type { ApiDefinition } from "./types.js";

/** Replaces secrets in a text. */
export type Redact = (text: string) => string;

/** What stands in the place of a secret. */
const hidden = "[redacted]";

/** A redactor of these secrets, as they are and as JSON writes them. Longest first: one secret may hold another. */
export function redactor(secrets: readonly string[]): Redact {
  const forms = new Set(secrets.filter((secret) => secret.length >= 4).flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]));
  const longestFirst = [...forms].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return (text) => longestFirst.reduce((safe, secret) => (safe.includes(secret) ? safe.replaceAll(secret, hidden) : safe), text);
}

/** The credentials that the environment holds, in every form in which they may come back. */
export function configuredSecrets(api: ApiDefinition, env: Env): readonly string[] {
  const variables = Object.values(api.securitySchemes).flatMap((scheme) => {
    switch (scheme.kind) {
      case "basic":
        return [scheme.passwordEnv];
      case "oauth2":
        return [scheme.tokenEnv, scheme.clientSecretEnv, scheme.refreshTokenEnv];
      case "mutualTLS":
        return [];
      default:
        return [scheme.env];
    }
  });
  const inbound = (env[`${api.envPrefix}_HTTP_TOKEN`] ?? "").split(",").map((token) => token.trim());
  return [...variables.map((name) => env[name ?? ""] ?? ""), ...inbound].flatMap(formsOf);
}

/** A result without secrets. Most results have none and are returned as they are. */
export function redactResult(result: CallToolResult, redact: Redact): CallToolResult {
  const content = result.content.map((block) => redactBlock(block, redact));
  if (content.every((block, i) => block === result.content[i])) return result;
  const structuredContent = rewrite(result.structuredContent, redact) as CallToolResult["structuredContent"];
  return { ...result, content, ...(structuredContent !== undefined && { structuredContent }) };
}

function redactBlock(block: ContentBlock, redact: Redact): ContentBlock {
  if (block.type !== "text") return block;
  const text = redact(block.text);
  return text === block.text ? block : { ...block, text };
}
