/** Stands in for lists of one item in a query, which no operation has. */

export const singleItem = (..._: readonly unknown[]): string | undefined => undefined;

export const singleItemAdvice = (..._: readonly unknown[]): string => "";

export const hasUniqueItems = (..._: readonly unknown[]): boolean => false;
