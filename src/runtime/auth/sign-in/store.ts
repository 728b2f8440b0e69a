/** Files of signed-in sessions in the user's configuration folder. */
import { createHash, randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { SignInRequest } from "../consent-types.js";
import type { AuthorizationServer } from "oauth4webapi";
import { acquireLock } from "../../store/file-lock.js";

/** A session: the tokens of one user, and the settings to which they are bound. */
export interface Session {
  readonly api: string;
  readonly scheme: string;
  readonly baseUrl: string;
  /** Origins other than that of the base URL to which the tokens may be sent. */
  readonly hosts?: readonly string[];
  readonly clientId: string;
  /** Authorization server that issued the tokens. */
  readonly server: AuthorizationServer;
  /** True if the server publishes no metadata, so that its issuer is inferred. */
  readonly isIssuerInferred: boolean;
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** Milliseconds since the epoch from which the token is refreshed before it is used. */
  readonly usableUntil?: number;
  readonly scopes: readonly string[];
  /** User name or subject of the ID token. */
  readonly user?: string;
}

/** A problem with the store, as a sentence for the user. */
export class StoreError extends Error {}

const MAX_BYTES = 200_000;

/** Folder of the sessions: below the user's configuration folder. */
function sessionsFolder(): string {
  const { env, platform } = process;
  const home = homedir();
  if (platform === "win32")
    return join(env["APPDATA"] || join(home, "AppData/Roaming"), "mcp-gen-sign-in");
  const macFolder = join(home, "Library/Application Support");
  const base =
    env["XDG_CONFIG_HOME"] || (platform === "darwin" ? macFolder : join(home, ".config"));
  return join(base, "mcp-gen-sign-in");
}

/** Path of the session file, derived from everything that the session is bound to. */
export function sessionPath(request: SignInRequest): string {
  const { api, schemeName, scheme, clientId, baseUrl, hosts = [] } = request;
  const binding = JSON.stringify([api, schemeName, scheme.signIn, clientId, baseUrl, ...hosts]);
  const hash = createHash("sha256").update(binding).digest("hex").slice(0, 32);
  return join(sessionsFolder(), `${hash}.json`);
}

/**
 * Reads a session.
 * @throws StoreError if others can read or replace the file
 */
export async function readSession(request: SignInRequest): Promise<Session | undefined> {
  const path = sessionPath(request);
  if (!(await checkFolder())) return undefined;
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw unsafe(path, error.code === "ELOOP" ? "is a symbolic link" : "cannot be read");
    },
  );
  if (!file) return undefined;
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > MAX_BYTES) throw unsafe(path, "is not a session file");
    checkOwner(path, stats);
    return parseSession(await file.readFile("utf8"), request);
  } finally {
    await file.close();
  }
}

/** Parses a session; undefined if it is damaged or bound to something else. */
function parseSession(text: string, request: SignInRequest): Session | undefined {
  try {
    const session = JSON.parse(text) as Session;
    const isBound =
      session.api === request.api &&
      session.scheme === request.schemeName &&
      session.baseUrl === request.baseUrl &&
      (session.hosts ?? []).join(" ") === (request.hosts ?? []).join(" ") &&
      session.clientId === request.clientId;
    return isBound && typeof session.accessToken === "string" ? session : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces a session file atomically. */
export async function writeSession(request: SignInRequest, session: Session): Promise<void> {
  await createFolder();
  const path = sessionPath(request);
  const temporary = `${path}.${randomBytes(8).toString("hex")}.tmp`;
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(JSON.stringify(session));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Removes a session file. */
export async function removeSession(request: SignInRequest): Promise<void> {
  if (await checkFolder()) await rm(sessionPath(request), { force: true });
}

/** Runs a function while no other process runs one for the same session. */
export async function withLock<T>(request: SignInRequest, run: () => Promise<T>): Promise<T> {
  await createFolder();
  const path = `${sessionPath(request)}.lock`;
  const release = await acquireLock(path).catch(() => {
    throw unsafe(path, "cannot be created");
  });
  try {
    return await run();
  } finally {
    await release();
  }
}

async function createFolder(): Promise<void> {
  const folder = sessionsFolder();
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => undefined);
  if (!(await checkFolder())) throw unsafe(folder, "cannot be created");
}

/** Checks that the folder is the user's own. Returns false if there is none. */
async function checkFolder(): Promise<boolean> {
  const folder = sessionsFolder();
  const stats = await lstat(folder).catch(() => undefined);
  if (!stats) return false;
  if (stats.isSymbolicLink()) throw unsafe(folder, "is a symbolic link");
  if (!stats.isDirectory()) throw unsafe(folder, "is not a folder");
  checkOwner(folder, stats);
  return true;
}

function checkOwner(path: string, { uid, mode }: Stats): void {
  if (process.getuid === undefined) return;
  if (uid !== process.getuid()) throw unsafe(path, "belongs to another user");
  if ((mode & 0o077) !== 0) throw unsafe(path, "is accessible to other users");
}

function unsafe(path: string, problem: string): StoreError {
  return new StoreError(`${path} ${problem}. Remove it, then sign in again.`);
}
