import { quoteText } from "../diagnostics/clean.js";
import { isObject, type JsonValue } from "../json.js";
import { looksLikeExpression, nearlyExpression, parseExpression } from "./expression.js";
import { parseCondition, respelled } from "./condition.js";
import type { Node } from "./reader.js";
import { checkJsonPath, checkRegex } from "./patterns.js";
import { parseTemplate } from "./template.js";
import type { Condition, Criterion, Expression, Template, Value } from "./types.js";

/** Payloads nest no deeper. */
const deepest = 60;

/**
 * A value as it may stand in parameters, payloads, replacements and outputs: constants,
 * expressions, texts with expressions, selectors.
 */
export function readValue(node: Node, depth = 0): Value {
  const { value } = node;
  if (typeof value === "string") return (reportNearly(node, value), readText(node, value));
  if (depth > deepest)
    return (node.report(`${node.label} is nested deeper than ${deepest} levels.`), literal(null));
  if (Array.isArray(value))
    return settled({
      kind: "list",
      items: value.map((_, i) => readValue(node.child(i), depth + 1)),
    });
  if (!isObject(value)) return literal((value ?? null) as JsonValue);
  if (isSelector(value)) return readSelector(node) ?? literal(null);
  return settled({
    kind: "record",
    entries: Object.keys(value).map((key) => [key, readValue(node.child(key), depth + 1)] as const),
  });
}

/** What is constant through and through is a constant. */
function settled(value: Extract<Value, { kind: "list" | "record" }>): Value {
  const parts = value.kind === "list" ? value.items : value.entries.map(([, one]) => one);
  if (!parts.every((part) => part.kind === "literal")) return value;
  const values = parts.map((part) => part.value);
  return literal(
    value.kind === "list"
      ? values
      : Object.fromEntries(value.entries.map(([key], i) => [key, values[i] as JsonValue])),
  );
}

const literal = (value: JsonValue): Value => ({ kind: "literal", value });

