import type { Place } from "../diagnostics/index.js";
import { child, pointerTokens, toPointer } from "./pointer.js";
import type { Origin } from "./refs/adopt.js";
import type { StoredFile } from "./refs/file-store.js";

/** What `locate` needs to hold: the files with their texts, and which object came from which. */
export interface Located {
  readonly main: StoredFile;
  readonly files: readonly StoredFile[];
  readonly root: unknown;
  readonly origins: ReadonlyMap<object, Origin>;
}

/**
 * Finds the line and column of a place. With a file, its pointer is one of that file. Without, a
 * pointer is one into the joined document and is followed object by object; where one came from
 * another file, the place moves there, with the pointer that is right in that file.
 */
export function locateIn({ main, files, root, origins }: Located, place: Place): Place {
  if (place.line !== undefined) return place;
  const named = files.find(({ source }) => source.label === place.file);
  if (place.file !== undefined && !named) return place;
  if (named) return { ...place, ...named.source.positionOf(pointerTokens(place.pointer)) };
  let file = main;
  let tokens: string[] = [];
  let value = root;
  for (const token of pointerTokens(place.pointer)) {
    tokens.push(token);
    value = child(value, token);
    const origin = origins.get(value as object);
    if (!origin) continue;
    file = origin.file;
    tokens = [...origin.tokens];
  }
  const position = file.source.positionOf(tokens);
  const pointer = file === main ? place.pointer : toPointer(tokens);
  return { ...place, file: file.source.label, pointer, ...position };
}
