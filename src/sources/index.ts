import { type Diagnostic, isError, type Place } from "../diagnostics/index.js";
import type { ApiDocument, LoadOptions } from "../load/index.js";
import type { ApiModel, Operation } from "../model/index.js";
import { workflowPlanner, type WorkflowPlanner } from "../plan/workflows/index.js";
import {
  type Api,
  link,
  type LinkedWorkflow,
  type SourcedFile,
  type SourceTarget,
} from "../workflow/index.js";
import { readInputs } from "./inputs.js";
import { joined } from "./join.js";
import { MAIN, type MainDocument, type ReadFile, SourceReader } from "./open.js";

export type { MainDocument } from "./open.js";

/** Workflows with everything that a plan needs to know of them. */
export interface WorkflowSources {
  /** The document's model, which has the named schemas of all sources. */
  readonly model: ApiModel;
  /** What a workflow calls stands before it. */
  readonly workflows: readonly LinkedWorkflow[];
  /** Each workflow as an operation whose body is its inputs. */
  readonly operations: ReadonlyMap<LinkedWorkflow, Operation>;
  /** The APIs that steps call, the document's first. */
  readonly apis: readonly Api[];
}

export interface SourcesResult {
  /** Absent when there is an error. */
  readonly sources?: WorkflowSources;
  readonly diagnostics: readonly Diagnostic[];
  /** Adds line and column to a place in one of the files. */
  readonly locate: (place: Place) => Place;
}

/** Reads workflows, and makes what plans them. */
export async function planWorkflows(
  paths: readonly string[],
  document: ApiDocument,
  model: ApiModel,
  options: LoadOptions,
): Promise<
  Omit<SourcesResult, "sources"> & { readonly model?: ApiModel; readonly planner?: WorkflowPlanner }
> {
  const { source, name, url } = document;
  const { sources, ...rest } = await readWorkflowSources(
    paths,
    { source, name, ...(url !== undefined && { url }) },
    model,
    options,
  );
  return { ...rest, ...(sources && { model: sources.model, planner: workflowPlanner(sources) }) };
}

/**
 * Reads workflow files (Arazzo 1.0, 1.1) with the APIs and files that they name, and finds what
 * their steps call.
 * @param paths as the user typed them
 * @param main the document that the server is made from
 * @returns every problem with its file, line and column
 */
export async function readWorkflowSources(
  paths: readonly string[],
  main: MainDocument,
  model: ApiModel,
  options: LoadOptions,
): Promise<SourcesResult> {
  const reader = new SourceReader(main, model, options);
  await reader.read(paths);
  const found: Diagnostic[] = [...reader.diagnostics];
  const sources = found.some(isError) ? undefined : await linked(reader, model, found);
  const diagnostics = found.map((one) =>
    one.place ? { ...one, place: located(one.place, reader) } : one,
  );
  return {
    ...(sources && !found.some(isError) && { sources }),
    diagnostics,
    locate: (place) => located(place, reader),
  };
}

async function linked(
  reader: SourceReader,
  model: ApiModel,
  found: Diagnostic[],
): Promise<WorkflowSources | undefined> {
  const apis = new Map<string, Api>([[MAIN, { name: "", label: model.source, model }]]);
  let { schemas } = model;
  for (const [key, api] of reader.apis) {
    const join = joined(schemas, api.model);
    schemas = join.schemas;
    apis.set(key, { name: api.name, label: api.open.label, model: join.model });
  }
  const files = [...reader.files.values()];
  const { workflows, diagnostics } = link(sourced(files, apis));
  found.push(...diagnostics);
  const operations = new Map<LinkedWorkflow, Operation>();
  for (const file of found.some(isError) ? [] : files) {
    const inputs = await readInputs(file, workflows);
    found.push(...inputs.diagnostics);
    if (!("model" in inputs)) continue;
    const join = joined(schemas, { ...inputs.model, operations: [...inputs.operations.values()] });
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
    model: { ...model, schemas },
    workflows,
    operations,
    apis: [...apis.values()].filter((api) => api.name === "" || called.has(api)),
  };
}

function sourced(
  files: readonly ReadFile[],
  apis: ReadonlyMap<string, Api>,
): readonly SourcedFile[] {
  const byKey = new Map(files.map((one) => [one.open.key, one.file]));
  return files.map(({ file, isMain, sources }) => {
    const targets = [...sources].flatMap(([name, source]): (readonly [string, SourceTarget])[] => {
      if (source.kind === "asyncapi") return [[name, source]];
      const [api, other] = [apis.get(source.key), byKey.get(source.key)];
      if (source.kind === "api") return api ? [[name, { kind: "openapi", api }]] : [];
      return other ? [[name, { kind: "arazzo", file: other }]] : [];
    });
    return { file, isMain, sources: new Map(targets) };
  });
}

function located(place: Place, reader: SourceReader): Place {
  return reader.opened.find(({ label }) => label === place.file)?.locate(place) ?? place;
}
