import { type Diagnostic, isError, type SourceLocation } from "../diagnostics/index.js";
import type { JsonSchema } from "../json.js";
import type { ApiDocument, LoadOptions } from "../load/index.js";
import type { ApiModel, Operation } from "../model/index.js";
import type { WorkflowPlanner } from "../plan/workflow-planner.js";
import { createWorkflowPlanner } from "../plan/workflows/index.js";
import {
  type SourceApi,
  linkWorkflows,
  type LinkedWorkflow,
  type ResolvedWorkflowFile,
  type ResolvedSource,
} from "../workflow/index.js";
import {
  mainKey,
  type MainDocument,
  SourceReader,
  type WorkflowSourceFile,
} from "./source-reader.js";
import { readInputs } from "./workflow-inputs.js";

export type { MainDocument } from "./source-reader.js";

/** Workflows with the data that planning needs. */
export interface WorkflowSources {
  /** The named schemas of all sources. */
  readonly schemas: Schemas;
  /** Sorted: a called workflow precedes its callers. */
  readonly workflows: readonly LinkedWorkflow[];
  /** Each workflow as an operation whose body is its inputs. */
  readonly operations: ReadonlyMap<LinkedWorkflow, Operation>;
  /** APIs that steps call, the main document's first. */
  readonly apis: readonly SourceApi[];
}

interface WorkflowSourcesResult {
  /** Absent after an error. */
  readonly sources?: WorkflowSources;
  readonly diagnostics: readonly Diagnostic[];
  /** Adds line and column to a location in one of the files. */
  readonly locate: (location: SourceLocation) => SourceLocation;
}

/** The planner of workflows, with the model of the document and the schemas of all sources. */
interface WorkflowsResult extends Omit<WorkflowSourcesResult, "sources"> {
  readonly model?: ApiModel;
  readonly planner?: WorkflowPlanner;
}

/** Reads workflows and creates their planner. */
export async function planWorkflows(
  paths: readonly string[],
  document: ApiDocument,
  model: ApiModel,
  options: LoadOptions,
): Promise<WorkflowsResult> {
  const main = toMainDocument("", document, model);
  const { sources, ...rest } = await readWorkflowSources(paths, [main], options);
  return {
    ...rest,
    ...(sources && {
      model: { ...model, schemas: sources.schemas },
      planner: createWorkflowPlanner(sources),
    }),
  };
}

/** An API of a server of several, with its document. */
export interface WorkflowApi {
  readonly name: string;
  readonly document: ApiDocument;
  readonly model: ApiModel;
}

/** Workflows across the APIs of a server. */
export interface ServerWorkflows extends WorkflowSourcesResult {
  /** Operations of an API that steps call, as its own model has them. */
  readonly calledOperations: (api: string) => readonly Operation[];
}

/** Reads workflows whose sources are the APIs of a server. */
export async function readServerWorkflows(
  paths: readonly string[],
  apis: readonly WorkflowApi[],
  options: LoadOptions,
): Promise<ServerWorkflows> {
  const documents = apis.map(({ name, document, model }) => toMainDocument(name, document, model));
  const read = await readWorkflowSources(paths, documents, options);
  const called = new Map<string, Set<string>>();
  for (const { call } of read.sources?.workflows.flatMap(({ steps }) => steps) ?? [])
    if (call.kind === "operation") {
      const { name } = call.api;
      const operations = called.get(name) ?? new Set();
      called.set(name, operations.add(`${call.operation.method} ${call.operation.path}`));
    }
  return {
    ...read,
    calledOperations: (api) =>
      apis
        .filter(({ name }) => name === api)
        .flatMap(({ model }) => model.operations)
        .filter(({ method, path }) => called.get(api)?.has(`${method} ${path}`)),
  };
}

function toMainDocument(
  api: string,
  { source, name, url }: ApiDocument,
  model: ApiModel,
): MainDocument {
  return { api, source, name, model, ...(url !== undefined && { url }) };
}

/**
 * Reads workflow files (Arazzo 1.0, 1.1) with the APIs and files that they name, and links their
 * steps to operations.
 * @param paths as the user typed them
 * @param documents documents that the server is generated from
 * @returns the workflows, and every problem with its location
 */
async function readWorkflowSources(
  paths: readonly string[],
  documents: readonly MainDocument[],
  options: LoadOptions,
): Promise<WorkflowSourcesResult> {
  const reader = new SourceReader(documents, options);
  await reader.read(paths);
  const found: Diagnostic[] = [...reader.diagnostics];
  const sources = found.some(isError) ? undefined : await linkSources(reader, documents, found);
  const diagnostics = found.map((d) =>
    d.location ? { ...d, location: locateIn(d.location, reader) } : d,
  );
  return {
    ...(sources && !found.some(isError) && { sources }),
    diagnostics,
    locate: (location) => locateIn(location, reader),
  };
}

