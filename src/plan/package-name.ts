import { splitWords } from "./names/words.js";

const SUFFIX = "-mcp-server";
const MAX_BASE = 100 - SUFFIX.length;
/** Words of a title that do not distinguish an API: `Petstore REST API - OpenAPI 3.0`. */
const GENERIC_WORDS = new Set([
  "api",
  "apis",
  "rest",
  "restful",
  "http",
  "openapi",
  "swagger",
  "specification",
  "spec",
  "the",
  "documentation",
  "docs",
  "reference",
  "public",
  "service",
  "web",
]);

/**
 * Words of a title that name the API: `GitHub v3 REST API` → github. All words if there are no
 * others.
 */
export function titleWords(title: string): readonly string[] {
  const words = splitWords(title.slice(0, 200));
  const specific = words.filter((word) => !GENERIC_WORDS.has(word) && !/^v?\d+$/.test(word));
  return specific.length > 0 ? specific : words;
}

/** Legal npm name for an API: `clinic-mcp-server`. */
export function derivePackageName(words: readonly string[]): string {
  const base = words
    .filter((word) => word !== "mcp" && word !== "server")
    .join("-")
    .slice(0, MAX_BASE)
    .replace(/-+$/, "");
  return base === "" ? "api-mcp-server" : `${base}${SUFFIX}`;
}

/**
 * Tests whether npm accepts a name for a new package.
 * https://docs.npmjs.com/cli/configuring-npm/package-json#name
 */
export function isValidPackageName(name: string): boolean {
  return (
    name.length <= 214 &&
    /^(?:@[a-z0-9-][a-z0-9._-]*\/)?[a-z0-9-][a-z0-9._-]*$/.test(name) &&
    !["node_modules", "favicon.ico"].includes(name)
  );
}
