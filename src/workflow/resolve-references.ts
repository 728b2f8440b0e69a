import { suggestionFor } from "../diagnostics/index.js";
import { quoteText } from "../diagnostics/text.js";
import { escapePointerToken } from "../json-pointer.js";
import type { Operation } from "../model/types.js";
import { parseJsonPointer } from "./expression.js";
import type {
  Reference,
  ReportDiagnostic,
  ResolvedSource,
  ResolvedWorkflowFile,
  SourceApi,
  Workflow,
  WorkflowFile,
} from "./types.js";

interface ResolvedOperation {
  readonly api: SourceApi;
  readonly operation: Operation;
}

/**
 * Resolves an `operationId`: bare, `$sourceDescriptions.<name>.<operationId>`, or
 * `<name>.<operationId>`. Reports an unknown one.
 */
export function resolveOperationId(
  reference: Reference,
  { sources }: ResolvedWorkflowFile,
  report: ReportDiagnostic,
): ResolvedOperation | undefined {
  const text = reference.text.trim();
  const [, sourceName, id] = /^\$sourceDescriptions\.([^.]+)\.(.+)$/s.exec(text) ?? [];
  if (sourceName !== undefined && id !== undefined)
    return operationInSource(sourceName, id, reference, sources, report);
  const found =
    findExact(openApiSources(sources), text) ??
    findIgnoringCase(openApiSources(sources), text, reference, report);
  const [only, second] = found;
  if (only && second)
    return report(
      "workflow-operation",
      `The operation ${quoteText(text)} is ambiguous: several sources have it.`,
      reference.location,
      "Write $sourceDescriptions.<name>.<operationId>.",
    );
  if (only) return only;
  const dot = text.indexOf(".");
  const prefix = text.slice(0, Math.max(0, dot));
  if (dot > 0 && sources.has(prefix))
    return operationInSource(prefix, text.slice(dot + 1), reference, sources, report);
  if (
    [...sources.values()].some(({ kind }) => kind === "asyncapi") &&
    openApiSources(sources).length === 0
  )
    return reportAsyncUnsupported(reference, report);
  return reportUnknownOperation(text, reference, openApiSources(sources), report);
}

function operationInSource(
  name: string,
  id: string,
  reference: Reference,
  sources: ResolvedWorkflowFile["sources"],
  report: ReportDiagnostic,
): ResolvedOperation | undefined {
  const source = findSource(name, sources);
  if (!source)
    return report(
      "workflow-source",
      `There is no source ${quoteText(name)}${suggestionFor(name, sources.keys()) || "."}`,
      reference.location,
      "Add it to sourceDescriptions.",
    );
  if (source.kind === "asyncapi") return reportAsyncUnsupported(reference, report);
  if (source.kind === "arazzo")
    return report(
      "workflow-operation",
      `${quoteText(name)} is an Arazzo document, which has workflows, not operations.`,
      reference.location,
      "Use workflowId.",
    );
  return (
    (findExact([source.api], id) ?? findIgnoringCase([source.api], id, reference, report))[0] ??
    reportUnknownOperation(id, reference, [source.api], report)
  );
}

/** Finds a source by name, ignoring case where that is unambiguous. */
export function findSource(
  name: string,
  sources: ResolvedWorkflowFile["sources"],
): ResolvedSource | undefined {
  const exact = sources.get(name);
  const [only, second] = exact
    ? [exact]
    : [...sources]
        .filter(([one]) => one.toLowerCase() === name.toLowerCase())
        .map(([, source]) => source);
  return second ? undefined : only;
}

export function reportAsyncUnsupported(
  { location }: Reference,
  report: ReportDiagnostic,
): undefined {
  return report(
    "workflow-asyncapi",
    "Steps on AsyncAPI channels are not supported: tools send HTTP requests.",
    location,
    "Call an operation of an OpenAPI source instead.",
  );
}

