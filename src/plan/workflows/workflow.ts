import { cleanText, oneLine, quoteText } from "../../diagnostics/clean.js";
import { didYouMean, type Place } from "../../diagnostics/index.js";
import { escapeToken, type JsonSchema, type JsonValue } from "../../json.js";
import type { Operation } from "../../model/types.js";
import type { StepDefinition } from "../../runtime/workflow/types.js";
import type {
  Api,
  Argument,
  Criterion,
  LinkedAction,
  LinkedStep,
  LinkedWorkflow,
  Output,
} from "../../workflow/index.js";
import { flatten } from "../describe/markdown.js";
import { ended, splitSentence } from "../describe/sentences.js";
import { objectView } from "../inputs/object-view.js";
import type { Findings } from "../findings.js";
import { identifierOf } from "../name/identifier.js";
import { resolve, type Schemas } from "../schema/refs.js";
import type { PlannedAction, PlannedOutput, PlannedStep, PlannedWorkflow } from "../types.js";
import { bindStep, type StepContext } from "./bind-step.js";
import { callOf, titleOfStep } from "./describe.js";
import { needsOf } from "./needs.js";
import type { PlannedApi } from "./other-apis.js";
import { schemaOfValue, type TypeContext } from "./schema-of.js";

/** What planning one workflow takes. */
export interface WorkflowParts {
  readonly linked: LinkedWorkflow;
  /** Of its module. */
  readonly name: string;
  readonly key: string;
  /** Schema of its inputs, with what is known of them. */
  readonly inputs: JsonSchema | undefined;
  /** The same as the author wrote it: defaults are the author's alone. */
  readonly declared: JsonSchema | undefined;
  /** Those that it may call. */
  readonly planned: ReadonlyMap<LinkedWorkflow, PlannedWorkflow>;
  readonly contexts: ReadonlyMap<Api, StepContext & { readonly other?: PlannedApi }>;
  readonly schemas: Schemas;
  readonly toolOf: (operation: Operation) => string | undefined;
  readonly findings: Findings;
}

/** Plans the function of a workflow: what each step sends, what it is given, and what comes out. */
export function planWorkflow(parts: WorkflowParts): PlannedWorkflow {
  const { linked, name, schemas, planned } = parts;
  const { workflow, file } = linked;
  const inputs = inputList(parts);
  const known = new Map<string, readonly PlannedOutput[]>();
  const base: TypeContext = {
    schemas,
    inputs: new Map(inputs.map((one) => [one.name, one.type])),
    steps: known,
    workflows: new Map(),
  };
  const steps = linked.steps.map((step) => {
    const made = planStep(step, parts, base);
    known.set(step.id, made.outputs);
    return made;
  });
  const own = workflow.outputs.map((output) => planOutput(output, base));
  const led = steps.flatMap(({ onSuccess, onFailure }) =>
    [...onSuccess, ...onFailure].flatMap(({ action, calls }) =>
      action.type === "goto" && calls ? calls.outputs : [],
    ),
  );
  return {
    id: workflow.id,
    key: parts.key,
    source: file.name,
    name,
    identifier: identifierOf(name, () => false),
    summary: summaryOf(linked),
    inputs,
    steps,
    outputs: merged([...own, ...led]),
    ownOutputs: own.map((output) => output.name),
    before: linked.before.flatMap((one) => planned.get(one) ?? []),
    constants: {
      self: file.self ?? "",
      sources: Object.fromEntries(
        file.sources.map(({ name: source, url, type }) => [source, { name: source, url, type }]),
      ),
    },
  };
}

function inputList({
  linked,
  inputs,
  declared,
  schemas,
}: WorkflowParts): PlannedWorkflow["inputs"] {
  const view = inputs && objectView(schemas, inputs);
  const own = declared && objectView(schemas, declared)?.properties;
  if (!view)
    return linked.workflow.inputNames.length === 0 && linked.undeclared.length === 0
      ? []
      : linked.workflow.inputNames.map((name) => ({
          name,
          type: {},
          required: false,
          description: "",
          defaults: {},
        }));
  return [...view.properties].map(([name, type]) => {
    const description = oneLine(
      String(type.description ?? resolve(schemas, type).description ?? ""),
    );
    return {
      name,
      type,
      required: view.required.has(name),
      description,
      defaults: Object.fromEntries(defaultsIn(own?.get(name) ?? type, schemas, "", 0)),
    };
  });
}

/** Deeper defaults are nobody's. */
const deepest = 4;

function defaultsIn(
  schema: JsonSchema,
  schemas: Schemas,
  pointer: string,
  depth: number,
): readonly (readonly [string, JsonValue])[] {
  const target = resolve(schemas, schema);
  const own = (schema.default ?? target.default) as JsonValue | undefined;
  const inner =
    depth >= deepest
      ? []
      : Object.entries(target.properties ?? {}).flatMap(([name, part]) =>
          typeof part === "boolean"
            ? []
            : defaultsIn(part, schemas, `${pointer}/${escapeToken(name)}`, depth + 1),
        );
  return own === undefined || own === null ? inner : [[pointer, own], ...inner];
}

function summaryOf({ workflow }: LinkedWorkflow): string {
  const [first] = splitSentence(flatten(workflow.summary ?? workflow.description ?? ""));
  return cleanText(ended(first === "" ? `The workflow ${workflow.id}` : first));
}

