import type { Change } from "../types.js";
import { toAnnotations } from "./github.js";
import { toMarkdown } from "./markdown.js";
import { toText } from "./text.js";

/** How a comparison is printed. */
export const diffFormats = ["text", "json", "markdown", "github"] as const;
export type DiffFormat = (typeof diffFormats)[number];

export interface FormatOptions {
  /** The lock that annotations point into, and the line of each tool there. */
  readonly file?: { readonly path: string; readonly lines: ReadonlyMap<string, number> };
  /** Everything, however long. */
  readonly verbose?: boolean;
}

/** The changes as text, ending with a line feed. No change is said, too. */
export function formatChanges(
  changes: readonly Change[],
  format: DiffFormat,
  options: FormatOptions = {},
): string {
  switch (format) {
    case "json":
      return toJson(changes);
    case "markdown":
      return toMarkdown(changes);
    case "github":
      return toAnnotations(changes, options);
    case "text":
      return toText(changes, options);
  }
}

/** One object; fields are only ever added. In ASCII, so that a terminal obeys nothing in it. */
function toJson(changes: readonly Change[]): string {
  const count = (one: Change["class"]): number =>
    changes.filter((change) => change.class === one).length;
  const text = JSON.stringify(
    {
      breaking: count("breaking"),
      additive: count("additive"),
      wording: count("wording"),
      changes,
    },
    null,
    2,
  );
  return `${text.replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`;
}
