import { quoteText } from "../diagnostics/text.js";
import { isObject, type JsonValue } from "../json.js";
import { normalizeCondition, parseCondition } from "./condition.js";
import type { DocumentNode } from "./document-node.js";
import { isExpression, parseExpression, parseTemplate, suggestExpression } from "./expression.js";
import { checkJsonPath } from "./json-path.js";
import type { Condition, Criterion, Expression, TextTemplate, Value } from "./types.js";

/** Maximum nesting of payloads. */
const maxDepth = 60;

/**
 * Reads a value of a parameter, payload, replacement or output: a constant, an expression, a text
 * with expressions, or a selector.
 */
export function readValue(node: DocumentNode, depth = 0): Value {
  const { value } = node;
  if (typeof value === "string")
    return (reportMisspelledExpression(node, value), readStringValue(node, value));
  if (depth > maxDepth)
    return (node.report(`${node.label} is nested deeper than ${maxDepth} levels.`), literal(null));
  if (Array.isArray(value))
    return foldConstants({
      kind: "list",
      items: value.map((_, i) => readValue(node.child(i), depth + 1)),
    });
  if (!isObject(value)) return literal((value ?? null) as JsonValue);
  if (isSelector(value)) return readSelector(node) ?? literal(null);
  return foldConstants({
    kind: "record",
    entries: Object.keys(value).map((key) => [key, readValue(node.child(key), depth + 1)] as const),
  });
}

/** Folds a list or object of constants into one constant. */
function foldConstants(value: Extract<Value, { kind: "list" | "record" }>): Value {
  const parts = value.kind === "list" ? value.items : value.entries.map(([, entry]) => entry);
  if (!parts.every((part) => part.kind === "literal")) return value;
  const values = parts.map((part) => part.value);
  return literal(
    value.kind === "list"
      ? values
      : Object.fromEntries(value.entries.map(([key], i) => [key, values[i] as JsonValue])),
  );
}

/** A constant. */
export const literal = (value: JsonValue): Value => ({ kind: "literal", value });

