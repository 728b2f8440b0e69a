import type { Condition, Criterion, Expression } from "../../workflow/index.js";
import { type Code, join, literal, ts } from "../code.js";
import { expressionCode, type Moment, templateCode } from "./value.js";
import { stringLiteral } from "../code.js";

/** All of these criteria, as one condition; nothing when there are none. */
export function criteriaCode(criteria: readonly Criterion[], m: Moment): Code | undefined {
  const codes = criteria.map((criterion) => criterionCode(criterion, m, criteria.length > 1));
  return codes.length === 0 ? undefined : join(codes, ts` && `);
}

/** Whether criteria say themselves that there must be an answer. */
export function asksForStatus(criteria: readonly Criterion[]): boolean {
  return criteria.some(
    (criterion) => criterion.kind === "simple" && statusPart(criterion.condition),
  );
}

function statusPart(condition: Condition): boolean {
  if (condition.kind === "and") return statusPart(condition.left) || statusPart(condition.right);
  if (condition.kind !== "compare" || condition.operator === "!=") return false;
  return (
    isStatus(condition.left) &&
    condition.right.kind === "literal" &&
    typeof condition.right.value === "number"
  );
}

const isStatus = (condition: Condition): boolean =>
  condition.kind === "value" && condition.expression.kind === "statusCode";

function criterionCode(criterion: Criterion, m: Moment, isPart: boolean): Code {
  if (criterion.kind === "simple") {
    const code = conditionCode(criterion.condition, m);
    return isPart && criterion.condition.kind === "or" ? ts`(${code})` : code;
  }
  const { context, pattern, kind } = criterion;
  const [only, ...more] = pattern.parts;
  const fixed = typeof only === "string" && more.length === 0 ? stringLiteral(only) : undefined;
  const subject = expressionCode(context, m);
  if (kind === "regex")
    return ts`${m.scope.runtime("matches")}(${subject}, ${fixed ?? templateCode(pattern, m)})`;
  return ts`${m.scope.runtime("selects")}(${subject}, ${fixed ?? queryCode(pattern.parts, m)})`;
}

/** Values inside quotes of a query are escaped, so that they stay inside. */
function queryCode(parts: readonly (string | Expression)[], m: Moment): Code {
  let open: string | undefined;
  const codes = parts.map((part) => {
    if (typeof part !== "string")
      return open === undefined
        ? expressionCode(part, m)
        : ts`${m.scope.runtime("escaped")}(${expressionCode(part, m)})`;
    for (const [mark] of part.matchAll(/\\[^]|["']/g))
      if (mark === '"' || mark === "'")
        open = open === undefined ? mark : open === mark ? undefined : open;
    return stringLiteral(part);
  });
  return ts`${m.scope.runtime("text")}(${join(codes, ts`, `)})`;
}

function conditionCode(condition: Condition, m: Moment): Code {
  switch (condition.kind) {
    case "literal":
      return literal(Boolean(condition.value));
    case "value":
      return ts`${m.scope.runtime("holds")}(${expressionCode(condition.expression, m)})`;
    case "not":
      return ts`!${grouped(condition.of, m)}`;
    case "and":
      return ts`${conditionCode(condition.left, m).startsWith("!") ? grouped(condition.left, m) : part(condition.left, m)} && ${part(condition.right, m)}`;
    case "or":
      return ts`${conditionCode(condition.left, m)} || ${conditionCode(condition.right, m)}`;
    case "compare":
      return comparison(condition, m);
  }
}

function part(condition: Condition, m: Moment): Code {
  return condition.kind === "or"
    ? ts`(${conditionCode(condition, m)})`
    : conditionCode(condition, m);
}

function grouped(condition: Condition, m: Moment): Code {
  const code = conditionCode(condition, m);
  const isCall =
    condition.kind === "value" ||
    (condition.kind === "compare" && /^\w+\(/.test(code) && !code.includes(" === "));
  return isCall ? code : ts`(${code})`;
}

const functions = { "<": "lessThan", "<=": "atMost", ">": "moreThan", ">=": "atLeast" } as const;

function comparison(
  { operator, left, right }: Extract<Condition, { kind: "compare" }>,
  m: Moment,
): Code {
  const [a, b] = [operand(left, m), operand(right, m)];
  if (operator === "==" || operator === "!=") {
    if (isStatus(left) && right.kind === "literal" && typeof right.value === "number")
      return operator === "==" ? ts`${a} === ${b}` : ts`${a} !== ${b}`;
    return operator === "=="
      ? ts`${m.scope.runtime("equals")}(${a}, ${b})`
      : ts`!${m.scope.runtime("equals")}(${a}, ${b})`;
  }
  return ts`${m.scope.runtime(functions[operator])}(${a}, ${b})`;
}

/** What is compared: a value, or the truth of a condition. */
function operand(condition: Condition, m: Moment): Code {
  if (condition.kind === "value") return expressionCode(condition.expression, m);
  return condition.kind === "literal" ? literal(condition.value) : conditionCode(condition, m);
}
