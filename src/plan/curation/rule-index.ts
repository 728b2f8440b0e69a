import type { Operation } from "../../model/types.js";
import type { Findings } from "../findings.js";
import { isSame, keyOf } from "../operation-key.js";
import type { PlannedTool } from "../types.js";
import { mergedRules } from "./merged-rules.js";
import type { Rule } from "./rules.js";

/** Which rules a tool obeys. */
export class RuleIndex {
  private readonly document = new Map<string, Rule>();
  /**
   * Rules of the file with their place in it, by the operations and the names that they speak of.
   */
  private readonly byOperation = new Map<string, [number, Rule][]>();
  private readonly byName = new Map<string, [number, Rule][]>();
  private readonly byWorkflow = new Map<string, [number, Rule][]>();

  constructor(
    ofDocument: readonly Rule[],
    rules: readonly Rule[],
    private readonly prefix: string,
    private readonly findings: Findings,
  ) {
    for (const rule of ofDocument)
      for (const operation of rule.operations) this.document.set(keyOf(operation), rule);
    for (const [i, rule] of rules.entries()) {
      if (rule.by === "name")
        for (const name of new Set([rule.name ?? "", prefix + (rule.name ?? "")]))
          add(this.byName, name, [i, rule]);
      else if (rule.by === "workflow") add(this.byWorkflow, rule.rule.workflow ?? "", [i, rule]);
      else
        for (const operation of rule.operations) add(this.byOperation, keyOf(operation), [i, rule]);
    }
  }

  /** The document's rules, then the file's in its order: the later has the last word. */
  of(tool: PlannedTool): readonly Rule[] {
    if (tool.workflow) return this.ofWorkflow(tool.workflow.id, tool.definition.name);
    const ofDocument = tool.operations.flatMap(
      (operation) => this.document.get(keyOf(operation)) ?? [],
    );
    const [first] = tool.operations;
    const named = this.byName.get(tool.definition.name) ?? [];
    const own = ((first && this.byOperation.get(keyOf(first))) ?? []).filter(([, rule]) =>
      rule.by === "merge" ? this.isMerge(rule, tool) : standsFor(tool, rule.operations),
    );
    const ofFile = [...named, ...own].sort(([a], [b]) => a - b).map(([, rule]) => rule);
    return [
      ...(tool.operations.length === 1 ? ofDocument : mergedRules(tool, ofDocument, this.findings)),
      ...ofFile,
    ];
  }

  /**
   * A workflow is more than the operations that it calls: what is said of these is not said of it.
   */
  private ofWorkflow(id: string, name: string): readonly Rule[] {
    return [...(this.byName.get(name) ?? []), ...(this.byWorkflow.get(id) ?? [])]
      .sort(([a], [b]) => a - b)
      .map(([, rule]) => rule);
  }

  /** Selection may have left out some of its operations. */
  private isMerge(
    { name = "", operations }: Rule,
    { definition, operations: own }: PlannedTool,
  ): boolean {
    return (
      (definition.name === name || definition.name === this.prefix + name) &&
      own.every((one) => operations.some((operation) => isSame(one, operation)))
    );
  }
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

function standsFor(tool: PlannedTool, operations: readonly Operation[]): boolean {
  return (
    operations.length > 0 &&
    tool.operations.length === operations.length &&
    operations.every((operation) => tool.operations.some((one) => isSame(one, operation)))
  );
}
