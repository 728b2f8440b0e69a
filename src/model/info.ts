import { isObject, omitUndefined } from "../json.js";
import { Pointer } from "./pointer.js";
import type { Context } from "./context.js";
import { describeType } from "./diagnostics.js";
import { ownProperty, readArray, readObject, readString } from "./raw-object.js";
import type { ApiModel, Tag } from "./types.js";

/** Reads title, version and description of an API. The default title is `API`. */
export function readInfo(
  c: Context,
): Pick<ApiModel, "title" | "version" | "summary" | "description"> {
  const info = readObject(c, c.document.root, "info", Pointer.root) ?? {};
  const pointer = Pointer.root.child("info");
  const version = ownProperty(info, "version");
  const summary = readString(c, info, "summary", pointer);
  const description = readString(c, info, "description", pointer);
  return omitUndefined({
    title: readString(c, info, "title", pointer) ?? "API",
    // YAML parses `1.0` as a number.
    version:
      typeof version === "number"
        ? String(version)
        : (readString(c, info, "version", pointer) ?? "0.0.0"),
    summary,
    description,
  });
}

/** Reads the root `tags`, each name once. */
export function readTags(c: Context): readonly Tag[] {
  const tagsPointer = Pointer.root.child("tags");
  const byName = new Map<string, Tag>();
  for (const [index, value] of readArray(c, c.document.root, "tags", Pointer.root).entries()) {
    const pointer = tagsPointer.child(index);
    const name = isObject(value) ? readString(c, value, "name", pointer) : undefined;
    if (!isObject(value) || name === undefined) {
      c.diagnostics.add(
        "model-value-type",
        pointer,
        `A tag must be an object with a name, but this is ${describeType(value)}; it is left out.`,
      );
      continue;
    }
    const fields = Object.fromEntries(
      ["summary", "description", "parent"]
        .flatMap((key) => [[key, readString(c, value, key, pointer)] as const])
        .filter(([, field]) => field !== undefined),
    );
    if (!byName.has(name)) byName.set(name, { name, ...fields });
  }
  return [...byName.values()];
}
