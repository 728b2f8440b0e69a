import { type Diagnostic, isError } from "../diagnostics/index.js";
import { quoteText } from "../diagnostics/text.js";
import { isObject, type JsonValue, omitUndefined } from "../json.js";
import { DocumentNode, omitFailedWorkflows, reportDuplicates } from "./document-node.js";
import { readDependsOn, readOutputs, readStep } from "./read-step.js";
import { readActions, readArguments, ReusableObjects } from "./reusable-objects.js";
import type { SourceDescription, Workflow, WorkflowFile } from "./types.js";

/** A parsed document, or the errors that prevent it. */
export interface WorkflowReadResult {
  /** Absent when there is an error. */
  readonly file?: WorkflowFile;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses and checks a single Arazzo document (1.0, 1.1): structure, reusable objects, conditions
 * and expressions. `linkWorkflows` resolves references to other documents.
 * @param root the parsed document, JSON data
 * @param label the file name for messages
 */
export function readWorkflows(root: unknown, label: string, name: string): WorkflowReadResult {
  const diagnostics: Diagnostic[] = [];
  const node = new DocumentNode(root, "#", label, diagnostics);
  const file = readDocument(node, label, name);
  if (!file || !diagnostics.some(isError)) return { ...(file && { file }), diagnostics };
  const { failed, diagnostics: remaining } = omitFailedWorkflows(diagnostics, label);
  const workflows = file.workflows.filter(({ location }) => !failed.has(location.pointer));
  return workflows.length === 0 || remaining.some(isError)
    ? { diagnostics }
    : { file: { ...file, workflows }, diagnostics: remaining };
}

function readDocument(node: DocumentNode, label: string, name: string): WorkflowFile | undefined {
  if (!isObject(node.value))
    return node.report(
      "This is not an Arazzo document: its root is not an object.",
      undefined,
      "workflow-version",
    );
  if (!readVersion(node)) return undefined;
  node.checkObject("$schema arazzo $self info sourceDescriptions workflows components".split(" "));
  const title = readInfo(node);
  const self = readSelf(node);
  const components = new ReusableObjects(node);
  const inputs = readComponents(node);
  const sources = readSources(node);
  const workflows = readItemsWithId(node, "workflows", "workflow", (item) =>
    readWorkflow(item, components, inputs),
  );
  return {
    label,
    name,
    title,
    ...(self !== undefined && { self }),
    sources,
    workflows,
    inputs,
  };
}

function readSources(node: DocumentNode): readonly SourceDescription[] {
  const sources = node
    .readItems("sourceDescriptions", 1)
    .map((item) => [item, readSourceDescription(item)] as const);
  reportDuplicates(
    sources,
    ({ name }) => name,
    ({ name }) => `The source ${quoteText(name)}`,
  );
  return sources.map(([, source]) => source);
}

/** Reads a required list, reports duplicate ids, and leaves out invalid items. */
function readItemsWithId<Item extends { readonly id: string }>(
  node: DocumentNode,
  key: string,
  noun: string,
  read: (item: DocumentNode) => Item | undefined,
): readonly Item[] {
  const entries = node.readItems(key, 1).flatMap((item): (readonly [DocumentNode, Item])[] => {
    const result = read(item);
    return result ? [[item, result]] : [];
  });
  reportDuplicates(
    entries,
    ({ id }) => id,
    ({ id }) => `The ${noun} ${quoteText(id)}`,
  );
  return entries.map(([, item]) => item);
}

function readVersion(node: DocumentNode): boolean {
  if (!node.has("arazzo"))
    return (
      node.report(
        "This is not an Arazzo document: it has no `arazzo` version.",
        "Use a document of Arazzo 1.0 or 1.1.",
        "workflow-version",
      ),
      false
    );
  const { value } = node.child("arazzo");
  if (typeof value === "string" && /^1\.[01]\.\d+(-.*)?$/.test(value)) return true;
  node
    .child("arazzo")
    .report(
      `Arazzo ${quoteText(String(value))} is not supported. Use 1.0 or 1.1.`,
      'The version must be a string such as "1.0.1".',
      "workflow-version",
    );
  return false;
}

function readInfo(node: DocumentNode): string {
  const info = node.child("info");
  if (!node.has("info")) return (node.report("The document must have `info`."), "");
  if (!info.checkObject(["title", "summary", "description", "version"])) return "";
  info.readString("version", true);
  return info.readString("title", true);
}

function readSelf(node: DocumentNode): string | undefined {
  const self = node.readString("$self");
  if (self?.includes("#"))
    node.child("$self").report("`$self` must not have a fragment.", "Remove the fragment.");
  return self;
}

function readComponents(node: DocumentNode): Readonly<Record<string, JsonValue>> {
  const components = node.child("components");
  if (
    !node.has("components") ||
    !components.checkObject(["inputs", "parameters", "successActions", "failureActions"])
  )
    return {};
  for (const kind of ["inputs", "parameters", "successActions", "failureActions"]) {
    for (const [name, one] of components.readEntries(kind))
      if (!/^[a-zA-Z0-9._-]+$/.test(name))
        one.report(
          `The component name ${quoteText(name)} has an invalid character.`,
          "Use letters, digits, dots, hyphens and underscores.",
        );
  }
  return Object.fromEntries(
    components.readEntries("inputs").map(([name, one]) => [name, one.value as JsonValue]),
  );
}

function readSourceDescription(node: DocumentNode): SourceDescription {
  const { location } = node;
  if (!node.checkObject(["name", "url", "type"]))
    return { name: "", url: "", type: "openapi", location };
  const type =
    node.readChoice("type", ["openapi", "arazzo", "asyncapi"] as const, false) ?? "openapi";
  return {
    name: node.readString("name", true),
    url: node.readString("url", true),
    type,
    location: node.child("url").location,
  };
}

const workflowKeys = (
  "workflowId summary description inputs dependsOn steps successActions failureActions " +
  "outputs parameters"
).split(" ");

/** Arazzo 1.1, "Workflow Object". */
function readWorkflow(
  node: DocumentNode,
  components: ReusableObjects,
  shared: WorkflowFile["inputs"],
): Workflow | undefined {
  if (!node.checkObject(workflowKeys)) return undefined;
  const id = node.readString("workflowId", true);
  const [summary, description] = [node.readString("summary"), node.readString("description")];
  const inputs = readInputs(node);
  const inherited = {
    components,
    arguments: readArguments(node, "either", components),
    onSuccess: readActions(node, "successActions", "successActions", components),
    onFailure: readActions(node, "failureActions", "failureActions", components),
  };
  const steps = readItemsWithId(node, "steps", "step", (item) => readStep(item, inherited));
  const rest = {
    dependsOn: readDependsOn(node, /^\S+$/),
    outputs: readOutputs(node),
    steps,
    location: node.location,
  };
  if (id === "") return undefined;
  return omitUndefined({
    id,
    ...rest,
    inputNames: declaredInputNames(inputs, shared, 0),
    summary,
    description,
    inputs,
  });
}

function readInputs(node: DocumentNode): JsonValue | undefined {
  if (!node.has("inputs")) return undefined;
  const { value } = node.child("inputs");
  if (isObject(value) || typeof value === "boolean") return value as JsonValue;
  return node.child("inputs").report("`inputs` must be a JSON Schema.");
}

/** Property names of a schema, including `$ref`s into the components and `allOf`. */
function declaredInputNames(
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
  const names = isObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  return [
    ...new Set([
      ...names,
      ...[target, ...parts].flatMap((part) => declaredInputNames(part, shared, depth + 1)),
    ]),
  ];
}
