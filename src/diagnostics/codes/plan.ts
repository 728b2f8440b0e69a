/** Codes reported by `src/plan`: kebab-case, `plan-` first. */
export const planCodes = {
  "plan-internal": "error",
} as const;
