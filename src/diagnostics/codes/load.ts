/** Codes reported by `src/load`. */
export const loadCodes = {
  /** The file does not exist. */
  "load-not-found": "error",
  /** A folder, a device or a socket instead of a file. */
  "load-not-a-file": "error",
  /** The file cannot be read, usually for lack of permission. */
  "load-unreadable": "error",
  /** A limit on bytes, files, values or references is exceeded. */
  "load-too-large": "error",
  /** A URL that the policy rejects: not https, with credentials, or a disallowed redirect. */
  "load-url-rejected": "error",
  /** The URL could not be fetched. */
  "load-fetch-failed": "error",
  /** No content except white space and comments. */
  "load-empty": "error",
  /** The text is not UTF-8. */
  "load-not-utf8": "error",
  /** A web page, an archive or an image instead of JSON or YAML. */
  "load-not-text": "error",
  /** Invalid JSON or YAML. */
  "load-syntax": "error",
  /** Several YAML documents in one file. */
  "load-multiple-documents": "error",
  /** The nesting exceeds the limit. */
  "load-too-deep": "error",
  /** YAML aliases expand beyond the limit or contain themselves. */
  "load-alias": "error",
  /** A key occurs twice in a JSON object; the last one counts. */
  "load-duplicate-key": "warning",
  /** A valid document of another format. */
  "load-not-openapi": "error",
  /** An unsupported version of OpenAPI. */
  "load-unsupported-version": "error",
  /** The version is a number or incomplete. */
  "load-version-format": "warning",
  /** A top-level field has the wrong type. */
  "load-wrong-type": "error",
  /** The document has no operations. */
  "load-no-operations": "error",
  /** A `$ref` that the policy for files and hosts rejects. */
  "load-ref-rejected": "error",
  /** The target of a `$ref` does not exist or cannot be used. */
  "load-ref-broken": "error",
  /** `$ref`s that refer only to each other. */
  "load-ref-circular": "error",
  /** Further broken `$ref`s, besides the one that is the error. */
  "load-ref-also-broken": "warning",
  /** A broken `$ref` that no operation uses. */
  "load-ref-broken-unused": "warning",
  /** Referenced documentation or an example could not be read. */
  "load-ref-omitted": "warning",
  /** The files could not be bundled into one document. */
  "load-bundle": "error",
} as const;

/** Codes reported by `src/overlay`. */
export const overlayCodes = {
  "overlay-invalid": "error",
  "overlay-path-invalid": "error",
  "overlay-type-mismatch": "error",
  "overlay-copy-source": "error",
  "overlay-no-match": "warning",
  "overlay-type-replaced": "warning",
  "overlay-copy-and-update": "warning",
} as const;
