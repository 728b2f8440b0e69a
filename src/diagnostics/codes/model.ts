/** Codes reported by `src/model`: kebab-case, `model-` first. */
export const modelCodes = {
  "model-internal": "error",
} as const;
