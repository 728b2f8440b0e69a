/** A usable key of `paths`. */
export interface PathTemplate {
  /** Without query and fragment. */
  readonly path: string;
  /** Names in braces, each once, in order. */
  readonly names: readonly string[];
  /** Pairs of a query that stood in the key, decoded. A value `{x}` is a template. */
  readonly query: readonly (readonly [string, string])[];
  readonly fragment: string;
  /** Names of RFC 6570 query expressions (`{?a,b}`), which are no part of the path. */
  readonly expanded: readonly string[];
}

/** Why a key of `paths` is none: a clause for a message. */
export interface BadTemplate {
  readonly problem: string;
}

/**
 * Takes a key of `paths` apart. Nothing that could lead a request off the server's base path is
 * usable: no other origin, no empty, `.` or `..` segments, no backslashes (URLs fold them into
 * slashes). OpenAPI 3.1, "Paths Object" and "Path Templating".
 */
export function parseTemplate(key: string): PathTemplate | BadTemplate {
  if (PLAIN.test(key))
    return { path: key, names: namesIn(key), query: [], fragment: "", expanded: [] };
  if (!key.startsWith("/"))
    return {
      problem: /^[a-z][a-z0-9+.-]*:/i.test(key) ? "is a whole URL" : "does not start with a slash",
    };
  const { path: written, query, fragment } = split(key);
  const expanded: string[] = [];
  const path = written.replace(
    /\{[?&]([^{}]*)\}/g,
    (_, names: string) => (expanded.push(...names.split(",").filter((name) => name !== "")), ""),
  );
  const problem = badBraces(path) ?? badSegments(path);
  if (problem !== undefined) return { problem };
  return { path, names: namesIn(path), query: pairs(query), fragment, expanded };
}

/** Most paths: words and names in braces between slashes. */
const PLAIN = /^(?:\/(?:[A-Za-z0-9_-]+|\{[A-Za-z0-9_-]+\}))+$/;

function namesIn(path: string): readonly string[] {
  if (!path.includes("{")) return [];
  return [...new Set([...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? ""))];
}

/** Cuts query and fragment off; those characters inside braces are part of a name. */
function split(key: string): {
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
} {
  const hash = outside(key, "#", 0);
  const before = hash < 0 ? key : key.slice(0, hash);
  const mark = outside(before, "?", 0);
  return {
    path: mark < 0 ? before : before.slice(0, mark),
    query: mark < 0 ? "" : before.slice(mark + 1),
    fragment: hash < 0 ? "" : key.slice(hash + 1),
  };
}

function outside(text: string, char: string, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    if (text[i] === "{") depth++;
    else if (text[i] === "}") depth--;
    else if (text[i] === char && depth <= 0) return i;
  }
  return -1;
}

function badBraces(path: string): string | undefined {
  let open = false;
  for (const char of path) {
    if (char === "{" && open) return "has braces inside braces";
    if (char === "}" && !open) return "has a closing brace without an opening one";
    if (char === "{" || char === "}") open = char === "{";
  }
  if (open) return "has an opening brace without a closing one";
  return path.includes("{}") ? "has braces without a name" : undefined;
}

function badSegments(path: string): string | undefined {
  const fixed = path.replace(/\{[^{}]*\}/g, "{}");
  if (/[\u0000-\u001f\u007f\\]/.test(fixed)) return "has a control character or a backslash";
  const segments = fixed.slice(1).split("/");
  if (segments.slice(0, -1).includes("")) return "has an empty segment (`//`)";
  const dots = segments.map((segment) => segment.replace(/%2e/gi, "."));
  return dots.includes(".") || dots.includes("..") ? "has a `.` or `..` segment" : undefined;
}

function pairs(query: string): readonly (readonly [string, string])[] {
  return [...new URLSearchParams(query)];
}
