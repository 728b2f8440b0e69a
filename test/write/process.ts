import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { filesOf, scratch, type TreeText } from "./tree.js";

/** What a run in a process of its own printed. */
export interface Report {
  readonly created: readonly string[];
  readonly diagnostics: readonly { readonly code: string; readonly message: string }[];
  /** The run made fewer changes of the disk than its fault waited for. */
  readonly spared: boolean;
}

const faults = pathToFileURL(join(import.meta.dirname, "faults.mjs")).href;

/** Builds a program that writes `tree` to the folder it is given, and prints the result. */
export async function programFor(tree: TreeText): Promise<string> {
  const folder = scratch();
  await build({ entryPoints: ["src/write/index.ts"], bundle: true, platform: "node", format: "esm", outfile: join(folder, "write.mjs"), logLevel: "error" });
  const program = join(folder, "run.mjs");
  writeFileSync(program, `import { write } from "./write.mjs";\nconst result = await write(${JSON.stringify(filesOf(tree))}, process.argv[2]);\nconsole.log(JSON.stringify({ ...result, spared: faultWasSpared() }));\n`);
  return program;
}

/**
 * Runs a program of `programFor`. Gives back what it reported; undefined when it was killed.
 * @param fault see `faults.mjs`
 * @param limit blocks of the largest file that it may write
 */
export function run(program: string, out: string, fault = "none:0", limit = "unlimited"): Promise<Report | undefined> {
  const command = ["-c", `ulimit -f ${limit}; exec "$0" "$@"`, process.execPath, "--import", faults, program, out];
  return new Promise((resolve, reject) => {
    execFile("bash", command, { env: { ...process.env, FAULT: fault } }, (error, stdout, stderr) => {
      if (error && error.signal !== "SIGKILL") reject(new Error(stderr));
      else resolve(error ? undefined : (JSON.parse(stdout) as Report));
    });
  });
}
