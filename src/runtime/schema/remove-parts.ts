/** Removal of parts of a value, with their paths in the original. */
import type { PathSegment } from "./check.js";

/**
 * Removes parts of a value in rounds. Items of lists are removed at the end of a round, so that the
 * paths of a round stay valid. Later paths are translated to those of the original value.
 */
export class PartRemover {
  /** Indexes in the original of the items that remain, by list. */
  private readonly indexes = new Map<object, readonly number[]>();
  /** Values that replaced another one. Their parts have no path in the original. */
  private readonly converted = new Set<string>();
  private readonly pending = new Map<unknown[], Set<number>>();
  private readonly removed = new Set<string>();

  constructor(private readonly root: object) {}

  /** Path of a part in the original value; of the part that was converted, if it is inside of one. */
  locate(path: readonly PathSegment[]): readonly PathSegment[] {
    const source: PathSegment[] = [];
    let value: unknown = this.root;
    for (const step of path) {
      if (this.converted.size > 0 && this.converted.has(JSON.stringify(source))) return source;
      const indexes = this.indexes.get(value as object);
      source.push(indexes?.[step as number] ?? step);
      value = (value as Record<PathSegment, unknown> | undefined)?.[step];
    }
    return source;
  }

  /** @param source path of a converted part in the original value */
  markConverted(source: readonly PathSegment[]): void {
    this.converted.add(JSON.stringify(source));
  }

  /** Removes a part, or the converted value around it. */
  remove(path: readonly PathSegment[]): void {
    const whole = path.slice(0, this.locate(path).length);
    let parent: unknown = this.root;
    for (const step of whole.slice(0, -1)) parent = (parent as Record<PathSegment, unknown>)[step];
    const step = whole.at(-1) as PathSegment;
    this.removed.add(JSON.stringify(whole));
    if (!Array.isArray(parent)) delete (parent as Record<PathSegment, unknown>)[step];
    else this.pending.set(parent, (this.pending.get(parent) ?? new Set()).add(step as number));
  }

  /** True if a part, or a part around it, was removed in this round. */
  isRemoved(path: readonly PathSegment[]): boolean {
    if (this.removed.size === 0) return false;
    return path.some((_, i) => this.removed.has(JSON.stringify(path.slice(0, i + 1))));
  }

  finishRound(): void {
    for (const [list, steps] of this.pending) {
      const indexes = this.indexes.get(list) ?? list.map((_, i) => i);
      const isKept = (_: unknown, i: number): boolean => !steps.has(i);
      this.indexes.set(list, indexes.filter(isKept));
      const items = list.filter(isKept);
      items.forEach((item, i) => (list[i] = item));
      list.length = items.length;
    }
    this.pending.clear();
    this.removed.clear();
  }
}
