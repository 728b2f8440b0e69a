/** A store in Durable Objects of Cloudflare Workers: one object for each key. */
import { type Store, StoreUnavailable } from "./types.js";

interface ObjectEntry {
  readonly value: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The part of the storage of an object that is used. */
interface ObjectStorage {
  get(key: string): Promise<ObjectEntry | undefined>;
  put(key: string, entry: ObjectEntry): Promise<void>;
  deleteAll(): Promise<void>;
  setAlarm(time: number): Promise<void>;
}

/** A binding to the objects of a class. */
export interface ObjectNamespace {
  idFromName(name: string): object;
  get(id: object): { fetch(url: string, init: RequestInit): Promise<Response> };
}

/** An operation on the value of an object, as its request states it. */
type ObjectRequest =
  | { readonly operation: "get" | "delete" | "count" }
  | { readonly operation: "set"; readonly value: string; readonly ttlMs: number }
  | {
      readonly operation: "compareAndSet";
      readonly expected?: string;
      readonly value: string;
      readonly ttlMs: number;
    }
  | { readonly operation: "increment"; readonly ttlMs: number };

/** Key of the only entry of an object. */
const ENTRY = "entry";

/** Milliseconds for one operation. A call waits for the store within them. */
const OPERATION_MS = 3_000;

/** Only the class of the binding reads it. */
const OBJECT_URL = "https://store.invalid/";

/**
 * The object of one key. While it waits for its storage, the platform starts no other request of
 * it, so that an operation is atomic.
 */
export class StoreObject {
  readonly #storage: ObjectStorage;

  constructor({ storage }: { readonly storage: ObjectStorage }) {
    this.#storage = storage;
  }

  async fetch(request: Request): Promise<Response> {
    // The body is read before the storage, because other requests may start meanwhile.
    const parsed = (await request.json()) as ObjectRequest;
    return Response.json({ result: await this.#run(parsed) });
  }

  /** Removes the value when it expires. */
  async alarm(): Promise<void> {
    if (!(await this.#read())) await this.#storage.deleteAll();
  }

  async #run(request: ObjectRequest): Promise<unknown> {
    const entry = await this.#read();
    switch (request.operation) {
      case "get":
        return entry?.value;
      case "count":
        return Number(entry?.value ?? 0);
      case "delete":
        await this.#storage.deleteAll();
        return entry !== undefined;
      case "increment": {
        const count = Number(entry?.value ?? 0) + 1;
        await this.#write(String(count), entry?.expiresAt ?? Date.now() + request.ttlMs);
        return count;
      }
      case "compareAndSet":
        if (entry?.value !== request.expected) return false;
        break;
      case "set":
    }
    await this.#write(request.value, Date.now() + request.ttlMs);
    return true;
  }

  async #read(): Promise<ObjectEntry | undefined> {
    const entry = await this.#storage.get(ENTRY);
    return entry && entry.expiresAt > Date.now() ? entry : undefined;
  }

  async #write(value: string, expiresAt: number): Promise<void> {
    await this.#storage.put(ENTRY, { value, expiresAt });
    await this.#storage.setAlarm(expiresAt);
  }
}

/** Opens a store in the objects of a binding. */
export function openObjectStore(namespace: ObjectNamespace): Store {
  const run = async <Result>(key: string, request: ObjectRequest): Promise<Result> => {
    try {
      // A stub belongs to the request that makes it.
      const object = namespace.get(namespace.idFromName(key));
      const signal = AbortSignal.timeout(OPERATION_MS);
      const body = JSON.stringify(request);
      const response = await object.fetch(OBJECT_URL, { method: "POST", body, signal });
      if (response.ok) return ((await response.json()) as { readonly result: Result }).result;
    } catch {
      // As for a response that is not a success.
    }
    throw new StoreUnavailable("The store cannot be reached.");
  };
  return {
    get: (key) => run(key, { operation: "get" }),
    set: async (key, value, ttlMs) => void (await run(key, { operation: "set", value, ttlMs })),
    delete: (key) => run(key, { operation: "delete" }),
    compareAndSet: (key, expected, value, ttlMs) =>
      run(key, {
        operation: "compareAndSet",
        ...(expected !== undefined && { expected }),
        value,
        ttlMs,
      }),
    increment: (key, ttlMs) => run(key, { operation: "increment", ttlMs }),
    count: (key) => run(key, { operation: "count" }),
    close: async () => {},
  };
}
