/** Checks of templates against the shapes of their views. */
import type Handlebars from "handlebars";
import { suggestionFor, closestMatch } from "../../diagnostics/text.js";
import type { Shape } from "../views/shapes.js";

/** A mistake in a template. The message is one sentence that starts with `file:line:column`. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
}

/** Source text of a template. `file` is its name in messages. */
export interface TemplateSource {
  readonly file: string;
  readonly text: string;
}

/** Finds a partial by name. */
export type Partials = (name: string) => TemplateSource | undefined;

/** `Handlebars.parse`, which is part of the compiler only. */
export type Parse = typeof Handlebars.parse;

interface Scope {
  readonly file: string;
  /** Contexts, innermost last: `this` and the targets of `../`. */
  readonly shapes: readonly Shape[];
  /** The view of the template, which is `@root` in the template and its partials. */
  readonly root: Shape;
  /** True when the block is inside a list, where `@index`, `@first` and `@last` exist. */
  readonly inList: boolean;
  /** Names of all partials, for suggestions. */
  readonly partialNames: Iterable<string>;
  /** Chain of included partials, for the detection of cycles. */
  readonly includeStack: readonly string[];
  readonly partials: Partials;
  readonly parse: Parse;
}

/** Parser and partials of a check. */
export interface TemplateEngine {
  readonly partials: Partials;
  readonly partialNames: Iterable<string>;
  readonly parse: Parse;
}

/**
 * Checks that a template uses only fields of its view, `#each`, `#if` and partials. Blocks that
 * this document leaves empty are checked, too.
 * @throws TemplateError at the first mistake
 */
export function checkTemplate(source: TemplateSource, shape: Shape, engine: TemplateEngine): void {
  checkText(source, {
    ...engine,
    file: source.file,
    shapes: [shape],
    root: shape,
    inList: false,
    includeStack: [],
  });
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
      return fail(
        scope,
        statement,
        "only {{field}}, {{#each}}, {{#if}} and {{> partial}} can be used in templates",
      );
  }
}

function checkMustache(statement: hbs.AST.MustacheStatement, scope: Scope): void {
  if (statement.params.length > 0 || statement.hash)
    fail(scope, statement, "templates have no helpers");
  const shape = resolveShape(statement.path, scope);
  if (shape !== "text")
    fail(
      scope,
      statement,
      `${expressionText(statement.path)} is ${shape === "flag" ? "a flag" : "not text"} and cannot be printed`,
    );
}

function checkBlock(block: hbs.AST.BlockStatement, scope: Scope): void {
  const [argument] = block.params;
  const helper = expressionText(block.path);
  if (
    (helper !== "each" && helper !== "if") ||
    !argument ||
    block.params.length > 1 ||
    block.hash ||
    block.program.blockParams
  ) {
    return fail(scope, block, "only {{#each list}} and {{#if field}} can be used as blocks");
  }
  const shape = resolveShape(argument, scope);
  if (helper === "if") checkProgram(block.program, scope);
  else if (isList(shape))
    checkProgram(block.program, { ...scope, shapes: [...scope.shapes, shape[0]], inList: true });
  else fail(scope, argument, `${expressionText(argument)} is not a list`);
  checkProgram(block.inverse, scope);
}

/**
 * A partial sees the current context or its arguments: `{{> tool hosts}}`, `{{> row
 * label=../title}}`. It cannot reach outer contexts.
 */
function checkPartial(statement: hbs.AST.PartialStatement, scope: Scope): void {
  if (statement.name.type !== "PathExpression")
    return fail(scope, statement, "only partials of a fixed name can be used");
  const name = expressionText(statement.name);
  const source =
    scope.partials(name) ??
    fail(scope, statement, `unknown partial ${name}${suggestionFor(name, scope.partialNames)}`);
  if (scope.includeStack.includes(name)) fail(scope, statement, `partial ${name} includes itself`);
  checkText(source, {
    ...scope,
    file: source.file,
    includeStack: [...scope.includeStack, name],
    shapes: [contextOf(statement, scope)],
  });
}

function contextOf(
  { params: [context, ...more], hash }: hbs.AST.PartialStatement,
  scope: Scope,
): Shape {
  if (context === undefined && !hash) return scope.shapes.at(-1) ?? {};
  if (more[0]) fail(scope, more[0], "a partial takes one argument at most");
  const shape = context === undefined ? (scope.shapes.at(-1) ?? {}) : resolveShape(context, scope);
  if (typeof shape !== "object" || isList(shape))
    return fail(
      scope,
      context ?? hash,
      `${context ? expressionText(context) : "this"} has no fields, and a partial needs an object`,
    );
  const pairs = (hash as hbs.AST.Hash | undefined)?.pairs ?? [];
  return {
    ...shape,
    ...Object.fromEntries(
      pairs.map(
        ({ key, value }) =>
          [key, value.type === "StringLiteral" ? "text" : resolveShape(value, scope)] as const,
      ),
    ),
  };
}

