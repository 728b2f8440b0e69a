import { sanitizeText, toSingleLine, quoteText } from "../../diagnostics/text.js";
import { suggestionFor, type SourceLocation } from "../../diagnostics/index.js";
import { type JsonSchema, type JsonValue, omitUndefined } from "../../json.js";
import type { Operation } from "../../model/types.js";
import type { StepDefinition } from "../../runtime/workflow/steps.js";
import type {
  SourceApi,
  Argument,
  Criterion,
  LinkedAction,
  LinkedStep,
  LinkedWorkflow,
  Output,
} from "../../workflow/index.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { toIdentifier } from "../names/format-name.js";
import { flattenObject } from "../schemas/flat-object.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import { flattenMarkdown } from "../text/markdown.js";
import { splitSentence, toSentence } from "../text/sentences.js";
import type { PlannedAction, PlannedStep, PlannedWorkflow, WorkflowOutput } from "../types.js";
import { stepCall, stepTitle } from "./workflow-tool.js";
import type { PlannedApi } from "./other-apis.js";
import { bindStep, requiredOutputs } from "./step-request.js";
import type { StepContext } from "./step-context.js";
import { type TypeContext, valueSchema } from "./value-schema.js";
import { escapePointerToken } from "../../json-pointer.js";

/** Context in which a workflow is planned. */
interface WorkflowParts {
  readonly linked: LinkedWorkflow;
  /** Name of its module. */
  readonly name: string;
  readonly key: string;
  /** Schema of its inputs, with inferred keywords. */
  readonly inputs: JsonSchema | undefined;
  /** Schema of its inputs as the author wrote it. Defaults come from here alone. */
  readonly declared: JsonSchema | undefined;
  /** Workflows that it may call. */
  readonly planned: ReadonlyMap<LinkedWorkflow, PlannedWorkflow>;
  readonly contexts: ReadonlyMap<SourceApi, StepContext & { readonly other?: PlannedApi }>;
  readonly schemas: Schemas;
  readonly toolOf: (operation: Operation) => string | undefined;
  readonly diagnostics: DiagnosticCollector;
}

/** Plans the function of a workflow: requests, values and outputs of its steps. */
export function planWorkflow(parts: WorkflowParts): PlannedWorkflow {
  const { linked, name, schemas, planned } = parts;
  const { workflow, file } = linked;
  const inputs = workflowInputs(parts);
  const outputsByStep = new Map<string, readonly WorkflowOutput[]>();
  const base: TypeContext = {
    schemas,
    inputs: new Map(inputs.map((input) => [input.name, input.type])),
    steps: outputsByStep,
    workflows: new Map(),
  };
  const steps = linked.steps.map((step) => {
    const plannedStep = planStep(step, parts, base);
    outputsByStep.set(step.id, plannedStep.outputs);
    return plannedStep;
  });
  const ownOutputs = workflow.outputs.map((output) => planOutput(output, base));
  const continuedOutputs = steps.flatMap(({ onSuccess, onFailure }) =>
    [...onSuccess, ...onFailure].flatMap(({ action, calledWorkflow }) =>
      action.type === "goto" && calledWorkflow ? calledWorkflow.outputs : [],
    ),
  );
  return {
    id: workflow.id,
    stateKey: parts.key,
    source: file.name,
    name,
    identifier: toIdentifier(name, () => false),
    summary: workflowSummary(linked),
    inputs,
    steps,
    outputs: mergeOutputs([...ownOutputs, ...continuedOutputs]),
    ownOutputNames: ownOutputs.map((output) => output.name),
    prerequisites: linked.prerequisites.flatMap((prerequisite) => planned.get(prerequisite) ?? []),
    constants: {
      self: file.self ?? "",
      sources: Object.fromEntries(
        file.sources.map(({ name: source, url, type }) => [source, { name: source, url, type }]),
      ),
    },
  };
}

