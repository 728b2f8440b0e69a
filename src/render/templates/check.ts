import type { Shape } from "./shape.js";

/** A mistake in a template, with its place. The message is one sentence that starts with `file:line:column`. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
}

/** A template as text. `file` is how messages call it. */
export interface TemplateSource {
  readonly file: string;
  readonly text: string;
}

/** Looks partials up by name. */
export type Partials = (name: string) => TemplateSource | undefined;

/** `Handlebars.parse`, which only the compiler has. */
export type Parse = (text: string) => hbs.AST.Program;

interface Scope {
  readonly file: string;
  /** Innermost last: what `this` is, and what `../` reaches. */
  readonly shapes: readonly Shape[];
  /** Partials that are open, against endless inclusion. */
  readonly open: readonly string[];
  readonly partials: Partials;
  readonly parse: Parse;
}

/**
 * Checks that a template uses no more than fields that its view has, `#each`, `#if` and partials: also where this
 * document's view is empty.
 * @throws TemplateError at the first mistake
 */
export function checkTemplate(source: TemplateSource, shape: Shape, partials: Partials, parse: Parse): void {
  checkText(source, { file: source.file, shapes: [shape], open: [], partials, parse });
}

function checkText(source: TemplateSource, scope: Scope): void {
  checkProgram(parseText(source, scope.parse), scope);
}

function checkProgram(program: hbs.AST.Program | undefined, scope: Scope): void {
  for (const statement of program?.body ?? []) checkStatement(statement, scope);
}

function checkStatement(statement: hbs.AST.Statement, scope: Scope): void {
  switch (statement.type) {
    case "ContentStatement":
    case "CommentStatement":
      return;
    case "MustacheStatement":
      return checkMustache(statement as hbs.AST.MustacheStatement, scope);
    case "BlockStatement":
      return checkBlock(statement as hbs.AST.BlockStatement, scope);
    case "PartialStatement":
      return checkPartial(statement as hbs.AST.PartialStatement, scope);
    default:
      return fail(scope, statement, "only {{field}}, {{#each}}, {{#if}} and {{> partial}} can be used in templates");
  }
}

function checkMustache(statement: hbs.AST.MustacheStatement, scope: Scope): void {
  if (statement.params.length > 0 || statement.hash) fail(scope, statement, "templates have no helpers");
  const shape = resolve(statement.path, scope);
  if (shape !== "text") fail(scope, statement, `${named(statement.path)} is ${shape === "flag" ? "a flag" : "no text"} and cannot be printed`);
}

function checkBlock(block: hbs.AST.BlockStatement, scope: Scope): void {
  const [argument] = block.params;
  const helper = named(block.path);
  if ((helper !== "each" && helper !== "if") || !argument || block.params.length > 1 || block.hash || block.program.blockParams) {
    return fail(scope, block, "only {{#each list}} and {{#if field}} can be used as blocks");
  }
  const shape = resolve(argument, scope);
  if (helper === "if") checkProgram(block.program, scope);
  else if (isList(shape)) checkProgram(block.program, { ...scope, shapes: [...scope.shapes, shape[0]] });
  else fail(scope, argument, `${named(argument)} is no list`);
  checkProgram(block.inverse, scope);
}

function checkPartial(statement: hbs.AST.PartialStatement, scope: Scope): void {
  const name = named(statement.name);
  if (statement.params.length > 0 || statement.hash) fail(scope, statement, "partials take no parameters");
  const source = scope.partials(name) ?? fail(scope, statement, `there is no partial ${name}`);
  if (scope.open.includes(name)) fail(scope, statement, `partial ${name} includes itself`);
  checkText(source, { ...scope, file: source.file, open: [...scope.open, name] });
}

/** Parses a template; a syntax error becomes a `TemplateError`. */
function parseText(source: TemplateSource, parse: Parse): hbs.AST.Program {
  try {
    return parse(source.text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const line = /on line (\d+)/.exec(message)?.[1] ?? /- (\d+):\d+$/.exec(message)?.[1] ?? "1";
    throw new TemplateError(`${source.file}:${line}: ${message.split("\n").slice(0, 3).join(" ").replace(/^Parse error on line \d+: /, "cannot be read: ")}`);
  }
}

/** The shape of what an expression names. */
function resolve(expression: hbs.AST.Expression, scope: Scope): Shape {
  if (expression.type !== "PathExpression") return fail(scope, expression, "only fields can be named");
  const path = expression as hbs.AST.PathExpression;
  let shape = scope.shapes.at(-1 - path.depth);
  if (path.data || shape === undefined) return fail(scope, path, `${path.original} cannot be used here`);
  for (const part of path.parts) {
    const fields: { readonly [field: string]: Shape } = typeof shape === "object" && !isList(shape) ? shape : {};
    shape = Object.hasOwn(fields, part) ? fields[part]! : fail(scope, path, `there is no field ${path.original}; there are ${Object.keys(fields).join(", ") || "none"}`);
  }
  return shape;
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function named(expression: hbs.AST.Node): string {
  return expression.type === "PathExpression" ? (expression as hbs.AST.PathExpression).original : "an expression";
}

function fail(scope: Scope, node: hbs.AST.Node, problem: string): never {
  throw new TemplateError(`${scope.file}:${node.loc.start.line}:${node.loc.start.column + 1}: ${problem}`);
}
