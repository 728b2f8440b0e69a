import { diagnostic, isError, type Diagnostic, type DiagnosticCode } from "../diagnostics/index.js";
import { escapeInvisible } from "../diagnostics/text.js";
import type { Pointer } from "./pointer.js";

/**
 * Collects diagnostics. The same finding at the same place (a component that many operations share)
 * is kept once.
 */
export class DiagnosticCollector {
  /**
   * What was said, by place: put together to one text with a long place, each would be compared
   * with all others.
   */
  private readonly seen = new Map<string, Set<string>>();
  private readonly collected: Diagnostic[] = [];

  add(code: DiagnosticCode, pointer: Pointer, message: string, hint?: string): void {
    const here = this.seen.get(pointer.text);
    const said = `${code} ${message}`;
    if (here?.has(said)) return;
    if (here) here.add(said);
    else this.seen.set(pointer.text, new Set([said]));
    this.collected.push(diagnostic(code, message, pointer.location, hint));
  }

  /**
   * In the order they were found. One error says why the document is unusable; further ones come
   * along as warnings.
   */
  get diagnostics(): readonly Diagnostic[] {
    const first = this.collected.find(isError);
    return this.collected.map((one) =>
      isError(one) && one !== first
        ? diagnostic("model-additional-error", one.message, one.location, one.hint)
        : one,
    );
  }

  get hasErrors(): boolean {
    return this.collected.some(isError);
  }
}

const MAX_QUOTE_LENGTH = 80;

/** Text of the document inside a message: quoted, escaped, cut. */
export function quote(text: string): string {
  return escapeInvisible(
    JSON.stringify(text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text),
  );
}

/** `a string`, `an array`: what a value is, for a message that must not repeat it. */
export function describeType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
