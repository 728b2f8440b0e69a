import { diagnostic, isError, type Diagnostic, type DiagnosticCode } from "../diagnostics/index.js";
import { escapeInvisible } from "../diagnostics/text.js";
import type { Pointer } from "./pointer.js";

/**
 * Diagnostics of a model. A repeated finding at one pointer (a component that many operations share)
 * is kept once.
 */
export class ModelDiagnostics {
  /**
   * Reported messages by pointer. Two levels, because one long combined key would be slow to
   * compare.
   */
  private readonly reported = new Map<string, Set<string>>();
  private readonly collected: Diagnostic[] = [];

  add(code: DiagnosticCode, pointer: Pointer, message: string, hint?: string): void {
    const messages = this.reported.get(pointer.text);
    const key = `${code} ${message}`;
    if (messages?.has(key)) return;
    if (messages) messages.add(key);
    else this.reported.set(pointer.text, new Set([key]));
    this.collected.push(diagnostic(code, message, pointer.location, hint));
  }

  /**
   * All diagnostics in the order they were reported. Only the first error stays an error; later
   * ones become warnings.
   */
  get diagnostics(): readonly Diagnostic[] {
    const first = this.collected.find(isError);
    return this.collected.map((diagnosed) =>
      isError(diagnosed) && diagnosed !== first
        ? diagnostic(
            "model-additional-error",
            diagnosed.message,
            diagnosed.location,
            diagnosed.hint,
          )
        : diagnosed,
    );
  }

  get hasErrors(): boolean {
    return this.collected.some(isError);
  }
}

const MAX_QUOTE_LENGTH = 80;

/** Text of the document for use in a message: quoted, escaped and truncated. */
export function quote(text: string): string {
  return escapeInvisible(
    JSON.stringify(text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text),
  );
}

/** The type of a value for a message that must not repeat the value: `a string`, `an array`. */
export function describeType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
