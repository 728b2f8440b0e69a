/** Stands in for XML, which the API does not have. */

export const xmlError = (_: string): undefined => undefined;

export const toXml = (value: unknown, ..._: readonly unknown[]): string => String(value);
