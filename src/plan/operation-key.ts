import type { Place } from "../diagnostics/index.js";

/** What an operation has wherever it is spoken of. */
interface Keyed {
  readonly method: string;
  readonly path: string;
  readonly place: Place;
}

/** Tells operations apart, also those of one method and path (`/files#upload`). */
export const keyOf = ({ method, path, place }: Keyed): string =>
  `${method} ${path} ${place.pointer}`;

export const isSame = (one: Keyed, other: Keyed): boolean => keyOf(one) === keyOf(other);
