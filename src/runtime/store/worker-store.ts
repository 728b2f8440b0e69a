/** Opens the store of a server on Cloudflare Workers. */
import { type ObjectNamespace, openObjectStore } from "./durable-object.js";
import { storeKeyOf, storeKeyProblem } from "./store-key.js";
import type { Store } from "./types.js";

export { StoreObject } from "./durable-object.js";

/** Value of `<PREFIX>_STORE` for Durable Objects, and the name of their binding. */
const ADDRESS = "durable-objects";
const BINDING = "STORE_OBJECTS";

/**
 * Opens the store of `<PREFIX>_STORE=durable-objects`; undefined without the variable.
 * @param bindings variables and other bindings of the worker
 * @param name name of the API, which separates servers that share objects
 * @throws Error with a sentence for an invalid setting
 */
export async function openWorkerStore(
  prefix: string,
  bindings: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): Promise<Store | undefined> {
  const variable = `${prefix}_STORE`;
  const address = env[variable]?.trim() ?? "";
  if (address === "" || address === "memory") return undefined;
  const namespace = bindings[BINDING];
  if (address !== ADDRESS || !isNamespace(namespace))
    throw new Error(
      `${variable} of a worker must be memory or ${ADDRESS}, ` +
        `with a binding ${BINDING} to the class StoreObject.`,
    );
  const secret = storeKeyOf(prefix, env) ?? "";
  const problem = storeKeyProblem(secret);
  if (problem !== undefined)
    throw new Error(`${variable} needs ${variable}_KEY, which encrypts its values: ${problem}`);
  const { encryptStore } = await import("./encrypted.js");
  return encryptStore(openObjectStore(namespace), secret, name);
}

function isNamespace(binding: unknown): binding is ObjectNamespace {
  return typeof (binding as Partial<ObjectNamespace> | undefined)?.idFromName === "function";
}
