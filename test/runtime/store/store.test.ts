/** The contract of stores, for every driver; Redis where there is one (`TEST_REDIS_URL`). */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as redis from "@redis/client";
import { afterAll, describe, expect, test } from "vitest";
import { openObjectStore, StoreObject } from "../../../src/runtime/store/durable-object.js";
import { encryptStore } from "../../../src/runtime/store/encrypted.js";
import { openFileStore } from "../../../src/runtime/store/file.js";
import { withStoreLock } from "../../../src/runtime/store/lock.js";
import { createMemoryStore } from "../../../src/runtime/store/memory.js";
import { openStore } from "../../../src/runtime/store/open.js";
import { openRedisStore, type RedisModule } from "../../../src/runtime/store/redis.js";
import { type Store, StoreUnavailable } from "../../../src/runtime/store/types.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-store-"));
const secret = "a key of a store, with many random characters";
const redisUrl = process.env["TEST_REDIS_URL"];
afterAll(() => rmSync(folder, { recursive: true }));

const keyPrefix = `test ${crypto.randomUUID()}:`;
const openRedis = async (): Promise<Store> =>
  openRedisStore(redis as unknown as RedisModule, redisUrl ?? "", keyPrefix, () => {});

/** Objects whose requests run one at a time, as the platform does while they wait for storage. */
const openObjects = async (): Promise<Store> => {
  const objects = new Map<string, { readonly object: StoreObject; last: Promise<unknown> }>();
  const create = (name: string) => {
    const values = new Map<string, { value: string; expiresAt: number }>();
    const object = new StoreObject({
      storage: {
        get: async (key) => values.get(key),
        put: async (key, entry) => void values.set(key, entry),
        deleteAll: async () => values.clear(),
        setAlarm: async () => {},
      },
    });
    const created = { object, last: Promise.resolve() };
    objects.set(name, created);
    return created;
  };
  return openObjectStore({
    idFromName: (name) => ({ name }),
    get: (id) => ({
      fetch: (url, init) => {
        const { name } = id as { readonly name: string };
        const one = objects.get(name) ?? create(name);
        const response = one.last.then(() => one.object.fetch(new Request(url, init)));
        one.last = response;
        return response;
      },
    }),
  });
};

const drivers: readonly (readonly [string, () => Promise<Store>])[] = [
  ["memory", async () => createMemoryStore()],
  ["Durable Objects", openObjects],
  ["files", () => openFileStore(join(folder, "plain"))],
  [
    "encrypted files",
    async () => encryptStore(await openFileStore(join(folder, "safe")), secret, "clinic"),
  ],
  ...(redisUrl === undefined ? [] : ([["Redis", openRedis]] as const)),
];

describe.each(drivers)("%s", (_, open) => {
  const hour = 3_600_000;
  let store: Store;
  test("can be opened", async () => {
    store = await open();
    expect(await store.get("none")).toBeUndefined();
  });

  test("values are replaced and removed", async () => {
    await store.set("a", "1", hour);
    await store.set("a", 'ü "2"', hour);
    expect(await store.get("a")).toBe('ü "2"');
    expect(await store.delete("a")).toBe(true);
    expect(await store.delete("a")).toBe(false);
    expect(await store.get("a")).toBeUndefined();
  });

  test("values and counters expire", async () => {
    await store.set("short", "1", 1);
    await store.increment("few", 1);
    await expect.poll(() => store.get("short")).toBeUndefined();
    await expect.poll(() => store.count("few")).toBe(0);
    expect(await store.delete("short")).toBe(false);
    expect(await store.compareAndSet("short", undefined, "2", hour)).toBe(true);
  });

  test("a value is replaced only if it is the expected one", async () => {
    expect(await store.compareAndSet("c", "1", "2", hour)).toBe(false);
    expect(await store.compareAndSet("c", undefined, "1", hour)).toBe(true);
    expect(await store.compareAndSet("c", undefined, "2", hour)).toBe(false);
    expect(await store.compareAndSet("c", "2", "3", hour)).toBe(false);
    expect(await store.compareAndSet("c", "1", "3", hour)).toBe(true);
    expect(await store.get("c")).toBe("3");
  });

  test("one of many concurrent changes is made", async () => {
    const adds = Array.from({ length: 10 }, (_, i) =>
      store.compareAndSet("d", undefined, String(i), hour),
    );
    expect((await Promise.all(adds)).filter(Boolean)).toHaveLength(1);
    const deletes = Array.from({ length: 10 }, () => store.delete("d"));
    expect((await Promise.all(deletes)).filter(Boolean)).toHaveLength(1);
  });

  test("concurrent increments are counted", async () => {
    const counts = await Promise.all(Array.from({ length: 10 }, () => store.increment("n", hour)));
    expect(counts.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await store.count("n")).toBe(10);
  });

  test("a lock has one owner at a time", async () => {
    let running = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
    };
    await Promise.all(Array.from({ length: 5 }, () => withStoreLock(store, "l", work)));
    expect(most).toBe(1);
    await expect(withStoreLock(store, "l", () => Promise.reject(new Error("x")))).rejects.toThrow();
    expect(await withStoreLock(store, "l", async () => "free")).toBe("free");
  });
});

