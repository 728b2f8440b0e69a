/** Connections of undici, which are kept alive, directly or through the proxies of the environment. */
import type { buildConnector, Dispatcher, Pool as PoolType } from "undici";
import connect from "undici/lib/api/api-connect.js";
import createConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import Pool from "undici/lib/dispatcher/pool.js";
import type { ClientCertificate } from "../request/types.js";

/** Milliseconds to open a connection. The deadline of a call may be much longer. */
const connectMs = 10_000;

/** Milliseconds after which an idle connection is closed, which is sooner than most servers do it. */
const idleMs = 4_000;

/** Milliseconds that are subtracted from the `timeout` of a `Keep-Alive` header. */
const idleMarginMs = 1_000;

const dispatchers = new Map<string, Dispatcher>();

/**
 * The dispatcher for a client certificate, or for none. Its connections are kept alive, or serve
 * one request each.
 */
export function dispatcherFor(
  tls: ClientCertificate | undefined,
  { keepAlive }: { readonly keepAlive: boolean },
): Dispatcher {
  const key = JSON.stringify([keepAlive, tls?.cert, tls?.key]);
  const dispatcher = dispatchers.get(key) ?? createDispatcher(tls, keepAlive);
  dispatchers.set(key, dispatcher);
  return dispatcher;
}

function createDispatcher(tls: ClientCertificate | undefined, keepAlive: boolean): Dispatcher {
  const connectOptions = { timeout: connectMs, ...tls };
  const options = {
    connect: connectOptions,
    factory: createPool,
    // The deadline of the call covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleMs,
    keepAliveTimeoutThreshold: idleMarginMs,
    pipelining: keepAlive ? 1 : 0,
  };
  const httpProxy = proxyAddress("http_proxy", "HTTP_PROXY");
  const httpsProxy = proxyAddress("https_proxy", "HTTPS_PROXY");
  if (!httpProxy && !httpsProxy) return new Agent(options);
  const noProxy = withLoopback(process.env["no_proxy"] ?? process.env["NO_PROXY"]);
  return new EnvHttpProxyAgent({
    ...options,
    ...(httpProxy && { httpProxy }),
    ...(httpsProxy && { httpsProxy }),
    clientFactory: createProxyClient,
    requestTls: connectOptions,
    proxyTunnel: false,
    noProxy,
  });
}

/** The address in the first variable that is set. Without a scheme it is one of HTTP, as in curl. */
function proxyAddress(...variables: readonly string[]): string | undefined {
  const address = variables.map((name) => process.env[name]?.trim()).find(Boolean);
  return !address || address.includes("://") ? address : `http://${address}`;
}

/** `NO_PROXY`, and this machine: an API on it is never reached through a proxy. */
function withLoopback(noProxy = ""): string {
  return noProxy.trim() === "*" ? "*" : [noProxy, "localhost", "127.0.0.1", "[::1]"].join(",");
}

let isNewConnection = false;

/** True if the request that starts now is the first one of its connection. */
export function startsOnNewConnection(): boolean {
  return isNewConnection;
}

function createPool(origin: string | URL, options: object): Dispatcher {
  const { connect: connectOptions } = options as PoolType.Options;
  return new Pool(origin, { ...options, connect: observeConnections(connectOptions) });
}

/** Connections to a proxy. Only the main module of undici gives its classes a `connect`. */
function createProxyClient(proxy: URL, options: object): Dispatcher {
  return Object.assign(new Pool(proxy, options), { connect });
}

/** Wraps a connector: undici starts the first request of a connection within the callback. */
function observeConnections(connectOptions: PoolType.Options["connect"]): buildConnector.connector {
  const isProxyTunnel = typeof connectOptions === "function";
  const open = isProxyTunnel ? connectOptions : createConnector(connectOptions ?? {});
  return (target, callback) =>
    open(target, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (error) return callback(isProxyTunnel ? toProxyError(error) : error, null);
      isNewConnection = true;
      try {
        callback(null, socket);
      } finally {
        isNewConnection = false;
      }
    });
}

/** Codes of a connection that could not be made. */
const unreachableCodes: ReadonlySet<unknown> = new Set(
  (
    "EAI_AGAIN ECONNREFUSED EHOSTUNREACH ENETUNREACH ENOTFOUND ETIMEDOUT " +
    "UND_ERR_CONNECT_TIMEOUT"
  ).split(" "),
);

/**
 * Replaces codes that would name the API, and those after which undici connects again and again,
 * until the deadline.
 */
function toProxyError(error: Error): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (unreachableCodes.has(code))
    return Object.assign(new Error("The proxy cannot be reached."), {
      code: "UND_ERR_PRX_CONNECT",
    });
  if (code !== "UND_ERR_SOCKET" && code !== "UND_ERR_INFO") return error;
  return Object.assign(new Error("The proxy closed the connection."), { code: "UND_ERR_ABORTED" });
}
