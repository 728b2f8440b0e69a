/** Code of criteria and conditions, and the call of a step. */
import type { PlannedStep } from "../../plan/types.js";
import type { Condition, Criterion, Expression } from "../../workflow/index.js";
import { type Code, joinCode, literal, stringLiteral, ts } from "../code/index.js";
import { jsonPathNames } from "./scope.js";
import { type EvaluationContext, expressionCode } from "./expression.js";
import { objectCode, templateCode, valueCode } from "./value.js";

/** The conjunction of criteria as code; undefined when there are none. */
export function criteriaCode(
  criteria: readonly Criterion[],
  context: EvaluationContext,
): Code | undefined {
  const codes = criteria.map((criterion) => criterionCode(criterion, context, criteria.length > 1));
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

function criterionCode(criterion: Criterion, context: EvaluationContext, isPart: boolean): Code {
  if (criterion.kind === "simple") {
    const code = conditionCode(criterion.condition, context);
    return isPart && criterion.condition.kind === "or" ? ts`(${code})` : code;
  }
  const { context: subjectExpression, pattern, kind } = criterion;
  const [only, ...more] = pattern.parts;
  const fixed = typeof only === "string" && more.length === 0 ? stringLiteral(only) : undefined;
  const subject = expressionCode(subjectExpression, context);
  if (kind === "regex")
    return ts`${context.scope.runtime("matchesPattern")}(${subject}, ${fixed ?? templateCode(pattern, context)})`;
  return ts`${context.scope.runtime("selectsAny")}(${subject}, ${fixed ?? queryCode(pattern.parts, context)})`;
}

/** The code of a query. Values inside its quotes are escaped. */
function queryCode(parts: readonly (string | Expression)[], context: EvaluationContext): Code {
  let open: string | undefined;
  const codes = parts.map((part) => {
    if (typeof part !== "string")
      return open === undefined
        ? expressionCode(part, context)
        : ts`${context.scope.runtime("embedInJsonPath")}(${expressionCode(part, context)})`;
    for (const [mark] of part.matchAll(/\\[^]|["']/g))
      if (mark === '"' || mark === "'")
        open = open === undefined ? mark : open === mark ? undefined : open;
    return stringLiteral(part);
  });
  return ts`${context.scope.runtime("concatText")}(${joinCode(codes, ts`, `)})`;
}

function conditionCode(condition: Condition, context: EvaluationContext): Code {
  switch (condition.kind) {
    case "literal":
      return literal(Boolean(condition.value));
    case "value":
      return ts`${context.scope.runtime("isTruthy")}(${expressionCode(condition.expression, context)})`;
    case "not":
      return ts`!${groupedCode(condition.of, context)}`;
    case "and":
      return conjunctionCode(condition.left, condition.right, context);
    case "or":
      return ts`${conditionCode(condition.left, context)} || ${conditionCode(condition.right, context)}`;
    case "compare":
      return comparison(condition, context);
  }
}

function conjunctionCode(left: Condition, right: Condition, context: EvaluationContext): Code {
  const isNegation = conditionCode(left, context).startsWith("!");
  const first = isNegation ? groupedCode(left, context) : operandCode(left, context);
  return ts`${first} && ${operandCode(right, context)}`;
}

function operandCode(condition: Condition, context: EvaluationContext): Code {
  return condition.kind === "or"
    ? ts`(${conditionCode(condition, context)})`
    : conditionCode(condition, context);
}

function groupedCode(condition: Condition, context: EvaluationContext): Code {
  const code = conditionCode(condition, context);
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
  context: EvaluationContext,
): Code {
  const [a, b] = [operand(left, context), operand(right, context)];
  if (operator === "==" || operator === "!=") {
    if (isStatus(left) && right.kind === "literal" && typeof right.value === "number")
      return operator === "==" ? ts`${a} === ${b}` : ts`${a} !== ${b}`;
    return operator === "=="
      ? ts`${context.scope.runtime("equals")}(${a}, ${b})`
      : ts`!${context.scope.runtime("equals")}(${a}, ${b})`;
  }
  return ts`${context.scope.runtime(comparisonFunctions[operator])}(${a}, ${b})`;
}

/** An operand of a comparison: a value, or the result of a condition. */
function operand(condition: Condition, context: EvaluationContext): Code {
  if (condition.kind === "value") return expressionCode(condition.expression, context);
  return condition.kind === "literal"
    ? literal(condition.value)
    : conditionCode(condition, context);
}

/** Runs a step. Errors of JSONPath queries in its inputs need its name before it starts. */
export function callStatements(
  target: Code,
  planned: PlannedStep,
  context: EvaluationContext,
  indent: number,
): readonly Code[] {
  const call = callCode(planned, context, indent);
  const hasQuery = [...jsonPathNames].some((name) => call.includes(`${name}(`));
  const prepare = ts`run.prepare(steps.${context.scope.variable(planned.step.id)});`;
  return [...(hasQuery ? [prepare] : []), ts`${target} = await ${call};`];
}

/** The request of a step, or its call of a workflow. */
function callCode(
  { step, calledWorkflow, input }: PlannedStep,
  context: EvaluationContext,
  indent: number,
): Code {
  const variable = context.scope.variable(step.id);
  const isXml = /[/+]xml\b/.test(step.body?.contentType ?? "");
  const entries = input.map(
    ([key, value]) =>
      [
        key,
        valueCode(
          value,
          context,
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
  return calledWorkflow
    ? ts`run.callWorkflow(steps.${variable}, ${context.scope.call(calledWorkflow)}, ${inputs})`
    : ts`run.send(steps.${variable}, ${inputs})`;
}

function isQuery(args: PlannedStep["step"]["arguments"], key: string): boolean {
  return args.some(
    ({ name, in: place }) =>
      place === "querystring" && (name === key || `querystring_${name}` === key),
  );
}
