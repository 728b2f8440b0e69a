import type { Diagnostic, SourceLocation } from "../diagnostics/index.js";
import type { JsonObject } from "../json.js";

/**
 * The versions that mcp-gen reads. Patch numbers do not matter (OpenAPI 3.1.0, "Versions and
 * Deprecation").
 */
export type SpecVersion = "2.0" | "3.0" | "3.1" | "3.2";

/**
 * One OpenAPI document as plain data: bundled, so that every `$ref` is local (`#/…`), and not
 * dereferenced, so that names and cycles survive. Every reference leads to an object (or a boolean
 * schema) and never only to itself; `resolvePointer` follows it. What stands in examples, defaults
 * and `x-*` is data, also when it is called `$ref`. Objects may be shared (YAML aliases), so the
 * data is never to be changed.
 */
export interface ApiDocument {
  /** What the user typed, for messages: a path, `-` or a URL (without credentials). */
  readonly source: string;
  /** Base name for headers of generated files: `openapi.yaml`; `stdin` for `-`. */
  readonly name: string;
  readonly version: SpecVersion;
  readonly root: JsonObject;
  /** `https:` or loopback URL the document came from; relative server URLs resolve against it. */
  readonly url?: string;
}

export interface LoadOptions {
  /**
   * Folder that relative `$ref`s may reach (after realpath). Default: the folder of the document.
   */
  readonly refRoot?: string;
  /** Hosts that `$ref`s may be fetched from. Default: none. */
  readonly allowRemoteRefs?: readonly string[];
  /** OpenAPI Overlay files, applied in order before references are resolved. Default: none. */
  readonly overlays?: readonly string[];
  /** Text of the document when the path is `-`; default: read stdin. */
  readonly stdin?: () => Promise<Uint8Array>;
}

export interface LoadResult {
  /** Absent when there is an error among the diagnostics. */
  readonly document?: ApiDocument;
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Adds file, line and column to a place, by parsing the text again on demand. Cheap to hold,
   * costs only when called. Places that cannot be found come back unchanged.
   */
  readonly locate: (location: SourceLocation) => SourceLocation;
}
