/** Functions of Node for a server: its platform, the `.env` file and signals. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import util from "node:util";
import { type LoadSignIn, signInFunctions } from "../auth/sign-in-module.js";
import type { Platform } from "../auth/types.js";
import { createNodeClient, nodeFetch } from "../client/node-client.js";
import type { Env } from "../request/types.js";
import { openFolder } from "./files-folder.js";

/**
 * The platform of Node. Its HTTP client and the sign-in are loaded on first use.
 * @param loadSignIn absent for an API without a sign-in
 */
export function createNodePlatform(loadSignIn?: LoadSignIn): Platform {
  return {
    readTextFile: (path) => readFile(path, "utf8"),
    openFolder,
    ...(loadSignIn && signInFunctions(loadSignIn)),
    send: createNodeClient(),
    fetch: nodeFetch,
  };
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
    return { ok: true, env: { ...util.parseEnv(decodeText(readFileSync(path))), ...env } };
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && configured === undefined) return { ok: true, env };
    const name = configured === undefined ? ".env" : `The file of ${prefix}_ENV_FILE`;
    return { ok: false, problem: `${name} cannot be read (${code}).` };
  }
}

/** Decodes UTF-8 or UTF-16, which shells of Windows write, without a byte order mark. */
function decodeText(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes);
}

/** Variables of proxies, in both spellings. */
const proxyVariables = [
  ["http_proxy", "HTTP_PROXY"],
  ["https_proxy", "HTTPS_PROXY"],
  ["no_proxy", "NO_PROXY"],
] as const;

/** Sets the proxies of a `.env` file, which the client of Node reads from the process. */
export function applyProxies(env: Env): void {
  for (const spellings of proxyVariables) {
    if (spellings.some((name) => process.env[name] !== undefined)) continue;
    for (const name of spellings) if (env[name] !== undefined) process.env[name] = env[name];
  }
}

/**
 * Stops the process gracefully on the first SIGTERM or SIGINT, and at once on the second.
 * @param stop resolves when nothing is in flight, or after the grace period
 * @returns a function that stops the process gracefully, if nothing has stopped it yet
 */
export function onShutdownSignal(stop: () => Promise<void>): () => void {
  let isStopping = false;
  const begin = (): void => {
    if (isStopping) return;
    isStopping = true;
    void stop().then(() => process.exit(0));
  };
  for (const [signal, code] of [
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(code);
      begin();
    });
  }
  return begin;
}
