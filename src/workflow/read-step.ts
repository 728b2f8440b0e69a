import { quoteText } from "../diagnostics/clean.js";
import type { Components } from "./components.js";
import { readActions, withInheritedActions } from "./read-action.js";
import { readArguments, withInherited } from "./read-argument.js";
import type { Node } from "./reader.js";
import type {
  Action,
  Argument,
  Body,
  Criterion,
  Output,
  Reference,
  Replacement,
  Step,
  Target,
} from "./types.js";
import {
  asRfc9535,
  checkSelector,
  readCriterion,
  readLanguage,
  readOutput,
  readValue,
  refuseXPath,
} from "./values.js";

/** What the steps of one workflow share. */
export interface Inherited {
  readonly arguments: readonly Argument[];
  readonly onSuccess: readonly Action[];
  readonly onFailure: readonly Action[];
  readonly components: Components;
}

const keys = [
  "description",
  "stepId",
  "operationId",
  "operationPath",
  "workflowId",
  "channelPath",
  "parameters",
  "requestBody",
  "successCriteria",
  "onSuccess",
  "onFailure",
  "outputs",
  "timeout",
  "correlationId",
  "action",
  "dependsOn",
];

/** Reads one step. Arazzo 1.1, "Step Object". */
export function readStep(node: Node, inherited: Inherited): Step | undefined {
  if (!node.isObject(keys)) return undefined;
  const id = node.text("stepId", true);
  const target = readTarget(node);
  checkMessaging(node, target);
  const { components } = inherited;
  const own = readArguments(
    node,
    "parameters",
    target?.kind === "workflow" ? "workflow" : target ? "operation" : "either",
    components,
  );
  const criteria = node.has("successCriteria")
    ? node
        .items("successCriteria", 1)
        .flatMap((one): Criterion[] => [readCriterion(one)].filter((found) => found !== undefined))
    : undefined;
  const body = node.has("requestBody") ? readBody(node.child("requestBody")) : undefined;
  const [description, timeoutMs] = [node.text("description"), node.number("timeout", 0, true)];
  const onSuccess = withInheritedActions(
    readActions(node, "onSuccess", "successActions", components),
    inherited.onSuccess,
  );
  const onFailure = withInheritedActions(
    readActions(node, "onFailure", "failureActions", components),
    inherited.onFailure,
  );
  const rest = {
    outputs: readOutputs(node),
    dependsOn: readDependsOn(node, stepReference),
    onSuccess,
    onFailure,
  };
  if (id === "" || !target) return undefined;
  return {
    id,
    target,
    place: node.place,
    ...rest,
    arguments: withInherited(own, inherited.arguments),
    ...(description !== undefined && { description }),
    ...(criteria && { criteria }),
    ...(body && { body }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}

const targets = [
  ["operationId", "operationId"],
  ["operationPath", "operationPath"],
  ["workflowId", "workflow"],
  ["channelPath", "channel"],
] as const;

/** What a step calls: exactly one thing. */
function readTarget(node: Node): Target | undefined {
  const given = targets.filter(([key]) => node.has(key));
  const [first, second] = given;
  if (!first) {
    const own = node.has("x-operation")
      ? "x-operation is an extension of one tool; describe the operation in an OpenAPI source."
      : "Add operationId, operationPath or workflowId.";
    return node.report("The step does not say what it calls.", own);
  }
  if (second)
    return node
      .child(second[0])
      .report(
        `A step calls one thing; this one has ${first[0]} and ${second[0]}.`,
        "Remove one of them.",
      );
  const [key, kind] = first;
  const text = node.text(key, true);
  return text === "" ? undefined : { kind, text, place: node.child(key).place };
}

/**
 * Keys of AsyncAPI steps. Such steps are refused when their source is known; here only what can be
 * right nowhere.
 */
function checkMessaging(node: Node, target: Target | undefined): void {
  const action = node.choice("action", ["send", "receive"] as const, false);
  node.text("correlationId");
  if (target?.kind === "workflow" && node.has("action"))
    node.child("action").report("A step that calls a workflow has no action.", "Remove it.");
  if (target?.kind === "channel" && !node.has("action"))
    node.report("A step on a channel must say what it does there.", "Add action: send or receive.");
  if (action === "send" && node.has("correlationId"))
    node
      .child("correlationId")
      .report("Only a step that receives has a correlationId.", "Remove it.");
}

function readBody(node: Node): Body | undefined {
  if (!node.isObject(["contentType", "payload", "replacements"])) return undefined;
  const contentType = node.text("contentType");
  const isXml = /[/+]xml\b/.test(contentType ?? "");
  const replacements = node
    .items("replacements")
    .flatMap((one) => readReplacement(one, isXml) ?? []);
  return {
    ...(contentType !== undefined && { contentType }),
    ...(node.has("payload") && { payload: readValue(node.child("payload")) }),
    replacements,
    place: node.place,
  };
}

/**
 * Arazzo 1.1, "Payload Replacement Object". Without a type, the target in XML is an XPath; in JSON,
 * `$` tells a query from a pointer.
 */
function readReplacement(node: Node, isXml: boolean): Replacement | undefined {
  if (!node.isObject(["target", "targetSelectorType", "value"])) return undefined;
  const target = node.text("target", true);
  if (isXml) return refuseXPath(node.child("target"));
  const said = node.has("targetSelectorType")
    ? readLanguage(node, "targetSelectorType", ["jsonpath", "jsonpointer"])
    : target.startsWith("$")
      ? "jsonpath"
      : "jsonpointer";
  if (!node.has("value")) node.report("A replacement must have a value.");
  const query = asRfc9535(node.child("targetSelectorType"), target);
  if (target === "" || !said || !checkSelector(node.child("target"), said, query)) return undefined;
  return {
    target: query,
    language: said,
    value: readValue(node.child("value")),
    place: node.place,
  };
}

export function readOutputs(node: Node): readonly Output[] {
  return node.entries("outputs").flatMap(([name, one]) => {
    if (!/^[a-zA-Z0-9._-]+$/.test(name))
      one.report(
        `The output name ${quoteText(name)} has a character that names do not have.`,
        "Use letters, digits, dots, hyphens and underscores.",
      );
    const value = readOutput(one);
    return value ? [{ name, value, place: one.place }] : [];
  });
}

/** `authStep`, `$workflows.login.steps.auth`, `$sourceDescriptions.other.login.steps.auth`. */
const stepReference =
  /^(?!\$)[^\s]+$|^\$workflows\.[^.\s]+\.steps\.[^\s]+$|^\$sourceDescriptions\.[^.\s]+\.[^.\s]+\.steps\.[^\s]+$/;

export function readDependsOn(node: Node, form: RegExp): readonly Reference[] {
  if (!node.has("dependsOn")) return [];
  const seen = new Set<unknown>();
  return node.items("dependsOn", 1).flatMap((one) => {
    const { value } = one;
    if (typeof value !== "string" || !form.test(value))
      return (
        one.report(
          `${quoteText(String(value))} is no reference that dependsOn can have.`,
          "Name a step by its stepId, or another workflow's as $workflows.<workflowId>.steps.<stepId>.",
        ) ?? []
      );
    if (seen.has(value))
      return (
        one.report(`${quoteText(value)} is there twice.`, "Remove one.", "workflow-duplicate") ?? []
      );
    seen.add(value);
    return { text: value, place: one.place };
  });
}
