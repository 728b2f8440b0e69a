#!/usr/bin/env node
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";
import { delayOptimization } from "./cli/v8-options.js";

/*
 * Starts the program from V8's compiled code, if it is there: a third of a small run would go into compiling. The code
 * is kept beside the program by the first run that generated something, for this very program, Node and machine; where
 * the folder cannot be written, each run compiles. https://v8.dev/blog/code-caching
 */

/** File name of the program, which names its content. Set by the build. */
declare const PROGRAM: string;

/** What `src/cli.ts` exports. */
interface Program {
  readonly completion: Promise<{ readonly isCacheable: boolean }>;
}

// Compiled code is good for the engine's options that it was made with.
delayOptimization();
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
 * Writes compiled code down. Another run may be doing the same: each has a file of its own (a
 * `.bin`, too: those are in no package), and the last one stays.
 */
function writeCache(): boolean {
  const draft = `${cacheFile.slice(0, -".bin".length)}.${process.pid}.bin`;
  try {
    writeFileSync(draft, script.createCachedData());
    renameSync(draft, cacheFile);
    return true;
  } catch {
    // An installation that cannot be written; or, on Windows, another run that reads what would be
    // replaced. What is left is no harm.
    rmSync(draft, { force: true });
    return false;
  }
}
