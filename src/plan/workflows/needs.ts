import { pointerTo } from "../../json.js";
import type { Value } from "../../workflow/index.js";
import type { BoundStep } from "./bind-step.js";

/**
 * What a step cannot be sent without and other steps give, by the name of its input: `{ petId:
 * "$steps.find.outputs.id" }`.
 */
export function needsOf({ send, input }: BoundStep): Readonly<Record<string, string>> {
  const names = new Set([
    ...Object.values(send.pathParams ?? {}).flatMap((wire) =>
      typeof wire === "string" ? wire : "from" in wire ? wire.from : [],
    ),
    send.body?.from,
  ]);
  return Object.fromEntries(
    input.flatMap(([name, value]) =>
      names.has(name) ? (sourceOf(value) ?? []).map((source) => [name, source] as const) : [],
    ),
  );
}

/** The output that a value is, as it is written. */
function sourceOf(value: Value): readonly string[] | undefined {
  if (value.kind !== "expression") return undefined;
  const { expression } = value;
  const path = "path" in expression ? pointerTo(expression.path) : "";
  const pointer = path === "" ? "" : `#${path}`;
  if (expression.kind === "workflows")
    return [`$workflows.${expression.workflow}.${expression.field}.${expression.name}${pointer}`];
  if (expression.kind !== "steps") return undefined;
  const workflow = expression.workflow === undefined ? "" : `$workflows.${expression.workflow}.`;
  return [
    `${workflow || "$"}steps.${expression.step}.outputs${expression.name === "" ? "" : `.${expression.name}`}${pointer}`,
  ];
}
