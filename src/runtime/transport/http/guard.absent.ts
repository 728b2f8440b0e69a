/** Stands in for callers with access tokens, which this server does not verify. */

export function callerOrReply(..._: readonly unknown[]): never {
  throw new Error("This server was generated without access tokens of callers.");
}
