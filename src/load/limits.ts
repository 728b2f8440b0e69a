/** Limits for input documents. The largest known document has 60 MB. */
export const limits = {
  /** Bytes of one document or referenced file. */
  bytes: 64 * 1024 * 1024,
  /** Bytes of all files of one document. */
  totalBytes: 256 * 1024 * 1024,
  /** Files of one document. DigitalOcean's has 1,485. */
  files: 10_000,
  /** `$ref`s of a document with several files; bundling is not linear. */
  refs: 100_000,
  /** Objects and arrays in one file. GitHub's 13 MB have 90,570. */
  containers: 2_000_000,
  /** Values of a YAML document with all aliases expanded. */
  expanded: 2_000_000,
  /** Nesting depth. The deepest known document has 50 levels. */
  depth: 200,
  redirects: 5,
  /** For one URL with its redirects, or for a pipe. */
  milliseconds: 30_000,
} as const;

export type Limits = { readonly [key in keyof typeof limits]: number };

/** `64 MB`, for messages. */
export function megabytes(bytes: number): string {
  return `${Math.round(bytes / (1024 * 1024))} MB`;
}
