import { At } from "../at.js";
import type { Context } from "../context.js";
import type { Located } from "../deref.js";
import { quote } from "../findings.js";
import { bare, list, text, texts } from "../read.js";
import { usableUrl } from "../servers.js";
import type { Server, ServerVariable } from "../types.js";

/**
 * Swagger 2.0 `host`, `basePath` and `schemes` as servers, `https` first. Without a host it is that
 * of the document; a document without a URL gives a relative server, or none.
 */
export function readSwaggerServers(c: Context): readonly Server[] {
  return serversBySchemes(c, { raw: c.document.root, at: At.root });
}

/**
 * `schemes` of an operation override those of the document. Empty where requests go to the same
 * server by both.
 */
export function readOperationServers(c: Context, operation: Located): readonly Server[] {
  if (list(c, operation.raw, "schemes", operation.at).length === 0) return [];
  const own = serversBySchemes(c, operation);
  return own[0]?.url === readSwaggerServers(c)[0]?.url ? [] : own;
}

function serversBySchemes(c: Context, owner: Located): readonly Server[] {
  const { root, url } = c.document;
  const { host, path: hostPath, scheme } = splitHost(text(c, root, "host", At.root));
  const basePath = withSlash(hostPath) + withSlash(text(c, root, "basePath", At.root) ?? "");
  if (host === undefined)
    return basePath === "" && url === undefined ? [] : servers(c, [basePath || "/"]);
  const schemes = scheme === undefined ? webSchemes(c, owner) : [scheme];
  return servers(
    c,
    schemes.map((name) => `${name}://${host}${basePath}`),
  );
}

function servers(c: Context, urls: readonly string[]): readonly Server[] {
  return urls.flatMap((url) => {
    const usable = usableUrl(c, url, At.root.child("host"));
    return usable === undefined ? [] : [{ url: usable, variables: bare<ServerVariable>() }];
  });
}

/** The host alone: some write a whole URL, or add a path. */
function splitHost(written: string | undefined): {
  readonly host?: string;
  readonly path: string;
  readonly scheme?: string;
} {
  const match = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/)?([^/]+)(\/.*)?$/i.exec(written ?? "");
  const scheme = match?.[1]?.toLowerCase();
  // `localhost:8080` is a host with a port.
  const isScheme = scheme !== undefined && written?.includes("://");
  const host = isScheme ? match?.[2] : (written ?? "").split("/")[0];
  return { ...(host && { host }), path: match?.[3] ?? "", ...(isScheme && { scheme }) };
}

function webSchemes(c: Context, owner: Located): readonly string[] {
  const at = owner.at.child("schemes");
  const declared = texts(c, list(c, owner.raw, "schemes", owner.at), at).map((name) =>
    name.toLowerCase(),
  );
  const web = ["https", "http"].filter((name) => declared.includes(name));
  for (const other of declared.filter((name) => !web.includes(name)))
    c.findings.add("model-server", at, `The scheme ${quote(other)} is left out: tools use HTTP.`);
  if (web.length > 0) return web;
  return [c.document.url?.startsWith("http:") ? "http" : "https"];
}

/** `v1/` → `/v1`; `/` → nothing. */
function withSlash(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  return trimmed === "" || trimmed.startsWith("/") ? trimmed : `/${trimmed}`;
}
