import { diagnostic, isError, type Diagnostic, type DiagnosticCode } from "../diagnostics/index.js";
import { visible } from "../diagnostics/clean.js";
import type { At } from "./at.js";

/**
 * Collects diagnostics. The same finding at the same place (a component that many operations share)
 * is kept once.
 */
export class Findings {
  /**
   * What was said, by place: put together to one text with a long place, each would be compared
   * with all others.
   */
  private readonly seen = new Map<string, Set<string>>();
  private readonly found: Diagnostic[] = [];

  add(code: DiagnosticCode, at: At, message: string, hint?: string): void {
    const here = this.seen.get(at.pointer);
    const said = `${code} ${message}`;
    if (here?.has(said)) return;
    if (here) here.add(said);
    else this.seen.set(at.pointer, new Set([said]));
    this.found.push(diagnostic(code, message, at.place, hint));
  }

  /**
   * In the order they were found. One error says why the document is unusable; further ones come
   * along as warnings.
   */
  get list(): readonly Diagnostic[] {
    const first = this.found.find(isError);
    return this.found.map((one) =>
      isError(one) && one !== first
        ? diagnostic("model-also-unusable", one.message, one.place, one.hint)
        : one,
    );
  }

  get failed(): boolean {
    return this.found.some(isError);
  }
}

const LONGEST_QUOTE = 80;

/** Text of the document inside a message: quoted, escaped, cut. */
export function quote(text: string): string {
  return visible(
    JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text),
  );
}

/** `a string`, `an array`: what a value is, for a message that must not repeat it. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
