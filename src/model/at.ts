import type { Place } from "../diagnostics/index.js";
import { escapeToken, pointerTo } from "../json.js";

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

/** The pointer of steps, in URI fragment form: `["paths", "/pets"]` → `#/paths/~1pets`. */
export function pointerOf(steps: readonly string[]): string {
  return `#${pointerTo(steps)}`;
}
