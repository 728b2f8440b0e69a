import { quoteText } from "../diagnostics/clean.js";
import { didYouMean } from "../diagnostics/index.js";
import { escapeToken } from "../json.js";
import type { Operation } from "../model/types.js";
import { parsePointer } from "./expression.js";
import type { Api, SourcedFile, SourceTarget } from "./linked.js";
import type { Report } from "./report.js";
import type { Reference, Workflow, WorkflowFile } from "./types.js";

/** An operation and the API that has it. */
export interface FoundOperation {
  readonly api: Api;
  readonly operation: Operation;
}

/**
 * The operation of an `operationId`: bare, `$sourceDescriptions.<name>.<operationId>`, or
 * `<name>.<operationId>`. Reports one that does not exist.
 */
export function findById(
  reference: Reference,
  { sources }: SourcedFile,
  report: Report,
): FoundOperation | undefined {
  const text = reference.text.trim();
  const [, named, id] = /^\$sourceDescriptions\.([^.]+)\.(.+)$/s.exec(text) ?? [];
  if (named !== undefined && id !== undefined)
    return inSource(named, id, reference, sources, report);
  const found = exactly(apis(sources), text) ?? spelled(apis(sources), text, reference, report);
  const [only, second] = found;
  if (only && second)
    return report(
      "workflow-operation",
      `Several sources have an operation ${quoteText(text)}.`,
      reference.place,
      "Write $sourceDescriptions.<name>.<operationId>.",
    );
  if (only) return only;
  const dot = text.indexOf(".");
  const prefix = text.slice(0, Math.max(0, dot));
  if (dot > 0 && sources.has(prefix))
    return inSource(prefix, text.slice(dot + 1), reference, sources, report);
  if ([...sources.values()].some(({ kind }) => kind === "asyncapi") && apis(sources).length === 0)
    return refuseAsync(reference, report);
  return unknown(text, reference, apis(sources), report);
}

function inSource(
  name: string,
  id: string,
  reference: Reference,
  sources: SourcedFile["sources"],
  report: Report,
): FoundOperation | undefined {
  const source = sourceNamed(name, sources);
  if (!source)
    return report(
      "workflow-source",
      `There is no source ${quoteText(name)}${didYouMean(name, sources.keys()) || "."}`,
      reference.place,
      "Add it to sourceDescriptions.",
    );
  if (source.kind === "asyncapi") return refuseAsync(reference, report);
  if (source.kind === "arazzo")
    return report(
      "workflow-operation",
      `${quoteText(name)} is an Arazzo document, which has workflows, not operations.`,
      reference.place,
      "Use workflowId.",
    );
  return (
    (exactly([source.api], id) ?? spelled([source.api], id, reference, report))[0] ??
    unknown(id, reference, [source.api], report)
  );
}

/**
 * A source by its name; capitals do not matter where no two names differ by them alone, because
 * many authors do not mind them.
 */
export function sourceNamed(
  name: string,
  sources: SourcedFile["sources"],
): SourceTarget | undefined {
  const exact = sources.get(name);
  const [only, second] = exact
    ? [exact]
    : [...sources]
        .filter(([one]) => one.toLowerCase() === name.toLowerCase())
        .map(([, source]) => source);
  return second ? undefined : only;
}

export function refuseAsync({ place }: Reference, report: Report): undefined {
  return report(
    "workflow-async",
    "Steps on AsyncAPI channels are not served: a tool sends HTTP requests.",
    place,
    "Call an operation of an OpenAPI source instead.",
  );
}

function exactly(among: readonly Api[], id: string): readonly FoundOperation[] | undefined {
  const found = among.flatMap((api) =>
    api.model.operations
      .filter(({ operationId }) => operationId === id)
      .map((operation) => ({ api, operation })),
  );
  return found.length > 0 ? found : undefined;
}

/** An ID that is an operation's but for capitals is taken for it, where no other is. */
function spelled(
  among: readonly Api[],
  id: string,
  { place }: Reference,
  report: Report,
): readonly FoundOperation[] {
  const found = among.flatMap((api) =>
    api.model.operations
      .filter(({ operationId }) => operationId?.toLowerCase() === id.toLowerCase())
      .map((operation) => ({ api, operation })),
  );
  const [only, second] = found;
  if (!only || second) return [];
  report(
    "workflow-operation-spelling",
    `There is no operation ${quoteText(id)}; it is taken for ${quoteText(only.operation.operationId ?? "")}.`,
    place,
    `Write ${only.operation.operationId ?? ""}.`,
  );
  return found;
}

function unknown(
  id: string,
  { place }: Reference,
  among: readonly Api[],
  report: Report,
): undefined {
  const known = among.flatMap(({ model }) =>
    model.operations.flatMap(({ operationId }) => operationId ?? []),
  );
  return report(
    "workflow-operation",
    `There is no operation ${quoteText(id)} in the sources${didYouMean(id, known) || "."}`,
    place,
    among.length === 0
      ? "Add an OpenAPI source."
      : "Name it by its operationId, or by operationPath.",
  );
}

