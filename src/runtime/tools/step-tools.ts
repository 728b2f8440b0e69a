/** Tools that can be steps of one call: those that only read, or all that destroy nothing. */
export type StepTools = "reads" | "all";
