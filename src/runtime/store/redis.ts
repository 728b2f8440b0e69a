/** A store in Redis or Valkey, by the client `@redis/client`. */
import { type Store, StoreUnavailable } from "./types.js";

interface RedisClient {
  connect(): Promise<unknown>;
  on(event: "error" | "ready", listener: () => void): unknown;
  get(key: string): Promise<string | null>;
  set(key: string, value: string, options: { readonly PX: number }): Promise<unknown>;
  del(key: string): Promise<number>;
  sendCommand(words: readonly string[]): Promise<unknown>;
  destroy(): void;
}

/** The module `@redis/client`. */
export interface RedisModule {
  createClient(options: {
    readonly url: string;
    readonly disableOfflineQueue: boolean;
    readonly socket: {
      readonly connectTimeout: number;
      readonly reconnectStrategy: (retries: number) => number;
    };
  }): RedisClient;
}

/** Milliseconds for a connection, and for one command. A call waits for the store within them. */
const CONNECT_MS = 2_000;
const COMMAND_MS = 3_000;

/** Longest pause before a new connection, in milliseconds. */
const MAX_RECONNECT_MS = 500;

/** Sets a value if the present one is expected. The first argument tells if one is expected. */
const COMPARE_AND_SET = `
local current = redis.call("GET", KEYS[1])
local isExpected = (ARGV[1] == "absent" and not current) or (ARGV[1] == "value" and current == ARGV[2])
if not isExpected then return 0 end
redis.call("SET", KEYS[1], ARGV[3], "PX", ARGV[4])
return 1`;

const INCREMENT = `
local count = redis.call("INCR", KEYS[1])
if count == 1 then redis.call("PEXPIRE", KEYS[1], ARGV[1]) end
return count`;

/**
 * Opens a store. The connection is made anew whenever it is lost; meanwhile, commands fail.
 * @param prefix first part of all keys
 * @param onChange is told whether there is a connection, also again and again while there is none
 */
export function openRedisStore(
  { createClient }: RedisModule,
  url: string,
  prefix: string,
  onChange: (isConnected: boolean) => void,
): Store {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_MS,
      reconnectStrategy: (retries) => Math.min(MAX_RECONNECT_MS, 50 * 2 ** retries),
    },
  });
  client.on("error", () => onChange(false));
  client.on("ready", () => onChange(true));
  const connecting = client.connect().catch(() => onChange(false));
  // Commands wait for the first connection only. Later ones fail while there is none.
  const started = Promise.race([connecting, pause(CONNECT_MS)]);
  const run = async <Result>(command: () => Promise<Result>): Promise<Result> => {
    try {
      return await withinTime(started.then(command));
    } catch {
      throw new StoreUnavailable("The store cannot be reached.");
    }
  };
  const evaluate = (script: string, key: string, ...values: readonly string[]): Promise<unknown> =>
    run(() => client.sendCommand(["EVAL", script, "1", prefix + key, ...values]));
  const expiry = (ttlMs: number): number => Math.max(1, Math.ceil(ttlMs));
  return {
    get: async (key) => (await run(() => client.get(prefix + key))) ?? undefined,
    set: async (key, value, ttlMs) =>
      void (await run(() => client.set(prefix + key, value, { PX: expiry(ttlMs) }))),
    delete: async (key) => (await run(() => client.del(prefix + key))) > 0,
    async compareAndSet(key, expected, value, ttlMs) {
      const kind = expected === undefined ? "absent" : "value";
      const ttl = String(expiry(ttlMs));
      return (await evaluate(COMPARE_AND_SET, key, kind, expected ?? "", value, ttl)) === 1;
    },
    increment: async (key, ttlMs) => Number(await evaluate(INCREMENT, key, String(expiry(ttlMs)))),
    count: async (key) => {
      const count = Number((await run(() => client.get(prefix + key))) ?? 0);
      if (Number.isSafeInteger(count)) return count;
      throw new StoreUnavailable("A value of the store is not a count.");
    },
    close: async () => client.destroy(),
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}

async function withinTime<Result>(result: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The store does not respond.")), COMMAND_MS);
  });
  return Promise.race([result, expired]).finally(() => clearTimeout(timer));
}
