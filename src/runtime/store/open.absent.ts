/** Stands in for the stores that processes share, which are left out. */
import type { Env } from "../request/types.js";
import { leftOut } from "../left-out.js";
import type { Store } from "./types.js";

type OpenResult =
  | { readonly ok: true; readonly store?: Store }
  | { readonly ok: false; readonly problem: string };

/** Sentence about the feature. */
export const storesProblem: string | undefined = leftOut("stores that processes share", "stores");

/** Each process has its own state. */
export function openStore(
  prefix: string,
  env: Env,
  _name: string,
  _warn: (message: string) => void,
): OpenResult {
  const address = env[`${prefix}_STORE`]?.trim() ?? "";
  if (address === "" || address === "memory") return { ok: true };
  return { ok: false, problem: leftOut(`the stores of ${prefix}_STORE`, "stores") };
}