/** Reads a text: a constant, an expression, or a text with expressions. */
export function readStringValue(node: DocumentNode, text: string): Value {
  if (isExpression(text)) return expressionValue(node, text);
  const [, expression] =
    /(?:^|[^{$\w])(\$(?:inputs|outputs|steps|workflows|response|request)\.[A-Za-z_][\w.-]*)/.exec(
      text,
    ) ?? [];
  if (expression !== undefined)
    node.report(
      `${quoteText(expression)} is inside a text without braces; it is sent as plain text.`,
      `Write {${expression}} to insert its value.`,
      "workflow-expression-spelling",
    );
  if (!text.includes("{$")) return literal(text);
  const template = readTemplate(node, text);
  return template ? { kind: "template", ...template } : literal(null);
}

function reportMisspelledExpression(node: DocumentNode, text: string): void {
  const suggestion = suggestExpression(text);
  if (suggestion !== "")
    node.report(
      `${quoteText(text)} is not a runtime expression and is sent as plain text${suggestion}`,
      "Expressions start with $, such as $inputs, $steps and $response.",
      "workflow-expression-spelling",
    );
}

function expressionValue(node: DocumentNode, text: string): Value {
  const expression = readExpression(node, text);
  return expression ? { kind: "expression", expression, location: node.location } : literal(null);
}

export function readExpression(node: DocumentNode, text: string): Expression | undefined {
  const parsed = parseExpression(text.trim());
  return parsed.ok
    ? parsed.value
    : node.report(`${quoteText(text)} ${parsed.problem}.`, undefined, "workflow-expression");
}

function readTemplate(node: DocumentNode, text: string): TextTemplate | undefined {
  const parsed = parseTemplate(text);
  return parsed.ok
    ? { parts: parsed.value, location: node.location }
    : node.report(`${quoteText(text)} ${parsed.problem}.`, undefined, "workflow-expression");
}

/** Payload data may also have a key `context`; a selector has both keys. */
const isSelector = (value: Record<string, unknown>): boolean =>
  typeof value["context"] === "string" && typeof value["selector"] === "string";

/** Arazzo 1.1, "Selector Object". */
export function readSelector(node: DocumentNode): Value | undefined {
  if (!node.checkObject(["context", "selector", "type"])) return undefined;
  const [context, selector] = [node.readString("context", true), node.readString("selector", true)];
  const language = readLanguage(node, "type", ["jsonpath", "jsonpointer"], true);
  const expression = context === "" ? undefined : readExpression(node.child("context"), context);
  if (!expression || !language || selector === "") return undefined;
  const query = toRfc9535(node.child("type"), selector);
  if (!checkSelector(node.child("selector"), language, query)) return undefined;
  return {
    kind: "selector",
    context: expression,
    language,
    selector: query,
    location: node.location,
  };
}

export function checkSelector(
  node: DocumentNode,
  language: "jsonpath" | "jsonpointer",
  selector: string,
): boolean {
  if (language === "jsonpath") return checkJsonPath(node, selector);
  const parsed = parseExpression(`$response.body#${selector}`);
  return (
    parsed.ok ||
    (node.report(`${quoteText(selector)} ${parsed.problem}.`, undefined, "workflow-expression"),
    false)
  );
}

type SelectorLanguage = "simple" | "regex" | "jsonpath" | "jsonpointer";

const versions: Readonly<Record<string, readonly string[]>> = {
  jsonpath: ["rfc9535", "draft-goessner-dispatch-jsonpath-00"],
  xpath: ["xpath-31", "xpath-30", "xpath-20", "xpath-10"],
  jsonpointer: ["rfc6901"],
};

/**
 * Reads the language of a selector or criterion: a name or an Expression Type Object. `xpath` is
 * rejected, because tool results are JSON.
 */
export function readLanguage<Allowed extends SelectorLanguage>(
  node: DocumentNode,
  key: string,
  allowed: readonly Allowed[],
  required = false,
): Allowed | undefined {
  const at = node.child(key);
  const isName = !isObject(at.value);
  if (!isName && !at.checkObject(["type", "version"])) return undefined;
  const name = isName ? node.readString(key, required as false) : at.readString("type", true);
  if (name === undefined || name === "") return undefined;
  if (!isName && !checkVersion(at, name)) return undefined;
  if (name === "xpath") return reportXPathUnsupported(isName ? at : at.child("type"));
  const language = allowed.find((keyword) => keyword === name);
  if (language === undefined)
    (isName ? at : at.child("type")).report(
      `${quoteText(key)} is ${quoteText(name)}, but must be one of ${[...allowed, "xpath"].join(", ")}.`,
    );
  return language;
}

/**
 * Converts a query of the draft that preceded RFC 9535. Most queries are the same, except for
 * indexes from the end of an array. JavaScript filters are reported when the query is parsed.
 */
export function toRfc9535(type: DocumentNode, query: string): string {
  if (!isObject(type.value) || type.value["version"] !== "draft-goessner-dispatch-jsonpath-00")
    return query;
  type
    .child("version")
    .report(
      "Queries of this draft are evaluated by RFC 9535: a filter with a name alone tests " +
        "that the member exists, not that it is true.",
      "Write them according to RFC 9535.",
      "workflow-jsonpath-version",
    );
  return query.replace(/\[\(@\.length\s*-\s*([1-9]\d{0,8})\)\]/g, "[-$1]");
}

export function reportXPathUnsupported(node: DocumentNode): undefined {
  return node.report(
    "XPath is not supported: steps exchange JSON values.",
    "Use a condition of type jsonpath, regex or simple. Insert values into XML with expressions in braces.",
    "workflow-xpath",
  );
}

function checkVersion(at: DocumentNode, name: string): boolean {
  const knownVersions = versions[name];
  const version = at.readString("version", true);
  if (!knownVersions)
    return (
      at
        .child("type")
        .report(
          `${quoteText("type")} is ${quoteText(name)}, but must be one of ${Object.keys(versions).join(", ")}.`,
        ),
      false
    );
  if (version !== "" && !knownVersions.includes(version))
    at.child("version").report(
      `${quoteText(version)} is not a version of ${name}; known versions: ${knownVersions.join(", ")}.`,
    );
  return knownVersions.includes(version);
}

/** Arazzo 1.1, "Criterion Object". */
export function readCriterion(node: DocumentNode): Criterion | undefined {
  if (!node.checkObject(["context", "condition", "type"])) return undefined;
  const text = node.readString("condition", true);
  const kind = node.has("type")
    ? readLanguage(node, "type", ["simple", "regex", "jsonpath"])
    : "simple";
  if (text === "" || !kind) return undefined;
  return kind === "simple"
    ? readSimpleCriterion(node.child("condition"), text)
    : readPatternCriterion(
        node,
        kind,
        kind === "jsonpath" ? toRfc9535(node.child("type"), text) : text,
      );
}

function readSimpleCriterion(node: DocumentNode, text: string): Criterion | undefined {
  const normalized = normalizeCondition(text);
  const parsedNormalized = normalized === text ? undefined : parseCondition(normalized);
  if (parsedNormalized?.ok)
    node.report(
      `The condition is read as ${quoteText(normalized)}.`,
      "Use this spelling: strings in single quotes, expressions without quotes and braces.",
      "workflow-expression-spelling",
    );
  const parsed = parsedNormalized?.ok ? parsedNormalized : parseCondition(text);
  return parsed.ok
    ? { kind: "simple", condition: parsed.value, text, location: node.location }
    : node.report(
        `The condition ${quoteText(text)} ${parsed.problem}.`,
        undefined,
        "workflow-condition",
      );
}

function readPatternCriterion(
  node: DocumentNode,
  kind: "regex" | "jsonpath",
  text: string,
): Criterion | undefined {
  if (!node.has("context"))
    return node.report(
      `A condition of type ${kind} must have a context.`,
      'Add a context, such as "$response.body".',
    );
  const source = node.readString("context", true);
  const context = source === "" ? undefined : readExpression(node.child("context"), source);
  const at = node.child("condition");
  const pattern = readTemplate(at, text);
  if (!context || !pattern) return undefined;
  const isFixed = pattern.parts.every((part) => typeof part === "string");
  const criterion: Criterion = { kind, context, pattern, text, location: at.location };
  // Linking rejects it.
  if (context.kind === "message") return criterion;
  const compared = kind === "jsonpath" && isFixed ? readComparison(at, context, text) : undefined;
  if (compared) return compared;
  if (isFixed && !(kind === "regex" ? checkRegex(at, text) : checkJsonPath(at, text)))
    return undefined;
  return criterion;
}

/**
 * Reads `$.status == 'ready'`, which is not a JSONPath query but common, also in official examples,
 * as the comparison it looks like.
 */
function readComparison(
  node: DocumentNode,
  context: Expression,
  text: string,
): Criterion | undefined {
  const [, query = "", rest] =
    /^\s*(\$(?:\.[A-Za-z_][\w-]*|\[\d{1,9}\]|\['[^'\]]*'\])*)\s*((?:[=!]=|[<>]=?)\s*[^\s].*)$/s.exec(
      text,
    ) ?? [];
  if (rest === undefined || !("path" in context)) return undefined;
  const path = [...query.matchAll(/\.([A-Za-z_][\w-]*)|\[(\d+)\]|\['([^']*)'\]/g)].map(
    ([, name, index, key]) => name ?? index ?? key ?? "",
  );
  const parsed = parseCondition(`$statusCode ${rest}`);
  if (!parsed.ok || parsed.value.kind !== "compare") return undefined;
  node.report(
    `${quoteText(text)} is not a JSONPath query; it is read as a comparison of the value ` +
      `that ${quoteText(query)} selects.`,
    "Write a filter, as in $[?@.status == 'ready'], or a simple condition.",
    "workflow-comparison",
  );
  const left: Condition = {
    kind: "value",
    expression: { ...context, path: [...context.path, ...path] },
  };
  return { kind: "simple", condition: { ...parsed.value, left }, text, location: node.location };
}

/** Checks that a text is a regular expression, and reports otherwise. ECMA-262. */
function checkRegex(node: DocumentNode, text: string): boolean {
  if (isRegex(text, "u") || isRegex(text, "")) return true;
  node.report(
    `${quoteText(text)} is not a regular expression.`,
    /^\(\?[a-z]+\)/.test(text)
      ? "Use ECMAScript syntax without inline flags: write [Aa] for both cases of a letter."
      : "Correct the syntax.",
    "workflow-condition",
  );
  return false;
}

function isRegex(text: string, flags: string): boolean {
  try {
    return new RegExp(text, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
