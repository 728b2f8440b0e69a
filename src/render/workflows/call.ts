import type { PlannedStep } from "../../plan/types.js";
import { type Code, ts } from "../code/index.js";
import { jsonPathNames } from "./scope.js";
import { type EvaluationContext, objectCode, valueCode } from "./value.js";

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
