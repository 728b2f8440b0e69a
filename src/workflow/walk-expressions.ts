import type { Action, Condition, Criterion, Expression, Step, Value } from "./types.js";

/**
 * An expression of a step, its location, and its evaluation time: before the request, after it, or
 * when the step is done.
 */
interface ExpressionUse {
  readonly expression: Expression;
  readonly location: Step["location"];
  readonly when: "before" | "after" | "done";
}

/** Yields every expression of a value. */
export function* expressionsInValue(
  value: Value,
): Generator<Pick<ExpressionUse, "expression" | "location">> {
  if (value.kind === "expression") yield { expression: value.expression, location: value.location };
  else if (value.kind === "selector") yield { expression: value.context, location: value.location };
  else if (value.kind === "template")
    for (const part of value.parts) yield* expressionsInPart(part, value.location);
  else if (value.kind === "list") for (const item of value.items) yield* expressionsInValue(item);
  else if (value.kind === "replaced") {
    yield* expressionsInValue(value.payload);
    for (const replacement of value.replacements) yield* expressionsInValue(replacement.value);
  } else if (value.kind === "record")
    for (const [, entry] of value.entries) yield* expressionsInValue(entry);
}

function* expressionsInPart(
  part: string | Expression,
  location: ExpressionUse["location"],
): Generator<Pick<ExpressionUse, "expression" | "location">> {
  if (typeof part !== "string") yield { expression: part, location };
}

function* expressionsInCriterion(
  criterion: Criterion,
): Generator<Pick<ExpressionUse, "expression" | "location">> {
  const { location } = criterion;
  if (criterion.kind === "simple") {
    for (const expression of expressionsInCondition(criterion.condition))
      yield { expression, location };
    return;
  }
  yield { expression: criterion.context, location };
  for (const part of criterion.pattern.parts) yield* expressionsInPart(part, location);
}

function* expressionsInCondition(condition: Condition): Generator<Expression> {
  if (condition.kind === "value") yield condition.expression;
  else if (condition.kind === "not") yield* expressionsInCondition(condition.of);
  else if ("left" in condition) {
    yield* expressionsInCondition(condition.left);
    yield* expressionsInCondition(condition.right);
  }
}

/** Yields every expression of a step and its actions. */
export function* expressionsInStep(step: Step): Generator<ExpressionUse> {
  for (const { value } of step.arguments) yield* withTiming(expressionsInValue(value), "before");
  if (step.body?.payload) yield* withTiming(expressionsInValue(step.body.payload), "before");
  for (const { value } of step.body?.replacements ?? [])
    yield* withTiming(expressionsInValue(value), "before");
  for (const criterion of step.criteria ?? [])
    yield* withTiming(expressionsInCriterion(criterion), "after");
  for (const action of step.onSuccess) yield* withTiming(expressionsInAction(action), "done");
  for (const action of step.onFailure) yield* withTiming(expressionsInAction(action), "after");
  for (const { value } of step.outputs) yield* withTiming(expressionsInValue(value), "after");
}

function* expressionsInAction(
  action: Action,
): Generator<Pick<ExpressionUse, "expression" | "location">> {
  for (const criterion of action.criteria) yield* expressionsInCriterion(criterion);
  for (const { value } of action.arguments) yield* expressionsInValue(value);
}

function* withTiming(
  uses: Generator<Pick<ExpressionUse, "expression" | "location">>,
  when: ExpressionUse["when"],
): Generator<ExpressionUse> {
  for (const { expression, location } of uses) yield { expression, location, when };
}
