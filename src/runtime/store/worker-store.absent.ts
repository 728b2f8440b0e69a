/** Stands in for the stores of workers, which are left out. */
import { leftOut } from "../left-out.js";
import type { Store } from "./types.js";

/** The class of the objects of a store. */
export const StoreObject = undefined;

/** @throws Error with a sentence for a server with `<PREFIX>_STORE` */
export async function openWorkerStore(
  prefix: string,
  _bindings: unknown,
  env: Readonly<Record<string, string | undefined>>,
  _name: string,
): Promise<Store | undefined> {
  const address = env[`${prefix}_STORE`]?.trim() ?? "";
  if (address === "" || address === "memory") return undefined;
  throw new Error(leftOut(`the stores of ${prefix}_STORE`, "stores"));
}
