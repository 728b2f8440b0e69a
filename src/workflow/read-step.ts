import { quoteText } from "../diagnostics/text.js";
import { isObject, type JsonValue, omitUndefined } from "../json.js";
import type { DocumentNode } from "./document-node.js";
import { suggestExpression } from "./expression.js";
import {
  checkSelector,
  literal,
  readCriterion,
  readLanguage,
  readSelector,
  readStringValue,
  readValue,
  reportXPathUnsupported,
  toRfc9535,
} from "./read-values.js";
import {
  inheritActions,
  inheritArguments,
  readActions,
  readArguments,
  type ReusableObjects,
} from "./reusable-objects.js";
import type {
  Action,
  Argument,
  CallTarget,
  Criterion,
  Output,
  Reference,
  Replacement,
  Step,
  StepBody,
  Value,
} from "./types.js";

/** Defaults that a workflow provides to its steps. */
interface WorkflowDefaults {
  readonly arguments: readonly Argument[];
  readonly onSuccess: readonly Action[];
  readonly onFailure: readonly Action[];
  readonly components: ReusableObjects;
}

const stepKeys = (
  "description stepId operationId operationPath workflowId channelPath parameters " +
  "requestBody successCriteria onSuccess onFailure outputs timeout correlationId action " +
  "dependsOn"
).split(" ");

/** Reads one step. Arazzo 1.1, "Step Object". */
export function readStep(node: DocumentNode, inherited: WorkflowDefaults): Step | undefined {
  if (!node.checkObject(stepKeys)) return undefined;
  const id = node.readString("stepId", true);
  const target = readCallTarget(node);
  checkMessaging(node, target);
  const { components } = inherited;
  const stepArguments = readArguments(node, argumentContext(target), components);
  const criteria = readSuccessCriteria(node);
  const body = node.has("requestBody") ? readBody(node.child("requestBody")) : undefined;
  const [description, timeoutMs] = [
    node.readString("description"),
    node.readNumber("timeout", true),
  ];
  const onSuccess = inheritActions(
    readActions(node, "onSuccess", "successActions", components),
    inherited.onSuccess,
  );
  const onFailure = inheritActions(
    readActions(node, "onFailure", "failureActions", components),
    inherited.onFailure,
  );
  const rest = {
    outputs: readOutputs(node),
    dependsOn: readDependsOn(node, stepReferencePattern),
    onSuccess,
    onFailure,
  };
  if (id === "" || !target) return undefined;
  return omitUndefined({
    id,
    target,
    location: node.location,
    ...rest,
    arguments: inheritArguments(stepArguments, inherited.arguments),
    description,
    criteria,
    body,
    timeoutMs,
  });
}

const targetKeys = [
  ["operationId", "operationId"],
  ["operationPath", "operationPath"],
  ["workflowId", "workflow"],
  ["channelPath", "channel"],
] as const;

function argumentContext(target: CallTarget | undefined): "workflow" | "operation" | "either" {
  if (!target) return "either";
  return target.kind === "workflow" ? "workflow" : "operation";
}

function readSuccessCriteria(node: DocumentNode): readonly Criterion[] | undefined {
  if (!node.has("successCriteria")) return undefined;
  return node.readItems("successCriteria", 1).flatMap((item) => readCriterion(item) ?? []);
}

/** Reads the target that a step calls. Exactly one is allowed. */
function readCallTarget(node: DocumentNode): CallTarget | undefined {
  const present = targetKeys.filter(([key]) => node.has(key));
  const [first, second] = present;
  if (!first) {
    const hint = node.has("x-operation")
      ? "x-operation is a vendor extension; describe the operation in an OpenAPI source."
      : "Add operationId, operationPath or workflowId.";
    return node.report("The step has no target.", hint);
  }
  if (second)
    return node
      .child(second[0])
      .report(
        `A step must have exactly one target; this one has ${first[0]} and ${second[0]}.`,
        "Remove one of them.",
      );
  const [key, kind] = first;
  const text = node.readString(key, true);
  return text === "" ? undefined : { kind, text, location: node.child(key).location };
}

/**
 * Checks the keys of AsyncAPI steps. Such steps are rejected when their source is known; this check
 * covers errors that are independent of it.
 */
function checkMessaging(node: DocumentNode, target: CallTarget | undefined): void {
  const action = node.readChoice("action", ["send", "receive"] as const, false);
  node.readString("correlationId");
  if (target?.kind === "workflow" && node.has("action"))
    node
      .child("action")
      .report("A step that calls a workflow cannot have an action.", "Remove it.");
  if (target?.kind === "channel" && !node.has("action"))
    node.report("A step on a channel must have an action.", "Add action: send or receive.");
  if (action === "send" && node.has("correlationId"))
    node
      .child("correlationId")
      .report("Only a receive step can have a correlationId.", "Remove it.");
}

