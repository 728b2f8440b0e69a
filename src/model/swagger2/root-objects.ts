import type { Context } from "../context.js";
import { Pointer } from "../pointer.js";
import { quote } from "../diagnostics.js";
import { emptyRecord, ownProperty, readArray, readString, stringsIn } from "../raw-object.js";
import type { LocatedObject } from "../references.js";
import {
  type OAuthFlow,
  readApiKey,
  readOAuthFlow,
  type SchemeReader,
} from "../security-scheme-kinds.js";
import { usableServerUrl } from "../servers.js";
import type { Server, ServerVariable } from "../types.js";

/**
 * Converts Swagger 2.0 `host`, `basePath` and `schemes` to servers: `https` first, for a local host
 * `http`. The default host is that of the document's URL. Without that, the server is relative or
 * absent.
 */
export function readSwaggerServers(c: Context): readonly Server[] {
  return serversBySchemes(c, { raw: c.document.root, pointer: Pointer.root });
}

/**
 * Reads `schemes` of an operation, which override the document's. Empty when the first server is
 * the same.
 */
export function readSwaggerOperationServers(
  c: Context,
  operation: LocatedObject,
): readonly Server[] {
  if (readArray(c, operation.raw, "schemes", operation.pointer).length === 0) return [];
  const overrides = serversBySchemes(c, operation);
  return overrides[0]?.url === readSwaggerServers(c)[0]?.url ? [] : overrides;
}

function serversBySchemes(c: Context, owner: LocatedObject): readonly Server[] {
  const { root, url } = c.document;
  const { host, path: hostPath, scheme } = splitHost(readString(c, root, "host", Pointer.root));
  const basePath =
    normalizePath(hostPath) + normalizePath(readString(c, root, "basePath", Pointer.root) ?? "");
  if (host === undefined)
    return basePath === "" && url === undefined ? [] : usableServers(c, [basePath || "/"]);
  const schemes = scheme === undefined ? webSchemes(c, owner, host) : [scheme];
  return usableServers(
    c,
    schemes.map((name) => `${name}://${host}${basePath}`),
  );
}

function usableServers(c: Context, urls: readonly string[]): readonly Server[] {
  return urls.flatMap((url) => {
    const usable = usableServerUrl(c, url, Pointer.root.child("host"));
    return usable === undefined ? [] : [{ url: usable, variables: emptyRecord<ServerVariable>() }];
  });
}

/** Splits a `host`, which some documents write as a whole URL or with a path. */
function splitHost(rawHost: string | undefined): {
  readonly host?: string;
  readonly path: string;
  readonly scheme?: string;
} {
  const match = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/)?([^/]+)(\/.*)?$/i.exec(rawHost ?? "");
  const scheme = match?.[1]?.toLowerCase();
  // `localhost:8080` is a host with a port.
  const isScheme = scheme !== undefined && rawHost?.includes("://");
  const host = isScheme ? match?.[2] : (rawHost ?? "").split("/")[0];
  return { ...(host && { host }), path: match?.[3] ?? "", ...(isScheme && { scheme }) };
}

/** Hosts of a development machine or an internal network, which rarely have a certificate. */
const LOCAL_HOST =
  /^(?:localhost|[^.:]+|[^:]+\.(?:local|localhost|internal)|127\.[\d.]+|\[::1\])(?::\d+)?$/i;

/** Lists the declared schemes, `https` first, except for a local host. */
function webSchemes(c: Context, owner: LocatedObject, host: string): readonly string[] {
  const pointer = owner.pointer.child("schemes");
  const declared = stringsIn(c, readArray(c, owner.raw, "schemes", owner.pointer), pointer).map(
    (name) => name.toLowerCase(),
  );
  const preferred = LOCAL_HOST.test(host) ? ["http", "https"] : ["https", "http"];
  const web = preferred.filter((name) => declared.includes(name));
  for (const unsupported of declared.filter((name) => !web.includes(name)))
    c.diagnostics.add(
      "model-server",
      pointer,
      `The scheme ${quote(unsupported)} is left out: tools only use HTTP.`,
    );
  if (web.length > 0) return web;
  return [c.document.url?.startsWith("http:") ? "http" : "https"];
}

/** `v1/` → `/v1`; `/` → empty. */
function normalizePath(path: string): string {
  const trimmed = path.replace(/(?<!\/)\/+$/, "");
  return trimmed === "" || trimmed.startsWith("/") ? trimmed : `/${trimmed}`;
}

/** Swagger 2.0 flow name → OpenAPI 3.x flow name. */
const FLOWS: ReadonlyMap<unknown, OAuthFlow["flow"]> = new Map([
  ["implicit", "implicit"],
  ["password", "password"],
  ["application", "clientCredentials"],
  ["accessCode", "authorizationCode"],
] as const);

/** Swagger 2.0 Security Scheme Object. */
export const readSwaggerScheme: SchemeReader = (c, { raw, pointer }) => {
  const description = readString(c, raw, "description", pointer);
  const described = description === undefined ? {} : { description };
  switch (ownProperty(raw, "type")) {
    case "basic":
      return { kind: "http", scheme: "basic", ...described };
    case "apiKey": {
      const key = readApiKey(raw);
      return typeof key === "string" ? key : { kind: "apiKey", ...key, ...described };
    }
    case "oauth2": {
      const flow = FLOWS.get(ownProperty(raw, "flow"));
      return flow
        ? { kind: "oauth2", flows: [readOAuthFlow(c, flow, raw, pointer)], ...described }
        : "has no known `flow`";
    }
    default:
      return "has no known `type`";
  }
};
