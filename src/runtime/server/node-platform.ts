/** Functions of Node for a server: files, sign-in, requests, the `.env` file and signals. */
import { readFileSync } from "node:fs";
import util from "node:util";
import { sendByFetch } from "../client/send.js";
import type { LoadSignIn, Platform, SignInModule } from "../auth/types.js";
import type { BoundRequest, Env, SendFunction } from "../request/types.js";

/**
 * The platform of Node. Its modules are loaded on first use.
 * @param loadSignIn absent for an API without a sign-in
 */
export function createNodePlatform(loadSignIn?: LoadSignIn): Platform {
  return {
    async readTextFile(path) {
      const { readFile } = await import("node:fs/promises");
      return readFile(path, "utf8");
    },
    async openFolder(path) {
      const { openFolder } = await import("../files/node-folder.js");
      return openFolder(path);
    },
    ...(loadSignIn && signInFunctions(loadSignIn)),
    send: createNodeClient(),
  };
}

function signInFunctions(
  load: LoadSignIn,
): Pick<SignInModule, "signedInToken" | "requestSignIn" | "signInsSettled"> {
  return {
    signedInToken: async (...request) => (await load()).signedInToken(...request),
    requestSignIn: async (...request) => (await load()).requestSignIn(...request),
    signInsSettled: async () => (await load()).signInsSettled(),
  };
}

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
    const { sendByUndici } = await import("../client/undici.js");
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
  if (body !== undefined && (method === "GET" || method === "HEAD")) return true;
  return port !== "" && (Number(port) < 1024 || blockedPorts.has(port));
}

/** Keys of the global dispatcher, which sends for `fetch`: of undici 6 and 7, and of undici 8. */
const dispatcherKeys = [
  Symbol.for("undici.globalDispatcher.1"),
  Symbol.for("undici.globalDispatcher.2"),
];

/** Dispatchers that Node sets by itself. */
const nodeDispatchers: ReadonlySet<string> = new Set(["Agent", "Dispatcher1Wrapper"]);

/**
 * Watches whether `fetch` or its global dispatcher is replaced, by a test, a proxy
 * (`NODE_USE_ENV_PROXY`, `setGlobalDispatcher`) or a tracer. The requests to the API must go through
 * the replacement.
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

type EnvFileResult = { readonly ok: true; readonly env: Env } | { ok: false; problem: string };

/**
 * Adds the variables of a `.env` file to the environment, which takes precedence. A missing file
 * adds nothing. `<PREFIX>_ENV_FILE` names another file, or none if it is empty.
 * @param file default file
 * @returns the merged environment, or a sentence about a file that cannot be read
 */
export function withEnvFile(
  env: Env,
  prefix: string,
  file: string | URL | undefined,
): EnvFileResult {
  const configured = env[`${prefix}_ENV_FILE`];
  const path = configured ?? file;
  if (path === undefined || path === "") return { ok: true, env };
  try {
    return { ok: true, env: { ...util.parseEnv(readFileSync(path, "utf8")), ...env } };
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && configured === undefined) return { ok: true, env };
    const name = configured === undefined ? ".env" : `The file of ${prefix}_ENV_FILE`;
    return { ok: false, problem: `${name} cannot be read (${code}).` };
  }
}

/** Milliseconds that calls in flight may take after the first signal. */
export const shutdownGraceMs = 4000;

/**
 * Stops the process gracefully on the first SIGTERM or SIGINT, and at once on the second.
 * @param stop resolves when nothing is in flight, after `shutdownGraceMs` at the latest
 */
export function onShutdownSignal(stop: () => Promise<void>): void {
  let isStopping = false;
  for (const [signal, code] of [
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(code);
      isStopping = true;
      void stop().then(() => process.exit(0));
    });
  }
}
