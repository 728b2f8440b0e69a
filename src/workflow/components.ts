import { quoteText } from "../diagnostics/clean.js";
import { didYouMean } from "../diagnostics/index.js";
import { readExpression } from "./values.js";
import type { Node } from "./reader.js";

export type ReusableKind = "parameters" | "successActions" | "failureActions";

/**
 * What a list entry stands for: itself, or a reusable object, with the value that replaces its own.
 * Arazzo 1.1, "Reusable Object".
 */
export interface Reused {
  readonly node: Node;
  /** `value` beside the reference. */
  readonly override?: Node;
}

/** Reusable objects of a document, found by their expressions. */
export class Components {
  constructor(private readonly root: Node) {}

  /** Follows `reference`; reports one that leads nowhere. */
  resolve(node: Node, kind: ReusableKind): Reused | undefined {
    if (!node.has("reference")) return { node };
    const text = node.text("reference", true);
    const expression = text === "" ? undefined : readExpression(node.child("reference"), text);
    if (!expression) return undefined;
    const all = this.root.child("components").child(kind);
    const target =
      expression.kind === "component" && expression.type === kind
        ? all.child(expression.name)
        : undefined;
    if (target?.value === undefined) {
      const names = all.value === undefined ? [] : Object.keys(Object(all.value));
      const near = expression.kind === "component" ? didYouMean(expression.name, names) : "";
      return node
        .child("reference")
        .report(
          `${quoteText(text)} leads to nothing under components.${kind}${near || "."}`,
          undefined,
          "workflow-reference",
        );
    }
    return { node: target, ...(node.has("value") && { override: node.child("value") }) };
  }
}