const apis = (sources: SourcedFile["sources"]): readonly Api[] => [
  ...new Set(
    [...sources.values()].flatMap((source) => (source.kind === "openapi" ? source.api : [])),
  ),
];

/**
 * The operation of an `operationPath`: `{$sourceDescriptions.<name>.url}#/paths/~1pets/get`. A path
 * with one operation needs no method.
 */
export function findByPath(
  reference: Reference,
  { file, sources }: SourcedFile,
  report: Report,
): FoundOperation | undefined {
  const [, address = "", pointer = ""] = /^([^#]*)#(.*)$/s.exec(reference.text.trim()) ?? [];
  const [, name] = /^\{?\$sourceDescriptions\.([^.}]+)(?:\.url)?\}?$/.exec(address) ?? [];
  const byUrl = file.sources.find(({ url }) => url === address)?.name;
  const assumed =
    name === undefined && byUrl === undefined && pointer !== ""
      ? sourceMeant(address, sources)
      : undefined;
  const source = sourceNamed(name ?? byUrl ?? assumed ?? "", sources);
  const hint = "Write {$sourceDescriptions.<name>.url}#/paths/~1pets/get.";
  if (!source)
    return report(
      "workflow-operation",
      `${quoteText(reference.text)} does not say in which source the operation is.`,
      reference.place,
      hint,
    );
  if (assumed !== undefined)
    report(
      "workflow-expression-spelling",
      `The operation is taken to be in the source ${quoteText(assumed)}.`,
      reference.place,
      `Write {$sourceDescriptions.${assumed}.url}#${pointer}.`,
    );
  if (source.kind === "asyncapi") return refuseAsync(reference, report);
  const steps = parsePointer(pointer);
  if (
    source.kind !== "openapi" ||
    !steps.ok ||
    steps.value[0] !== "paths" ||
    steps.value.length < 2
  )
    return report(
      "workflow-operation",
      `${quoteText(reference.text)} leads to no operation.`,
      reference.place,
      hint,
    );
  return atPath(source.api, steps.value[1] as string, steps.value[2], reference, report);
}

/**
 * `petstore#/paths/~1pets/get` can mean the source petstore only, and `#/paths/~1pets/get` the only
 * one that there is.
 */
function sourceMeant(address: string, sources: SourcedFile["sources"]): string | undefined {
  if (address !== "") return sources.has(address) ? address : undefined;
  const [only, second] = [...sources].filter(([, { kind }]) => kind === "openapi");
  return second ? undefined : only?.[0];
}

function atPath(
  api: Api,
  path: string,
  method: string | undefined,
  { text, place }: Reference,
  report: Report,
): FoundOperation | undefined {
  const decoded = /%[0-9a-f]{2}/i.test(path) ? safeDecode(path) : path;
  const there = api.model.operations.filter(
    (one) =>
      one.path === path ||
      one.path === decoded ||
      (parsePointer(one.place.pointer.slice(1)).ok &&
        one.place.pointer.startsWith(`#/paths/${escapeToken(path)}/`)),
  );
  const fitting =
    method === undefined
      ? there
      : there.filter((one) => one.method.toUpperCase() === method.toUpperCase());
  const [only, second] = fitting;
  if (only && !second) return { api, operation: only };
  const known = api.model.operations.map((one) => one.path);
  if (only)
    return report(
      "workflow-operation",
      `${quoteText(text)} leads to a path with several operations.`,
      place,
      "Add the method, as in …/get.",
    );
  return report(
    "workflow-operation",
    `${quoteText(text)} leads to no operation${there.length > 0 ? `; the path has ${there.map((one) => one.method).join(", ")}.` : didYouMean(path, known) || "."}`,
    place,
  );
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Where a workflow is. */
export interface FoundWorkflow {
  readonly file: WorkflowFile;
  readonly workflow: Workflow;
}

/**
 * The workflow of a `workflowId`: bare, or `$sourceDescriptions.<name>.<workflowId>`. Reports one
 * that does not exist.
 */
export function findWorkflow(
  reference: Reference,
  { file, sources }: SourcedFile,
  report: Report,
): FoundWorkflow | undefined {
  const [, name, id] =
    /^\$sourceDescriptions\.([^.]+)\.(?:workflows\.)?(.+)$/s.exec(reference.text) ?? [];
  const source = name === undefined ? undefined : sourceNamed(name, sources);
  if (name !== undefined && source?.kind !== "arazzo") {
    const why = source
      ? `${quoteText(name)} is no Arazzo document.`
      : `There is no source ${quoteText(name)}${didYouMean(name, sources.keys()) || "."}`;
    return report(
      source ? "workflow-unknown" : "workflow-source",
      why,
      reference.place,
      "Workflows of other documents need a source of type arazzo.",
    );
  }
  const place = source?.kind === "arazzo" ? source.file : file;
  const wanted = id ?? reference.text;
  const workflow = place.workflows.find((one) => one.id === wanted);
  if (workflow) return { file: place, workflow };
  return report(
    "workflow-unknown",
    `There is no workflow ${quoteText(wanted)} in ${quoteText(place.name)}${
      didYouMean(
        wanted,
        place.workflows.map((one) => one.id),
      ) || "."
    }`,
    reference.place,
  );
}
