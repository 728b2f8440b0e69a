import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { ApiDefinition } from "../api-definition.js";
import { secretForms } from "../auth/secrets.js";
import type { Env } from "../request/types.js";
import { mapStrings } from "./sanitize.js";

/** Replaces secrets in a text. */
export type Redact = (text: string) => string;

/** Replacement of a secret. */
const REDACTED = "[redacted]";

/** Mark of a truncated text, and minimum length of a secret's prefix before it. */
const ELLIPSIS = "…";
const MIN_PREFIX = 4;

/**
 * Creates a redactor of secrets, as they are and as JSON writes them. Before a truncation mark, it
 * also replaces prefixes of secrets. Longer secrets go first, because they may contain shorter
 * ones.
 */
export function createRedactor(secrets: readonly string[]): Redact {
  const forms = new Set(
    secrets
      .filter((secret) => secret.length >= 4)
      .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]),
  );
  const longestFirst = [...forms].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return (text) => {
    const safe = longestFirst.reduce(
      (known, secret) => (known.includes(secret) ? known.replaceAll(secret, REDACTED) : known),
      text,
    );
    return safe.includes(ELLIPSIS) ? redactPrefixes(safe, longestFirst) : safe;
  };
}

function redactPrefixes(text: string, secrets: readonly string[]): string {
  const ends = new Set(
    secrets.flatMap((secret) =>
      Array.from({ length: secret.length - MIN_PREFIX + 1 }, (_, i) =>
        secret.slice(i, i + MIN_PREFIX),
      ),
    ),
  );
  const pieces = text.split(ELLIPSIS);
  const last = pieces.pop() ?? "";
  return [
    ...pieces.map((piece) =>
      ends.has(piece.slice(-MIN_PREFIX)) ? redactPrefix(piece, secrets) : piece,
    ),
    last,
  ].join(ELLIPSIS);
}

/**
 * Replaces the prefix of a secret at the end of a text. A caller may choose where a response is
 * truncated.
 */
function redactPrefix(text: string, secrets: readonly string[]): string {
  const end = text.slice(-MIN_PREFIX);
  for (const secret of secrets) {
    for (
      let at = secret.lastIndexOf(end);
      at >= 0;
      at = at === 0 ? -1 : secret.lastIndexOf(end, at - 1)
    ) {
      const beginning = secret.slice(0, at + MIN_PREFIX);
      if (text.endsWith(beginning)) return `${text.slice(0, -beginning.length)}${REDACTED}`;
    }
  }
  return text;
}

/** Lists the credentials in the environment, in every form in which they may come back. */
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
  const inbound = (env[`${api.envPrefix}_HTTP_TOKEN`] ?? "")
    .split(",")
    .map((token) => token.trim());
  return [
    ...[...variables, ...(api.secretParameters ?? [])].map((name) => env[name ?? ""] ?? ""),
    ...inbound,
  ].flatMap(secretForms);
}

/** Redacts a result. Most results have no secrets and are returned unchanged. */
export function redactResult(result: CallToolResult, redact: Redact): CallToolResult {
  const content = result.content.map((block) => redactBlock(block, redact));
  if (content.every((block, i) => block === result.content[i])) return result;
  const structuredContent = mapStrings(
    result.structuredContent,
    redact,
  ) as CallToolResult["structuredContent"];
  return { ...result, content, ...(structuredContent !== undefined && { structuredContent }) };
}

function redactBlock(block: ContentBlock, redact: Redact): ContentBlock {
  if (block.type === "resource") {
    const uri = redact(block.resource.uri);
    return uri === block.resource.uri ? block : { ...block, resource: { ...block.resource, uri } };
  }
  if (block.type !== "text") return block;
  const text = redact(block.text);
  return text === block.text ? block : { ...block, text };
}
