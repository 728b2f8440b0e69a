import type { Configuration, ToolConfig } from "../../configuration/types.js";
import { quoteText } from "../../diagnostics/text.js";
import { suggestionFor, type SourceLocation } from "../../diagnostics/index.js";
import type { Operation } from "../../model/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";

/** Rule about one tool. */
export interface Rule {
  /** Name of the tool, without the namespace. Absent for a rule that does not rename. */
  readonly name?: string;
  readonly config: ToolConfig;
  /** Reference to the tool. A rule by name applies to the tool that has the name anyway. */
  readonly selector: "operation" | "merge" | "workflow" | "name";
  /** Operations of `operation` or `merge`. */
  readonly operations: readonly Operation[];
  /** Location of a key. */
  readonly locationOf: (...path: readonly (string | number)[]) => SourceLocation;
  /** Origin of the rule, for reasons. */
  readonly source: "mcp-gen.yaml" | "x-mcp";
  /**
   * Whether it concerns one operation of a merged tool, whose description contains its text
   * already.
   */
  readonly isPartial?: boolean;
}

/** Finds operations by operationId or `METHOD /path`. */
export class OperationIndex {
  private readonly byText = new Map<string, Operation>();

  constructor(operations: readonly Operation[]) {
    for (const operation of operations)
      this.byText.set(`${operation.method} ${operation.path}`, operation);
    for (const operation of operations)
      if (operation.operationId !== undefined) this.byText.set(operation.operationId, operation);
  }

  /**
   * @returns the operation; undefined, after an error with the nearest name, if the document has
   * none
   */
  find(
    text: string,
    place: SourceLocation,
    diagnostics: DiagnosticCollector,
  ): Operation | undefined {
    const found = this.byText.get(text.trim()) ?? this.byText.get(upperMethod(text));
    if (!found)
      diagnostics.add(
        "config-unknown-operation",
        `The document has no operation ${quoteText(text)}${suggestionFor(text, this.byText.keys()) || "."}`,
        place,
        "Name it by its operationId or as METHOD /path; remove the rule if the operation is gone.",
      );
    return found;
  }
}

const upperMethod = (text: string): string =>
  text.trim().replace(/^[a-z]+(?= )/, (method) => method.toUpperCase());

/** Reads the rules of `tools`. An operation that does not exist, or has two rules, is an error. */
export function readRules(
  { content, locationOf }: Pick<Configuration, "content" | "locationOf">,
  index: OperationIndex,
  diagnostics: DiagnosticCollector,
): readonly Rule[] {
  const ruleNames = new Map<Operation, string>();
  return Object.entries(content.tools ?? {}).map(([name, rule]) => {
    const at = (...path: readonly (string | number)[]): SourceLocation =>
      locationOf(["tools", name, ...path]);
    const references = rule.merge
      ? rule.merge.map((text, i) => [text, at("merge", i)] as const)
      : rule.operation === undefined
        ? []
        : [[rule.operation, at("operation")] as const];
    const operations = references.flatMap(([text, place]) => {
      const operation = index.find(text, place, diagnostics);
      const otherRule = operation && ruleNames.get(operation);
      if (otherRule !== undefined)
        diagnostics.add(
          "config-duplicate-rule",
          `${quoteText(text)} already has a rule: ${otherRule}.`,
          place,
          "Keep one of the two.",
        );
      if (operation) ruleNames.set(operation, name);
      return operation ?? [];
    });
    const selector =
      rule.workflow !== undefined
        ? "workflow"
        : rule.merge
          ? "merge"
          : rule.operation !== undefined
            ? "operation"
            : "name";
    const read: Rule = {
      name,
      config: rule,
      selector,
      operations,
      locationOf: at,
      source: "mcp-gen.yaml",
    };
    return read;
  });
}
