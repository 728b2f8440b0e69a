/**
 * IDs of tasks: the sealed job itself, so that any process of the server can read it without a
 * record of tasks. Encrypted and authenticated with AES-256-GCM.
 */
import { base64Url, concatBytes, decodeBase64, utf8Bytes } from "../data/bytes.js";
import { isObject } from "../data/values.js";
import { createMemoryStore } from "../store/memory.js";
import { sharedSecret } from "../store/shared-secret.js";
import type { Store } from "../store/types.js";
import type { ToolInput } from "../types.js";

/** Work that a call has started, and that its client follows as a task. */
export interface StartedTask {
  /** Tool that started it, and the position of its operation. */
  readonly tool: string;
  readonly operation: number;
  /** Tool that reads its state, with the input. */
  readonly follow: string;
  readonly input: ToolInput;
  /** Body of the response of the write. */
  readonly started: unknown;
}

/** The task that a call starts. */
export interface TaskSession {
  /** Set by the call if its client has to follow it. */
  started?: StartedTask & {
    /** Milliseconds before its first read. */
    readonly pollMs: number;
  };
}

/** A task, as its ID has it. Times in milliseconds since 1970. */
export interface SealedTask extends StartedTask {
  /** Digest of the caller. */
  readonly caller: string;
  readonly createdAt: number;
}

/** Milliseconds for which an ID is valid. */
export const TASK_TTL_MS = 86_400_000;

/** Seals and opens IDs. */
export interface TaskIds {
  seal(task: SealedTask): Promise<string>;
  /** Opens the ID of a task of this caller. Undefined for one that is forged, expired or another's. */
  open(taskId: string, caller: string): Promise<SealedTask | undefined>;
}

/** @param shared state of all processes of the server. Absent: IDs are valid in this process only */
export function createTaskIds(shared: Store | undefined): TaskIds {
  const store = shared ?? createMemoryStore();
  return {
    async seal(task) {
      const day = dayOf(task.createdAt);
      return `${day}.${await encrypt(await keyOf(store, day), day, JSON.stringify(task))}`;
    },
    async open(taskId, caller) {
      const [, day = "", sealed = ""] = /^(\d{1,6})\.([\w-]{40,})$/.exec(taskId) ?? [];
      const now = Date.now();
      if (day !== dayOf(now) && day !== dayOf(now - TASK_TTL_MS)) return undefined;
      const task = await decrypt(await keyOf(store, day), day, sealed).catch(() => undefined);
      const isValid = task?.caller === caller && now < task.createdAt + TASK_TTL_MS;
      return isValid ? task : undefined;
    },
  };
}

/** Number of a day. Each has a key of its own, which outlives the IDs that it seals. */
const dayOf = (time: number): string => String(Math.floor(time / TASK_TTL_MS));

async function keyOf(store: Store, day: string) {
  const secret = await sharedSecret(store, `tasks:secret:${day}`, 3 * TASK_TTL_MS);
  return crypto.subtle.importKey("raw", secret, "AES-GCM", false, ["encrypt", "decrypt"]);
}

type Key = Awaited<ReturnType<typeof keyOf>>;

/** Bytes of the nonce. NIST SP 800-38D, section 8.2.1. */
const NONCE_BYTES = 12;

async function encrypt(key: Key, day: string, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const algorithm = { name: "AES-GCM", iv, additionalData: utf8Bytes(day) };
  const encrypted = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, utf8Bytes(text)));
  return base64Url(concatBytes([iv, encrypted], iv.length + encrypted.length));
}

async function decrypt(key: Key, day: string, sealed: string): Promise<SealedTask> {
  const bytes = decodeBase64(sealed.replaceAll("-", "+").replaceAll("_", "/"));
  const iv = bytes.slice(0, NONCE_BYTES);
  const algorithm = { name: "AES-GCM", iv, additionalData: utf8Bytes(day) };
  const text = await crypto.subtle.decrypt(algorithm, key, bytes.slice(NONCE_BYTES));
  const task: unknown = JSON.parse(new TextDecoder().decode(text));
  if (!isObject(task)) throw new TypeError("A sealed task is an object.");
  return task as unknown as SealedTask;
}
