/** Codes reported by `src/load`: kebab-case, `load-` first. */
export const loadCodes = {
  /** There is no such file. */
  "load-not-found": "error",
  /** A folder, a device or a socket where a document was expected. */
  "load-not-a-file": "error",
  /** The operating system refuses to read it. */
  "load-unreadable": "error",
  /** More bytes, files, values or references than the limits allow. */
  "load-too-large": "error",
  /** A URL that is never fetched: not https, credentials inside, a redirect to somewhere else. */
  "load-url-rejected": "error",
  /** A URL that could not be fetched. */
  "load-fetch-failed": "error",
  /** No bytes, or only white space and comments. */
  "load-empty": "error",
  /** Text that is not UTF-8. */
  "load-not-utf8": "error",
  /** A web page, an archive, an image: not JSON and not YAML. */
  "load-not-text": "error",
  /** JSON or YAML that does not parse. */
  "load-syntax": "error",
  /** Several YAML documents in one file. */
  "load-multiple-documents": "error",
  /** Deeper nesting than any real document has. */
  "load-too-deep": "error",
  /** YAML aliases that expand to too much, or contain themselves. */
  "load-alias": "error",
  /** A JSON object with the same key twice: JSON.parse keeps the last one. */
  "load-duplicate-key": "warning",
  /** Parses, but is another kind of document. */
  "load-not-openapi": "error",
  /** A version of OpenAPI that is not read. */
  "load-unsupported-version": "error",
  /** The version is written as a number or without its parts. */
  "load-version-format": "warning",
  /** A part of the document has a type that nothing can be made of. */
  "load-wrong-type": "error",
  /** A document without operations: there is nothing to make tools of. */
  "load-no-operations": "error",
  /** A `$ref` that breaks the rules for files and hosts. */
  "load-ref-rejected": "error",
  /** A `$ref` whose target does not exist or cannot be used. */
  "load-ref-broken": "error",
  /** `$ref`s that lead only to each other. */
  "load-ref-circular": "error",
  /** Further broken `$ref`s beside the one that stopped the run. */
  "load-ref-also-broken": "warning",
  /** A broken `$ref` that no operation needs. */
  "load-ref-broken-unused": "warning",
  /** Documentation or an example that could not be read. */
  "load-ref-omitted": "warning",
  /** The files could not be joined into one document. */
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