function workflowInputs({
  linked,
  inputs,
  declared,
  schemas,
}: WorkflowParts): PlannedWorkflow["inputs"] {
  const view = inputs && flattenObject(schemas, inputs);
  const declaredProperties = declared && flattenObject(schemas, declared)?.properties;
  if (!view)
    return linked.workflow.inputNames.length === 0 && linked.undeclaredInputs.length === 0
      ? []
      : linked.workflow.inputNames.map((name) => ({
          name,
          type: {},
          required: false,
          description: "",
          defaults: {},
        }));
  return [...view.properties].map(([name, type]) => {
    const description = toSingleLine(
      String(type.description ?? resolveSchema(schemas, type).description ?? ""),
    );
    return {
      name,
      type,
      required: view.required.has(name),
      description,
      defaults: Object.fromEntries(
        nestedDefaults(declaredProperties?.get(name) ?? type, schemas, "", 0),
      ),
    };
  });
}

/** Maximum nesting of defaults. */
const MAX_DEFAULT_DEPTH = 4;

function nestedDefaults(
  schema: JsonSchema,
  schemas: Schemas,
  pointer: string,
  depth: number,
): readonly (readonly [string, JsonValue])[] {
  const target = resolveSchema(schemas, schema);
  const value = (schema.default ?? target.default) as JsonValue | undefined;
  const inner =
    depth >= MAX_DEFAULT_DEPTH
      ? []
      : Object.entries(target.properties ?? {}).flatMap(([name, part]) =>
          typeof part === "boolean"
            ? []
            : nestedDefaults(part, schemas, `${pointer}/${escapePointerToken(name)}`, depth + 1),
        );
  return value === undefined || value === null ? inner : [[pointer, value], ...inner];
}

function workflowSummary({ workflow }: LinkedWorkflow): string {
  const [first] = splitSentence(flattenMarkdown(workflow.summary ?? workflow.description ?? ""));
  return sanitizeText(toSentence(first === "" ? `The workflow ${workflow.id}` : first));
}

/**
 * Merges outputs of the workflow with those of workflows that it may continue with. Outputs of one
 * name may have either schema.
 */
function mergeOutputs(outputs: readonly WorkflowOutput[]): readonly WorkflowOutput[] {
  const found = new Map<string, WorkflowOutput>();
  for (const output of outputs) {
    const existing = found.get(output.name);
    found.set(
      output.name,
      existing && JSON.stringify(existing.type) !== JSON.stringify(output.type)
        ? { ...existing, type: { anyOf: [existing.type, output.type] } }
        : (existing ?? output),
    );
  }
  return [...found.values()];
}

const planOutput = ({ name, value }: Output, context: TypeContext): WorkflowOutput => ({
  name,
  value,
  type: valueSchema(value, context),
});

function planStep(step: LinkedStep, parts: WorkflowParts, base: TypeContext): PlannedStep {
  const { planned, diagnostics } = parts;
  const calls = step.call.kind === "workflow" ? planned.get(step.call.workflow) : undefined;
  const context: TypeContext = { ...base, step, ...(calls && { calls }) };
  const boundStep = planStepRequest(step, parts);
  const actions = (list: readonly LinkedAction[]): readonly PlannedAction[] =>
    list.map((action) => {
      const calledWorkflow =
        action.destination?.kind === "workflow"
          ? planned.get(action.destination.workflow)
          : undefined;
      return calledWorkflow
        ? {
            action: {
              ...action,
              arguments: calleeArguments(
                calledWorkflow,
                action.arguments,
                action.location,
                diagnostics,
              ),
            },
            calledWorkflow,
          }
        : { action };
    });
  return {
    step,
    ...boundStep,
    ...(calls && { calledWorkflow: calls }),
    outputs: step.outputs.map((output) => planOutput(output, context)),
    onSuccess: actions(step.onSuccess),
    onFailure: actions(step.onFailure),
  };
}

