/** Functions of Node for a server: its platform, the `.env` file, signals and local files. */
import { constants, readFileSync, type Stats } from "node:fs";
import { type FileHandle, open, readFile, realpath, stat } from "node:fs/promises";
import paths, { basename, join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import util from "node:util";
import type { LoadSignIn, Platform, SignInModule } from "../auth/types.js";
import { createNodeClient, nodeFetch } from "../client/node-client.js";
import type { Folder, LocalFile } from "../files/files.js";
import type { Env } from "../request/types.js";

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

function signInFunctions(
  load: LoadSignIn,
): Pick<SignInModule, "signedInToken" | "requestSignIn" | "signInsSettled"> {
  return {
    signedInToken: async (...request) => (await load()).signedInToken(...request),
    requestSignIn: async (...request) => (await load()).requestSignIn(...request),
    signInsSettled: async () => (await load()).signInsSettled(),
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

/** Maximum size of a file to read: requests are built in memory. */
const maxFileBytes = 50_000_000;
/** Numbered names that are tried for a file to save. */
const maxNames = 1000;

/** O_NONBLOCK keeps `open` from waiting for a FIFO. Windows has neither these flags nor FIFOs. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const writeFlags =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens the configured folder.
 * @returns on failure, the reason as a clause without a subject
 */
export async function openFolder(path: string): Promise<Folder | string> {
  const root = await realpath(path).catch(() => undefined);
  if (root === undefined || !(await stat(root)).isDirectory()) return "is not a folder";
  if (root === parse(root).root)
    return "is the root of the file system; name a folder for files only";
  return {
    path: root,
    read: (reference) => readFromFolder(root, reference),
    save: (name, bytes) => saveInFolder(root, name, bytes),
  };
}

/**
 * Reads a file inside the folder. All paths outside have the same reason, whether they exist or
 * not. A file with several hard links may also be outside of the folder.
 */
async function readFromFolder(root: string, reference: string): Promise<LocalFile | string> {
  const notFound = "names no file in the folder for files";
  const path = resolveReference(root, reference);
  const realPath = path === undefined ? undefined : await realpath(path).catch(() => undefined);
  if (realPath === undefined || !isInside(root, realPath)) return notFound;
  const handle = await open(realPath, openFlags).catch(() => undefined);
  if (!handle) return notFound;
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || !(await isUnchanged(realPath, stats))) return notFound;
    if (stats.nlink > 1) return "has several hard links, which are not followed; use a copy of it";
    const tooLarge = `is larger than ${maxFileBytes} bytes`;
    if (stats.size > maxFileBytes) return tooLarge;
    const bytes = await handle.readFile();
    return bytes.byteLength > maxFileBytes ? tooLarge : { name: basename(realPath), bytes };
  } finally {
    await handle.close();
  }
}

/**
 * Resolves a reference: `file:a.pdf` is in the folder, `file:///x/a.pdf` is absolute. Undefined for
 * a path on another machine (`\\host\share`), to which Windows would present the user's
 * credentials.
 */
export function resolveReference(
  root: string,
  reference: string,
  { resolve, relative, isAbsolute }: PathFunctions = paths,
): string | undefined {
  const rest = reference.slice("file:".length);
  if (rest.includes("\0")) return undefined;
  try {
    const path = rest.startsWith("//") ? fileURLToPath(reference) : resolve(root, rest);
    const isOnOtherMachine = /^[\\/]{2}/.test(path);
    return isOnOtherMachine && !isInside(root, path, { relative, isAbsolute }) ? undefined : path;
  } catch {
    return undefined;
  }
}

type PathFunctions = Pick<typeof paths, "resolve" | "relative" | "isAbsolute">;

function isInside(
  root: string,
  path: string,
  { relative, isAbsolute }: Pick<PathFunctions, "relative" | "isAbsolute"> = paths,
): boolean {
  const relativePath = relative(root, path);
  return relativePath !== "" && !/^\.\.(?:[/\\]|$)/.test(relativePath) && !isAbsolute(relativePath);
}

/**
 * True if the opened file is still the one at the path: a parent folder may have been replaced by a
 * link between the check and the opening.
 */
async function isUnchanged(path: string, opened: Stats): Promise<boolean> {
  const [currentPath, currentStats] = await Promise.all([
    realpath(path).catch(() => undefined),
    stat(path).catch(() => undefined),
  ]);
  return (
    currentPath === path && currentStats?.ino === opened.ino && currentStats.dev === opened.dev
  );
}

async function saveInFolder(
  root: string,
  name: string,
  bytes: Uint8Array,
): Promise<string | undefined> {
  const { name: stem, ext } = parse(basename(name));
  for (let count = 1; count <= maxNames; count++) {
    const path = join(root, count === 1 ? `${stem}${ext}` : `${stem}-${count}${ext}`);
    if ((await realpath(root).catch(() => undefined)) !== root) return undefined;
    const handle = await open(path, writeFlags, 0o644).catch(
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (handle === "EEXIST") continue;
    return typeof handle === "object" ? writeAll(handle, path, bytes) : undefined;
  }
  return undefined;
}

async function writeAll(
  handle: FileHandle,
  path: string,
  bytes: Uint8Array,
): Promise<string | undefined> {
  try {
    await handle.writeFile(bytes);
    return path;
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}
