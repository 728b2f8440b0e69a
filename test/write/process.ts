import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { filesOf, scratch, type TreeText } from "./tree.js";

/** Output of a run in a process of its own. */
export interface Report {
  readonly created: readonly string[];
  readonly deleted: readonly string[];
  readonly refused: readonly string[];
  readonly diagnostics: readonly { readonly code: string; readonly message: string }[];
  /** The run made fewer changes of the disk than its fault waited for. */
  readonly spared: boolean;
}

const faults = pathToFileURL(join(import.meta.dirname, "faults.mjs")).href;

/** Builds a program that writes `tree` to the folder it is given, and prints the result. */
export async function programFor(tree: TreeText): Promise<string> {
  const folder = scratch();
  const entryPoints = { write: "src/write/index.ts" };
  // What is loaded only when it is needed (ts-morph has 14 MB) stays apart: hundreds of processes
  // run this.
  await build({
    entryPoints,
    bundle: true,
    splitting: true,
    external: ["ts-morph"],
    platform: "node",
    format: "esm",
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    logLevel: "error",
  });
  const program = join(folder, "run.mjs");
  writeFileSync(program, programText(JSON.stringify(filesOf(tree))));
  return program;
}

function programText(files: string): string {
  return `import { write } from "./write.mjs";
const result = await write(${files}, process.argv[2]);
console.log(JSON.stringify({ ...result, spared: faultWasSpared() }));
`;
}

/**
 * Runs a program of `programFor`. Gives back what it reported; undefined when it was killed.
 * @param fault see `faults.mjs`
 * @param limit blocks of the largest file that it may write
 * @param system `caseless`: names that differ in case are one
 */
export function run(
  program: string,
  out: string,
  fault = "none:0",
  limit = "unlimited",
  system = "usual",
): Promise<Report | undefined> {
  const command = [
    "-c",
    `ulimit -f ${limit}; exec "$0" "$@"`,
    process.execPath,
    "--import",
    faults,
    program,
    out,
  ];
  return new Promise((resolve, reject) => {
    execFile(
      "bash",
      command,
      { env: { ...process.env, FAULT: fault, SYSTEM: system } },
      (error, stdout, stderr) => {
        if (error && error.signal !== "SIGKILL") reject(new Error(stderr));
        else resolve(error ? undefined : (JSON.parse(stdout) as Report));
      },
    );
  });
}