function planStepRequest(
  step: LinkedStep,
  { contexts, planned, toolOf, diagnostics }: WorkflowParts,
): Pick<PlannedStep, "definition" | "input" | "api" | "credentials"> {
  const definition = stepDefinition(step);
  if (step.call.kind === "workflow") {
    const callee = planned.get(step.call.workflow);
    const values = callee
      ? calleeArguments(callee, step.arguments, step.location, diagnostics)
      : [];
    return { definition, input: values.map(({ name, value }) => [name, value] as const) };
  }
  const { api, operation } = step.call;
  const context = contexts.get(api) as StepContext & { readonly other?: PlannedApi };
  const boundStep = bindStep(step, operation, context);
  const { send, input } = boundStep;
  const tool = context.other ? context.other.toolOf?.(operation) : toolOf(operation);
  const requiredInputs = requiredOutputs(boundStep);
  const security =
    send.security ??
    context.other?.definition.security ??
    context.security.defaultRequirement ??
    [];
  const needsCredentials = security.some((alternative) => Object.keys(alternative).length > 0);
  return {
    definition: {
      ...definition,
      ...(tool !== undefined && { tool }),
      ...(Object.keys(requiredInputs).length > 0 && { requiredInputs }),
      request: send,
    },
    input,
    ...(context.other && { api: context.other.name }),
    ...(needsCredentials && { credentials: JSON.stringify([context.other?.name, send.security]) }),
  };
}

/** Definition of a step without its request. */
function stepDefinition(step: LinkedStep): StepDefinition {
  const { id, timeoutMs } = step;
  const successCriteria = (step.criteria ?? []).map(criterionText);
  const title = stepTitle(step);
  const hasOwnRetries = step.onFailure.some(({ type }) => type === "retry");
  return omitUndefined({
    id,
    title: title === id ? undefined : title,
    target: stepCall(step),
    successCriteria: successCriteria.length > 0 ? successCriteria : undefined,
    timeoutMs,
    hasOwnRetries: hasOwnRetries ? true : undefined,
    keepRedirects: expectsRedirect(step) ? true : undefined,
  });
}

/** Arguments of a called workflow. Unknown and missing ones are reported. */
function calleeArguments(
  callee: PlannedWorkflow,
  provided: readonly Argument[],
  location: SourceLocation,
  diagnostics: DiagnosticCollector,
): readonly Argument[] {
  const names = callee.inputs.map(({ name }) => name);
  for (const { name, inherited, location } of provided) {
    if (!inherited && !names.includes(name))
      diagnostics.add(
        "workflow-parameter",
        `The workflow ${quoteText(callee.id)} has no input ${quoteText(name)}` +
          `${suggestionFor(name, names) || "."} It is left out.`,
        location,
        names.length > 0 ? `Its inputs: ${names.join(", ")}.` : "It has none.",
      );
  }
  const missing = callee.inputs.filter(
    ({ name, required, defaults }) =>
      required &&
      !Object.hasOwn(defaults, "") &&
      !provided.some((argument) => argument.name === name),
  );
  for (const { name } of missing)
    diagnostics.add(
      "workflow-parameter",
      `The workflow ${quoteText(callee.id)} needs the input ${quoteText(name)}, which is missing here.`,
      location,
      "Add it to the parameters.",
    );
  // Arguments of the step precede those of the enclosing workflow, which may have the same name.
  return provided.filter(
    ({ name }, i) =>
      names.includes(name) && provided.findIndex((argument) => argument.name === name) === i,
  );
}

function criterionText(criterion: Criterion): string {
  return toSingleLine(
    criterion.kind === "simple" ? criterion.text : `${criterion.kind} ${criterion.text}`,
  );
}

/** Tests whether a criterion about a 3xx status asks for the redirect itself. */
function expectsRedirect({ criteria = [], onSuccess, onFailure }: LinkedStep): boolean {
  const all = [...criteria, ...[...onSuccess, ...onFailure].flatMap((action) => action.criteria)];
  return all.some(
    ({ kind, text }) => kind === "simple" && /\$statusCode\s*(?:==|>=|>|<|<=)\s*3\d\d\b/.test(text),
  );
}
