/** Diagnostics of a model. */
import {
  diagnostic,
  type Diagnostic,
  type DiagnosticCode,
  isError,
  type SourceLocation,
} from "../diagnostics/index.js";
import { escapeInvisible } from "../diagnostics/text.js";
import type { Pointer } from "./pointer.js";

/**
 * Diagnostics of a model. A repeated finding at one pointer (a component that many operations
 * share) is kept once.
 */
export class ModelDiagnostics {
  /**
   * Reported messages by pointer. Two levels, because one long combined key would be slow to
   * compare.
   */
  private readonly reported = new Map<string, Set<string>>();
  private readonly collected: Diagnostic[] = [];
  /** First problem because of which operations are left out. */
  firstOmission: Problem | undefined;

  add(code: DiagnosticCode, pointer: Pointer, message: string, hint?: string): void {
    this.collect(diagnostic(code, message, pointer.location, hint), pointer.text);
  }

  /** Adds a problem with its effect, a clause. Its location may be in another file. */
  addProblem({ code, location, message, hint }: Problem, effect: string): void {
    this.collect(diagnostic(code, `${message}; ${effect}.`, location, hint), location.pointer);
  }

  /** Adds a problem because of which operations are left out. */
  addOmission(problem: Problem, effect: string): void {
    this.firstOmission ??= problem;
    this.addProblem(problem, effect);
  }

  private collect(found: Diagnostic, pointer: string): void {
    const messages = this.reported.get(pointer);
    const key = `${found.code} ${found.message}`;
    if (messages?.has(key)) return;
    if (messages) messages.add(key);
    else this.reported.set(pointer, new Set([key]));
    this.collected.push(found);
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.collected;
  }

  get hasErrors(): boolean {
    return this.collected.some(isError);
  }
}

/** A context that collects diagnostics. */
export interface Reporter {
  readonly diagnostics: ModelDiagnostics;
}

/** A part of the document that cannot be read. The message has no full stop. */
export interface Problem {
  readonly code: DiagnosticCode;
  readonly location: SourceLocation;
  readonly message: string;
  readonly hint?: string | undefined;
}

const MAX_QUOTE_LENGTH = 80;

/** Text of the document for use in a message: quoted, escaped and truncated. */
export function quote(text: string): string {
  return escapeInvisible(
    JSON.stringify(text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text),
  );
}
