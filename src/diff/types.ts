import type { JsonSchema } from "../json.js";

/**
 * Effect of a change on users of a tool.
 * - `breaking`: calls may fail, results may differ from the former schema, or a call may have
 * another effect.
 * - `additive`: everything that worked still works.
 * - `cosmetic`: only text changed.
 */
export type ChangeClass = "breaking" | "additive" | "cosmetic";

/** All classes, the most severe first. */
export const changeClasses: readonly ChangeClass[] = ["breaking", "additive", "cosmetic"];

/** Machine-readable kind of a change. Kinds are only ever added. */
export type ChangeKind =
  | "tool-added"
  | "tool-removed"
  | "tool-renamed"
  /** `tools/list` has the tools instead of the discovery tools, or the reverse. */
  | "list-mode"
  | "operations"
  | "annotation"
  | "title"
  | "description"
  /** A property of an input or output. */
  | "field-added"
  | "field-removed"
  | "field-required"
  | "field-optional"
  /** Valid values: type, enum, range, length, pattern, format and all other constraints. */
  | "values"
  | "default"
  | "text";

export interface Change {
  readonly class: ChangeClass;
  readonly kind: ChangeKind;
  /** The tool's name, the new one after renaming; `tools/list` for the list as a whole. */
  readonly tool: string;
  /**
   * `input.status`, `output.items[].name`, `annotations.readOnlyHint`. Absent for the tool as a
   * whole.
   */
  readonly where?: string;
  /**
   * Name of the shared schema of both locks that changed. The change reaches every tool that
   * contains the schema.
   */
  readonly schema?: string;
  /** Path in the shared schema: `email`; empty for the schema itself. */
  readonly schemaPath?: string;
  /**
   * A sentence about the tool, without its name. Document text is in inline code, which is also
   * inert in Markdown.
   */
  readonly message: string;
  /** The old and the new value, if any. */
  readonly was?: unknown;
  readonly now?: unknown;
}

/** A tool's entry in a lock. */
export interface LockedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly operations: readonly string[];
}

/** Content of `tools/list`: every tool, or the discovery tools. */
export type ListMode = "tools" | "discovery";

export interface Lock {
  /** True for the list of a running server, which does not show operations. */
  readonly isToolList?: true;
  /** Absent in locks of earlier versions. */
  readonly listMode?: ListMode;
  readonly tools: readonly LockedTool[];
  /** Names of the shared schemas that tools contain, by object. Absent when none are shared. */
  readonly schemaNames?: ReadonlyMap<object, string>;
}
