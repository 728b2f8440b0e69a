import { suggestionFor } from "../diagnostics/index.js";
import { quoteText } from "../diagnostics/text.js";
import { type DocumentNode, reportDuplicates } from "./document-node.js";
import { readCriterion, readExpression, readValue } from "./read-values.js";
import { type Action, type Argument, argumentLocations, type Reference } from "./types.js";
import { omitUndefined } from "../json.js";

type ReusableKind = "parameters" | "successActions" | "failureActions";

/**
 * A list entry, or the reusable object that it refers to, with an overriding value. Arazzo 1.1,
 * "Reusable Object".
 */
interface ResolvedReusable {
  readonly node: DocumentNode;
  /** `value` beside the reference. */
  readonly override?: DocumentNode;
}

/** The reusable objects of a document. */
export class ReusableObjects {
  constructor(private readonly root: DocumentNode) {}

  /** Resolves `reference`, and reports an unknown one. */
  resolve(node: DocumentNode, kind: ReusableKind): ResolvedReusable | undefined {
    if (!node.has("reference")) return { node };
    const text = node.readString("reference", true);
    const expression = text === "" ? undefined : readExpression(node.child("reference"), text);
    if (!expression) return undefined;
    const all = this.root.child("components").child(kind);
    const target =
      expression.kind === "component" && expression.type === kind
        ? all.child(expression.name)
        : undefined;
    if (target?.value === undefined) {
      const names = all.value === undefined ? [] : Object.keys(Object(all.value));
      const near = expression.kind === "component" ? suggestionFor(expression.name, names) : "";
      return node
        .child("reference")
        .report(
          `${quoteText(text)} does not exist in components.${kind}${near || "."}`,
          undefined,
          "workflow-reference",
        );
    }
    return { node: target, ...(node.has("value") && { override: node.child("value") }) };
  }
}

/**
 * The target of arguments. For an operation they need a location; for a workflow they are its
 * inputs.
 */
type ArgumentContext = "operation" | "workflow" | "either";

/** Reads a list of parameters, including reusable ones. Arazzo 1.1, "Parameter Object". */
export function readArguments(
  node: DocumentNode,
  use: ArgumentContext,
  components: ReusableObjects,
): readonly Argument[] {
  const entries = node
    .readItems("parameters")
    .flatMap((item): (readonly [DocumentNode, Argument])[] => {
      const argument = readArgument(item, use, components);
      return argument ? [[item, argument]] : [];
    });
  reportDuplicates(
    entries,
    ({ name, in: location = "" }) => `${location} ${name}`,
    ({ name }) => `The parameter ${quoteText(name)}`,
  );
  return entries.map(([, argument]) => argument);
}

function readArgument(
  item: DocumentNode,
  use: ArgumentContext,
  components: ReusableObjects,
): Argument | undefined {
  const resolved = components.resolve(item, "parameters");
  if (!resolved) return undefined;
  const { node, override } = resolved;
  if (!node.checkObject(["name", "in", "value"])) return undefined;
  const name = node.readString("name", true);
  const location =
    node.child("in").value === "body"
      ? node.child("in").report("A body is not a parameter.", "Use requestBody with a payload.")
      : node.readChoice("in", argumentLocations, false);
  if (name === "") return undefined;
  if (use === "operation" && !node.has("in"))
    return item.report(
      `The parameter ${quoteText(name)} must have a location.`,
      `Add in: one of ${argumentLocations.join(", ")}.`,
    );
  if (!override && !node.has("value") && !hasNullValue(node))
    return item.report(
      `The parameter ${quoteText(name)} has no value.`,
      "Add value: a constant or a runtime expression.",
    );
  return {
    name,
    ...(location && use !== "workflow" && { in: location }),
    value: readValue(override ?? node.child("value")),
    location: item.location,
  };
}

