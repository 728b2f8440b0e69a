import { canParseUrl } from "../runtime/data/urls.js";
import { describeType } from "../diagnostics/index.js";
import { isObject } from "../json.js";
import type { Context } from "./context.js";
import { Pointer } from "./pointer.js";
import { quote } from "./diagnostics.js";
import {
  emptyRecord,
  ownProperty,
  type RawObject,
  readArray,
  readObject,
  readString,
} from "./raw-object.js";
import { parseServerUrl } from "./server-url.js";
import type { Server, ServerVariable } from "./types.js";

/**
 * Reads the usable OpenAPI 3.x `servers` of the root, a path item or an operation. Relative URLs
 * resolve against the document's URL, if it has one.
 */
export function readServers(c: Context, owner: RawObject, pointer: Pointer): readonly Server[] {
  if (!("servers" in owner)) return [];
  const serversPointer = pointer.child("servers");
  return readArray(c, owner, "servers", pointer).flatMap((value, index) => {
    const server = isObject(value) ? readServer(c, value, serversPointer.child(index)) : undefined;
    if (!isObject(value))
      c.diagnostics.add(
        "model-server",
        serversPointer.child(index),
        `A server must be an object, but this is ${describeType(value)}; it is left out.`,
      );
    return server ?? [];
  });
}

/**
 * Reads the root servers. The default is the root of the document's own origin (OpenAPI 3.1,
 * "OpenAPI Object").
 */
export function readRootServers(c: Context): readonly Server[] {
  const { root, url } = c.document;
  const isDeclared = Array.isArray(root.servers) && root.servers.length > 0;
  if (!isDeclared && url !== undefined)
    return [{ url: resolveServerUrl("/", url), variables: emptyRecord<ServerVariable>() }];
  return readServers(c, root, Pointer.root);
}

function readServer(c: Context, raw: RawObject, pointer: Pointer): Server | undefined {
  const rawUrl = readString(c, raw, "url", pointer);
  if (rawUrl === undefined)
    return reportUnusableServer(c, pointer, "A server without a URL is left out.");
  const url = usableServerUrl(c, rawUrl, pointer.child("url"));
  if (url === undefined) return undefined;
  const description = readString(c, raw, "description", pointer);
  const variables = readVariables(c, raw, url, pointer);
  if (!variables || !isUsableWithDefaults(c, url, variables, pointer)) return undefined;
  return { url, ...(description !== undefined && { description }), variables };
}

/**
 * Returns the URL without credentials, query and fragment.
 * @returns undefined, with a warning, when requests cannot go there
 */
export function usableServerUrl(c: Context, rawUrl: string, pointer: Pointer): string | undefined {
  const parsed = parseServerUrl(rawUrl);
  if ("problem" in parsed)
    return reportUnusableServer(
      c,
      pointer,
      `The server URL ${parsed.problem}; the server is left out.`,
    );
  if (parsed.hadCredentials)
    c.diagnostics.add(
      "model-server-credentials",
      pointer,
      "The server URL contains credentials; they are removed.",
      "Declare a security scheme, and revoke these credentials.",
    );
  if (parsed.hadQueryOrFragment)
    c.diagnostics.add(
      "model-server",
      pointer,
      "The server URL has a query or a fragment; it is removed.",
    );
  const isAbsolute = /^([a-zA-Z][a-zA-Z0-9+.-]*|\{[^{}]*\}):\/\/|^\{/.test(parsed.url);
  if (isAbsolute) return parsed.url;
  if (c.document.url !== undefined) return resolveServerUrl(parsed.url, c.document.url);
  return parsed.url.startsWith("//") ? `https:${parsed.url}` : parsed.url;
}

function readVariables(
  c: Context,
  raw: RawObject,
  url: string,
  pointer: Pointer,
): Readonly<Record<string, ServerVariable>> | undefined {
  const declared = readObject(c, raw, "variables", pointer) ?? {};
  const variables = emptyRecord<ServerVariable>();
  for (const name of templateVariables(url)) {
    const variablePointer = pointer.child("variables").child(name);
    const variable = readVariable(c, ownProperty(declared, name), variablePointer);
    if (!variable) {
      c.diagnostics.add(
        "model-server-variable",
        pointer,
        `The server variable ${quote(name)} has no default; the server is left out.`,
      );
      return undefined;
    }
    variables[name] = variable;
  }
  return variables;
}

function readVariable(c: Context, value: unknown, pointer: Pointer): ServerVariable | undefined {
  if (!isObject(value)) return undefined;
  const values = Array.isArray(value.enum)
    ? value.enum.flatMap((item) => scalarText(item) ?? [])
    : [];
  const explicit = scalarText(ownProperty(value, "default"));
  const defaultValue = explicit ?? values[0];
  if (defaultValue === undefined) return undefined;
  if (explicit === undefined)
    c.diagnostics.add(
      "model-server-variable",
      pointer,
      `The server variable has no default; its first value, ${quote(defaultValue)}, is used.`,
    );
  const description = readString(c, value, "description", pointer);
  const allowed =
    values.length === 0 || values.includes(defaultValue) ? values : [defaultValue, ...values];
  return {
    default: defaultValue,
    ...(allowed.length > 0 && { enum: allowed }),
    ...(description !== undefined && { description }),
  };
}

/** YAML parses `8443` as a number, which is the same in a URL. */
function scalarText(value: unknown): string | undefined {
  return typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : undefined;
}

/** Checks that the URL is usable with the defaults of its variables. */
function isUsableWithDefaults(
  c: Context,
  url: string,
  variables: Readonly<Record<string, ServerVariable>>,
  pointer: Pointer,
): boolean {
  const example = url.replace(/\{([^{}]*)\}/g, (_, name: string) => variables[name]?.default ?? "");
  const parsed = parseServerUrl(example);
  if (!("problem" in parsed) && !parsed.hadCredentials) return true;
  reportUnusableServer(
    c,
    pointer,
    "The server URL is not usable with the defaults of its variables; the server is left out.",
  );
  return false;
}

function reportUnusableServer(c: Context, pointer: Pointer, message: string): undefined {
  c.diagnostics.add("model-server", pointer, message);
}

/** Template variables, each once. */
function templateVariables(url: string): readonly string[] {
  return [...new Set([...url.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? ""))];
}

/**
 * Resolves a relative server URL against the document's URL (RFC 3986, section 5.2) and keeps
 * braces.
 */
function resolveServerUrl(url: string, base: string): string {
  const escaped = url.replaceAll("{", "%7B").replaceAll("}", "%7D");
  return canParseUrl(escaped, base)
    ? new URL(escaped, base).href.replaceAll("%7B", "{").replaceAll("%7D", "}")
    : url;
}
