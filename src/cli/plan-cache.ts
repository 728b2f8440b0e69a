/**
 * Plans of documents that have not changed, in the user's cache folder. An entry is used only if
 * every file that was read still has the same content. Damaged entries, and folders and files that
 * others could have written, are ignored: the document is planned again.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { isObject } from "../json.js";
import { isSecretName } from "../plan/secret-names.js";
import { packageRoot } from "../render/package-files.js";
import { version } from "../version.js";
import { isUrl } from "./configuration.js";
import type { ResolvedCommand } from "./resolved-command.js";

/** Digests of files by path; undefined for a file that does not exist. */
export type FileDigests = ReadonlyMap<string, string | undefined>;

/** The cache of one command. */
interface PlanCache<T> {
  /** The stored value, if no file has changed. */
  read(): T | undefined;
  /** Stores a value, unless a file has changed since it was read. Never throws. */
  store(value: T, inputs: FileDigests): void;
}

interface Entry {
  readonly inputs: readonly (readonly [path: string, digest: string | null])[];
  readonly value: unknown;
}

const MAX_ENTRIES = 30;
const MAX_BYTES = 200_000_000;

const sha256 = (data: string | Uint8Array): string =>
  createHash("sha256").update(data).digest("hex");

/** Digest of the content of a file; undefined if it cannot be read. */
export function digestOf(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? sha256(readFileSync(path)) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Opens the cache of a command. Undefined if its plan depends on more than local files (a URL, a
 * pipe, remote references, templates), or if its configuration holds a constant that may be secret.
 */
export function openPlanCache<T>(run: ResolvedCommand): PlanCache<T> | undefined {
  const { source, options, configuration } = run;
  const settings = configuration?.settings ?? {};
  const dependsOnMore =
    (options.templates ?? settings.templates) !== undefined ||
    (options.allowRemoteRefs ?? settings.allowRemoteRefs ?? []).length > 0;
  if (options.verbose === true || dependsOnMore) return undefined;
  if (source === "-" || isUrl(source) || digestOf(source) === undefined) return undefined;
  if (holdsSecret(configuration?.content)) return undefined;
  const folder = cacheFolder();
  const path = join(folder, `${keyOf(run)}.json`);
  return {
    read: () => readEntry(folder, path) as T | undefined,
    store: (value, inputs) => storeEntry(folder, path, value, inputs),
  };
}

/** Everything that decides the plan, except the content of the files that are read. */
function keyOf({ source, options, configuration, configurationFile }: ResolvedCommand): string {
  const { content, settings } = configuration ?? {};
  return sha256(
    JSON.stringify([
      ...[version, programDigest(), process.version, process.cwd(), source, options],
      ...[configurationFile, content, settings],
    ]),
  ).slice(0, 40);
}

/** Changes whenever the program is built anew. */
function programDigest(): string {
  const files = ["cli.cjs", "runtime/index.js"].map((name) => join(packageRoot(), "dist", name));
  return files.map((file) => `${statSync(file).size}-${statSync(file).mtimeMs}`).join(" ");
}

/** True for headers with constant values, and constants of parameters whose names are secret. */
function holdsSecret(value: unknown, name = ""): boolean {
  if (!isObject(value)) return Array.isArray(value) && value.some((one) => holdsSecret(one, name));
  if (isObject(value["headers"]) && Object.values(value["headers"]).some(isText)) return true;
  if (value["fixed"] !== undefined && isSecretName(name)) return true;
  return Object.entries(value).some(([key, member]) => holdsSecret(member, key));
}
const isText = (value: unknown): boolean => typeof value === "string";

/** Folder of the plans, in the user's cache folder. */
function cacheFolder(): string {
  const { env, platform } = process;
  const home = homedir();
  const base =
    platform === "win32"
      ? env["LOCALAPPDATA"] || join(home, "AppData/Local")
      : env["XDG_CACHE_HOME"] || join(home, platform === "darwin" ? "Library/Caches" : ".cache");
  return resolve(base, "mcp-gen-plans");
}

/** True if only this user can have written a file or folder. */
function isPrivate({ uid, mode }: Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
}

function isPrivateFolder(folder: string): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && isPrivate(stats);
}

function readEntry(folder: string, path: string): unknown {
  try {
    const text = isPrivateFolder(folder) ? readPrivateFile(path) : undefined;
    const end = text?.indexOf("\n") ?? -1;
    if (text === undefined || sha256(text.slice(end + 1)) !== text.slice(0, end)) return undefined;
    const { inputs, value } = JSON.parse(text.slice(end + 1)) as Entry;
    if (inputs.some(([file, digest]) => (digestOf(file) ?? null) !== digest)) return undefined;
    return value;
  } catch {
    return undefined;
  }
}

function readPrivateFile(path: string): string | undefined {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(file);
    const isUsable = stats.isFile() && isPrivate(stats) && stats.size <= MAX_BYTES;
    return isUsable ? readFileSync(file, "utf8") : undefined;
  } finally {
    closeSync(file);
  }
}

function storeEntry(folder: string, path: string, value: unknown, read: FileDigests): void {
  const inputs = [...read].map(([file, digest]) => [file, digest ?? null] as const);
  if (inputs.some(([file, digest]) => (digestOf(file) ?? null) !== digest)) return;
  const draft = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivateFolder(folder)) return;
    // An earlier process may have ended while it wrote.
    rmSync(draft, { force: true });
    const text = JSON.stringify({ inputs, value } satisfies Entry);
    if (text.length > MAX_BYTES) return;
    writeFileSync(draft, `${sha256(text)}\n${text}`, { flag: "wx", mode: 0o600 });
    renameSync(draft, path);
    removeOldEntries(folder);
  } catch {
    // A cache that cannot be written costs time only.
    removeFile(draft);
  }
}

function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Its folder may be a file.
  }
}

function removeOldEntries(folder: string): void {
  const entries = readdirSync(folder).map((name) => join(folder, name));
  const byAge = entries
    .map((path) => ({ path, written: lstatSync(path).mtimeMs }))
    .sort((a, b) => b.written - a.written);
  for (const { path } of byAge.slice(MAX_ENTRIES)) rmSync(path, { force: true });
}
