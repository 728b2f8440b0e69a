import type { Context } from "./context.js";
import type { StoredFile } from "./file-store.js";

/** One `$ref` (or `mapping` value of a discriminator) that means something. */
export interface Site {
  readonly file: StoredFile;
  /** Where it stands in its file. */
  readonly tokens: readonly string[];
  /** `example`: an Example Object; `payload`: data, such as the value of `example`. */
  readonly use: "structure" | "example" | "payload" | "text" | "mapping";
  /** The object that holds the `$ref`; for `mapping`, the mapping itself. Rewritten in place. */
  readonly holder: Record<string, unknown>;
  readonly parent: Record<string, unknown> | unknown[];
  readonly key: string;
  readonly ref: string;
  /** The target is a schema, and deserves its name. */
  readonly schema: boolean;
  /** How the target's keys are to be read, and those of the object that the reference stands in. */
  readonly context: Context;
  readonly parentContext: Context;
  /** False when only parts that no operation uses lead here. */
  readonly needed: boolean;
}

/** What a `$ref` leads to. */
export interface Target {
  readonly file: StoredFile;
  readonly tokens: readonly string[];
  readonly value: unknown;
}
