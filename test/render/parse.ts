import { ts } from "ts-morph";

/** The syntax tree of TypeScript text. Throws when it does not parse. */
export function parse(text: string, file = "file.ts"): ts.SourceFile {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true) as ts.SourceFile & {
    readonly parseDiagnostics: readonly ts.Diagnostic[];
  };
  const [first] = source.parseDiagnostics;
  if (first)
    throw new Error(
      `${file}: ${ts.flattenDiagnosticMessageText(first.messageText, " ")} in ${text.slice(Math.max(0, first.start! - 80), first.start! + 80)}`,
    );
  return source;
}

/** What a file calls, constructs or tags, as written: `defineTool`, `new Map`. */
export function calls(source: ts.SourceFile): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) found.push(node.expression.getText());
    if (ts.isNewExpression(node)) found.push(`new ${node.expression.getText()}`);
    if (ts.isTaggedTemplateExpression(node) || ts.isTemplateExpression(node))
      found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The only statement of a file. */
export function onlyStatement(text: string): ts.Statement {
  const { statements } = parse(text);
  if (statements.length !== 1) throw new Error(`${statements.length} statements in ${text}`);
  return statements[0]!;
}

/** The value that an expression of literals stands for; throws for anything that is no literal. */
export function evaluate(code: string): unknown {
  const statement = onlyStatement(`const value = ${code};`);
  if (!ts.isVariableStatement(statement)) throw new Error(`no declaration: ${code}`);
  return valueOf(statement.declarationList.declarations[0]!.initializer!);
}

function valueOf(node: ts.Expression): unknown {
  if (ts.isStringLiteral(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken)
    return -(valueOf(node.operand) as number);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (node.kind === ts.SyntaxKind.NullKeyword) return null;
  if (ts.isAsExpression(node) && node.type.getText() === "const") return valueOf(node.expression);
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(valueOf);
  if (ts.isObjectLiteralExpression(node)) return Object.fromEntries(node.properties.map(memberOf));
  throw new Error(`no literal: ${node.getText()}`);
}

function memberOf(property: ts.ObjectLiteralElementLike): [string, unknown] {
  if (!ts.isPropertyAssignment(property)) throw new Error(`no plain member: ${property.getText()}`);
  const { name } = property;
  // A bare or quoted `__proto__` would set the prototype.
  if (ts.isComputedPropertyName(name))
    return [valueOf(name.expression) as string, valueOf(property.initializer)];
  const { text } = name as ts.Identifier | ts.StringLiteral | ts.NumericLiteral;
  if (text === "__proto__") throw new Error("sets the prototype");
  return [text, valueOf(property.initializer)];
}
