/** Stands in for `read_documentation` where the instructions have all that is documented. */

/** No tool. */
export const createReadDocumentation = (..._: readonly unknown[]): readonly [] => [];
