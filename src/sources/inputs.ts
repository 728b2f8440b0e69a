import { type Diagnostic, type Place } from "../diagnostics/index.js";
import { isObject, type JsonObject, type JsonValue } from "../json.js";
import { type ApiModel, type Operation, toModel } from "../model/index.js";
import type { LinkedWorkflow } from "../workflow/index.js";
import type { ReadFile } from "./open.js";
import { StandIn } from "./stand-in.js";

/**
 * Workflows of one file as operations of an API: what goes in is their body. So their schemas are
 * read like all others.
 */
export interface InputModel {
  readonly model: ApiModel;
  readonly operations: ReadonlyMap<LinkedWorkflow, Operation>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the `inputs` of the workflows of a file. Arazzo 1.1: JSON Schema 2020-12, with `$ref`s to
 * `components.inputs`.
 */
export async function readInputs(
  { open, file }: ReadFile,
  workflows: readonly LinkedWorkflow[],
): Promise<InputModel | { readonly diagnostics: readonly Diagnostic[] }> {
  const own = workflows.filter((one) => one.file === file);
  if (own.length === 0) return { diagnostics: [] };
  const index = new Map(file.workflows.map((workflow, i) => [workflow, i]));
  const standIn = new StandIn(file, own);
  const paths = Object.fromEntries(
    own.map((one) => [`/${index.get(one.workflow) ?? 0}`, { post: operationOf(one, standIn) }]),
  );
  const root = {
    openapi: "3.1.0",
    info: { title: file.title, version: "1" },
    paths,
    components: { schemas: standIn.schemas() },
  } as unknown as JsonObject;
  const { document, diagnostics } = await open.asApi(root);
  const made = document ? toModel(document) : { diagnostics: [] };
  const all = [...diagnostics, ...made.diagnostics].map((one) =>
    one.place && (one.place.file ?? open.label) === open.label
      ? { ...one, place: back(one.place, open.label) }
      : one,
  );
  if (!made.model) return { diagnostics: all };
  const byPath = new Map(made.model.operations.map((one) => [one.path, one]));
  const operations = new Map(
    own.flatMap((one) => {
      const operation = byPath.get(`/${index.get(one.workflow) ?? 0}`);
      return operation
        ? [
            [
              one,
              {
                ...operation,
                place: back(operation.place, open.label),
                ...(operation.body && { body: withPlaces(operation.body, open.label) }),
              },
            ] as const,
          ]
        : [];
    }),
  );
  return { model: made.model, operations, diagnostics: all };
}

function operationOf(linked: LinkedWorkflow, standIn: StandIn): unknown {
  const { workflow } = linked;
  const parts = partsOf(linked, standIn, new Set());
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

/**
 * Its own inputs, those that it forgot to declare, and those of the workflows that run before it.
 */
function partsOf(
  linked: LinkedWorkflow,
  standIn: StandIn,
  seen: Set<LinkedWorkflow>,
): readonly JsonValue[] {
  seen.add(linked);
  const { workflow, undeclared, before } = linked;
  const own = isObject(workflow.inputs) ? [standIn.inputsOf(linked)] : [];
  const further =
    undeclared.length > 0
      ? [
          {
            type: "object",
            properties: Object.fromEntries(undeclared.map((name) => [name, {}])),
          } as JsonValue,
        ]
      : [];
  return [
    ...own,
    ...further,
    ...before.flatMap((one) => (seen.has(one) ? [] : partsOf(one, standIn, seen))),
  ];
}

/** A place in the API that stood in, as one of the workflow file. */
function back(place: Place, file: string): Place {
  const pointer = place.pointer
    .replace(/^#\/components\/schemas/, "#/components/inputs")
    .replace(
      /^#\/paths\/~1(\d+)\/post(?:\/requestBody(?:\/content\/application~1json(?:\/schema)?)?)?/,
      "#/workflows/$1/inputs",
    );
  return { file, pointer };
}

function withPlaces(
  body: NonNullable<Operation["body"]>,
  file: string,
): NonNullable<Operation["body"]> {
  return {
    ...body,
    contents: body.contents.map((content) => ({ ...content, place: back(content.place, file) })),
  };
}