async function linkSources(
  reader: SourceReader,
  documents: readonly MainDocument[],
  found: Diagnostic[],
): Promise<WorkflowSources> {
  const apis = new Map<string, SourceApi>();
  let schemas = Object.create(null) as Schemas;
  const addApi = (key: string, name: string, label: string, model: ApiModel): void => {
    const join = mergeSchemas(schemas, model);
    schemas = join.schemas;
    apis.set(key, { name, label, model: join.model });
  };
  for (const main of documents) addApi(mainKey(main), main.api, main.model.source, main.model);
  for (const [key, { name, open, model }] of reader.apis) addApi(key, name, open.label, model);
  const files = [...reader.files.values()];
  const { workflows, diagnostics } = linkWorkflows(toSourcedFiles(files, apis));
  for (const one of diagnostics) found.push(one);
  const operations = new Map<LinkedWorkflow, Operation>();
  for (const file of found.some(isError) ? [] : files) {
    const inputs = await readInputs(file, workflows);
    for (const one of inputs.diagnostics) found.push(one);
    if (!("model" in inputs)) continue;
    const join = mergeSchemas(schemas, {
      ...inputs.model,
      operations: [...inputs.operations.values()],
    });
    schemas = join.schemas;
    [...inputs.operations.keys()].forEach((workflow, i) =>
      operations.set(workflow, join.model.operations[i] as Operation),
    );
  }
  const called = new Set(
    workflows.flatMap(({ steps }) =>
      steps.flatMap(({ call }) => (call.kind === "operation" ? call.api : [])),
    ),
  );
  return {
    schemas,
    workflows,
    operations,
    apis: [...apis.values()].filter((api) => api.name === "" || called.has(api)),
  };
}

function toSourcedFiles(
  files: readonly WorkflowSourceFile[],
  apis: ReadonlyMap<string, SourceApi>,
): readonly ResolvedWorkflowFile[] {
  const byKey = new Map(files.map((d) => [d.open.key, d.file]));
  return files.map(({ file, isMain, sources }) => {
    const targets = [...sources].flatMap(
      ([name, source]): (readonly [string, ResolvedSource])[] => {
        if (source.kind === "asyncapi") return [[name, source]];
        const [api, other] = [apis.get(source.key), byKey.get(source.key)];
        if (source.kind === "api") return api ? [[name, { kind: "openapi", api }]] : [];
        return other ? [[name, { kind: "arazzo", file: other }]] : [];
      },
    );
    return { file, isMain, sources: new Map(targets) };
  });
}

function locateIn(location: SourceLocation, reader: SourceReader): SourceLocation {
  return reader.opened.find(({ label }) => label === location.file)?.locate(location) ?? location;
}

type Schemas = ApiModel["schemas"];

/** Adds the schemas of a model to others and renames those whose names are taken. */
function mergeSchemas(
  schemas: Schemas,
  model: ApiModel,
): { readonly schemas: Schemas; readonly model: ApiModel } {
  const names = new Map<string, string>();
  for (const name of Object.keys(model.schemas))
    if (name in schemas) names.set(name, freeName(name, schemas, model.schemas, names));
  const renamed = names.size === 0 ? model : (renameReferences(model, names) as ApiModel);
  const added: Record<string, JsonSchema> = Object.create(null) as Record<string, JsonSchema>;
  for (const [name, schema] of Object.entries(renamed.schemas))
    added[names.get(name) ?? name] = schema;
  return {
    schemas: Object.assign(Object.create(null) as Record<string, JsonSchema>, schemas, added),
    model: { ...renamed, schemas: added },
  };
}

function freeName(
  name: string,
  ...others: readonly [Schemas, Schemas, Map<string, string>]
): string {
  const [before, added, renamed] = others;
  const used = new Set(renamed.values());
  for (let n = 2; ; n++)
    if (!(`${name}${n}` in before) && !(`${name}${n}` in added) && !used.has(`${name}${n}`))
      return `${name}${n}`;
}

const PREFIX = "#/$defs/";

/** Copies plain data and applies new schema names to its references. */
function renameReferences(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renameReferences(item, names));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      const name =
        key === "$ref" && typeof part === "string" && part.startsWith(PREFIX)
          ? names.get(part.slice(PREFIX.length))
          : undefined;
      return [key, name === undefined ? renameReferences(part, names) : PREFIX + name];
    }),
  );
}
