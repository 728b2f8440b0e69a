/** Codes reported by `src/curation` and, for rules that name what the API does not have, by `src/plan`. */
export const curationCodes = {
  "curation-syntax": "error",
  "curation-unknown-key": "error",
  "curation-invalid-value": "error",
} as const;
