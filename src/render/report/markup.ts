import { html } from "../code/index.js";

/** Safe HTML. Only `markup` creates it. */
export class Markup {
  constructor(readonly text: string) {}
}

/** Content of a `${}` in `markup`. */
export type Piece = string | number | Markup | undefined | false | readonly Piece[];

/**
 * Concatenates HTML: literal parts are trusted, each `${}` is escaped unless it is markup. Lists
 * are joined; `undefined` and `false` are omitted.
 */
export function markup(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(parts.map((part, i) => part + write(pieces[i])).join(""));
}

function write(piece: Piece): string {
  if (piece === undefined || piece === false) return "";
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === "object") return piece.map(write).join("");
  return html(String(piece));
}
