import type { Diagnostic, SourceLocation } from "../diagnostics/index.js";
import { isObject, type JsonObject, type JsonValue } from "../json.js";
import { type ApiModel, type Operation, buildModel } from "../model/index.js";
import type { LinkedWorkflow, WorkflowFile } from "../workflow/index.js";
import type { WorkflowSourceFile } from "./source-reader.js";

/**
 * Workflows of one file as operations of a synthetic API whose request bodies are the workflow
 * inputs. Their schemas are then read like all others.
 */
interface WorkflowInputs {
  readonly model: ApiModel;
  readonly operations: ReadonlyMap<LinkedWorkflow, Operation>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the `inputs` of the workflows of a file: JSON Schema 2020-12 with `$ref`s to
 * `components.inputs` (Arazzo 1.1).
 */
export async function readInputs(
  { open, file }: WorkflowSourceFile,
  workflows: readonly LinkedWorkflow[],
): Promise<WorkflowInputs | { readonly diagnostics: readonly Diagnostic[] }> {
  const fileWorkflows = workflows.filter((candidate) => candidate.file === file);
  if (fileWorkflows.length === 0) return { diagnostics: [] };
  const index = new Map(file.workflows.map((workflow, i) => [workflow, i]));
  const inputsDocument = new InputsDocument(file, fileWorkflows);
  const paths = Object.fromEntries(
    fileWorkflows.map((entry) => [
      `/${index.get(entry.workflow) ?? 0}`,
      { post: operationOf(entry, inputsDocument) },
    ]),
  );
  const root = {
    openapi: "3.1.0",
    info: { title: file.title, version: "1" },
    paths,
    components: { schemas: inputsDocument.schemas() },
  } as unknown as JsonObject;
  const { document, diagnostics } = await open.loadAsApi(root);
  const built = document ? buildModel(document) : { diagnostics: [] };
  const all = [...diagnostics, ...built.diagnostics].map((diagnostic) =>
    diagnostic.location && (diagnostic.location.file ?? open.label) === open.label
      ? { ...diagnostic, location: toWorkflowLocation(diagnostic.location, open.label) }
      : diagnostic,
  );
  if (!built.model) return { diagnostics: all };
  const byPath = new Map(built.model.operations.map((entry) => [entry.path, entry]));
  const operations = fileWorkflows.flatMap((linked) => {
    const operation = byPath.get(`/${index.get(linked.workflow) ?? 0}`);
    return operation ? [[linked, atWorkflow(operation, open.label)] as const] : [];
  });
  return { model: built.model, operations: new Map(operations), diagnostics: all };
}

/** Operation with locations in the workflow file. */
function atWorkflow(operation: Operation, file: string): Operation {
  return {
    ...operation,
    location: toWorkflowLocation(operation.location, file),
    ...(operation.body && { body: withWorkflowLocations(operation.body, file) }),
  };
}

function operationOf(linked: LinkedWorkflow, inputsDocument: InputsDocument): unknown {
  const { workflow } = linked;
  const parts = inputSchemas(linked, inputsDocument, new Set());
  const schema = parts.length > 1 ? { allOf: parts } : parts[0];
  const content = { "application/json": { schema } };
  return {
    operationId: workflow.id,
    summary: workflow.summary,
    description: workflow.description,
    ...(schema !== undefined && { requestBody: { required: true, content } }),
    responses: { 200: { description: "Done." } },
  };
}

/** Schemas of the declared and undeclared inputs, and of those of workflows that run before. */
function inputSchemas(
  linked: LinkedWorkflow,
  inputsDocument: InputsDocument,
  seen: Set<LinkedWorkflow>,
): readonly JsonValue[] {
  seen.add(linked);
  const { workflow, undeclaredInputs, prerequisites } = linked;
  const declared = isObject(workflow.inputs) ? [inputsDocument.inputsOf(linked)] : [];
  const undeclared =
    undeclaredInputs.length > 0
      ? [
          {
            type: "object",
            properties: Object.fromEntries(undeclaredInputs.map((name) => [name, {}])),
          } as JsonValue,
        ]
      : [];
  return [
    ...declared,
    ...undeclared,
    ...prerequisites.flatMap((prerequisite) =>
      seen.has(prerequisite) ? [] : inputSchemas(prerequisite, inputsDocument, seen),
    ),
  ];
}

/** Converts a location in the synthetic API to one in the workflow file. */
function toWorkflowLocation(location: SourceLocation, file: string): SourceLocation {
  const pointer = location.pointer
    .replace(/^#\/components\/schemas/, "#/components/inputs")
    .replace(
      /^#\/paths\/~1(\d+)\/post(?:\/requestBody(?:\/content\/application~1json(?:\/schema)?)?)?/,
      "#/workflows/$1/inputs",
    );
  return { file, pointer };
}

function withWorkflowLocations(
  body: NonNullable<Operation["body"]>,
  file: string,
): NonNullable<Operation["body"]> {
  return {
    ...body,
    contents: body.contents.map((content) => ({
      ...content,
      location: toWorkflowLocation(content.location, file),
    })),
  };
}

/**
 * Builds the schemas of the synthetic API: inputs of the file's own workflows in request bodies,
 * those of workflows of other documents as named schemas. References are redirected accordingly.
 */
class InputsDocument {
  private readonly otherWorkflows: readonly LinkedWorkflow[];
  /** Names of schemas by file and original name. */
  private readonly names = new Map<WorkflowFile, ReadonlyMap<string, string>>();
  /** Names of the input schemas of workflows of other files. */
  private readonly inputNames = new Map<LinkedWorkflow, string>();
  private readonly usedNames: Set<string>;

  constructor(
    private readonly file: WorkflowFile,
    private readonly fileWorkflows: readonly LinkedWorkflow[],
  ) {
    this.usedNames = new Set(Object.keys(file.inputs));
    this.otherWorkflows = [...withPredecessors(fileWorkflows)].filter(
      (candidate) => candidate.file !== file,
    );
    for (const workflow of this.otherWorkflows) {
      if (!this.names.has(workflow.file))
        this.names.set(
          workflow.file,
          new Map(Object.keys(workflow.file.inputs).map((name) => [name, this.freeName(name)])),
        );
    }
    for (const linked of this.otherWorkflows)
      if (isObject(linked.workflow.inputs)) this.inputNames.set(linked, this.freeName("Inputs"));
  }

  private freeName(base: string): string {
    for (let n = 1; ; n++) {
      const name = n === 1 ? base : `${base}${n}`;
      if (!this.usedNames.has(name)) return (this.usedNames.add(name), name);
    }
  }

  schemas(): Readonly<Record<string, unknown>> {
    const components = Object.entries(this.file.inputs).map(
      ([name, schema]) => [name, this.redirectRefs(schema, this.file)] as const,
    );
    const others = [...this.names].flatMap(([file, names]) =>
      [...names].map(
        ([name, newName]) => [newName, this.redirectRefs(file.inputs[name], file)] as const,
      ),
    );
    const inputs = [...this.inputNames].map(
      ([one, name]) => [name, this.redirectRefs(one.workflow.inputs, one.file, one)] as const,
    );
    return Object.fromEntries([...components, ...others, ...inputs]);
  }

  /** Inputs of a workflow as a schema of the synthetic API. */
  inputsOf(linked: LinkedWorkflow): JsonValue {
    const name = this.inputNames.get(linked);
    return name === undefined
      ? (this.redirectRefs(linked.workflow.inputs, linked.file, linked) as JsonValue)
      : { $ref: schemaPointer(name) };
  }

  /** Copies data and redirects its references. */
  private redirectRefs(value: unknown, file: WorkflowFile, enclosing?: LinkedWorkflow): unknown {
    if (Array.isArray(value)) return value.map((item) => this.redirectRefs(item, file, enclosing));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [
        key,
        key === "$ref" && typeof part === "string"
          ? this.redirectRef(part, file, enclosing)
          : this.redirectRefs(part, file, enclosing),
      ]),
    );
  }

