/** State that the processes of a server share. */

/**
 * A store of texts by key. Values expire; a value that has expired is absent.
 * @throws StoreUnavailable if the store cannot be reached
 */
export interface Store {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string, ttlMs: number): Promise<void>;
  /** Removes a value. Returns true if there was one, for one of several concurrent calls only. */
  delete(key: string): Promise<boolean>;
  /**
   * Replaces a value if it is the expected one, or adds one if none is expected.
   * @returns false if there was another value
   */
  compareAndSet(
    key: string,
    expected: string | undefined,
    value: string,
    ttlMs: number,
  ): Promise<boolean>;
  /**
   * Adds one to a counter, which expires after the time of its first use.
   * @returns the new count
   */
  increment(key: string, ttlMs: number): Promise<number>;
  /** True if its values are in the memory of a process of this server. */
  readonly isMemory?: true;
  /** The value of a counter; 0 if there is none. */
  count(key: string): Promise<number>;
  close(): Promise<void>;
}

/** The store cannot be reached. Its message has no address and no credentials. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** True for a StoreUnavailable, also of another copy of this module. */
export function isStoreUnavailable(error: unknown): error is StoreUnavailable {
  return error instanceof Error && error.name === "StoreUnavailable";
}

/**
 * A handler of rejections that returns another value if the store cannot be reached.
 * @throws every other error
 */
export function unlessUnavailable<const Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (isStoreUnavailable(error)) return value;
    throw error;
  };
}
