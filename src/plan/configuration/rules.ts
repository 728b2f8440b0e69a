import type { Configuration, ToolConfig } from "../../configuration/types.js";
import { quoteText } from "../../diagnostics/text.js";
import { suggestionFor, type SourceLocation } from "../../diagnostics/index.js";
import type { Operation } from "../../model/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";

/** One rule about one tool, with what it is about. */
export interface Rule {
  /** The name that the tool shall have, without the namespace. Absent: the rule renames nothing. */
  readonly name?: string;
  readonly config: ToolConfig;
  /** How it says which tool it means. A rule by name means the tool that has the name anyway. */
  readonly selector: "operation" | "merge" | "workflow" | "name";
  /** The operations that it names, by `operation` or `merge`. */
  readonly operations: readonly Operation[];
  /** Where a key of it stands. */
  readonly locationOf: (...path: readonly (string | number)[]) => SourceLocation;
  /** `mcp-gen.yaml` or `x-mcp`, for reasons. */
  readonly source: "mcp-gen.yaml" | "x-mcp";
  /**
   * It is about one of the several operations of a tool; its description is a part of the tool's
   * already.
   */
  readonly isPartial?: boolean;
}

/** Finds operations as rules write them: an operationId, or `METHOD /path`. */
export class OperationIndex {
  private readonly byText = new Map<string, Operation>();

  constructor(operations: readonly Operation[]) {
    for (const operation of operations)
      this.byText.set(`${operation.method} ${operation.path}`, operation);
    for (const operation of operations)
      if (operation.operationId !== undefined) this.byText.set(operation.operationId, operation);
  }

  /**
   * @returns the operation; undefined, after an error with the nearest right word, when the
   *   document has none
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

/** Reads the rules of `tools`, and checks that the operations they name exist, each in one rule. */
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
          `${quoteText(text)} has a rule already, that of ${otherRule}.`,
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
