/** Stands in for objects around the fields of bodies: no operation of this project has a body. */

export const unwrapBody = (_: object, args: unknown): unknown => args;

export const wrapFields = unwrapBody;
