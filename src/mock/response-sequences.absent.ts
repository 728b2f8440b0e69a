/** Stands in for sequences, which no response of the API has. */

export const toJsonLines = (value: unknown, _: string): string => String(value);

export const toEvents = (value: unknown): string => String(value);
