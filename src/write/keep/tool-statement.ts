/** Statements of a generated module that define a tool, and the type of its input. */
import { ts } from "ts-morph";

/** The definition of a tool, and the name of its input type. */
interface ToolStatement {
  readonly definition: ts.ObjectLiteralExpression;
  readonly inputType: string;
}

/** Reads `const tool = defineTool<Input, Output>({ … })`; undefined for other statements. */
export function readToolStatement(node: ts.Statement | undefined): ToolStatement | undefined {
  if (!node || !ts.isVariableStatement(node)) return undefined;
  const call = node.declarationList.declarations[0]?.initializer;
  if (!call || !ts.isCallExpression(call) || !isDefineTool(call.expression)) return undefined;
  const [definition] = call.arguments;
  const [type] = call.typeArguments ?? [];
  return definition && ts.isObjectLiteralExpression(definition) && type
    ? { definition, inputType: type.getText() }
    : undefined;
}

const isDefineTool = (node: ts.Expression): boolean =>
  ts.isIdentifier(node) && node.text === "defineTool";

/** Names of the members of an interface of a file; none without the interface. */
export function interfaceMembers(file: ts.SourceFile, name: string): readonly string[] {
  return file.statements
    .filter(ts.isInterfaceDeclaration)
    .filter((node) => node.name.text === name)
    .flatMap(({ members }) => members.flatMap(({ name: member }) => nameOf(member) ?? []));
}

/** A name that is written as an identifier or a string. */
export function nameOf(name: ts.PropertyName | undefined): string | undefined {
  return name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : undefined;
}
