import {
  diagnostic,
  type Diagnostic,
  type DiagnosticCode,
  type SourceLocation,
} from "../diagnostics/index.js";
import type { JsonObject } from "../json.js";

/** Supported versions. Patch numbers are ignored (OpenAPI 3.1.0, "Versions and Deprecation"). */
export type SpecVersion = "2.0" | "3.0" | "3.1" | "3.2";

/**
 * One OpenAPI document as plain data: bundled, so that every `$ref` is local (`#/…`), and not
 * dereferenced, so that names and cycles are preserved. Every reference leads to an object (or a
 * boolean schema) and never only to itself, unless it is a key of `brokenRefs`; `resolvePointer`
 * follows it. A `$ref` in examples, defaults and `x-*` is data. Objects may be shared (YAML
 * aliases), so the data must not be changed.
 */
export interface ApiDocument {
  /** Source as the user typed it, for messages: a path, `-` or a URL (without credentials). */
  readonly source: string;
  /** Base name for headers of generated files: `openapi.yaml`; `stdin` for `-`. */
  readonly name: string;
  readonly version: SpecVersion;
  readonly root: JsonObject;
  /** Problems of broken references that operations need, by the `$ref` that replaces them. */
  readonly brokenRefs?: ReadonlyMap<string, Diagnostic>;
  /** URL of the document (`https:` or loopback); relative server URLs resolve against it. */
  readonly url?: string;
}

/** Name and value of a request header. */
export type RequestHeader = readonly [name: string, value: string];

export interface LoadOptions {
  /**
   * Folder that relative `$ref`s may reach (after symbolic links are resolved). Default: the folder
   * of the document.
   */
  readonly refRoot?: string;
  /** Hosts from which `$ref`s may be fetched. Default: none. */
  readonly allowRemoteRefs?: readonly string[];
  /** OpenAPI Overlay files, applied in order before references are resolved. Default: none. */
  readonly overlays?: readonly string[];
  /**
   * Header of the request for a document at a URL, such as its credentials. It is sent to the
   * origin of the URL only. Default: none.
   */
  readonly documentHeader?: RequestHeader;
  /** Text of the document when the path is `-`; default: read stdin. */
  readonly stdin?: () => Promise<Uint8Array>;
}

export interface LoadResult {
  /** Absent after an error. */
  readonly document?: ApiDocument;
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Adds file, line and column to a location, by parsing the text again when called. Returns
   * locations that cannot be found unchanged.
   */
  readonly locate: (location: SourceLocation) => SourceLocation;
}

/** A value, or the problem that prevents it. Problems of a document are returned, never thrown. */
export type Outcome<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly problem: Diagnostic; readonly value?: undefined };

export function success<T>(value: T): Outcome<T> {
  return { value };
}

/** Creates a failed outcome; for the parameters see `diagnostic`. */
export function failure(
  code: DiagnosticCode,
  message: string,
  location?: SourceLocation,
  hint?: string,
): { readonly problem: Diagnostic } {
  return { problem: diagnostic(code, message, location, hint) };
}
