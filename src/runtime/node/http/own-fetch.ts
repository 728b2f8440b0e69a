import { channel } from "node:diagnostics_channel";

/**
 * Where undici keeps what `fetch` sends through, since version 8 in the second place; Node's own is
 * there from its first use on.
 */
const places = [Symbol.for("undici.globalDispatcher.1"), Symbol.for("undici.globalDispatcher.2")];

/** What Node itself puts there: the wrapper in the first place, around what is in the second. */
const ofNode: ReadonlySet<string> = new Set(["Agent", "Dispatcher1Wrapper"]);

/**
 * Tells from now on whether somebody has put something of their own in the place of `fetch`, or
 * behind it: a proxy (`NODE_USE_ENV_PROXY` is one too), a stub in a test, the instrumentation of a
 * tracer. What they want of requests must stay true.
 * @param isSetAtStart whether there is a dispatcher before this server has fetched anything: then
 *   it is not Node's
 */
export function watchFetch(isSetAtStart: boolean = dispatchersNow().length > 0): () => boolean {
  const { fetch } = globalThis;
  const requests = channel("undici:request:create");
  return () =>
    isSetAtStart ||
    globalThis.fetch !== fetch ||
    dispatchersNow().some(({ constructor }) => !ofNode.has(constructor.name)) ||
    requests.hasSubscribers;
}

function dispatchersNow(): readonly object[] {
  return places.flatMap(
    (place) => (globalThis as { readonly [place: symbol]: object | undefined })[place] ?? [],
  );
}
