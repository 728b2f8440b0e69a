import { isObject } from "../json.js";
import { At } from "./at.js";
import type { Context } from "./context.js";
import { kindOf } from "./findings.js";
import { list, neededRecord, own, text } from "./read.js";
import type { ApiModel, Tag } from "./types.js";

/**
 * Title, version and text of an API. All versions have the same fields; a missing title is `API`.
 */
export function readInfo(
  c: Context,
): Pick<ApiModel, "title" | "version" | "summary" | "description"> {
  const info = neededRecord(c, c.document.root, "info", At.root) ?? {};
  const at = At.root.child("info");
  const version = own(info, "version");
  const summary = text(c, info, "summary", at);
  const description = text(c, info, "description", at);
  return {
    title: text(c, info, "title", at) ?? "API",
    // YAML makes a number of `1.0`.
    version:
      typeof version === "number" ? String(version) : (text(c, info, "version", at) ?? "0.0.0"),
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
  };
}

/** Root `tags`, each name once. */
export function readTags(c: Context): readonly Tag[] {
  const place = At.root.child("tags");
  const found = new Map<string, Tag>();
  for (const [index, value] of list(c, c.document.root, "tags", At.root).entries()) {
    const at = place.child(index);
    const name = isObject(value) ? text(c, value, "name", at) : undefined;
    if (!isObject(value) || name === undefined) {
      c.findings.add(
        "model-value-type",
        at,
        `A tag must be an object with a name, but this is ${kindOf(value)}; it is left out.`,
      );
      continue;
    }
    const fields = Object.fromEntries(
      ["summary", "description", "parent"]
        .flatMap((key) => [[key, text(c, value, key, at)] as const])
        .filter(([, field]) => field !== undefined),
    );
    if (!found.has(name)) found.set(name, { name, ...fields });
  }
  return [...found.values()];
}
