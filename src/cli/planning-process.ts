/**
 * Planning in a process of its own, so that this one can answer a client meanwhile. The other
 * process runs the same command, and writes the prepared server to a file.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runAgain } from "../try/run-again.js";
import { isUrl } from "./configuration.js";
import { type ExitCode, exitCodes } from "./terminal.js";

const VARIABLE = "MCP_GEN_SERVER_FILE";

/** Size of a document that takes about a second to plan, in bytes. */
const MIN_BYTES = 200_000;

/** The file to which this process writes the prepared server; undefined for other processes. */
export const serverFile = (): string | undefined => process.env[VARIABLE] || undefined;

export function writeServerFile(file: string, server: object): void {
  writeFileSync(file, JSON.stringify(server), { flag: "wx", mode: 0o600 });
}

/** True if a document may take long. The size of one from a URL is not known. */
export function mayTakeLong(source: string): boolean {
  return isUrl(source) || (statSync(source, { throwIfNoEntry: false })?.size ?? 0) >= MIN_BYTES;
}

/** Runs this command in another process, and returns the server that it has prepared. */
export async function prepareInProcess<T>(): Promise<T | ExitCode> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-"));
  const file = join(folder, "server.json");
  try {
    const code = await runAgain({ [VARIABLE]: file });
    // A signal ends the command, as when the server runs.
    if (code !== exitCodes.done) return (code ?? exitCodes.done) as ExitCode;
    return JSON.parse(readFileSync(file, "utf8")) as T;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
