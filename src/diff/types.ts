import type { JsonSchema } from "../json.js";

/**
 * What a change means for those who use a tool. `breaking`: calls that worked may fail, results may
 * be other than was promised, or a call may do something else. `additive`: everything that worked
 * still does. `cosmetic`: nothing but text.
 */
export type ChangeClass = "breaking" | "additive" | "cosmetic";

/** From the most severe. */
export const changeClasses: readonly ChangeClass[] = ["breaking", "additive", "cosmetic"];

/** What happened, for programs. Values are only ever added. */
export type ChangeKind =
  | "tool-added"
  | "tool-removed"
  | "tool-renamed"
  | "operations"
  | "annotation"
  | "title"
  | "description"
  /** A field of an input or of a result. */
  | "field-added"
  | "field-removed"
  | "field-required"
  | "field-optional"
  /**
   * Which values are valid: type, enum, range, length, pattern, format and all else that a schema
   * says.
   */
  | "values"
  | "default"
  | "text";

export interface Change {
  readonly class: ChangeClass;
  readonly kind: ChangeKind;
  /** Its name, the new one where it was renamed. */
  readonly tool: string;
  /**
   * `input.status`, `output.items[].name`, `annotations.readOnlyHint`; absent when it is about the
   * tool as a whole.
   */
  readonly where?: string;
  /**
   * A sentence without its subject's tool. Text of a document stands between backticks, so it is
   * inert in Markdown, too.
   */
  readonly message: string;
  /** What it was and is, where that is a value. */
  readonly was?: unknown;
  readonly now?: unknown;
}

/** One tool of a lock. */
export interface LockedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly operations: readonly string[];
  readonly fingerprint: string;
}

export interface Lock {
  readonly tools: readonly LockedTool[];
}
