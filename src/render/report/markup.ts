import { html } from "../code/index.js";

/** HTML that is safe to stand in a page. Only `markup` makes it. */
export class Markup {
  constructor(readonly text: string) {}
}

type Piece = string | number | Markup | undefined | false | readonly Piece[];

/**
 * Puts HTML together: the literal parts are ours, every `${}` is text and is escaped, unless it is
 * markup already. Lists are joined, `undefined` and `false` are nothing.
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
