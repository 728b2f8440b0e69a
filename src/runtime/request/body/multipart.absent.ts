/** Stands in for multipart bodies, which no operation of this project takes. */
import type { Multipart } from "./multipart.js";

/** @throws always */
export function multipartBody(..._: readonly unknown[]): Multipart {
  throw new Error("This server was generated without multipart bodies.");
}

/** @throws always */
export function multipartSequence(..._: readonly unknown[]): Multipart {
  throw new Error("This server was generated without multipart bodies.");
}
