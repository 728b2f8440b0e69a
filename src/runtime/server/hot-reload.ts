import type { ServerContext, ServerContextOptions, ServerContextResult } from "./context.js";

/** Tells that the list of tools is another one. */
export interface ToolListChanges {
  subscribe(listener: () => void): void;
}

/**
 * Called once, with what puts new tools in the places of the old ones; it returns what is wrong
 * with them, a sentence each.
 */
export type ReloadSource = (
  replace: (next: Pick<ServerContextOptions, "api" | "tools" | "custom">) => readonly string[],
) => void;

/**
 * An app whose tools change while it serves: whoever holds it sees the newest, call by call; calls
 * in flight end as they began.
 * @param create puts an app together from new tools
 */
export function createReloadableContext(
  initial: ServerContext,
  reloadSource: ReloadSource,
  create: (next: Pick<ServerContextOptions, "api" | "tools" | "custom">) => ServerContextResult,
): ServerContext {
  let current = initial;
  const listeners: (() => void)[] = [];
  const changes: ToolListChanges = { subscribe: (listener) => void listeners.push(listener) };
  reloadSource((next) => {
    const created = create(next);
    if (!created.ok) return created.problems;
    const hasChanged = serializeToolList(created.context) !== serializeToolList(current);
    current = created.context;
    if (hasChanged) for (const listener of listeners) listener();
    return [];
  });
  return new Proxy(initial, {
    get: (_, key) => (key === "toolListChanges" ? changes : (Reflect.get(current, key) as unknown)),
  });
}

/** All that clients see of the tools. */
function serializeToolList({ tools: catalogue }: ServerContext): string {
  const pages = [catalogue.listPage(undefined)];
  for (let next = pages[0]!.nextCursor; next !== undefined; next = pages.at(-1)!.nextCursor)
    pages.push(catalogue.listPage(next));
  return JSON.stringify(pages);
}
