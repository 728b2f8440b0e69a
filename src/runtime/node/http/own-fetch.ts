import { channel } from "node:diagnostics_channel";

/** Where undici keeps what `fetch` sends through; Node's own is there from its first use on. */
const dispatcher = Symbol.for("undici.globalDispatcher.1");

/** To be called when the server starts, before anything is fetched.
 * @returns whether somebody has put something of their own in the place of `fetch`, or behind it: a proxy (`NODE_USE_ENV_PROXY` is one
 * too), a stub in a test, the instrumentation of a tracer. What they want of requests must stay true.
 */
export function watchFetch(): () => boolean {
  const { fetch } = globalThis;
  const isSetAtStart = dispatcherNow() !== undefined;
  const requests = channel("undici:request:create");
  return () => isSetAtStart || globalThis.fetch !== fetch || (dispatcherNow()?.constructor.name ?? "Agent") !== "Agent" || requests.hasSubscribers;
}

function dispatcherNow(): object | undefined {
  return (globalThis as { readonly [dispatcher]?: object })[dispatcher];
}
