/** Codes reported by `src/load`: kebab-case, `load-` first. */
export const loadCodes = {
  "load-internal": "error",
} as const;
