import {
  diagnostic,
  type Diagnostic,
  type DiagnosticCode,
  isError,
  type SourceLocation,
  suggestionFor,
} from "../diagnostics/index.js";
import { quoteText } from "../diagnostics/text.js";
import { escapePointerToken } from "../json-pointer.js";
import { isObject } from "../json.js";

/** One value of an Arazzo document with its location. Its readers report errors and never throw. */
export class DocumentNode {
  constructor(
    readonly value: unknown,
    private readonly pointer: string,
    private readonly file: string,
    private readonly diagnostics: Diagnostic[],
  ) {}

  get location(): SourceLocation {
    return { file: this.file, pointer: this.pointer };
  }

  report(message: string, hint?: string, code: DiagnosticCode = "workflow-structure"): undefined {
    this.diagnostics.push(diagnostic(code, message, this.location, hint));
  }

  /** Name for messages: the last two segments of its pointer. */
  get label(): string {
    return quoteText(
      this.pointer.split("/").slice(-2).join("/").replace(/^#\/?/, "").replaceAll("~1", "/") ||
        "the document",
    );
  }

  has(key: string): boolean {
    return isObject(this.value) && Object.hasOwn(this.value, key) && this.value[key] !== undefined;
  }

  child(key: string | number): DocumentNode {
    const inside = Array.isArray(this.value)
      ? (this.value as unknown[])[Number(key)]
      : this.has(String(key))
        ? (this.value as Record<string, unknown>)[key]
        : undefined;
    return new DocumentNode(
      inside,
      `${this.pointer}/${escapePointerToken(String(key))}`,
      this.file,
      this.diagnostics,
    );
  }

  /**
   * Checks that the value is an object with only known keys or `x-…` extensions, and reports
   * otherwise.
   */
  checkObject(knownKeys: readonly string[]): boolean {
    if (!isObject(this.value)) return (this.report(`${this.label} must be an object.`), false);
    for (const key of Object.keys(this.value)) {
      if (!knownKeys.includes(key) && !key.startsWith("x-"))
        this.child(key).report(
          `Unknown key ${quoteText(key)}${suggestionFor(key, knownKeys) || "."}`,
          `Known keys: ${knownKeys.join(", ")}.`,
        );
    }
    return true;
  }

  /** Reads a string. An empty string counts as missing when it is required. */
  readString(key: string, required: true): string;
  readString(key: string, required?: false): string | undefined;
  readString(key: string, required = false): string | undefined {
    if (!this.has(key))
      return required ? (this.report(`${this.label} must have ${quoteText(key)}.`), "") : undefined;
    const { value } = this.child(key);
    if (typeof value === "string" && (value.trim() !== "" || !required)) return value;
    this.child(key).report(`${quoteText(key)} must be a ${required ? "non-empty " : ""}string.`);
    return required ? "" : undefined;
  }

  /** Reads a number of at least 0. */
  readNumber(key: string, isInteger: boolean): number | undefined {
    if (!this.has(key)) return undefined;
    const { value } = this.child(key);
    if (typeof value === "number" && value >= 0 && (!isInteger || Number.isInteger(value)))
      return value;
    return this.child(key).report(
      `${quoteText(key)} must be ${isInteger ? "an integer" : "a number"} of at least 0.`,
    );
  }

  readChoice<Choice extends string>(
    key: string,
    choices: readonly Choice[],
    required: boolean,
  ): Choice | undefined {
    const value = this.readString(key, required as false);
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined && value !== undefined && value !== "")
      this.child(key).report(
        `${quoteText(key)} is ${quoteText(value)}${suggestionFor(value, choices)}`,
        `It must be one of ${choices.join(", ")}.`,
      );
    return choice;
  }

  /** The items of an array; none when the key is absent. */
  readItems(key: string, minimum = 0): readonly DocumentNode[] {
    const at = this.child(key);
    if (!this.has(key))
      return minimum > 0 ? (this.report(`${this.label} must have ${quoteText(key)}.`), []) : [];
    if (!Array.isArray(at.value)) return (at.report(`${quoteText(key)} must be an array.`), []);
    if (at.value.length < minimum)
      at.report(`${quoteText(key)} must have at least one entry.`, "Add one, or remove the key.");
    return at.value.map((_, i) => at.child(i));
  }

  readEntries(key: string): readonly (readonly [string, DocumentNode])[] {
    const at = this.child(key);
    if (!this.has(key)) return [];
    if (!isObject(at.value)) return (at.report(`${quoteText(key)} must be an object.`), []);
    return Object.keys(at.value).map((name) => [name, at.child(name)]);
  }
}

/** Reports every item whose key an earlier item has. */
export function reportDuplicates<T>(
  entries: readonly (readonly [DocumentNode, T])[],
  keyOf: (item: T) => string,
  describe: (item: T) => string,
): void {
  const keys = new Set<string>();
  for (const [node, item] of entries) {
    const key = keyOf(item);
    if (key !== "" && keys.has(key))
      node.report(
        `${describe(item)} is duplicated.`,
        "Remove one, or give it another name.",
        "workflow-duplicate",
      );
    keys.add(key);
  }
}

/** Diagnostics in which the errors of single workflows have become warnings. */
interface Omissions {
  readonly diagnostics: readonly Diagnostic[];
  /** Pointers of the failed workflows. */
  readonly failed: ReadonlySet<string>;
}

/**
 * Replaces the errors of single workflows of a file by one warning each, so that they cost only
 * that workflow. Errors outside of workflows stay.
 */
export function omitFailedWorkflows(diagnostics: readonly Diagnostic[], file: string): Omissions {
  const failed = new Set<string>();
  const remaining = diagnostics.flatMap((found): readonly Diagnostic[] => {
    const pointer = isError(found) ? workflowPointer(found, file) : undefined;
    if (pointer === undefined) return [found];
    if (failed.has(pointer)) return [];
    failed.add(pointer);
    const message = `${found.message.replace(/(?<![.?])$/, ".")} The workflow is left out.`;
    return [diagnostic("workflow-omitted", message, found.location, found.hint)];
  });
  return { diagnostics: remaining, failed };
}

function workflowPointer({ location }: Diagnostic, file: string): string | undefined {
  return location?.file === file
    ? /^#\/workflows\/\d+(?=\/|$)/.exec(location.pointer)?.[0]
    : undefined;
}
