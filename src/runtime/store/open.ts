/** Opens the store that the settings name. */
import { fileURLToPath } from "node:url";
import { canParseUrl } from "../data/urls.js";
import type { Env } from "../request/types.js";
import type { RedisModule } from "./redis.js";
import { storeKeyOf, storeKeyProblem } from "./store-key.js";
import { isStoreUnavailable, type Store } from "./types.js";

/** Loads `@redis/client`, which only projects with such a store have. */
const loadRedis = async (): Promise<object> => {
  // The name is not a literal, so that bundles do not need the package.
  const name = ["@redis", "client"].join("/");
  return (await import(name)) as object;
};

/** A store, or the problem as a sentence. Neither is present without a setting. */
type OpenResult =
  | { readonly ok: true; readonly store?: Store }
  | { readonly ok: false; readonly problem: string };

/** Sentence for the user who sets the variable, if stores are left out. */
export const storesProblem: string | undefined = undefined;

/**
 * Opens the store of `<PREFIX>_STORE`: `redis://`, `rediss://` or `file:`.
 * @param name name of the API, which separates servers that share a store
 * @param warn is told of a lost connection
 */
export async function openStore(
  prefix: string,
  env: Env,
  name: string,
  warn: (message: string) => void,
): Promise<OpenResult> {
  const variable = `${prefix}_STORE`;
  const address = env[variable]?.trim() ?? "";
  if (address === "" || address === "memory") return { ok: true };
  const secret = storeKeyOf(prefix, env) ?? "";
  const problem = storeKeyProblem(secret);
  if (problem !== undefined)
    return fail(`${variable} needs ${variable}_KEY, which encrypts its values: ${problem}`);
  const { encryptStore } = await import("./encrypted.js");
  const opened = await openPlain(variable, address, `${name}:`, warn);
  if (typeof opened === "string") return fail(opened);
  return { ok: true, store: await encryptStore(opened, secret, name) };
}

function fail(problem: string): OpenResult {
  return { ok: false, problem };
}

/** Opens a store without encryption; the problem, as a sentence, if that fails. */
async function openPlain(
  variable: string,
  address: string,
  keyPrefix: string,
  warn: (message: string) => void,
): Promise<Store | string> {
  const protocol = canParseUrl(address) ? new URL(address).protocol : "";
  if (protocol === "file:") {
    const { openFileStore } = await import("./file.js");
    const folder = address.startsWith("file://") ? fileURLToPath(address) : address.slice(5);
    return openFileStore(folder).catch((error: Error) =>
      isStoreUnavailable(error)
        ? `${variable}: ${error.message}`
        : `${variable} names a folder that cannot be created.`,
    );
  }
  if (protocol !== "redis:" && protocol !== "rediss:")
    return (
      `${variable} must be memory, a folder (file:/var/lib/NAME), ` +
      "or the URL of Redis or Valkey (redis://, rediss://)."
    );
  const redis = await loadRedis().catch(() => undefined);
  if (!redis) return `${variable} needs the package @redis/client: npm install @redis/client.`;
  const { openRedisStore } = await import("./redis.js");
  let wasConnected = true;
  return openRedisStore(redis as RedisModule, address, keyPrefix, (isConnected) => {
    if (wasConnected && !isConnected) warn(`The store of ${variable} cannot be reached.`);
    wasConnected = isConnected;
  });
}
