import { findToolName } from "../names/derive-name.js";
import { MAX_NAME_LENGTH } from "../names/name-length.js";
import type { ToolName } from "../names/index.js";
import { isConnective } from "../names/grammar.js";
import type { FindMerge } from "./find.js";
import type { UpdateMerge } from "./update.js";
import type { ClassifiedOperation } from "../classified-operation.js";

/** Names of merged tools, derived from the unique names of their operations. */
export class MergedToolNames {
  private readonly taken: Set<string>;

  constructor(
    private readonly names: ReadonlyMap<ClassifiedOperation, ToolName>,
    /** Names of configured merges. */
    configuredNames: readonly string[],
    private readonly prefix: string,
  ) {
    this.taken = new Set([...[...names.values()].map(({ name }) => name), ...configuredNames]);
  }

  /**
   * `list_pets` → `find_pets`. The tool keeps the name of its list if another operation has that
   * name, or if it is too long. No other tool is ever renamed.
   */
  forFind({ members, collection }: FindMerge): string {
    const memberNames = members.map(({ request }) => this.nameOf(request.classified));
    const base = memberNames[0] as string;
    const words =
      members[0]?.role === "list"
        ? base.slice(this.prefix.length).split("_")
        : this.sharedWords(memberNames.filter((_, i) => members[i]?.role === "search"));
    const found = findToolName(words, collection.words);
    if (found === undefined) return base;
    const name = `${this.prefix}${found}`;
    if (name.length > MAX_NAME_LENGTH || (this.taken.has(name) && !memberNames.includes(name)))
      return base;
    this.taken.add(name);
    return name;
  }

  /**
   * Name that starts with `update` and has no qualifier; that of the PATCH before that of the PUT.
   */
  forUpdate({ patch, put }: UpdateMerge): ToolName {
    const names = [patch, put].map((classified) => this.names.get(classified) as ToolName);
    const updates = names.filter(({ name }) =>
      name.slice(this.prefix.length).startsWith("update_"),
    );
    return (
      updates.find(
        ({ name, collision: clash }) => clash === undefined && !name.endsWith("_partially"),
      ) ??
      updates.find(({ collision: clash }) => clash === undefined) ??
      updates[0] ??
      names.find(({ collision: clash }) => clash === undefined) ??
      (names[0] as ToolName)
    );
  }

  private nameOf(classified: ClassifiedOperation): string {
    return (this.names.get(classified) as ToolName).name;
  }

  /** Common words of searches: `find_pets_by_status` and `find_pets_by_tags` → find pets. */
  private sharedWords(names: readonly string[]): string[] {
    const lists = names.map((name) => name.slice(this.prefix.length).split("_"));
    const [first = []] = lists;
    let end =
      lists.length === 1
        ? first.length
        : first.findIndex((word, i) => lists.some((list) => list[i] !== word));
    if (end < 0) end = first.length;
    while (end > 1 && isConnective(first[end - 1])) end -= 1;
    const by = first.findIndex((word, i) => i > 1 && word === "by");
    return first.slice(0, by < 0 ? end : Math.min(end, by));
  }
}
