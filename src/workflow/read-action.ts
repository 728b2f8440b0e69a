import { quoteText } from "../diagnostics/clean.js";
import type { Components } from "./components.js";
import { readArguments } from "./read-argument.js";
import { type Node, reportTwice } from "./reader.js";
import type { Action, Reference } from "./types.js";
import { readCriterion } from "./values.js";

const keys = ["name", "type", "workflowId", "stepId", "criteria", "parameters"];

/**
 * Reads success or failure actions, reusable ones among them. Arazzo 1.1, "Success Action Object",
 * "Failure Action Object".
 */
export function readActions(
  node: Node,
  key: string,
  kind: "successActions" | "failureActions",
  components: Components,
): readonly Action[] {
  const found = node.items(key).flatMap((item): (readonly [Node, Action])[] => {
    const reused = components.resolve(item, kind);
    const action = reused && readAction(reused.node, kind, components);
    return action ? [[item, { ...action, place: item.place }]] : [];
  });
  reportTwice(
    found,
    ({ name }) => name,
    ({ name }) => `The action ${quoteText(name)}`,
  );
  return found.map(([, action]) => action);
}

function readAction(
  node: Node,
  kind: "successActions" | "failureActions",
  components: Components,
): Action | undefined {
  const retries = kind === "failureActions";
  if (!node.isObject(retries ? [...keys, "retryAfter", "retryLimit"] : keys)) return undefined;
  const name = node.text("name", true);
  const type = node.choice(
    "type",
    retries ? (["end", "goto", "retry"] as const) : (["end", "goto"] as const),
    true,
  );
  const criteria = node.items("criteria").flatMap((one) => readCriterion(one) ?? []);
  const [step, workflow] = [reference(node, "stepId"), reference(node, "workflowId")];
  if (!type || name === "" || !leads(node, type, step, workflow)) return undefined;
  return {
    name,
    type,
    criteria,
    ...(step && { step }),
    ...(workflow && { workflow }),
    place: node.place,
    arguments: readArguments(node, "parameters", "workflow", components),
    retryAfter: node.number("retryAfter", 0, false) ?? 0,
    retryLimit: node.number("retryLimit", 0, true) ?? 1,
  };
}

function reference(node: Node, key: string): Reference | undefined {
  const text = node.text(key);
  return text === undefined ? undefined : { text, place: node.child(key).place };
}

/** A goto leads somewhere, an end nowhere, a retry may go by another step or workflow first. */
function leads(
  node: Node,
  type: Action["type"],
  step: Reference | undefined,
  workflow: Reference | undefined,
): boolean {
  if (step && workflow)
    node.report(
      "An action leads to a step or to a workflow, not to both.",
      "Remove stepId or workflowId.",
    );
  else if (type === "goto" && !step && !workflow)
    node.report("A goto must say where it leads.", "Add stepId or workflowId.");
  else if (type === "end" && (step ?? workflow))
    node.report("An end leads nowhere.", "Remove stepId and workflowId, or make it a goto.");
  else return true;
  return false;
}

/** Those of the step, and those of the workflow that it does not have itself. */
export function withInheritedActions(
  own: readonly Action[],
  inherited: readonly Action[],
): readonly Action[] {
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...inherited.filter(({ name }) => !names.has(name))];
}
