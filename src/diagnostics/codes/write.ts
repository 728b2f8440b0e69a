/** Codes reported by `src/write`: kebab-case, `write-` first. */
export const writeCodes = {
  "write-internal": "error",
} as const;