function readBody(node: DocumentNode): StepBody | undefined {
  if (!node.checkObject(["contentType", "payload", "replacements"])) return undefined;
  const contentType = node.readString("contentType");
  const isXml = /[/+]xml\b/.test(contentType ?? "");
  const replacements = node
    .readItems("replacements")
    .flatMap((item) => readReplacement(item, isXml) ?? []);
  return {
    ...(contentType !== undefined && { contentType }),
    ...(node.has("payload") && { payload: readValue(node.child("payload")) }),
    replacements,
    location: node.location,
  };
}

/**
 * Arazzo 1.1, "Payload Replacement Object". Without a type, an XML target is an XPath. In JSON, a
 * leading `$` means a JSONPath query.
 */
function readReplacement(node: DocumentNode, isXml: boolean): Replacement | undefined {
  if (!node.checkObject(["target", "targetSelectorType", "value"])) return undefined;
  const target = node.readString("target", true);
  if (isXml) return reportXPathUnsupported(node.child("target"));
  const language = node.has("targetSelectorType")
    ? readLanguage(node, "targetSelectorType", ["jsonpath", "jsonpointer"])
    : target.startsWith("$")
      ? "jsonpath"
      : "jsonpointer";
  if (!node.has("value")) node.report("A replacement must have a value.");
  const query = toRfc9535(node.child("targetSelectorType"), target);
  if (target === "" || !language || !checkSelector(node.child("target"), language, query))
    return undefined;
  return {
    target: query,
    language,
    value: readValue(node.child("value")),
    location: node.location,
  };
}

export function readOutputs(node: DocumentNode): readonly Output[] {
  return node.readEntries("outputs").flatMap(([writtenName, one]) => {
    const name = writtenName.trim().replaceAll(/\s+/g, "_");
    if (name !== writtenName)
      one.report(
        `The output name ${quoteText(writtenName)} has blanks; it is read as ${quoteText(name)}.`,
        "Use letters, digits, dots, hyphens and underscores.",
        "workflow-expression-spelling",
      );
    if (!/^[a-zA-Z0-9._-]+$/.test(name))
      one.report(
        `The output name ${quoteText(name)} has an invalid character.`,
        "Use letters, digits, dots, hyphens and underscores.",
      );
    const value = readOutput(one);
    return value ? [{ name, value, location: one.location }] : [];
  });
}

/** `authStep`, `$workflows.login.steps.auth`, `$sourceDescriptions.other.login.steps.auth`. */
const stepReferencePattern =
  /^(?!\$)[^\s]+$|^\$workflows\.[^.\s]+\.steps\.[^\s]+$|^\$sourceDescriptions\.[^.\s]+\.[^.\s]+\.steps\.[^\s]+$/;

export function readDependsOn(node: DocumentNode, form: RegExp): readonly Reference[] {
  if (!node.has("dependsOn")) return [];
  const values = new Set<unknown>();
  return node.readItems("dependsOn", 1).flatMap((item) => {
    const { value } = item;
    if (typeof value !== "string" || !form.test(value))
      return (
        item.report(
          `${quoteText(String(value))} is not a valid reference for dependsOn.`,
          "Name a step by its stepId, or another workflow's as $workflows.<workflowId>.steps.<stepId>.",
        ) ?? []
      );
    if (values.has(value))
      return (
        item.report(`${quoteText(value)} is duplicated.`, "Remove one.", "workflow-duplicate") ?? []
      );
    values.add(value);
    return { text: value, location: item.location };
  });
}

/** Reads an output: an expression or a selector. A constant is kept, with a warning. */
function readOutput(node: DocumentNode): Value | undefined {
  if (isObject(node.value)) return readSelector(node);
  if (Array.isArray(node.value))
    return node.report(`${node.label} must be a runtime expression or a selector.`);
  return typeof node.value === "string"
    ? readOutputText(node, node.value)
    : keepConstant(node, String(node.value));
}

function readOutputText(node: DocumentNode, text: string): Value | undefined {
  const value = readStringValue(node, text);
  if (value.kind !== "literal" || value.value === null) return value;
  const suggestion = suggestExpression(text);
  if (suggestion === "") return keepConstant(node, quoteText(text));
  return node.report(
    `${node.label} is ${quoteText(text)}, which is not a runtime expression${suggestion}`,
    EXPRESSION_HINT,
    "workflow-expression",
  );
}

const EXPRESSION_HINT = "Expressions start with $, as in $response.body#/id.";

function keepConstant(node: DocumentNode, shown: string): Value {
  node.report(
    `${node.label} is ${shown}, which is not a runtime expression. The output is always this value.`,
    EXPRESSION_HINT,
    "workflow-expression-spelling",
  );
  return literal((node.value ?? null) as JsonValue);
}
