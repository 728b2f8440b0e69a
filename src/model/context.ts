import {
  diagnostic,
  type Diagnostic,
  type DiagnosticCode,
  isError,
  type SourceLocation,
} from "../diagnostics/index.js";
import { escapeInvisible } from "../diagnostics/text.js";
import { escapePointerToken, formatPointer, unescapePointerToken } from "../json-pointer.js";
import type { ApiDocument, SpecVersion } from "../load/types.js";
import type { RawObject } from "./raw-object.js";
import type { ReferenceResolver } from "./reference-resolver.js";
import type { UnknownBody } from "./request-body.js";
import type { DiscriminatorHierarchies } from "./schema/discriminator-hierarchy.js";
import type { DiscriminatorTags } from "./schema/discriminator.js";
import type { SchemaRegistry } from "./schema/registry.js";
import type { Parameter, RequestBody, Response } from "./types.js";

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

/** State shared by all readers of one document. */
export interface Context {
  readonly document: ApiDocument;
  readonly version: SpecVersion;
  readonly diagnostics: ModelDiagnostics;
  readonly references: ReferenceResolver;
  /** Keys of `document.brokenRefs` that have been reported. */
  readonly reportedRefs: Set<string>;
  readonly schemas: SchemaRegistry;
  readonly hierarchies: DiscriminatorHierarchies;
  readonly discriminatorTags: DiscriminatorTags;
  /** Complete when all schemas are read. */
  readonly xmlElements: {
    readonly names: Record<string, string>;
    readonly useComponentNames: boolean;
  };
  /**
   * Components that several operations share, read once. Keyed by the raw object; `undefined` marks
   * an unusable one.
   */
  readonly cache: {
    readonly parameters: Map<RawObject, Parameter | undefined>;
    readonly bodies: Map<RawObject, RequestBody | UnknownBody | undefined>;
    readonly responses: Map<RawObject, Omit<Response, "status">>;
  };
}

/**
 * True for OpenAPI 3.1 and later: schemas are JSON Schema 2020-12, and fields may be next to a
 * `$ref`.
 */
export function isOpenApi31OrLater(c: Context): boolean {
  return c.version === "3.1" || c.version === "3.2";
}
