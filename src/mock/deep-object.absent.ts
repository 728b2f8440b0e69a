/** Stands in for deep objects, which no parameter of the API has. */

export const readDeep = (..._: readonly unknown[]): undefined => undefined;
