import { parseExpression, type Parsed } from "./expression.js";
import type { ComparisonOperator, Condition, Expression } from "./types.js";

type Token =
  | { readonly kind: "literal"; readonly value: null | boolean | number | string }
  | { readonly kind: "expression"; readonly expression: Expression }
  | { readonly kind: "sign"; readonly sign: string };

/** Maximum length and nesting of a condition, which protect the call stack. */
const maxLength = 4000;
const maxDepth = 50;

/**
 * Parses a `simple` condition: literals, `< <= > >= == != ! && ||`, grouping, and runtime
 * expressions with `[0]` and `.name`. Operators bind as usual: `!`, then comparisons, then `&&`,
 * then `||`. Arazzo 1.1, "Criterion Object".
 * @returns the condition, or a clause that describes its error
 */
export function parseCondition(text: string): Parsed<Condition> {
  if (text.length > maxLength)
    return { ok: false, problem: `is longer than ${maxLength} characters` };
  const tokens = tokensOf(text);
  return tokens.ok ? new ConditionParser(tokens.value).parse() : tokens;
}

/**
 * Rewrites an unambiguous misspelling of a condition: strings in double quotes or without quotes,
 * and expressions in braces.
 */
export function normalizeCondition(text: string): string {
  return quoteWords(text.slice(0, maxLength)).replace(
    /'\{(\$[^{}']+)\}'|'(?:[^']|'')*'|"([^"\\]*)"|\{(\$[^{}]+)\}/g,
    (match, expressionString?: string, string?: string, expression?: string) =>
      string === undefined
        ? (expressionString ?? expression ?? match)
        : `'${string.replaceAll("'", "''")}'`,
  );
}

/** Puts an unquoted word after a comparison operator into quotes. */
function quoteWords(text: string): string {
  return text.replace(
    /'(?:[^']|'')*'|"[^"]*"|([=!]=\s*)([A-Za-z][\w-]*)(?=\s*(?:$|&&|\|\||\)))/g,
    (match, operator?: string, word?: string) =>
      operator === undefined || word === undefined || /^(?:true|false|null)$/.test(word)
        ? match
        : `${operator}'${word}'`,
  );
}

const spacePattern = /\s+/y;
const signPattern = /&&|\|\||[=!<>]=|[()!<>]/y;
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const wordPattern = /(?:true|false|null)(?![\w.-])/y;
const stringPattern = /'((?:[^']|'')*)'/y;
/** An expression ends at a space, a bracket or an operator. */
const expressionPattern = /\$(?:[^\s()[\]=!<>&|]|&(?!&)|\|(?!\|))+/y;
const indexPattern = /\[(\d{1,9})\]((?:\.[^\s()[\]=!<>&|.]+)*)/y;

function tokensOf(text: string): Parsed<readonly Token[]> {
  const tokens: Token[] = [];
  for (let position = 0; position < text.length;) {
    const match = (pattern: RegExp): RegExpExecArray | null => {
      pattern.lastIndex = position;
      const match = pattern.exec(text);
      if (match) position += match[0].length;
      return match;
    };
    if (match(spacePattern)) continue;
    const signs = match(signPattern);
    const literal = signs ? undefined : literalOf(match);
    if (signs) tokens.push({ kind: "sign", sign: signs[0] });
    else if (literal !== undefined) tokens.push({ kind: "literal", value: literal });
    else {
      const source = match(expressionPattern);
      if (!source)
        return {
          ok: false,
          problem: `has a syntax error at ${quoted(text.slice(position))}${syntaxHint(text.slice(position))}`,
        };
      const expression = parseExpression(source[0]);
      if (!expression.ok)
        return { ok: false, problem: `has ${quoted(source[0])}, which ${expression.problem}` };
      const path: string[] = [];
      for (let step = match(indexPattern); step; step = match(indexPattern))
        path.push(step[1] as string, ...(step[2] as string).split(".").filter(Boolean));
      const extended = extendPath(expression.value, path);
      if (!extended)
        return {
          ok: false,
          problem: `has an index after ${quoted(source[0])}, which is not an array`,
        };
      tokens.push({ kind: "expression", expression: extended });
    }
  }
  return { ok: true, value: tokens };
}

