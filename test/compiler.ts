/** The TypeScript compiler, for tests of generated code. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const modules = join(import.meta.dirname, "../node_modules");

/**
 * Options of all runs. Threads of the compiler do not share types: several need half as much
 * processor time again, and the tests beside them use the other cores.
 */
export const compilerFlags = ["--singleThreaded", "--pretty", "false"];

/**
 * Runs the compiler in a folder, whose `tsconfig.json` it reads unless the arguments name another.
 * @returns its output; empty without errors
 */
export async function compile(folder: string, ...args: readonly string[]): Promise<string> {
  const program = [join(modules, "typescript/bin/tsc"), ...compilerFlags, ...args];
  const options = { cwd: folder, maxBuffer: 1 << 26 };
  try {
    return (await promisify(execFile)(process.execPath, program, options)).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout?: string; readonly stderr?: string };
    return [stdout, stderr].join("") || String(error);
  }
}
