/** Requests of Node: to the API, and to authorization servers. */
import { concatBytes } from "../data/bytes.js";
import type { BoundRequest, SendFunction } from "../request/types.js";
import { startDeadline } from "./limits.js";
import { sendByFetch } from "./send.js";

/**
 * Sends requests from Node with undici, which takes a third of the CPU of `fetch` and presents
 * client certificates. The first request loads undici. `fetch` sends the requests in Deno and Bun,
 * all requests once it has been replaced, and the requests that it refuses.
 */
export function createNodeClient(isFetchReplaced: () => boolean = watchFetch()): SendFunction {
  const isOtherRuntime = "bun" in process.versions || "deno" in process.versions;
  return async (request, options) => {
    const needsFetch = isOtherRuntime || isRefusedByFetch(request) || isFetchReplaced();
    if (needsFetch && !options.tls) return sendByFetch(request, options);
    const { sendByUndici } = await import("./undici.js");
    return sendByUndici(request, options);
  };
}

/** Ports of other protocols. Below 1024, only those of HTTP are allowed. Fetch Standard, "bad port". */
const blockedPorts: ReadonlySet<string> = new Set(
  "1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080".split(
    " ",
  ),
);

const methodToken = /^[\w!#$%&'*+.^`|~-]+$/;

/** True if `fetch` rejects a request. undici would send some of these. */
function isRefusedByFetch({ method, url, body }: BoundRequest): boolean {
  const { protocol, username, password, port } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") return true;
  if (username !== "" || password !== "") return true;
  if (!methodToken.test(method) || /^(?:TRACE|CONNECT|TRACK)$/i.test(method)) return true;
  if (body !== undefined && method === "HEAD") return true;
  return port !== "" && (Number(port) < 1024 || blockedPorts.has(port));
}

/** Keys of the global dispatcher, which sends for `fetch`: of undici 6 and 7, and of undici 8. */
const dispatcherKeys = [
  Symbol.for("undici.globalDispatcher.1"),
  Symbol.for("undici.globalDispatcher.2"),
];

/** Dispatchers that Node sets. */
const nodeDispatchers: ReadonlySet<string> = new Set(["Agent", "Dispatcher1Wrapper"]);

/**
 * Watches whether `fetch` or its global dispatcher is replaced, by a test, a proxy
 * (`NODE_USE_ENV_PROXY`, `setGlobalDispatcher`) or a tracer. The requests to the API must go
 * through the replacement.
 * @param hasDispatcher whether a global dispatcher exists before this server has fetched anything,
 *   so that Node has not set it
 */
export function watchFetch(hasDispatcher: boolean = globalDispatchers().length > 0): () => boolean {
  const { fetch } = globalThis;
  return () =>
    hasDispatcher ||
    globalThis.fetch !== fetch ||
    globalDispatchers().some(({ constructor }) => !nodeDispatchers.has(constructor.name));
}

function globalDispatchers(): readonly object[] {
  const globals = globalThis as { readonly [key: symbol]: object | undefined };
  return dispatcherKeys.flatMap((key) => globals[key] ?? []);
}

/** Milliseconds of a request without a signal. */
const maxMs = 60_000;

/** Maximum size of a response in bytes. Metadata, keys and tokens are smaller. */
const maxResponseBytes = 1_000_000;

/**
 * Creates a `fetch` for small responses, such as tokens and metadata of authorization servers.
 * Unlike that of Node, it uses the proxies of the environment. Redirects are returned, not
 * followed.
 */
export function createNodeFetch(send: SendFunction): typeof fetch {
  return async (target, init = {}) => {
    const { method = "GET", body, signal } = init;
    const headers = [...new Headers(init.headers)];
    const url = target instanceof Request ? target.url : String(target);
    const request = { method, url, headers, ...(body != null && { body: String(body) }) };
    const deadline = startDeadline(maxMs, signal ?? undefined);
    try {
      const response = await send(request, { deadline, isRepeatable: false });
      const { chunks, size } = await response.collect(maxResponseBytes);
      if (size > maxResponseBytes) throw new Error("The response is too large.");
      const content = size === 0 ? null : concatBytes(chunks, size);
      return new Response(content, { status: response.status, headers: [...response.headers] });
    } finally {
      deadline.dispose();
    }
  };
}

/** The `fetch` of this process for authorization servers. */
export const nodeFetch = createNodeFetch(createNodeClient());
