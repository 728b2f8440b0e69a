/**
 * The reason in a `WWW-Authenticate` header, which is often all that an API says: RFC 6750, section
 * 3. Empty when there is none.
 */
export function challengeWords(header: string | null): string {
  if (header === null) return "";
  const text = header.slice(0, 2000);
  const [description, error, scope] = ["error_description", "error", "scope"].map(
    (name) => new RegExp(`\\b${name}="([^"]*)"`, "i").exec(text)?.[1],
  );
  return [
    description ?? error,
    error === "insufficient_scope" && scope ? `scope needed: ${scope}` : undefined,
  ]
    .filter(Boolean)
    .join("; ");
}
