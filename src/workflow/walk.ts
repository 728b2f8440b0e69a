import type { Action, Condition, Criterion, Expression, Step, Value } from "./types.js";

/**
 * An expression of a step, where it stands, and when it is evaluated: before its request, after it,
 * or when the step is done.
 */
export interface Use {
  readonly expression: Expression;
  readonly place: Step["place"];
  readonly when: "before" | "after" | "done";
}

/** Every expression of a value. */
export function* inValue(value: Value): Generator<Pick<Use, "expression" | "place">> {
  if (value.kind === "expression") yield { expression: value.expression, place: value.place };
  else if (value.kind === "selector") yield { expression: value.context, place: value.place };
  else if (value.kind === "template")
    for (const part of value.parts) yield* inPart(part, value.place);
  else if (value.kind === "list") for (const item of value.items) yield* inValue(item);
  else if (value.kind === "replaced") {
    yield* inValue(value.payload);
    for (const one of value.replacements) yield* inValue(one.value);
  } else if (value.kind === "record") for (const [, entry] of value.entries) yield* inValue(entry);
}

function* inPart(
  part: string | Expression,
  place: Use["place"],
): Generator<Pick<Use, "expression" | "place">> {
  if (typeof part !== "string") yield { expression: part, place };
}

function* inCriterion(criterion: Criterion): Generator<Pick<Use, "expression" | "place">> {
  const { place } = criterion;
  if (criterion.kind === "simple") {
    for (const expression of inCondition(criterion.condition)) yield { expression, place };
    return;
  }
  yield { expression: criterion.context, place };
  for (const part of criterion.pattern.parts) yield* inPart(part, place);
}

export function* inCondition(condition: Condition): Generator<Expression> {
  if (condition.kind === "value") yield condition.expression;
  else if (condition.kind === "not") yield* inCondition(condition.of);
  else if ("left" in condition) {
    yield* inCondition(condition.left);
    yield* inCondition(condition.right);
  }
}

/** Every expression of a step and of its actions. */
export function* inStep(step: Step): Generator<Use> {
  for (const { value } of step.arguments) yield* timed(inValue(value), "before");
  if (step.body?.payload) yield* timed(inValue(step.body.payload), "before");
  for (const { value } of step.body?.replacements ?? []) yield* timed(inValue(value), "before");
  for (const criterion of step.criteria ?? []) yield* timed(inCriterion(criterion), "after");
  for (const action of step.onSuccess) yield* timed(inAction(action), "done");
  for (const action of step.onFailure) yield* timed(inAction(action), "after");
  for (const { value } of step.outputs) yield* timed(inValue(value), "after");
}

function* inAction(action: Action): Generator<Pick<Use, "expression" | "place">> {
  for (const criterion of action.criteria) yield* inCriterion(criterion);
  for (const { value } of action.arguments) yield* inValue(value);
}

function* timed(
  uses: Generator<Pick<Use, "expression" | "place">>,
  when: Use["when"],
): Generator<Use> {
  for (const { expression, place } of uses) yield { expression, place, when };
}
