import { quoteText } from "../diagnostics/clean.js";
import { type Diagnostic, isError } from "../diagnostics/index.js";
import { isObject, type JsonValue } from "../json.js";
import { Components } from "./components.js";
import { readActions } from "./read-action.js";
import { readArguments } from "./read-argument.js";
import { readDependsOn, readOutputs, readStep } from "./read-step.js";
import { Node, reportTwice } from "./reader.js";
import type { SourceDescription, Workflow, WorkflowFile } from "./types.js";

/** A document, or the faults that stand in its way. */
export interface ReadWorkflows {
  /** Absent when there is an error. */
  readonly file?: WorkflowFile;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads and checks an Arazzo document by itself (Arazzo 1.0, 1.1): its form, reusable objects,
 * conditions, expressions. What it refers to in other documents is for `link`.
 * @param root the parsed document, JSON data
 * @param label the file as messages call it
 */
export function readWorkflows(root: unknown, label: string, name: string): ReadWorkflows {
  const found: Diagnostic[] = [];
  const file = readDocument(new Node(root, "#", label, found), label, name);
  return { ...(file && !found.some(isError) && { file }), diagnostics: found };
}

function readDocument(node: Node, label: string, name: string): WorkflowFile | undefined {
  if (!isObject(node.value))
    return node.report(
      "This is no Arazzo document: its root is not an object.",
      undefined,
      "workflow-version",
    );
  if (!readVersion(node)) return undefined;
  node.isObject([
    "$schema",
    "arazzo",
    "$self",
    "info",
    "sourceDescriptions",
    "workflows",
    "components",
  ]);
  const title = readInfo(node);
  const self = readSelf(node);
  const components = new Components(node);
  const inputs = readComponents(node);
  const sources = node.items("sourceDescriptions", 1).map((one) => [one, readSource(one)] as const);
  reportTwice(
    sources,
    ({ name: source }) => source,
    ({ name: source }) => `The source ${quoteText(source)}`,
  );
  const workflows = node.items("workflows", 1).flatMap((one): (readonly [Node, Workflow])[] => {
    const workflow = readWorkflow(one, components, inputs);
    return workflow ? [[one, workflow]] : [];
  });
  reportTwice(
    workflows,
    ({ id }) => id,
    ({ id }) => `The workflow ${quoteText(id)}`,
  );
  return {
    label,
    name,
    title,
    ...(self !== undefined && { self }),
    sources: sources.map(([, source]) => source),
    workflows: workflows.map(([, workflow]) => workflow),
    inputs,
  };
}

function readVersion(node: Node): boolean {
  if (!node.has("arazzo"))
    return (
      node.report(
        "This is no Arazzo document: it has no `arazzo` with a version.",
        "Give a document of Arazzo 1.0 or 1.1.",
        "workflow-version",
      ),
      false
    );
  const { value } = node.child("arazzo");
  if (typeof value === "string" && /^1\.[01]\.\d+(-.*)?$/.test(value)) return true;
  node
    .child("arazzo")
    .report(
      `Arazzo ${quoteText(String(value))} is not served; 1.0 and 1.1 are.`,
      'Versions are texts such as "1.0.1".',
      "workflow-version",
    );
  return false;
}

function readInfo(node: Node): string {
  const info = node.child("info");
  if (!node.has("info")) return (node.report("The document must have `info`."), "");
  if (!info.isObject(["title", "summary", "description", "version"])) return "";
  info.text("version", true);
  return info.text("title", true);
}

function readSelf(node: Node): string | undefined {
  const self = node.text("$self");
  if (self?.includes("#"))
    node.child("$self").report("`$self` must not have a fragment.", "Remove what follows the #.");
  return self;
}

function readComponents(node: Node): Readonly<Record<string, JsonValue>> {
  const components = node.child("components");
  if (
    !node.has("components") ||
    !components.isObject(["inputs", "parameters", "successActions", "failureActions"])
  )
    return {};
  for (const kind of ["inputs", "parameters", "successActions", "failureActions"]) {
    for (const [name, one] of components.entries(kind))
      if (!/^[a-zA-Z0-9._-]+$/.test(name))
        one.report(
          `The component name ${quoteText(name)} has a character that names do not have.`,
          "Use letters, digits, dots, hyphens and underscores.",
        );
  }
  return Object.fromEntries(
    components.entries("inputs").map(([name, one]) => [name, one.value as JsonValue]),
  );
}

function readSource(node: Node): SourceDescription {
  const { place } = node;
  if (!node.isObject(["name", "url", "type"])) return { name: "", url: "", type: "openapi", place };
  const type = node.choice("type", ["openapi", "arazzo", "asyncapi"] as const, false) ?? "openapi";
  return {
    name: node.text("name", true),
    url: node.text("url", true),
    type,
    place: node.child("url").place,
  };
}

const keys = [
  "workflowId",
  "summary",
  "description",
  "inputs",
  "dependsOn",
  "steps",
  "successActions",
  "failureActions",
  "outputs",
  "parameters",
];

/** Arazzo 1.1, "Workflow Object". */
function readWorkflow(
  node: Node,
  components: Components,
  shared: WorkflowFile["inputs"],
): Workflow | undefined {
  if (!node.isObject(keys)) return undefined;
  const id = node.text("workflowId", true);
  const [summary, description] = [node.text("summary"), node.text("description")];
  const inputs = readInputs(node);
  const inherited = {
    components,
    arguments: readArguments(node, "parameters", "either", components),
    onSuccess: readActions(node, "successActions", "successActions", components),
    onFailure: readActions(node, "failureActions", "failureActions", components),
  };
  const steps = node.items("steps", 1).flatMap((one) => {
    const step = readStep(one, inherited);
    return step ? [[one, step] as const] : [];
  });
  reportTwice(
    steps,
    (step) => step.id,
    (step) => `The step ${quoteText(step.id)}`,
  );
  const rest = {
    dependsOn: readDependsOn(node, /^\S+$/),
    outputs: readOutputs(node),
    steps: steps.map(([, step]) => step),
    place: node.place,
  };
  if (id === "") return undefined;
  return {
    id,
    ...rest,
    inputNames: namesIn(inputs, shared, 0),
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(inputs !== undefined && { inputs }),
  };
}

function readInputs(node: Node): JsonValue | undefined {
  if (!node.has("inputs")) return undefined;
  const { value } = node.child("inputs");
  if (isObject(value) || typeof value === "boolean") return value as JsonValue;
  return node.child("inputs").report("`inputs` must be a JSON Schema.");
}

/** Property names of a schema, by `$ref` into the components and `allOf`. */
function namesIn(
  schema: unknown,
  shared: WorkflowFile["inputs"],
  depth: number,
): readonly string[] {
  if (!isObject(schema) || depth > 16) return [];
  const ref =
    typeof schema["$ref"] === "string"
      ? /^#\/components\/inputs\/([^/]+)$/.exec(schema["$ref"])?.[1]
      : undefined;
  const target = ref !== undefined && Object.hasOwn(shared, ref) ? shared[ref] : undefined;
  const parts = Array.isArray(schema["allOf"]) ? (schema["allOf"] as unknown[]) : [];
  const own = isObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  return [
    ...new Set([...own, ...[target, ...parts].flatMap((part) => namesIn(part, shared, depth + 1))]),
  ];
}
