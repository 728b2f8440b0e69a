import { channel } from "node:diagnostics_channel";

/** Where undici keeps what `fetch` sends through; Node's own is there from its first use on. */
const dispatcher = Symbol.for("undici.globalDispatcher.1");

/**
 * Tells from now on whether somebody has put something of their own in the place of `fetch`, or behind it: a proxy (`NODE_USE_ENV_PROXY`
 * is one too), a stub in a test, the instrumentation of a tracer. What they want of requests must stay true.
 * @param isSetAtStart whether there is a dispatcher before this server has fetched anything: then it is not Node's
 */
export function watchFetch(isSetAtStart: boolean = dispatcherNow() !== undefined): () => boolean {
  const { fetch } = globalThis;
  const requests = channel("undici:request:create");
  return () => isSetAtStart || globalThis.fetch !== fetch || (dispatcherNow()?.constructor.name ?? "Agent") !== "Agent" || requests.hasSubscribers;
}

function dispatcherNow(): object | undefined {
  return (globalThis as { readonly [dispatcher]?: object })[dispatcher];
}
