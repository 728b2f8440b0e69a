/** Messages between the processes of a server with `--workers`. */
import type { Store } from "../store/types.js";

/** The operations of a store that a worker requests. */
export type StoreOperation = Exclude<keyof Store, "close" | "isMemory">;

/** A message of a worker to the primary process. */
export type WorkerMessage =
  | {
      readonly kind: "store";
      readonly id: number;
      readonly operation: StoreOperation;
      readonly values: readonly unknown[];
    }
  | { readonly kind: "metrics"; readonly id: number; readonly text: string };

/** A message of the primary process to a worker. */
export type PrimaryMessage =
  | { readonly kind: "stop" }
  | { readonly kind: "metrics"; readonly id: number }
  | { readonly kind: "stored"; readonly id: number; readonly value: unknown };
