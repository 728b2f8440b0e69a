import type { App, AppOptions, AppResult } from "./app.js";

/** Tells that the list of tools is another one. */
export interface Changes {
  subscribe(listener: () => void): void;
}

/**
 * Called once, with what puts new tools in the places of the old ones; it returns what is wrong
 * with them, a sentence each.
 */
export type Follow = (
  replace: (next: Pick<AppOptions, "api" | "tools" | "custom">) => readonly string[],
) => void;

/**
 * An app whose tools change while it serves: whoever holds it sees the newest, call by call; calls
 * in flight end as they began.
 * @param create puts an app together from new tools
 */
export function liveApp(
  first: App,
  follow: Follow,
  create: (next: Pick<AppOptions, "api" | "tools" | "custom">) => AppResult,
): App {
  let current = first;
  const listeners: (() => void)[] = [];
  const changes: Changes = { subscribe: (listener) => void listeners.push(listener) };
  follow((next) => {
    const created = create(next);
    if (!created.ok) return created.problems;
    const isOther = listOf(created.app) !== listOf(current);
    current = created.app;
    if (isOther) for (const listener of listeners) listener();
    return [];
  });
  return new Proxy(first, {
    get: (_, key) => (key === "changes" ? changes : (Reflect.get(current, key) as unknown)),
  });
}

/** All that clients see of the tools. */
function listOf({ catalogue }: App): string {
  const pages = [catalogue.page(undefined)];
  for (let next = pages[0]!.nextCursor; next !== undefined; next = pages.at(-1)!.nextCursor)
    pages.push(catalogue.page(next));
  return JSON.stringify(pages);
}
