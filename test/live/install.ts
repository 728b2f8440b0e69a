import { execFile } from "node:child_process";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { LiveServer } from "./types.js";

const options = { maxBuffer: 64 * 1024 * 1024 };

/**
 * Runs a program to its end.
 * @throws with its output when it fails
 */
export async function run(cwd: string, program: string, ...args: string[]): Promise<string> {
  try {
    const env = { ...process.env, NO_COLOR: "1" };
    return (await promisify(execFile)(program, args, { ...options, cwd, env })).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    const output = `${stdout}\n${stderr}`.trim().slice(-4000);
    throw new Error(`${[program, ...args].join(" ")} failed:\n${output}`, { cause: error });
  }
}

/** Installs the packages of a server into a folder. Nothing outside of it changes. */
export async function install(server: LiveServer, folder: string): Promise<void> {
  if (server.debian) await unpackDebian(server.debian, folder);
  if (server.packages) await installFromNpm(server.packages, folder);
  await server.arrange?.(folder);
}

async function installFromNpm(packages: readonly string[], folder: string): Promise<void> {
  await writeFile(join(folder, "package.json"), '{ "private": true }\n');
  await run(folder, "npm", "install", "--no-audit", "--no-fund", "--save-exact", ...packages);
}

/** Downloads packages with what they need beyond the system, and unpacks them without scripts. */
async function unpackDebian(packages: readonly string[], folder: string): Promise<void> {
  const archives = join(folder, "archives");
  await mkdir(join(archives, "partial"), { recursive: true });
  const settings = ["Debug::NoLocking=true", `Dir::Cache::archives=${archives}`];
  const set = settings.flatMap((setting) => ["-o", setting]);
  const flags = ["--yes", "--no-install-recommends", "--download-only", "--reinstall"];
  await run(folder, "apt-get", "install", ...flags, ...set, ...packages);
  for (const name of (await readdir(archives)).filter((entry) => entry.endsWith(".deb")))
    await run(folder, "dpkg", "-x", join(archives, name), join(folder, "debian"));
}

/**
 * Installs and bundles a generated project.
 * @param isOffline whether it takes the packages of this repository instead of its lock's
 */
export async function buildProject(folder: string, isOffline: boolean): Promise<void> {
  if (isOffline) await symlink(resolve("node_modules"), join(folder, "node_modules"), "junction");
  else await run(folder, "npm", "ci", "--no-audit", "--no-fund");
  await run(folder, "npm", "run", "--silent", "build");
}
