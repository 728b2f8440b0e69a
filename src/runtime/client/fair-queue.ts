/** A queue whose callers take turns, and within a caller its tools. */

/** An entry that waits. */
interface Queued {
  readonly caller: string;
  readonly tool: string;
}

interface CallerQueue<Entry> {
  readonly byTool: Map<string, Set<Entry>>;
  size: number;
}

/**
 * Round robin over callers and over the tools of each caller, first come first served within a
 * tool. Maps and sets keep insertion order, so the first one is next, and whoever had its turn is
 * appended.
 */
export class FairQueue<Entry extends Queued> {
  readonly #callers = new Map<string, CallerQueue<Entry>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(entry: Entry): void {
    const { caller, tool } = entry;
    const queue = this.#callers.get(caller) ?? { byTool: new Map(), size: 0 };
    const entries = queue.byTool.get(tool) ?? new Set();
    this.#callers.set(caller, queue);
    queue.byTool.set(tool, entries.add(entry));
    queue.size++;
    this.#size++;
  }

  delete(entry: Entry): void {
    const { caller, tool } = entry;
    const queue = this.#callers.get(caller);
    const entries = queue?.byTool.get(tool);
    if (!queue || !entries?.delete(entry)) return;
    if (entries.size === 0) queue.byTool.delete(tool);
    if (--queue.size === 0) this.#callers.delete(caller);
    this.#size--;
  }

  /** Removes and returns the entry whose turn it is, among those of the eligible callers. */
  take(isEligible: (caller: string) => boolean): Entry | undefined {
    for (const [caller, { byTool }] of this.#callers) {
      if (!isEligible(caller)) continue;
      const [[tool, [entry]] = ["", []]] = byTool;
      if (!entry) continue;
      this.delete(entry);
      moveToEnd(byTool, tool);
      moveToEnd(this.#callers, caller);
      return entry;
    }
    return undefined;
  }

  /** Makes a caller the last one, because it was served. */
  postpone(caller: string): void {
    moveToEnd(this.#callers, caller);
  }

  /** Maximum number of entries that have their turn before a new one of a caller. */
  countAhead(caller: string): number {
    const own = this.countOf(caller);
    const others = this.#callers.size - (own > 0 ? 1 : 0);
    return Math.min(this.#size, own + (own + 1) * others);
  }

  countOf(caller: string): number {
    return this.#callers.get(caller)?.size ?? 0;
  }
}

function moveToEnd<Value>(map: Map<string, Value>, key: string): void {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
}
