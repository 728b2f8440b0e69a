import type { JsonSchema } from "../../json.js";
import { code } from "../words.js";
import type { SchemaChange } from "./changes.js";
import { equalJson } from "./side.js";

/** Keywords that are read, but decide nothing. */
const texts = [
  "title",
  "description",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "$comment",
];

/** Changed texts of one place in a schema. */
export function textChanges(
  before: readonly JsonSchema[],
  after: readonly JsonSchema[],
  path: string,
): readonly SchemaChange[] {
  return texts.flatMap((keyword): SchemaChange[] => {
    const [was, now] = [first(before, keyword), first(after, keyword)];
    if (equalJson(was, now)) return [];
    const place = path === "" ? "" : ` of ${code(path)}`;
    const what = was === undefined ? "is new" : now === undefined ? "is gone" : "reads differently";
    return [
      {
        class: "wording",
        kind: "text",
        path,
        message: `The ${names[keyword] ?? keyword}${place} ${what}.`,
        ...(was !== undefined && { was }),
        ...(now !== undefined && { now }),
      },
    ];
  });
}

const names: Readonly<Record<string, string>> = {
  examples: "example",
  deprecated: "note of deprecation",
  $comment: "comment",
};

/** The text of the schema itself goes before that of what it refers to. */
function first(parts: readonly JsonSchema[], keyword: string): unknown {
  return parts.find((part) => part[keyword] !== undefined)?.[keyword];
}