  /**
   * Redirects `#/components/inputs/x`, `#/workflows/0/inputs/…`, and `#/$defs/x`, which often means
   * a definition of the enclosing schema.
   */
  private redirectRef(
    ref: string,
    file: WorkflowFile,
    enclosing: LinkedWorkflow | undefined,
  ): string {
    const [, component = "", rest = ""] = /^#\/components\/inputs\/([^/]+)(.*)$/s.exec(ref) ?? [];
    if (component !== "")
      return schemaPointer(this.names.get(file)?.get(component) ?? component) + rest;
    const [, index, suffix = ""] = /^#\/workflows\/(\d+)\/inputs((?:\/.*)?)$/s.exec(ref) ?? [];
    const target =
      index === undefined
        ? undefined
        : [...this.fileWorkflows, ...this.otherWorkflows].find(
            (workflow) =>
              workflow.file === file && workflow.workflow === file.workflows[Number(index)],
          );
    if (target) return this.pointerOf(target) + suffix;
    const hasDefs =
      enclosing !== undefined &&
      isObject(enclosing.workflow.inputs) &&
      isObject(enclosing.workflow.inputs["$defs"]);
    return hasDefs && ref.startsWith("#/$defs/") ? this.pointerOf(enclosing) + ref.slice(1) : ref;
  }

  private pointerOf(linked: LinkedWorkflow): string {
    const name = this.inputNames.get(linked);
    if (name !== undefined) return schemaPointer(name);
    const isPart =
      linked.undeclaredInputs.length > 0 ||
      [...withPredecessors(linked.prerequisites)].some(
        (workflow) =>
          workflow !== linked &&
          (isObject(workflow.workflow.inputs) || workflow.undeclaredInputs.length > 0),
      );
    const operation = `#/paths/~1${this.file.workflows.indexOf(linked.workflow)}/post`;
    return `${operation}/requestBody/content/application~1json/schema${isPart ? "/allOf/0" : ""}`;
  }
}

const schemaPointer = (name: string): string => `#/components/schemas/${name}`;

/** Workflows with all that run before them. */
function withPredecessors(workflows: readonly LinkedWorkflow[]): ReadonlySet<LinkedWorkflow> {
  const all = new Set(workflows);
  for (const { prerequisites } of all)
    for (const prerequisite of prerequisites) all.add(prerequisite);
  return all;
}
