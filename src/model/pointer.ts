import type { SourceLocation } from "../diagnostics/index.js";
import { unescapePointerToken, escapePointerToken, formatPointer } from "../json-pointer.js";

/**
 * A JSON pointer into the raw document. Extending it is cheap: its text is built only when a
 * diagnostic needs it.
 */
export class Pointer {
  static readonly root = new Pointer(undefined, "", "#");

  private constructor(
    readonly parent: Pointer | undefined,
    readonly key: string,
    private cached?: string,
  ) {}

  /** The pointer with this text: `#/components/schemas/Pet`. */
  static of(pointer: string): Pointer {
    const key = unescapePointerToken(pointer.slice(pointer.lastIndexOf("/") + 1));
    return new Pointer(undefined, key, pointer);
  }

  child(key: string | number): Pointer {
    return new Pointer(this, typeof key === "number" ? String(key) : key);
  }

  /** RFC 6901 in URI fragment form, without percent-encoding: `#/paths/~1pets/get`. */
  get text(): string {
    this.cached ??= `${this.parent?.text ?? "#"}/${escapePointerToken(this.key)}`;
    return this.cached;
  }

  get location(): SourceLocation {
    return { pointer: this.text };
  }
}

/** Builds a pointer's text from its steps: `["paths", "/pets"]` → `#/paths/~1pets`. */
export function pointerFromSteps(steps: readonly string[]): string {
  return `#${formatPointer(steps)}`;
}
