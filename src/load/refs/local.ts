import { isObject } from "../../json.js";
import { resolvePointer } from "../pointer.js";
import { findLoop } from "./loop.js";

/**
 * True when every `$ref` of a document is local, leads to an object (or a boolean schema), and none
 * leads only to itself: then there is nothing to do. Most documents are like this, and the largest
 * must not be crawled for it.
 */
export function areLocalAndSound(root: unknown, refs: ReadonlySet<string>): boolean {
  const targets = new Map<string, unknown>();
  for (const ref of refs) {
    if (ref !== "#" && !ref.startsWith("#/")) return false;
    const target = resolvePointer(root, ref);
    if (!isObject(target) && typeof target !== "boolean") return false;
    targets.set(ref, target);
  }
  const starts = [...targets.values()]
    .filter(isObject)
    .filter((target) => target.$ref !== undefined || target.allOf !== undefined);
  return findLoop(starts, (holder) => targets.get(holder.$ref as string)) === undefined;
}