describe("encryption", () => {
  test("the store sees neither keys nor values", async () => {
    const path = join(folder, "hidden");
    const store = await encryptStore(await openFileStore(path), secret, "clinic");
    await store.set("session of ann", "token 4711", 1000);
    const content = readdirSync(path).map((name) => name + readFileSync(join(path, name), "utf8"));
    expect(content).toHaveLength(1);
    expect(content.join()).not.toMatch(/ann|4711|session/);
  });

  test("a value that was moved to another key, or written with another one, is not read", async () => {
    const plain = createMemoryStore();
    const moved = new Map<string, string>();
    const spy: Store = {
      ...plain,
      set: async (key, value, ttl) => {
        moved.set(key, value);
        await plain.set(key, value, ttl);
      },
    };
    const store = await encryptStore(spy, secret, "clinic");
    await store.set("ann", "1", 1000);
    await store.set("ben", "2", 1000);
    const [ann = "", ben = ""] = [...moved.keys()];
    await plain.set(ben, moved.get(ann)!, 1000);
    await expect(store.get("ben")).rejects.toThrow(StoreUnavailable);
    expect(await store.get("ann")).toBe("1");
    const other = await encryptStore(plain, `${secret}!`, "clinic");
    expect(await other.get("ann")).toBeUndefined();
  });
});

test("servers that share a store and its key share no values and no counters", async () => {
  const plain = createMemoryStore();
  const [clinic, library] = await Promise.all(
    ["clinic", "library"].map((name) => encryptStore(plain, secret, name)),
  );
  await clinic!.set("a", "1", 1000);
  await clinic!.increment("calls", 1000);
  expect([await library!.get("a"), await library!.count("calls")]).toEqual([undefined, 0]);
  expect(await library!.compareAndSet("a", undefined, "2", 1000)).toBe(true);
  expect([await clinic!.get("a"), await clinic!.count("calls")]).toEqual(["1", 1]);
});

describe("files of other users", () => {
  const openIn = (path: string) =>
    openStore(
      "CLINIC",
      { CLINIC_STORE: `file:${path}`, CLINIC_STORE_KEY: secret },
      "clinic",
      () => {},
    );

  test.each<readonly [string, (path: string) => void, string]>([
    [
      "that others can change",
      (path) => chmodSync(mkdirTo(path), 0o777),
      "is accessible to other users",
    ],
    [
      "that others can read",
      (path) => chmodSync(mkdirTo(path), 0o755),
      "is accessible to other users",
    ],
    [
      "that is a link",
      (path) => symlinkSync(mkdirTo(`${path}-target`), path),
      "is a symbolic link",
    ],
  ])("a folder %s is refused", async (name, prepare, problem) => {
    const path = join(folder, name);
    prepare(path);
    expect(await openIn(path)).toEqual({
      ok: false,
      problem: `CLINIC_STORE: The folder ${problem}. Name one that only the user of the server can use, such as a new one in it.`,
    });
  });

  const mkdirTo = (path: string): string => {
    mkdirSync(path);
    return path;
  };

  test.each(["", "{", "null", "[]", '{"value":"many","expiresAt":9e15}', '{"expiresAt":"x"}'])(
    "a damaged value %j ends no limit and is nobody's value",
    async (content) => {
      const path = join(folder, crypto.randomUUID());
      const plain = await openFileStore(path);
      const store = await encryptStore(plain, secret, "clinic");
      await store.increment("calls", 1000);
      await store.set("a", "1", 1000);
      for (const name of readdirSync(path)) writeFileSync(join(path, name), content);
      const outcomes = await Promise.allSettled([store.get("a"), store.increment("calls", 1000)]);
      const values = outcomes.map((one) => (one.status === "fulfilled" ? one.value : "refused"));
      expect(["refused", undefined]).toContain(values[0]);
      expect(["refused", 1]).toContain(values[1]);
    },
  );
});

test("the memory of a process is bounded", async () => {
  const store = createMemoryStore();
  for (let i = 0; i <= 20_000; i++) await store.set(String(i), "", 1000);
  expect([await store.get("0"), await store.get("20000")]).toEqual([undefined, ""]);
});

describe("a setting", () => {
  const open = (env: Record<string, string>) => openStore("CLINIC", env, "clinic", () => {});

  test.each([[{}], [{ CLINIC_STORE: "" }], [{ CLINIC_STORE: "memory" }]] as const)(
    "%j has no store",
    async (env) => expect(await open(env)).toEqual({ ok: true }),
  );

  test.each([
    [{ CLINIC_STORE: "redis://x" }, /^CLINIC_STORE needs CLINIC_STORE_KEY, .* at least 32 random/],
    [
      { CLINIC_STORE: "redis://x", CLINIC_STORE_KEY: "short" },
      /^CLINIC_STORE needs CLINIC_STORE_KEY/,
    ],
    [
      { CLINIC_STORE: "http://x", CLINIC_STORE_KEY: secret },
      /^CLINIC_STORE must be memory, a folder/,
    ],
    [
      { CLINIC_STORE: "file:/dev/null/x", CLINIC_STORE_KEY: secret },
      /names a folder that cannot be/,
    ],
  ] as const)("%j is a problem", async (env, want) =>
    expect(await open(env)).toEqual({ ok: false, problem: expect.stringMatching(want) as string }),
  );

  test("of a folder opens it", async () => {
    const env = { CLINIC_STORE: `file:${join(folder, "new")}`, CLINIC_STORE_KEY: secret };
    const opened = await open(env);
    if (!opened.ok) throw new Error(opened.problem);
    await opened.store!.set("a", "1", 1000);
    expect(await opened.store!.get("a")).toBe("1");
  });

  test("of a server that is not there fails within a bounded time, and says so once", async () => {
    const warnings: string[] = [];
    const env = { CLINIC_STORE: "redis://127.0.0.1:1", CLINIC_STORE_KEY: secret };
    const opened = await openStore("CLINIC", env, "clinic", (text) => void warnings.push(text));
    if (!opened.ok) throw new Error(opened.problem);
    await expect(opened.store!.get("a")).rejects.toThrow(StoreUnavailable);
    expect(warnings).toEqual(["The store of CLINIC_STORE cannot be reached."]);
    await opened.store!.close();
  });
});
