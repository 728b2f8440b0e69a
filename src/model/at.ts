import type { Place } from "../diagnostics/index.js";

/**
 * A place in the raw document. Cheap to extend while walking; its pointer text is only put
 * together when a diagnostic or a `place` needs it.
 */
export class At {
  static readonly root = new At(undefined, "", "#");

  private constructor(
    readonly up: At | undefined,
    readonly key: string,
    private text?: string,
  ) {}

  /** The place that a pointer (`#/components/schemas/Pet`) names. */
  static of(pointer: string): At {
    return new At(undefined, pointer.slice(pointer.lastIndexOf("/") + 1), pointer);
  }

  child(key: string | number): At {
    return new At(this, typeof key === "number" ? String(key) : key);
  }

  /** RFC 6901 in URI fragment form, without percent-encoding: `#/paths/~1pets/get`. */
  get pointer(): string {
    this.text ??= `${this.up?.pointer ?? "#"}/${escapeToken(this.key)}`;
    return this.text;
  }

  get place(): Place {
    return { pointer: this.pointer };
  }
}

/** RFC 6901 section 3. */
export function escapeToken(token: string): string {
  return SPECIAL.test(token) ? token.replace(/[~/]/g, (char) => (char === "~" ? "~0" : "~1")) : token;
}

const SPECIAL = /[~/]/;

/** RFC 6901 section 4. */
export function unescapeToken(token: string): string {
  return token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token;
}

/** The unescaped tokens of a pointer: `#/paths/~1pets` → `["paths", "/pets"]`. */
export function tokensOf(pointer: string): string[] {
  return pointer.split("/").slice(1).map(unescapeToken);
}

/** The inverse of `tokensOf`. */
export function pointerOf(tokens: readonly string[]): string {
  return tokens.length === 0 ? "#" : `#/${tokens.map(escapeToken).join("/")}`;
}
