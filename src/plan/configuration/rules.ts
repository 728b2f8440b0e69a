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
   * True when the rule concerns one operation of a merged tool, whose description contains its text
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
    location: SourceLocation,
    diagnostics: DiagnosticCollector,
  ): Operation | undefined {
    const found = this.byText.get(text.trim()) ?? this.byText.get(upperMethod(text));
    if (!found)
      diagnostics.add(
        "config-unknown-operation",
        `The document has no operation ${quoteText(text)}${suggestionFor(text, this.byText.keys()) || "."}`,
        location,
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
  return Object.entries(content.tools ?? {}).map(([name, config]): Rule => {
    const ruleLocation: Rule["locationOf"] = (...path) => locationOf(["tools", name, ...path]);
    const operations = operationReferences(config, ruleLocation).flatMap(([text, location]) => {
      const operation = index.find(text, location, diagnostics);
      const otherRule = operation && ruleNames.get(operation);
      if (otherRule !== undefined)
        diagnostics.add(
          "config-duplicate-rule",
          `${quoteText(text)} already has a rule: ${otherRule}.`,
          location,
          "Keep one of the two.",
        );
      if (operation) ruleNames.set(operation, name);
      return operation ?? [];
    });
    return {
      name,
      config,
      selector: selectorOf(config),
      operations,
      locationOf: ruleLocation,
      source: "mcp-gen.yaml",
    };
  });
}

/** Operations that a rule names, with their locations. */
function operationReferences(
  { merge, operation }: ToolConfig,
  locationOf: Rule["locationOf"],
): readonly (readonly [string, SourceLocation])[] {
  if (merge) return merge.map((text, i) => [text, locationOf("merge", i)]);
  return operation === undefined ? [] : [[operation, locationOf("operation")]];
}

function selectorOf({ workflow, merge, operation }: ToolConfig): Rule["selector"] {
  if (workflow !== undefined) return "workflow";
  if (merge) return "merge";
  return operation === undefined ? "name" : "operation";
}
