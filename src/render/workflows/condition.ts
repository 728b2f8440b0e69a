import type { PlannedStep } from "../../plan/types.js";
import type { Condition, Criterion, Expression } from "../../workflow/index.js";
import { type Code, joinCode, literal, stringLiteral, ts } from "../code/index.js";
import { jsonPathNames } from "./scope.js";
import {
  type EvaluationContext,
  expressionCode,
  objectCode,
  templateCode,
  valueCode,
} from "./value.js";

/** The conjunction of criteria as code; undefined when there are none. */
export function criteriaCode(
  criteria: readonly Criterion[],
  m: EvaluationContext,
): Code | undefined {
  const codes = criteria.map((criterion) => criterionCode(criterion, m, criteria.length > 1));
  return codes.length === 0 ? undefined : joinCode(codes, ts` && `);
}

/** Tests whether the criteria test the status code, so that they imply a response. */
export function checksStatus(criteria: readonly Criterion[]): boolean {
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

function criterionCode(criterion: Criterion, m: EvaluationContext, isPart: boolean): Code {
  if (criterion.kind === "simple") {
    const code = conditionCode(criterion.condition, m);
    return isPart && criterion.condition.kind === "or" ? ts`(${code})` : code;
  }
  const { context, pattern, kind } = criterion;
  const [only, ...more] = pattern.parts;
  const fixed = typeof only === "string" && more.length === 0 ? stringLiteral(only) : undefined;
  const subject = expressionCode(context, m);
  if (kind === "regex")
    return ts`${m.scope.runtime("matchesPattern")}(${subject}, ${fixed ?? templateCode(pattern, m)})`;
  return ts`${m.scope.runtime("selectsAny")}(${subject}, ${fixed ?? queryCode(pattern.parts, m)})`;
}

/** The code of a query. Values inside its quotes are escaped. */
function queryCode(parts: readonly (string | Expression)[], m: EvaluationContext): Code {
  let open: string | undefined;
  const codes = parts.map((part) => {
    if (typeof part !== "string")
      return open === undefined
        ? expressionCode(part, m)
        : ts`${m.scope.runtime("embedInJsonPath")}(${expressionCode(part, m)})`;
    for (const [mark] of part.matchAll(/\\[^]|["']/g))
      if (mark === '"' || mark === "'")
        open = open === undefined ? mark : open === mark ? undefined : open;
    return stringLiteral(part);
  });
  return ts`${m.scope.runtime("concatText")}(${joinCode(codes, ts`, `)})`;
}

function conditionCode(condition: Condition, m: EvaluationContext): Code {
  switch (condition.kind) {
    case "literal":
      return literal(Boolean(condition.value));
    case "value":
      return ts`${m.scope.runtime("isTruthy")}(${expressionCode(condition.expression, m)})`;
    case "not":
      return ts`!${groupedCode(condition.of, m)}`;
    case "and":
      return conjunctionCode(condition.left, condition.right, m);
    case "or":
      return ts`${conditionCode(condition.left, m)} || ${conditionCode(condition.right, m)}`;
    case "compare":
      return comparison(condition, m);
  }
}

function conjunctionCode(left: Condition, right: Condition, m: EvaluationContext): Code {
  const isNegation = conditionCode(left, m).startsWith("!");
  const first = isNegation ? groupedCode(left, m) : operandCode(left, m);
  return ts`${first} && ${operandCode(right, m)}`;
}

function operandCode(condition: Condition, m: EvaluationContext): Code {
  return condition.kind === "or"
    ? ts`(${conditionCode(condition, m)})`
    : conditionCode(condition, m);
}

function groupedCode(condition: Condition, m: EvaluationContext): Code {
  const code = conditionCode(condition, m);
  const isCall =
    condition.kind === "value" ||
    (condition.kind === "compare" && /^\w+\(/.test(code) && !code.includes(" === "));
  return isCall ? code : ts`(${code})`;
}

const comparisonFunctions = {
  "<": "lessThan",
  "<=": "lessOrEqual",
  ">": "greaterThan",
  ">=": "greaterOrEqual",
} as const;

function comparison(
  { operator, left, right }: Extract<Condition, { kind: "compare" }>,
  m: EvaluationContext,
): Code {
  const [a, b] = [operand(left, m), operand(right, m)];
  if (operator === "==" || operator === "!=") {
    if (isStatus(left) && right.kind === "literal" && typeof right.value === "number")
      return operator === "==" ? ts`${a} === ${b}` : ts`${a} !== ${b}`;
    return operator === "=="
      ? ts`${m.scope.runtime("equals")}(${a}, ${b})`
      : ts`!${m.scope.runtime("equals")}(${a}, ${b})`;
  }
  return ts`${m.scope.runtime(comparisonFunctions[operator])}(${a}, ${b})`;
}

/** An operand of a comparison: a value, or the result of a condition. */
function operand(condition: Condition, m: EvaluationContext): Code {
  if (condition.kind === "value") return expressionCode(condition.expression, m);
  return condition.kind === "literal" ? literal(condition.value) : conditionCode(condition, m);
}

/** Runs a step. Errors of JSONPath queries in its inputs need its name before it starts. */
export function callStatements(
  target: Code,
  planned: PlannedStep,
  m: EvaluationContext,
  indent: number,
): readonly Code[] {
  const call = callCode(planned, m, indent);
  const hasQuery = [...jsonPathNames].some((name) => call.includes(`${name}(`));
  const prepare = ts`run.prepare(steps.${m.scope.variable(planned.step.id)});`;
  return [...(hasQuery ? [prepare] : []), ts`${target} = await ${call};`];
}

/** The request of a step, or its call of a workflow. */
function callCode(
  { step, calledWorkflow: calls, input }: PlannedStep,
  m: EvaluationContext,
  indent: number,
): Code {
  const variable = m.scope.variable(step.id);
  const isXml = /[/+]xml\b/.test(step.body?.contentType ?? "");
  const entries = input.map(
    ([key, value]) =>
      [
        key,
        valueCode(
          value,
          m,
          indent + 2,
          isQuery(step.arguments, key)
            ? "embedInQuery"
            : isXml && key === "body"
              ? "embedInXml"
              : undefined,
        ),
      ] as const,
  );
  const inputs = objectCode(entries, indent, 70);
  return calls
    ? ts`run.callWorkflow(steps.${variable}, ${m.scope.call(calls)}, ${inputs})`
    : ts`run.send(steps.${variable}, ${inputs})`;
}

function isQuery(args: PlannedStep["step"]["arguments"], key: string): boolean {
  return args.some(
    ({ name, in: place }) =>
      place === "querystring" && (name === key || `querystring_${name}` === key),
  );
}