function readText(node: Node, text: string): Value {
  if (looksLikeExpression(text)) return expressionValue(node, text);
  const [, bare] =
    /(?:^|[^{$\w])(\$(?:inputs|outputs|steps|workflows|response|request)\.[A-Za-z_][\w.-]*)/.exec(
      text,
    ) ?? [];
  if (bare !== undefined)
    node.report(
      `${quoteText(bare)} stands inside of a text without braces; it is sent as it is.`,
      `Write {${bare}} for its value.`,
      "workflow-expression-spelling",
    );
  if (!text.includes("{$")) return literal(text);
  const template = readTemplate(node, text);
  return template ? { kind: "template", ...template } : literal(null);
}

function reportNearly(node: Node, text: string): void {
  const near = nearlyExpression(text);
  if (near !== "")
    node.report(
      `${quoteText(text)} is no runtime expression and is sent as it is${near}`,
      "Expressions start with $inputs, $steps, $response and the like.",
      "workflow-expression-spelling",
    );
}

function expressionValue(node: Node, text: string): Value {
  const expression = readExpression(node, text);
  return expression ? { kind: "expression", expression, place: node.place } : literal(null);
}

/** An output is an expression or a selector, never a constant. */
export function readOutput(node: Node): Value | undefined {
  if (isObject(node.value)) return readSelector(node);
  if (typeof node.value !== "string")
    return node.report(`${node.label} must be a runtime expression or a selector.`);
  const found = readText(node, node.value);
  return found.kind === "literal" && found.value !== null
    ? node.report(
        `${node.label} is ${quoteText(node.value)}, which is no runtime expression${nearlyExpression(node.value) || "."}`,
        "Expressions start with $, as in $response.body#/id.",
        "workflow-expression",
      )
    : found;
}

export function readExpression(node: Node, text: string): Expression | undefined {
  const parsed = parseExpression(text.trim());
  return parsed.ok
    ? parsed.value
    : node.report(`${quoteText(text)} ${parsed.why}.`, undefined, "workflow-expression");
}

function readTemplate(node: Node, text: string): Template | undefined {
  const parsed = parseTemplate(text);
  return parsed.ok
    ? { parts: parsed.value, place: node.place }
    : node.report(`${quoteText(text)} ${parsed.why}.`, undefined, "workflow-expression");
}

/** Data of the payload may have a key `context`, too; a selector has both. */
const isSelector = (value: Record<string, unknown>): boolean =>
  typeof value["context"] === "string" && typeof value["selector"] === "string";

/** Arazzo 1.1, "Selector Object". */
function readSelector(node: Node): Value | undefined {
  if (!node.isObject(["context", "selector", "type"])) return undefined;
  const [context, selector] = [node.text("context", true), node.text("selector", true)];
  const language = readLanguage(node, "type", ["jsonpath", "jsonpointer"], true);
  const expression = context === "" ? undefined : readExpression(node.child("context"), context);
  if (!expression || !language || selector === "") return undefined;
  const query = asRfc9535(node.child("type"), selector);
  if (!checkSelector(node.child("selector"), language, query)) return undefined;
  return { kind: "selector", context: expression, language, selector: query, place: node.place };
}

export function checkSelector(
  node: Node,
  language: "jsonpath" | "jsonpointer",
  selector: string,
): boolean {
  if (language === "jsonpath") return checkJsonPath(node, selector);
  const parsed = parseExpression(`$response.body#${selector}`);
  return (
    parsed.ok ||
    (node.report(`${quoteText(selector)} ${parsed.why}.`, undefined, "workflow-expression"), false)
  );
}

type Language = "simple" | "regex" | "jsonpath" | "jsonpointer";

const versions: Readonly<Record<string, readonly string[]>> = {
  jsonpath: ["rfc9535", "draft-goessner-dispatch-jsonpath-00"],
  xpath: ["xpath-31", "xpath-30", "xpath-20", "xpath-10"],
  jsonpointer: ["rfc6901"],
};

/**
 * The language of a selector or criterion: its name, or an Expression Type Object. `xpath` is
 * refused: the answers of tools are JSON.
 */
export function readLanguage<Allowed extends Language>(
  node: Node,
  key: string,
  allowed: readonly Allowed[],
  required = false,
): Allowed | undefined {
  const at = node.child(key);
  const isPlain = !isObject(at.value);
  if (!isPlain && !at.isObject(["type", "version"])) return undefined;
  const name = isPlain ? node.text(key, required as false) : at.text("type", true);
  if (name === undefined || name === "") return undefined;
  if (!isPlain && !checkVersion(at, name)) return undefined;
  if (name === "xpath") return refuseXPath(isPlain ? at : at.child("type"));
  const known = allowed.find((one) => one === name);
  if (known === undefined)
    (isPlain ? at : at.child("type")).report(
      `${quoteText(key)} is ${quoteText(name)}, but must be one of ${[...allowed, "xpath"].join(", ")}.`,
    );
  return known;
}

/**
 * A query of the draft that was there before RFC 9535, as one of the RFC. What most use of the
 * draft means the same in both, but for the last items of a list; filters that are JavaScript are
 * found out when the query is read.
 */
export function asRfc9535(type: Node, query: string): string {
  if (!isObject(type.value) || type.value["version"] !== "draft-goessner-dispatch-jsonpath-00")
    return query;
  type
    .child("version")
    .report(
      "Queries of this draft are evaluated by RFC 9535: a filter by a name alone asks whether there is such a member, not whether it holds.",
      "Write them as in RFC 9535.",
      "workflow-jsonpath-version",
    );
  return query.replace(/\[\(@\.length\s*-\s*([1-9]\d{0,8})\)\]/g, "[-$1]");
}

export function refuseXPath(node: Node): undefined {
  return node.report(
    "XPath is not served: what the steps exchange is read as JSON.",
    "Write a condition as jsonpath, regex or simple; put values into XML by expressions in braces.",
    "workflow-xpath",
  );
}

function checkVersion(at: Node, name: string): boolean {
  const known = versions[name];
  const version = at.text("version", true);
  if (!known)
    return (
      at
        .child("type")
        .report(
          `${quoteText("type")} is ${quoteText(name)}, but must be one of ${Object.keys(versions).join(", ")}.`,
        ),
      false
    );
  if (version !== "" && !known.includes(version))
    at.child("version").report(
      `${quoteText(version)} is no version of ${name}; these are ${known.join(", ")}.`,
    );
  return known.includes(version);
}

/** Arazzo 1.1, "Criterion Object". */
export function readCriterion(node: Node): Criterion | undefined {
  if (!node.isObject(["context", "condition", "type"])) return undefined;
  const text = node.text("condition", true);
  const kind = node.has("type")
    ? readLanguage(node, "type", ["simple", "regex", "jsonpath"])
    : "simple";
  if (text === "" || !kind) return undefined;
  return kind === "simple"
    ? readSimple(node.child("condition"), text)
    : readPattern(node, kind, kind === "jsonpath" ? asRfc9535(node.child("type"), text) : text);
}

function readSimple(node: Node, text: string): Criterion | undefined {
  const meant = respelled(text);
  const spelled = meant === text ? undefined : parseCondition(meant);
  if (spelled?.ok)
    node.report(
      `The condition is taken for ${quoteText(meant)}.`,
      "Write it so: strings stand in single quotes, expressions by themselves.",
      "workflow-expression-spelling",
    );
  const parsed = spelled?.ok ? spelled : parseCondition(text);
  return parsed.ok
    ? { kind: "simple", condition: parsed.value, text, place: node.place }
    : node.report(
        `The condition ${quoteText(text)} ${parsed.why}.`,
        undefined,
        "workflow-condition",
      );
}

function readPattern(node: Node, kind: "regex" | "jsonpath", text: string): Criterion | undefined {
  if (!node.has("context"))
    return node.report(
      `A condition of type ${kind} must say what it is about.`,
      'Add a context, such as "$response.body".',
    );
  const source = node.text("context", true);
  const context = source === "" ? undefined : readExpression(node.child("context"), source);
  const at = node.child("condition");
  const pattern = readTemplate(at, text);
  if (!context || !pattern) return undefined;
  const isFixed = pattern.parts.every((part) => typeof part === "string");
  if (context.kind === "message") return { kind, context, pattern, text, place: at.place }; // refused where it is linked
  const compared = kind === "jsonpath" && isFixed ? comparison(at, context, text) : undefined;
  if (compared) return compared;
  if (isFixed && !(kind === "regex" ? checkRegex(at, text) : checkJsonPath(at, text)))
    return undefined;
  return { kind, context, pattern, text, place: at.place };
}

/**
 * `$.status == 'ready'` is no JSONPath query, but what many authors write, the official examples
 * among them. It is taken for the comparison that it looks like.
 */
function comparison(node: Node, context: Expression, text: string): Criterion | undefined {
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
    `${quoteText(text)} is no JSONPath query; it is read as a comparison of the value that ${quoteText(query)} selects.`,
    "Write a filter, as in $[?@.status == 'ready'], or a simple condition.",
    "workflow-comparison",
  );
  const left: Condition = {
    kind: "value",
    expression: { ...context, path: [...context.path, ...path] },
  };
  return { kind: "simple", condition: { ...parsed.value, left }, text, place: node.place };
}
