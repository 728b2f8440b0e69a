/** Pages to pay that were shown to users. */

/** Milliseconds for which a client that repeats its call is not asked again. */
const SHOWN_MS = 600_000;

/** Maximum number of remembered calls. */
const MAX_SHOWN = 1_000;

/** The calls of clients before 2026-07-28 for which a page was shown. Their repetitions look the same. */
export class ShownPages {
  readonly #times = new Map<number, number>();

  /** Remembers a call; false if it was remembered already. */
  add(call: number, now = Date.now()): boolean {
    const shown = this.#times.get(call);
    if (shown !== undefined && now - shown < SHOWN_MS) return false;
    this.#times.delete(call);
    this.#times.set(call, now);
    if (this.#times.size > MAX_SHOWN) this.#times.delete(this.#times.keys().next().value!);
    return true;
  }
}