/** `value: null` is a value. */
function hasNullValue(node: DocumentNode): boolean {
  return (
    typeof node.value === "object" && node.value !== null && Object.hasOwn(node.value, "value")
  );
}

/** Adds the workflow's arguments that a step does not override. */
export function inheritArguments(
  stepArguments: readonly Argument[],
  inherited: readonly Argument[],
): readonly Argument[] {
  const keyOf = ({ name, in: location }: Argument): string =>
    location === "header" ? `header ${name.toLowerCase()}` : `${location ?? ""} ${name}`;
  const keys = new Set(stepArguments.map(keyOf));
  return [
    ...stepArguments,
    ...inherited
      .filter((argument) => !keys.has(keyOf(argument)))
      .map((argument) => ({ ...argument, inherited: true as const })),
  ];
}

const actionKeys = ["name", "type", "workflowId", "stepId", "criteria", "parameters"];

/**
 * Reads success or failure actions, including reusable ones. Arazzo 1.1, "Success Action Object",
 * "Failure Action Object".
 */
export function readActions(
  node: DocumentNode,
  key: string,
  kind: "successActions" | "failureActions",
  components: ReusableObjects,
): readonly Action[] {
  const entries = node.readItems(key).flatMap((item): (readonly [DocumentNode, Action])[] => {
    const resolved = components.resolve(item, kind);
    const action = resolved && readAction(resolved.node, kind, components);
    return action ? [[item, { ...action, location: item.location }]] : [];
  });
  reportDuplicates(
    entries,
    ({ name }) => name,
    ({ name }) => `The action ${quoteText(name)}`,
  );
  return entries.map(([, action]) => action);
}

function readAction(
  node: DocumentNode,
  kind: "successActions" | "failureActions",
  components: ReusableObjects,
): Action | undefined {
  const retries = kind === "failureActions";
  if (!node.checkObject(retries ? [...actionKeys, "retryAfter", "retryLimit"] : actionKeys))
    return undefined;
  const name = node.readString("name", true);
  const type = node.readChoice(
    "type",
    retries ? (["end", "goto", "retry"] as const) : (["end", "goto"] as const),
    true,
  );
  const criteria = node.readItems("criteria").flatMap((item) => readCriterion(item) ?? []);
  const [step, workflow] = [readReference(node, "stepId"), readReference(node, "workflowId")];
  if (!type || name === "" || !checkDestination(node, type, step, workflow)) return undefined;
  return omitUndefined({
    name,
    type,
    criteria,
    step,
    workflow,
    location: node.location,
    arguments: readArguments(node, "workflow", components),
    retryAfter: node.readNumber("retryAfter", false) ?? 0,
    retryLimit: node.readNumber("retryLimit", true) ?? 1,
  });
}

function readReference(node: DocumentNode, key: string): Reference | undefined {
  const text = node.readString(key);
  return text === undefined ? undefined : { text, location: node.child(key).location };
}

/**
 * Checks an action's destination: a goto needs one, an end has none, a retry may run another step
 * or workflow first.
 */
function checkDestination(
  node: DocumentNode,
  type: Action["type"],
  step: Reference | undefined,
  workflow: Reference | undefined,
): boolean {
  if (step && workflow)
    node.report(
      "An action cannot have both a step and a workflow as its destination.",
      "Remove stepId or workflowId.",
    );
  else if (type === "goto" && !step && !workflow)
    node.report("A goto must have a destination.", "Add stepId or workflowId.");
  else if (type === "end" && (step ?? workflow))
    node.report(
      "An end cannot have a destination.",
      "Remove stepId and workflowId, or make it a goto.",
    );
  else return true;
  return false;
}

/** Adds the workflow's actions that a step does not override. */
export function inheritActions(
  stepActions: readonly Action[],
  inherited: readonly Action[],
): readonly Action[] {
  const names = new Set(stepActions.map(({ name }) => name));
  return [...stepActions, ...inherited.filter(({ name }) => !names.has(name))];
}
