/** Codes reported by `src/overlay`. */
export const overlayCodes = {
  "overlay-invalid": "error",
  "overlay-path-invalid": "error",
  "overlay-type-mismatch": "error",
  "overlay-copy-source": "error",
  "overlay-no-match": "warning",
  "overlay-replaced": "warning",
  "overlay-two-sources": "warning",
} as const;
