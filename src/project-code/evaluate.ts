/** Static evaluation of TypeScript expressions: the values of constants, without running code. */
import { ts } from "ts-morph";
import { isObject } from "../json.js";
import { UNKNOWN } from "../plan/project-code.js";

/** A module of the project, with a lookup of the modules that it imports. */
export interface CodeModule {
  readonly file: ts.SourceFile;
  /** The module of a relative specifier; undefined for packages and missing files. */
  resolve(specifier: string): CodeModule | undefined;
  readonly budget: EvaluationBudget;
}

/** Expressions that may still be evaluated in all modules of a project: a constant may double one. */
export interface EvaluationBudget {
  remaining: number;
}

export const createBudget = (): EvaluationBudget => ({ remaining: MAX_EXPRESSIONS });

/** A thousand definitions of a hundred expressions each. */
const MAX_EXPRESSIONS = 100_000;

/** Maximum nesting of expressions and imports, which also ends cycles. */
const MAX_DEPTH = 60;

/** Value of an expression: JSON values, in which `UNKNOWN` stands for every other value. */
export function evaluate(node: ts.Expression, module: CodeModule, depth = 0): unknown {
  if (depth > MAX_DEPTH || module.budget.remaining-- <= 0) return UNKNOWN;
  const inside = (part: ts.Expression): unknown => evaluate(part, module, depth + 1);
  if (isWrapper(node)) return inside(node.expression);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (node.kind === ts.SyntaxKind.NullKeyword) return null;
  if (ts.isPrefixUnaryExpression(node)) return evaluateSign(node, inside);
  if (ts.isTemplateExpression(node)) return evaluateTemplate(node, inside);
  if (ts.isBinaryExpression(node)) return evaluateSum(node, inside);
  if (ts.isArrayLiteralExpression(node)) return evaluateArray(node, inside);
  if (ts.isObjectLiteralExpression(node)) return evaluateObject(node, module, inside, depth);
  if (ts.isCallExpression(node)) return evaluateCall(node, inside);
  if (ts.isPropertyAccessExpression(node)) return memberOf(inside(node.expression), node.name.text);
  if (ts.isIdentifier(node)) return evaluateName(node.text, module, depth + 1);
  return UNKNOWN;
}

/** The default export of a module. */
export function evaluateDefault(module: CodeModule): unknown {
  return evaluateExport("default", module, 0);
}

function isWrapper(
  node: ts.Expression,
): node is ts.ParenthesizedExpression | ts.AsExpression | ts.SatisfiesExpression {
  return (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
  );
}

type Evaluator = (part: ts.Expression) => unknown;

function evaluateSign(node: ts.PrefixUnaryExpression, inside: Evaluator): unknown {
  const value = inside(node.operand);
  const isMinus = node.operator === ts.SyntaxKind.MinusToken;
  return typeof value === "number" && isMinus ? -value : UNKNOWN;
}

function evaluateTemplate(node: ts.TemplateExpression, inside: Evaluator): unknown {
  const parts = node.templateSpans.flatMap((span) => [inside(span.expression), span.literal.text]);
  return isText(parts) ? node.head.text + parts.join("") : UNKNOWN;
}

function evaluateSum(node: ts.BinaryExpression, inside: Evaluator): unknown {
  if (node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return UNKNOWN;
  const parts = [inside(node.left), inside(node.right)];
  return isText(parts) && parts.some((part) => typeof part === "string") ? parts.join("") : UNKNOWN;
}

function isText(parts: readonly unknown[]): parts is readonly (string | number)[] {
  return parts.every((part) => typeof part === "string" || typeof part === "number");
}

function evaluateArray(node: ts.ArrayLiteralExpression, inside: Evaluator): unknown {
  const items: unknown[] = [];
  for (const element of node.elements) {
    if (!ts.isSpreadElement(element)) items.push(inside(element));
    else {
      const value = inside(element.expression);
      if (!Array.isArray(value)) return UNKNOWN;
      for (const item of value as unknown[]) items.push(item);
    }
  }
  return items;
}

function evaluateObject(
  node: ts.ObjectLiteralExpression,
  module: CodeModule,
  inside: Evaluator,
  depth: number,
): unknown {
  const members = new Map<string, unknown>();
  for (const property of node.properties) {
    if (ts.isSpreadAssignment(property)) {
      const value = inside(property.expression);
      if (!isObject(value)) return UNKNOWN;
      for (const [name, member] of Object.entries(value)) members.set(name, member);
      continue;
    }
    const name = nameOf(property.name);
    if (name === undefined) return UNKNOWN;
    if (ts.isPropertyAssignment(property)) members.set(name, inside(property.initializer));
    else if (ts.isShorthandPropertyAssignment(property))
      members.set(name, evaluateName(name, module, depth + 1));
    else members.set(name, UNKNOWN);
  }
  return Object.fromEntries(members);
}

function nameOf(name: ts.PropertyName): string | undefined {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)
    ? name.text
    : undefined;
}

