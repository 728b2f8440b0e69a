/** Stands in for `describe_tools` where no text of a tool is shortened. */

/** No tool. */
export const createDescribeListed = (..._: readonly unknown[]): readonly [] => [];