function findExact(
  among: readonly SourceApi[],
  id: string,
): readonly ResolvedOperation[] | undefined {
  const operations = among.flatMap((api) =>
    api.model.operations
      .filter(({ operationId }) => operationId === id)
      .map((operation) => ({ api, operation })),
  );
  return operations.length > 0 ? operations : undefined;
}

/** Finds an operation that differs only in case, where that is unambiguous. */
function findIgnoringCase(
  among: readonly SourceApi[],
  id: string,
  { location }: Reference,
  report: ReportDiagnostic,
): readonly ResolvedOperation[] {
  const operations = among.flatMap((api) =>
    api.model.operations
      .filter(({ operationId }) => operationId?.toLowerCase() === id.toLowerCase())
      .map((operation) => ({ api, operation })),
  );
  const [only, second] = operations;
  if (!only || second) return [];
  report(
    "workflow-operation-spelling",
    `There is no operation ${quoteText(id)}; it is read as ${quoteText(only.operation.operationId ?? "")}.`,
    location,
    `Write ${only.operation.operationId ?? ""}.`,
  );
  return operations;
}

function reportUnknownOperation(
  id: string,
  { location }: Reference,
  among: readonly SourceApi[],
  report: ReportDiagnostic,
): undefined {
  const known = among.flatMap(({ model }) =>
    model.operations.flatMap(({ operationId }) => operationId ?? []),
  );
  return report(
    "workflow-operation",
    `There is no operation ${quoteText(id)} in the sources${suggestionFor(id, known) || "."}`,
    location,
    among.length === 0 ? "Add an OpenAPI source." : "Use a known operationId, or an operationPath.",
  );
}

const openApiSources = (sources: ResolvedWorkflowFile["sources"]): readonly SourceApi[] => [
  ...new Set(
    [...sources.values()].flatMap((source) => (source.kind === "openapi" ? source.api : [])),
  ),
];

/**
 * Resolves an `operationPath`: `{$sourceDescriptions.<name>.url}#/paths/~1pets/get`. A path with
 * one operation needs no method.
 */