/** Parses a template. Converts a syntax error to a `TemplateError`. */
function parseText(source: TemplateSource, parse: Parse): hbs.AST.Program {
  try {
    return parse(source.text);
  } catch (error) {
    throw new TemplateError(
      `${source.file}:${syntaxProblem(error instanceof Error ? error.message : String(error), source.text)}`,
    );
  }
}

/**
 * Checks the syntax of a partial that no template includes.
 * @throws TemplateError for a syntax error
 */
export function checkSyntax(source: TemplateSource, parse: Parse): void {
  parseText(source, parse);
}

/**
 * Converts a message of Handlebars, which has several lines, to one sentence with the location in
 * front.
 */
function syntaxProblem(message: string, text: string): string {
  const mismatch = /^(\S+) doesn't match (\S+) - (\d+):(\d+)$/.exec(message);
  if (mismatch)
    return `${mismatch[3]}:${Number(mismatch[4]) + 1}: {{#${mismatch[1]}}} is closed by {{/${mismatch[2]}}}`;
  const placed = /^(.*) - (\d+):(\d+)$/s.exec(message);
  if (placed) return `${placed[2]}:${Number(placed[3]) + 1}: syntax error: ${placed[1]}`;
  const line = Number(/on line (\d+)/.exec(message)?.[1] ?? 1);
  if (/got 'EOF'/.test(message))
    return `${line}: a {{# block is not closed at the end of the template`;
  const source = text.split("\n")[line - 1] ?? "";
  const hint = /[^{]\{\{[^{}]*\}\}\}/.test(` ${source}`)
    ? " (insert a space between }} and the } after it)"
    : "";
  return `${line}: syntax error in an expression of this line: ${source.trim().slice(0, 60)}${hint}`;
}

/** Data variables inside a list. */
const listData: Readonly<Record<string, Shape>> = { index: "text", first: "flag", last: "flag" };

/** The shape of the field that an expression names. */
function resolveShape(expression: hbs.AST.Expression, scope: Scope): Shape {
  if (expression.type !== "PathExpression") return fail(scope, expression, "expected a field");
  const path = expression as hbs.AST.PathExpression;
  if (path.data) return resolveData(path, scope);
  const start = scope.shapes.at(-1 - path.depth);
  if (start === undefined) {
    const reason =
      scope.includeStack.length > 0
        ? "a partial has no outer context; pass it the value: {{> name field=../field}}"
        : "there is no outer context";
    return fail(scope, path, `${path.original} cannot be used here: ${reason}`);
  }
  return follow(start, path.parts, path, scope);
}

function resolveData(path: hbs.AST.PathExpression, scope: Scope): Shape {
  const [name = "", ...rest] = path.parts;
  if (name === "root" && path.depth === 0) return follow(scope.root, rest, path, scope);
  const found =
    path.depth === 0 && rest.length === 0 && Object.hasOwn(listData, name)
      ? listData[name]
      : undefined;
  if (found !== undefined && scope.inList) return found;
  return fail(
    scope,
    path,
    found === undefined
      ? `unknown variable ${path.original}; there are @root and, inside {{#each}}, @index, @first and @last`
      : `${path.original} can be used only inside {{#each}}`,
  );
}

function follow(
  start: Shape,
  parts: readonly string[],
  path: hbs.AST.PathExpression,
  scope: Scope,
): Shape {
  let shape = start;
  for (const part of parts) {
    const fields: { readonly [field: string]: Shape } =
      typeof shape === "object" && !isList(shape) ? shape : {};
    shape = Object.hasOwn(fields, part)
      ? fields[part]!
      : fail(scope, path, `unknown field ${path.original}${suggestion(part, fields, path, scope)}`);
  }
  return shape;
}

/** Suggests the nearest name of this context or of an outer one, and lists the existing names. */
function suggestion(
  part: string,
  fields: { readonly [field: string]: Shape },
  { original, depth, data }: hbs.AST.PathExpression,
  scope: Scope,
): string {
  const names = Object.keys(fields);
  const there = `there ${names.length === 1 ? "is" : "are"} ${names.join(", ") || "none"}`;
  const near = closestMatch(part, names);
  if (near !== undefined)
    return `; did you mean ${original.slice(0, original.lastIndexOf(part))}${near}? There ${there.slice(6)}`;
  const outer =
    data || original !== part
      ? -1
      : scope.shapes
          .toReversed()
          .findIndex(
            (shape, i) =>
              i > depth &&
              typeof shape === "object" &&
              !isList(shape) &&
              Object.hasOwn(shape, part),
          );
  return outer > 0 ? `; did you mean ${"../".repeat(outer)}${part}? Here ${there}` : `; ${there}`;
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function expressionText(expression: hbs.AST.Node): string {
  return expression.type === "PathExpression"
    ? (expression as hbs.AST.PathExpression).original
    : "an expression";
}

function fail(scope: Scope, node: hbs.AST.Node, problem: string): never {
  throw new TemplateError(
    `${scope.file}:${node.loc.start.line}:${node.loc.start.column + 1}: ${problem}`,
  );
}
