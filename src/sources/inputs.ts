import { type Diagnostic, type Place } from "../diagnostics/index.js";
import { isObject, type JsonObject, type JsonValue } from "../json.js";
import { type ApiModel, type Operation, toModel } from "../model/index.js";
import type { LinkedWorkflow } from "../workflow/index.js";
import type { ReadFile } from "./open.js";

/** Workflows of one file as operations of an API: what goes in is their body. So their schemas are read like all others. */
export interface InputModel {
  readonly model: ApiModel;
  readonly operations: ReadonlyMap<LinkedWorkflow, Operation>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the `inputs` of the workflows of a file. Arazzo 1.1: JSON Schema 2020-12, with `$ref`s to `components.inputs`. */
export async function readInputs({ open, file }: ReadFile, workflows: readonly LinkedWorkflow[]): Promise<InputModel | { readonly diagnostics: readonly Diagnostic[] }> {
  const own = workflows.filter((one) => one.file === file);
  if (own.length === 0) return { diagnostics: [] };
  const index = new Map(file.workflows.map((workflow, i) => [workflow, i]));
  const placed = new Map(own.map((one) => [index.get(one.workflow) ?? 0, one]));
  const paths = Object.fromEntries([...placed].map(([i, one]) => [`/${i}`, { post: operationOf(one, placed) }]));
  const root = { openapi: "3.1.0", info: { title: file.title, version: "1" }, paths, components: { schemas: redirected(file.inputs, { placed }) } } as unknown as JsonObject;
  const { document, diagnostics } = await open.asApi(root);
  const made = document ? toModel(document) : { diagnostics: [] };
  const all = [...diagnostics, ...made.diagnostics].map((one) => (one.place && (one.place.file ?? open.label) === open.label ? { ...one, place: back(one.place, open.label) } : one));
  if (!made.model) return { diagnostics: all };
  const byPath = new Map(made.model.operations.map((one) => [one.path, one]));
  const operations = new Map(own.flatMap((one) => {
    const operation = byPath.get(`/${index.get(one.workflow) ?? 0}`);
    return operation ? [[one, { ...operation, place: back(operation.place, open.label), ...(operation.body && { body: withPlaces(operation.body, open.label) }) }] as const] : [];
  }));
  return { model: made.model, operations, diagnostics: all };
}

/** Workflows by their places in the file, and the one whose inputs are read. */
interface Redirection {
  readonly placed: ReadonlyMap<number, LinkedWorkflow>;
  readonly own?: LinkedWorkflow;
}

function operationOf(linked: LinkedWorkflow, placed: Redirection["placed"]): unknown {
  const { workflow } = linked;
  const parts = partsOf(linked, placed, new Set());
  const schema = parts.length > 1 ? { allOf: parts } : parts[0];
  const content = { "application/json": { schema } };
  return { operationId: workflow.id, summary: workflow.summary, description: workflow.description, ...(schema !== undefined && { requestBody: { required: true, content } }), responses: { 200: { description: "Done." } } };
}

/** Its own inputs, those that it forgot to declare, and those of the workflows that run before it. */
function partsOf(linked: LinkedWorkflow, placed: Redirection["placed"], seen: Set<LinkedWorkflow>): readonly JsonValue[] {
  seen.add(linked);
  const { workflow, undeclared, before } = linked;
  const own = isObject(workflow.inputs) ? [redirected(workflow.inputs, { placed, own: linked }) as JsonValue] : [];
  const further = undeclared.length > 0 ? [{ type: "object", properties: Object.fromEntries(undeclared.map((name) => [name, {}])) } as JsonValue] : [];
  return [...own, ...further, ...before.flatMap((one) => (seen.has(one) ? [] : partsOf(one, placed, seen)))];
}

const FROM = "#/components/inputs/";
const TO = "#/components/schemas/";

/** The same data with its references leading where an OpenAPI document has schemas. */
function redirected(value: unknown, to: Redirection): unknown {
  if (Array.isArray(value)) return value.map((item) => redirected(item, to));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, key === "$ref" && typeof part === "string" ? target(part, to) : redirected(part, to)]));
}

/** `#/components/inputs/x`, `#/workflows/0/inputs/…`; and `#/$defs/x`, with which many mean those of the schema that it stands in. */
function target(ref: string, { placed, own }: Redirection): string {
  if (ref.startsWith(FROM)) return TO + ref.slice(FROM.length);
  const [, place, inside = ""] = /^#\/workflows\/(\d+)\/inputs((?:\/.*)?)$/s.exec(ref) ?? [];
  const named = place === undefined ? undefined : placed.get(Number(place));
  if (named) return pointerTo(named, placed) + inside;
  const hasDefs = own !== undefined && isObject(own.workflow.inputs) && isObject(own.workflow.inputs["$defs"]);
  return hasDefs && ref.startsWith("#/$defs/") ? pointerTo(own, placed) + ref.slice(1) : ref;
}

/** Where the own inputs of a workflow are in the API that stands in. */
function pointerTo(linked: LinkedWorkflow, placed: Redirection["placed"]): string {
  const found = [...placed].find(([, one]) => one === linked);
  const isPart = linked.undeclared.length > 0 || linked.before.some((one) => one !== linked && hasInputs(one));
  return `#/paths/~1${found?.[0] ?? 0}/post/requestBody/content/application~1json/schema${isPart ? "/allOf/0" : ""}`;
}

function hasInputs(linked: LinkedWorkflow): boolean {
  const all = new Set([linked]);
  for (const { before } of all) for (const one of before) all.add(one);
  return [...all].some(({ workflow, undeclared }) => isObject(workflow.inputs) || undeclared.length > 0);
}

/** A place in the API that stood in, as one of the workflow file. */
function back(place: Place, file: string): Place {
  const pointer = place.pointer.replace(/^#\/components\/schemas/, "#/components/inputs").replace(/^#\/paths\/~1(\d+)\/post(?:\/requestBody(?:\/content\/application~1json(?:\/schema)?)?)?/, "#/workflows/$1/inputs");
  return { file, pointer };
}

function withPlaces(body: NonNullable<Operation["body"]>, file: string): NonNullable<Operation["body"]> {
  return { ...body, contents: body.contents.map((content) => ({ ...content, place: back(content.place, file) })) };
}