/** Functions of the runtime that return their first argument, apart from defaults. */
const DEFINITIONS = /^(?:define(?:Custom)?Tool|customToolsFor)$/;

/** Value of `customToolsFor<Tools>()`, which a constant may hold for several definitions. */
const FACTORY = Symbol("customToolsFor");

/**
 * Evaluates `defineTool(…)`, `customToolsFor<Tools>()(…)`, also with a constant for the first call,
 * and `[…].join(" ")`.
 */
function evaluateCall(node: ts.CallExpression, inside: Evaluator): unknown {
  const { expression } = node;
  const callee = ts.isCallExpression(expression) ? expression.expression : expression;
  const [argument] = node.arguments;
  if (ts.isIdentifier(callee) && DEFINITIONS.test(callee.text))
    return argument ? inside(argument) : FACTORY;
  if (ts.isIdentifier(callee) && inside(callee) === FACTORY)
    return argument ? inside(argument) : UNKNOWN;
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== "join") return UNKNOWN;
  const [items, separator] = [inside(callee.expression), argument ? inside(argument) : ","];
  if (!Array.isArray(items) || !isText(items) || typeof separator !== "string") return UNKNOWN;
  return items.join(separator);
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : UNKNOWN;
}

/** Value of a constant of a module, or of one that it imports. */
function evaluateName(name: string, module: CodeModule, depth: number): unknown {
  const value = findConstant(name, module);
  if (value) return evaluate(value, module, depth);
  for (const statement of module.file.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const imported = importedName(name, statement);
    const { moduleSpecifier: from } = statement;
    const target = ts.isStringLiteral(from) && module.resolve(from.text);
    if (imported !== undefined && target) return evaluateExport(imported, target, depth);
  }
  return UNKNOWN;
}

function findConstant(name: string, { file }: CodeModule): ts.Expression | undefined {
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    if (!(statement.declarationList.flags & ts.NodeFlags.Const)) continue;
    for (const { name: declared, initializer } of statement.declarationList.declarations)
      if (ts.isIdentifier(declared) && declared.text === name) return initializer;
  }
  return undefined;
}

/** The exported name that an import binds to a local one. */
function importedName(local: string, { importClause }: ts.ImportDeclaration): string | undefined {
  if (importClause?.name?.text === local) return "default";
  const bindings = importClause?.namedBindings;
  if (!bindings || !ts.isNamedImports(bindings)) return undefined;
  const found = bindings.elements.find(({ name }) => name.text === local);
  return found && (found.propertyName ?? found.name).text;
}

/** Value of an export: a constant, the default, or one of another module. */
function evaluateExport(name: string, module: CodeModule, depth: number): unknown {
  if (depth > MAX_DEPTH) return UNKNOWN;
  for (const statement of module.file.statements) {
    if (ts.isExportAssignment(statement) && name === "default")
      return evaluate(statement.expression, module, depth + 1);
    if (!ts.isExportDeclaration(statement)) continue;
    const { exportClause: clause, moduleSpecifier: from } = statement;
    if (clause && !ts.isNamedExports(clause)) continue;
    const found = clause?.elements.find((element) => element.name.text === name);
    if (clause && !found) continue;
    const inner = found ? (found.propertyName ?? found.name).text : name;
    const target = from && ts.isStringLiteral(from) ? module.resolve(from.text) : undefined;
    const value = target
      ? evaluateExport(inner, target, depth + 1)
      : evaluateName(inner, module, depth + 1);
    if (clause || value !== UNKNOWN) return value;
  }
  return name === "default" ? UNKNOWN : evaluateName(name, module, depth + 1);
}
