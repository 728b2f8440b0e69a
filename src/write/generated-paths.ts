/**
 * Paths that mcp-gen can generate, without those that custom templates add. A manifest or a journal
 * may come from somebody else's branch: whatever it lists, no other file is deleted or replaced.
 */
const GENERATED = [
  /^\.(?:dockerignore|env\.example|gitattributes|gitignore|mcpbignore|npmrc)$/,
  /^(?:Caddyfile|Dockerfile|README\.md|bundle\.mjs|tsconfig\.json)$/,
  /^(?:(?:compose|kubernetes)\.yaml|wrangler\.jsonc)$/,
  /^(?:manifest|mcp-gen\.lock|package|package-lock|server)\.json$/,
  /^src\/(?:api|dev|main|schemas|tool-names|worker)\.ts$/,
  /^src\/(?:apis|schemas|tools|workflows)\/(?:[\w-]+\/)?[\w-]+\.ts$/,
  /^src\/runtime\/(?:[\w-]+\/)*[\w.-]+\.ts$/,
  /^test\/(?:api\.json|mock\.ts|run\.mjs|tools\.test\.ts)$/,
  /^test\/mock\/(?:[\w-]+\/)*[\w.-]+\.ts$/,
];

/** True for a path that mcp-gen can generate. The case of letters counts. */
export function canBeGenerated(path: string): boolean {
  return GENERATED.some((pattern) => pattern.test(path));
}
