/** Stands in for documented meanings of statuses and codes: the API has none. */

export const documentedStatus = (..._: readonly unknown[]): string | undefined => undefined;

export const isLastingFault = (..._: readonly unknown[]): boolean => false;

export const documentedMeanings = (..._: readonly unknown[]): string => "";