/**
 * A result may be that of the workflow itself or of one that it leads to; fields with one name may
 * be either.
 */
function merged(outputs: readonly PlannedOutput[]): readonly PlannedOutput[] {
  const found = new Map<string, PlannedOutput>();
  for (const output of outputs) {
    const known = found.get(output.name);
    found.set(
      output.name,
      known && JSON.stringify(known.type) !== JSON.stringify(output.type)
        ? { ...known, type: { anyOf: [known.type, output.type] } }
        : (known ?? output),
    );
  }
  return [...found.values()];
}

const planOutput = ({ name, value }: Output, c: TypeContext): PlannedOutput => ({
  name,
  value,
  type: schemaOfValue(value, c),
});

function planStep(step: LinkedStep, parts: WorkflowParts, base: TypeContext): PlannedStep {
  const { planned, findings } = parts;
  const calls = step.call.kind === "workflow" ? planned.get(step.call.workflow) : undefined;
  const c: TypeContext = { ...base, step, ...(calls && { calls }) };
  const bound = requestOf(step, parts);
  const actions = (list: readonly LinkedAction[]): readonly PlannedAction[] =>
    list.map((action) => {
      const led =
        action.leadsTo?.kind === "workflow" ? planned.get(action.leadsTo.workflow) : undefined;
      return led
        ? {
            action: {
              ...action,
              arguments: givenTo(led, action.arguments, action.place, findings),
            },
            calls: led,
          }
        : { action };
    });
  return {
    step,
    ...bound,
    ...(calls && { calls }),
    outputs: step.outputs.map((output) => planOutput(output, c)),
    onSuccess: actions(step.onSuccess),
    onFailure: actions(step.onFailure),
  };
}

function requestOf(
  step: LinkedStep,
  { contexts, planned, toolOf, findings }: WorkflowParts,
): Pick<PlannedStep, "definition" | "input" | "api" | "credentials"> {
  const expects = (step.criteria ?? []).map(textOf);
  const title = titleOfStep(step);
  const base: StepDefinition = {
    id: step.id,
    ...(title !== step.id && { title }),
    calls: callOf(step),
    ...(expects.length > 0 && { expects }),
    ...(step.timeoutMs !== undefined && { timeoutMs: step.timeoutMs }),
    ...(step.onFailure.some(({ type }) => type === "retry") && { retriesItself: true as const }),
    ...(wantsRedirect(step) && { keepRedirects: true as const }),
  };
  if (step.call.kind === "workflow") {
    const callee = planned.get(step.call.workflow);
    return {
      definition: base,
      input: (callee ? givenTo(callee, step.arguments, step.place, findings) : []).map(
        ({ name, value }) => [name, value] as const,
      ),
    };
  }
  const { api, operation } = step.call;
  const context = contexts.get(api) as StepContext & { readonly other?: PlannedApi };
  const bound = bindStep(step, operation, context);
  const { send, input } = bound;
  const tool = context.other ? undefined : toolOf(operation);
  const needs = needsOf(bound);
  const credentials = (
    send.security ??
    context.other?.definition.security ??
    context.security.common ??
    []
  ).some((one) => Object.keys(one).length > 0);
  return {
    definition: {
      ...base,
      ...(tool !== undefined && { tool }),
      ...(Object.keys(needs).length > 0 && { needs }),
      send,
    },
    input,
    ...(context.other && { api: context.other.name }),
    ...(credentials && { credentials: JSON.stringify([context.other?.name, send.security]) }),
  };
}

/**
 * What another workflow is given: parameters that it knows. One that it does not know, or needs and
 * does not get, is reported.
 */
function givenTo(
  callee: PlannedWorkflow,
  given: readonly Argument[],
  place: Place,
  findings: Findings,
): readonly Argument[] {
  const names = callee.inputs.map(({ name }) => name);
  for (const { name, inherited, place: at } of given) {
    if (!inherited && !names.includes(name))
      findings.add(
        "workflow-parameter",
        `The workflow ${quoteText(callee.id)} has no input ${quoteText(name)}${didYouMean(name, names) || "."} It is left out.`,
        at,
        names.length > 0 ? `Its inputs: ${names.join(", ")}.` : "It has none.",
      );
  }
  const missing = callee.inputs.filter(
    ({ name, required, defaults }) =>
      required && !Object.hasOwn(defaults, "") && !given.some((one) => one.name === name),
  );
  for (const { name } of missing)
    findings.add(
      "workflow-parameter",
      `The workflow ${quoteText(callee.id)} needs the input ${quoteText(name)}, which it does not get here.`,
      place,
      "Add it to the parameters.",
    );
  // Those of the step stand before those of the workflow around it, which may have one name at two
  // places.
  return given.filter(
    ({ name }, i) => names.includes(name) && given.findIndex((one) => one.name === name) === i,
  );
}

function textOf(criterion: Criterion): string {
  return oneLine(
    criterion.kind === "simple" ? criterion.text : `${criterion.kind} ${criterion.text}`,
  );
}

/** A criterion about a status of 3xx says that the redirect itself is of interest. */
function wantsRedirect({ criteria = [], onSuccess, onFailure }: LinkedStep): boolean {
  const all = [...criteria, ...[...onSuccess, ...onFailure].flatMap((action) => action.criteria)];
  return all.some(
    ({ kind, text }) => kind === "simple" && /\$statusCode\s*(?:==|>=|>|<|<=)\s*3\d\d\b/.test(text),
  );
}
