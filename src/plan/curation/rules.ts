import type { Curated, ToolRule } from "../../curation/types.js";
import { quoteText } from "../../diagnostics/clean.js";
import { didYouMean, type Place } from "../../diagnostics/index.js";
import type { Operation } from "../../model/types.js";
import type { Findings } from "../findings.js";

/** One rule about one tool, with what it is about. */
export interface Rule {
  /** The name that the tool shall have, without the namespace. Absent: the rule renames nothing. */
  readonly name?: string;
  readonly rule: ToolRule;
  /** How it says which tool it means. A rule by name means the tool that has the name anyway. */
  readonly by: "operation" | "merge" | "workflow" | "name";
  /** The operations that it names, by `operation` or `merge`. */
  readonly operations: readonly Operation[];
  /** Where a key of it stands. */
  readonly placeOf: (...path: readonly (string | number)[]) => Place;
  /** `mcp-gen.yaml` or `x-mcp`, for reasons. */
  readonly source: "mcp-gen.yaml" | "x-mcp";
  /**
   * It is about one of the several operations of a tool; its description is a part of the tool's
   * already.
   */
  readonly isPart?: boolean;
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
  find(text: string, place: Place, findings: Findings): Operation | undefined {
    const found = this.byText.get(text.trim()) ?? this.byText.get(upperMethod(text));
    if (!found)
      findings.add(
        "curation-operation",
        `The document has no operation ${quoteText(text)}${didYouMean(text, this.byText.keys()) || "."}`,
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
  { curation, placeOf }: Pick<Curated, "curation" | "placeOf">,
  index: OperationIndex,
  findings: Findings,
): readonly Rule[] {
  const owners = new Map<Operation, string>();
  return Object.entries(curation.tools ?? {}).map(([name, rule]) => {
    const at = (...path: readonly (string | number)[]): Place => placeOf(["tools", name, ...path]);
    const named = rule.merge
      ? rule.merge.map((text, i) => [text, at("merge", i)] as const)
      : rule.operation === undefined
        ? []
        : [[rule.operation, at("operation")] as const];
    const operations = named.flatMap(([text, place]) => {
      const operation = index.find(text, place, findings);
      const owner = operation && owners.get(operation);
      if (owner !== undefined)
        findings.add(
          "curation-twice",
          `${quoteText(text)} has a rule already, that of ${owner}.`,
          place,
          "Keep one of the two.",
        );
      if (operation) owners.set(operation, name);
      return operation ?? [];
    });
    const by =
      rule.workflow !== undefined
        ? "workflow"
        : rule.merge
          ? "merge"
          : rule.operation !== undefined
            ? "operation"
            : "name";
    return { name, rule, by, operations, placeOf: at, source: "mcp-gen.yaml" };
  });
}
