import { isObject } from "../json.js";
import { At } from "./at.js";
import type { Context } from "./context.js";
import { kindOf, quote } from "./findings.js";
import { bare, neededList, own, record, text, type Raw } from "./read.js";
import { parseServerUrl, resolveAgainst, variableNames } from "./server-url.js";
import type { Server, ServerVariable } from "./types.js";

/**
 * OpenAPI 3.x `servers` of the root, a path item or an operation; the usable ones.
 * Relative URLs resolve against the place the document came from, when that has a URL.
 */
export function readServers(c: Context, owner: Raw, at: At): readonly Server[] {
  if (!("servers" in owner)) return [];
  const place = at.child("servers");
  return neededList(c, owner, "servers", at).flatMap((value, index) => {
    const server = isObject(value) ? readServer(c, value, place.child(index)) : undefined;
    if (!isObject(value))
      c.findings.add(
        "model-server",
        place.child(index),
        `A server must be an object, but this is ${kindOf(value)}; it is left out.`,
      );
    return server ?? [];
  });
}

/**
 * Servers of the root: without any, requests go to the root of where the document came from
 * (OpenAPI 3.1, "OpenAPI Object").
 */
export function readRootServers(c: Context): readonly Server[] {
  const { root, url } = c.document;
  const isDeclared = Array.isArray(root.servers) && root.servers.length > 0;
  if (!isDeclared && url !== undefined)
    return [{ url: resolveAgainst("/", url), variables: bare<ServerVariable>() }];
  return readServers(c, root, At.root);
}

function readServer(c: Context, raw: Raw, at: At): Server | undefined {
  const written = text(c, raw, "url", at);
  if (written === undefined) return leaveOut(c, at, "A server without a URL is left out.");
  const url = usableUrl(c, written, at.child("url"));
  if (url === undefined) return undefined;
  const description = text(c, raw, "description", at);
  const variables = readVariables(c, raw, url, at);
  if (!variables || !isWeb(c, url, variables, at)) return undefined;
  return { url, ...(description !== undefined && { description }), variables };
}

/**
 * The URL without what must not be in it; absent, with a warning, when requests cannot go there.
 */
export function usableUrl(c: Context, written: string, at: At): string | undefined {
  const parsed = parseServerUrl(written);
  if ("problem" in parsed)
    return leaveOut(c, at, `The server URL ${parsed.problem}; the server is left out.`);
  if (parsed.hadCredentials)
    c.findings.add(
      "model-server-credentials",
      at,
      "The server URL has credentials in it; they are removed.",
      "Describe them as a security scheme, and revoke these.",
    );
  if (parsed.hadMore)
    c.findings.add("model-server", at, "The server URL has a query or a fragment; it is cut off.");
  const isAbsolute = /^([a-zA-Z][a-zA-Z0-9+.-]*|\{[^{}]*\}):\/\/|^\{/.test(parsed.url);
  if (isAbsolute) return parsed.url;
  if (c.document.url !== undefined) return resolveAgainst(parsed.url, c.document.url);
  return parsed.url.startsWith("//") ? `https:${parsed.url}` : parsed.url;
}

function readVariables(
  c: Context,
  raw: Raw,
  url: string,
  at: At,
): Readonly<Record<string, ServerVariable>> | undefined {
  const declared = record(c, raw, "variables", at) ?? {};
  const variables = bare<ServerVariable>();
  for (const name of variableNames(url)) {
    const place = at.child("variables").child(name);
    const variable = readVariable(c, own(declared, name), place);
    if (!variable) {
      c.findings.add(
        "model-server-variable",
        at,
        `The server variable ${quote(name)} has no default; the server is left out.`,
      );
      return undefined;
    }
    variables[name] = variable;
  }
  return variables;
}

function readVariable(c: Context, value: unknown, at: At): ServerVariable | undefined {
  if (!isObject(value)) return undefined;
  const listed = Array.isArray(value.enum) ? value.enum.flatMap((item) => scalar(item) ?? []) : [];
  const written = scalar(own(value, "default"));
  const fallback = written ?? listed[0];
  if (fallback === undefined) return undefined;
  if (written === undefined)
    c.findings.add(
      "model-server-variable",
      at,
      `A server variable without a default; its first value, ${quote(fallback)}, is used.`,
    );
  const description = text(c, value, "description", at);
  const allowed = listed.length === 0 || listed.includes(fallback) ? listed : [fallback, ...listed];
  return {
    default: fallback,
    ...(allowed.length > 0 && { enum: allowed }),
    ...(description !== undefined && { description }),
  };
}

/** YAML makes a number of `8443`; in a URL it is the same. */
function scalar(value: unknown): string | undefined {
  return typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : undefined;
}

/** With its defaults filled in the URL must be one that requests can go to. */
function isWeb(
  c: Context,
  url: string,
  variables: Readonly<Record<string, ServerVariable>>,
  at: At,
): boolean {
  const filled = url.replace(/\{([^{}]*)\}/g, (_, name: string) => variables[name]?.default ?? "");
  const parsed = parseServerUrl(filled);
  if (!("problem" in parsed) && !parsed.hadCredentials) return true;
  leaveOut(
    c,
    at,
    "With the defaults of its variables the server URL is none that requests can go to; the server is left out.",
  );
  return false;
}

function leaveOut(c: Context, at: At, message: string): undefined {
  c.findings.add("model-server", at, message);
}