export function resolveOperationPath(
  reference: Reference,
  { file, sources }: ResolvedWorkflowFile,
  report: ReportDiagnostic,
): ResolvedOperation | undefined {
  const [, address = "", pointer = ""] = /^([^#]*)#(.*)$/s.exec(reference.text.trim()) ?? [];
  const stated = statedSource(address, file);
  const assumed =
    stated === undefined && pointer !== "" ? inferSource(address, sources) : undefined;
  const source = findSource(stated ?? assumed ?? "", sources);
  if (!source)
    return report(
      "workflow-operation",
      `${quoteText(reference.text)} does not name the source of the operation.`,
      reference.location,
      OPERATION_PATH_HINT,
    );
  if (assumed !== undefined)
    report(
      "workflow-expression-spelling",
      `The operation is looked up in the source ${quoteText(assumed)}.`,
      reference.location,
      `Write {$sourceDescriptions.${assumed}.url}#${pointer}.`,
    );
  if (source.kind === "asyncapi") return reportAsyncUnsupported(reference, report);
  const target = source.kind === "openapi" ? parseOperationPointer(pointer) : undefined;
  if (source.kind !== "openapi" || !target)
    return report(
      "workflow-operation",
      `${quoteText(reference.text)} does not refer to an operation.`,
      reference.location,
      OPERATION_PATH_HINT,
    );
  return operationAtPath(source.api, target, reference, report);
}

const OPERATION_PATH_HINT = "Write {$sourceDescriptions.<name>.url}#/paths/~1pets/get.";

/** Name of the source in `{$sourceDescriptions.<name>.url}`, or of the one with this URL. */
function statedSource(address: string, file: WorkflowFile): string | undefined {
  const [, name] = /^\{?\$sourceDescriptions\.([^.}]+)(?:\.url)?\}?$/.exec(address) ?? [];
  return name ?? file.sources.find(({ url }) => url === address)?.name;
}

/** Path and method that a JSON Pointer names. */
interface OperationPointer {
  readonly path: string;
  readonly method: string | undefined;
}

/** Parses `/paths/~1pets/get`, or `/paths/~1pets/additionalOperations/COPY` (OpenAPI 3.2). */
function parseOperationPointer(pointer: string): OperationPointer | undefined {
  const parsed = parseJsonPointer(pointer);
  if (!parsed.ok) return undefined;
  const [section, path, key, additionalMethod] = parsed.value;
  if (section !== "paths" || path === undefined) return undefined;
  return { path, method: key === "additionalOperations" ? additionalMethod : key };
}

/**
 * Infers the source of `petstore#/paths/~1pets/get`, or of `#/paths/~1pets/get` if there is only
 * one.
 */
function inferSource(
  address: string,
  sources: ResolvedWorkflowFile["sources"],
): string | undefined {
  if (address !== "") return sources.has(address) ? address : undefined;
  const [only, second] = [...sources].filter(([, { kind }]) => kind === "openapi");
  return second ? undefined : only?.[0];
}

function operationAtPath(
  api: SourceApi,
  { path, method }: OperationPointer,
  { text, location }: Reference,
  report: ReportDiagnostic,
): ResolvedOperation | undefined {
  const decoded = /%[0-9a-f]{2}/i.test(path) ? safeDecode(path) : path;
  const atPath = api.model.operations.filter(
    (operation) =>
      operation.path === path ||
      operation.path === decoded ||
      operation.location.pointer.startsWith(`#/paths/${escapePointerToken(path)}/`),
  );
  const matching =
    method === undefined
      ? atPath
      : atPath.filter((operation) => operation.method.toUpperCase() === method.toUpperCase());
  const [only, second] = matching;
  if (only && !second) return { api, operation: only };
  const known = api.model.operations.map((operation) => operation.path);
  if (only)
    return report(
      "workflow-operation",
      `${quoteText(text)} refers to a path with several operations.`,
      location,
      "Add the method, as in …/get.",
    );
  const methods = atPath.map((operation) => operation.method).join(", ");
  const hint = methods === "" ? suggestionFor(path, known) || "." : `; the path has ${methods}.`;
  return report(
    "workflow-operation",
    `${quoteText(text)} does not refer to an operation${hint}`,
    location,
  );
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A workflow and its document. */
export interface ResolvedWorkflow {
  readonly file: WorkflowFile;
  readonly workflow: Workflow;
}

/**
 * Resolves a `workflowId`: bare, or `$sourceDescriptions.<name>.<workflowId>`. Reports an unknown
 * one.
 */
export function resolveWorkflow(
  reference: Reference,
  { file, sources }: ResolvedWorkflowFile,
  report: ReportDiagnostic,
): ResolvedWorkflow | undefined {
  const [, name, id] =
    /^\$sourceDescriptions\.([^.]+)\.(?:workflows\.)?(.+)$/s.exec(reference.text) ?? [];
  const source = name === undefined ? undefined : findSource(name, sources);
  if (name !== undefined && source?.kind !== "arazzo") {
    const problem = source
      ? `${quoteText(name)} is not an Arazzo document.`
      : `There is no source ${quoteText(name)}${suggestionFor(name, sources.keys()) || "."}`;
    return report(
      source ? "workflow-unknown-workflow" : "workflow-source",
      problem,
      reference.location,
      "Workflows of other documents need a source of type arazzo.",
    );
  }
  const targetFile = source?.kind === "arazzo" ? source.file : file;
  const workflowId = id ?? reference.text;
  const workflow = targetFile.workflows.find((candidate) => candidate.id === workflowId);
  if (workflow) return { file: targetFile, workflow };
  return report(
    "workflow-unknown-workflow",
    `There is no workflow ${quoteText(workflowId)} in ${quoteText(targetFile.name)}${
      suggestionFor(
        workflowId,
        targetFile.workflows.map((entry) => entry.id),
      ) || "."
    }`,
    reference.location,
  );
}
