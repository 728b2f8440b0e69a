import { readFileSync } from "node:fs";
import util from "node:util";
import type { Env } from "../request/types.js";

type EnvFileResult = { readonly ok: true; readonly env: Env } | { ok: false; problem: string };

/**
 * Adds the variables of a `.env` file to the environment, which takes precedence. A missing file
 * adds nothing. `<PREFIX>_ENV_FILE` names another file, or none if it is empty.
 * @param file default file
 * @returns the merged environment, or a sentence about a file that cannot be read
 */
export function withEnvFile(
  env: Env,
  prefix: string,
  file: string | URL | undefined,
): EnvFileResult {
  const configured = env[`${prefix}_ENV_FILE`];
  const path = configured ?? file;
  if (path === undefined || path === "") return { ok: true, env };
  try {
    return { ok: true, env: { ...util.parseEnv(readFileSync(path, "utf8")), ...env } };
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && configured === undefined) return { ok: true, env };
    const name = configured === undefined ? ".env" : `The file of ${prefix}_ENV_FILE`;
    return { ok: false, problem: `${name} cannot be read (${code}).` };
  }
}
