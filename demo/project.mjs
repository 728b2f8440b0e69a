// Generates a project with the built program and makes it runnable with the packages of this
// repository.
import { execFile } from "node:child_process";
import { mkdtemp, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const run = promisify(execFile);

/** Runs `mcp-gen <document> -o <folder>`. */
export async function generateProject(document) {
  const home = await mkdtemp(join(tmpdir(), "mcp-gen-demo-"));
  const folder = join(home, "server");
  const { stdout } = await run(process.execPath, [
    join(root, "dist/cli.cjs"),
    join(root, document),
    "-o",
    folder,
  ]);
  await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  return { folder, said: stdout, remove: () => rm(home, { recursive: true, force: true }) };
}

/** Type-checks the project, and bundles the server into one file. Returns its path and size. */
export async function buildProject(folder) {
  const bin = join(folder, "node_modules", ".bin");
  await Promise.all([
    run(join(bin, "tsc"), ["--noEmit"], { cwd: folder }),
    run("npm", ["run", "--silent", "bundle"], { cwd: folder }),
  ]);
  const server = join(folder, "dist", "server.js");
  return { server, kilobytes: Math.round((await stat(server)).size / 1024) };
}

/** Loads the mock of the API from the project's tests. */
export async function loadMock(folder) {
  const outfile = join(folder, "dist", "mock.mjs");
  await run(
    join(folder, "node_modules", ".bin", "esbuild"),
    [
      "test/mock.ts",
      "--bundle",
      "--packages=external",
      "--platform=node",
      "--format=esm",
      `--outfile=${outfile}`,
      "--log-level=error",
    ],
    { cwd: folder },
  );
  return import(pathToFileURL(outfile).href);
}
