import type {
  ServerContext,
  ServerContextOptions,
  ServerContextResult,
  ToolListChanges,
} from "./context.js";

/**
 * Subscribes to new tools. It is called once with a function that replaces the tools and returns
 * problems of the new ones, as sentences.
 */
export type ReloadSource = (
  replace: (next: Pick<ServerContextOptions, "api" | "tools" | "custom">) => readonly string[],
) => void;

/**
 * Creates a context whose tools can be replaced while the server runs. Calls in flight end with the
 * tools that they started with.
 * @param create creates a context of new tools
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
    const result = create(next);
    if (!result.ok) return result.problems;
    const hasChanged = serializeToolList(result.context) !== serializeToolList(current);
    current = result.context;
    if (hasChanged) for (const listener of listeners) listener();
    return [];
  });
  return new Proxy(initial, {
    get: (_, key) => (key === "toolListChanges" ? changes : (Reflect.get(current, key) as unknown)),
  });
}

/** The tool list as clients see it. */
function serializeToolList({ tools }: ServerContext): string {
  const pages = [tools.listPage(undefined)];
  for (let next = pages[0]!.nextCursor; next !== undefined; next = pages.at(-1)!.nextCursor)
    pages.push(tools.listPage(next));
  return JSON.stringify(pages);
}
