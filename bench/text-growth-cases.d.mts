/** Texts of `npm run growth`. */
export const pieces: Readonly<Record<string, readonly [start: string, part: string, end: string]>>;
export const fields: Readonly<Record<string, (document: unknown, text: string) => void>>;
export function textOf(piece: string, n: number): string;
export function documentWithText(piece: string, n: number, fields?: readonly string[]): unknown;
