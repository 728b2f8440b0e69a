#!/usr/bin/env node
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";
import { describeOldNode, setEngineOptions } from "./cli/node-process.js";

/*
 * Starts the program from V8's compiled code, if it is there: a third of a small run would go into
 * compiling. The code is kept beside the program by the first run that generated something, for
 * this very program, Node and machine; where the folder cannot be written, each run compiles.
 * https://v8.dev/blog/code-caching
 */

/** File name of the program, with a hash of its content. Set by the build. */
declare const PROGRAM: string;

/** Exports of `src/cli.ts`. */
interface Program {
  readonly completion: Promise<{ readonly isCacheable: boolean }>;
}

const oldNode = describeOldNode(process.versions.node, "mcp-gen");
if (oldNode !== undefined) {
  process.stderr.write(`${oldNode}\n`);
  process.exit(2);
}
// Compiled code depends on the options of the engine, so they are set first.
setEngineOptions();
const file = join(__dirname, PROGRAM);
const cacheFile = `${file.slice(0, -".cjs".length)}-${process.version}-${process.arch}.bin`;
const isCacheEnabled = process.env.NODE_DISABLE_COMPILE_CACHE === undefined;
const script = new Script(
  `(function (exports, require, module, __filename, __dirname, __import) {${readFileSync(file, "latin1")}\n})`,
  {
    filename: file,
    cachedData: isCacheEnabled ? readCache() : undefined,
  },
);
const program = { exports: {} as Program };
(script.runInThisContext() as (...args: unknown[]) => void)(
  program.exports,
  createRequire(file),
  program,
  file,
  __dirname,
  (name: string) => import(name),
);
void program.exports.completion
  .then(
    ({ isCacheable }) =>
      isCacheEnabled && isCacheable && script.cachedDataRejected !== false && writeCache(),
  )
  .catch(() => undefined);

function readCache(): Buffer | undefined {
  try {
    return readFileSync(cacheFile);
  } catch {
    return undefined;
  }
}

/**
 * Writes the compiled code. Concurrent runs write files of their own, and the last rename wins.
 * Drafts end in `.bin`, too, because npm packages contain no such file.
 */
function writeCache(): boolean {
  const draft = `${cacheFile.slice(0, -".bin".length)}.${process.pid}.bin`;
  try {
    writeFileSync(draft, script.createCachedData());
    renameSync(draft, cacheFile);
    return true;
  } catch {
    // The installation is read-only, or another run on Windows reads the file. Both are harmless.
    rmSync(draft, { force: true });
    return false;
  }
}