function literalOf(
  match: (pattern: RegExp) => RegExpExecArray | null,
): null | boolean | number | string | undefined {
  const text = match(stringPattern);
  if (text) return (text[1] as string).replaceAll("''", "'");
  const digits = match(numberPattern);
  if (digits) return Number(digits[0]);
  const name = match(wordPattern)?.[0];
  return name === undefined ? undefined : name === "null" ? null : name === "true";
}

function extendPath(expression: Expression, path: readonly string[]): Expression | undefined {
  if (path.length === 0) return expression;
  return "path" in expression ? { ...expression, path: [...expression.path, ...path] } : undefined;
}

function syntaxHint(text: string): string {
  const character = text[0] ?? "";
  if (/^[A-Za-z]/.test(text))
    return /^(?:contains|includes|matches|in|startsWith|endsWith|like)\b/i.test(text)
      ? "; write patterns as conditions of type regex, with a context"
      : "; write strings in single quotes";
  if (character === '"') return "; write strings in single quotes";
  if (/^\[\s*\?/.test(text))
    return "; write filters as conditions of type jsonpath, with a context";
  if (character === "'") return "; a quote is not closed";
  if (character === "=") return "; write equality as ==";
  return "";
}

const quoted = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Recursive-descent parser of the tokens. Syntax errors are thrown only internally. */
class ConditionParser {
  private position = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  parse(): Parsed<Condition> {
    if (this.tokens.length === 0) return { ok: false, problem: "is empty" };
    try {
      const condition = this.or();
      const remaining = this.tokens[this.position];
      return remaining
        ? {
            ok: false,
            problem: `has ${describeToken(remaining)} where an operator or the end is expected`,
          }
        : { ok: true, value: condition };
    } catch (error) {
      if (error instanceof ConditionSyntaxError) return { ok: false, problem: error.message };
      throw error;
    }
  }

  private or(): Condition {
    let left = this.and();
    while (this.take("||")) left = { kind: "or", left, right: this.and() };
    return left;
  }

  private and(): Condition {
    let left = this.equality();
    while (this.take("&&")) left = { kind: "and", left, right: this.equality() };
    return left;
  }

  private equality(): Condition {
    let left = this.relation();
    for (let operator = this.take("==", "!="); operator; operator = this.take("==", "!="))
      left = compare(operator, left, this.relation());
    return left;
  }

  private relation(): Condition {
    let left = this.unary();
    for (
      let operator = this.take("<", "<=", ">", ">=");
      operator;
      operator = this.take("<", "<=", ">", ">=")
    )
      left = compare(operator, left, this.unary());
    return left;
  }

  private unary(): Condition {
    if (++this.depth > maxDepth)
      throw new ConditionSyntaxError(`is nested more than ${maxDepth} levels deep`);
    const condition: Condition = this.take("!")
      ? { kind: "not", of: this.unary() }
      : this.primary();
    this.depth--;
    return condition;
  }

  private primary(): Condition {
    const token = this.tokens[this.position++];
    if (token?.kind === "literal") return token;
    if (token?.kind === "expression") return { kind: "value", expression: token.expression };
    if (token?.sign !== "(")
      throw new ConditionSyntaxError(
        token
          ? `has ${describeToken(token)} where a value is expected`
          : "ends where a value is expected",
      );
    const inner = this.or();
    if (!this.take(")")) throw new ConditionSyntaxError("has a bracket that is not closed");
    return inner;
  }

  private take(...signs: readonly string[]): string | undefined {
    const token = this.tokens[this.position];
    if (token?.kind !== "sign" || !signs.includes(token.sign)) return undefined;
    this.position++;
    return token.sign;
  }
}

class ConditionSyntaxError extends Error {}

const compare = (operator: string, left: Condition, right: Condition): Condition => ({
  kind: "compare",
  operator: operator as ComparisonOperator,
  left,
  right,
});

function describeToken(token: Token): string {
  if (token.kind === "sign") return token.sign;
  return token.kind === "literal" ? JSON.stringify(token.value) : "an expression";
}
