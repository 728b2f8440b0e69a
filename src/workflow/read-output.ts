import { quoteText } from "../diagnostics/text.js";
import { isObject, type JsonValue } from "../json.js";
import type { DocumentNode } from "./document-node.js";
import { suggestExpression } from "./expression.js";
import { literal, readSelector, readStringValue } from "./read-values.js";
import type { Value } from "./types.js";

/** Reads an output: an expression or a selector. A constant is kept, with a warning. */
export function readOutput(node: DocumentNode): Value | undefined {
  if (isObject(node.value)) return readSelector(node);
  if (Array.isArray(node.value))
    return node.report(`${node.label} must be a runtime expression or a selector.`);
  return typeof node.value === "string"
    ? readOutputText(node, node.value)
    : keepConstant(node, String(node.value));
}

function readOutputText(node: DocumentNode, text: string): Value | undefined {
  const value = readStringValue(node, text);
  if (value.kind !== "literal" || value.value === null) return value;
  const suggestion = suggestExpression(text);
  if (suggestion === "") return keepConstant(node, quoteText(text));
  return node.report(
    `${node.label} is ${quoteText(text)}, which is not a runtime expression${suggestion}`,
    EXPRESSION_HINT,
    "workflow-expression",
  );
}

const EXPRESSION_HINT = "Expressions start with $, as in $response.body#/id.";

function keepConstant(node: DocumentNode, shown: string): Value {
  node.report(
    `${node.label} is ${shown}, which is not a runtime expression. The output is always this value.`,
    EXPRESSION_HINT,
    "workflow-expression-spelling",
  );
  return literal((node.value ?? null) as JsonValue);
}
