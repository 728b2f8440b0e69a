import type { InputConfig } from "../../configuration/types.js";
import { type SourceLocation, suggestionFor } from "../../diagnostics/index.js";
import { quoteText, sanitizeText } from "../../diagnostics/text.js";
import {
  type BoundParameter,
  boundParameters,
  changeInput,
  removeInput,
  replaceSources,
  sourceInput,
} from "../bound-parameters.js";
import { MAX_DESCRIPTION_LENGTH } from "../descriptions/print.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { isFieldPath } from "../schemas/field-path.js";
import { isSecretName } from "../secret-names.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import { describeAcceptedValues, estimateSize, matchesSchema } from "../schemas/values.js";
import { toSentence, truncateText } from "../text/sentences.js";
import type { PlannedInput, PlannedTool } from "../types.js";
import { applyValue, type ValueContext } from "./parameter-values.js";
import type { References, Rule } from "./rules.js";
import { applyEnvDefault, inputsThatSend } from "./env-defaults.js";
import { applyInnerValue, hasInnerField, innerPaths, type InnerValue } from "./inner-fields.js";
import { isChoice, type LocationOf, rejectSelectingInput, renameInput } from "./input-changes.js";
import { ASKED_INPUT } from "../../runtime/approvals/asked-inputs.js";
import { inputRules, keptInputs } from "./input-rules.js";

interface InputRuleContext extends ValueContext {
  readonly schemas: Schemas;
  readonly references: References;
}

/**
 * Applies the part of a rule about inputs. Each input is found by its inferred name or its name in
 * the request.
 */
export function applyInputs(
  tool: PlannedTool,
  { config, locationOf, isPartial }: Rule,
  context: InputRuleContext,
): PlannedTool {
  const targets = inputRules(config).map(([key, input]) => {
    const isInner = isFieldPath(key) && isUnknown(findTarget(tool, key));
    const location = locationOf("inputs", key);
    return {
      key,
      input,
      isInner,
      target: isInner ? undefined : findInput(tool, key, location, context.diagnostics),
    };
  });
  const configured = targets.reduce((current, { key, input, target, isInner }) => {
    const at: LocationOf = (path) => locationOf("inputs", key, ...(path === "" ? [] : [path]));
    if (isInner) return applyInnerRule(current, key, input, at, context);
    return target ? applyInput(current, key, input, target, at, context) : current;
  }, tool);
  const only = keptInputs(config);
  if (only && isPartial) reportPartial(tool, locationOf("inputs", "only"), context.diagnostics);
  return only && !isPartial
    ? keepInputs(configured, only, { tool, targets, locationOf }, context)
    : configured;
}

/** Reports `only` of one operation of a merged tool. */
function reportPartial(
  { definition }: PlannedTool,
  location: SourceLocation,
  diagnostics: DiagnosticCollector,
): void {
  diagnostics.add(
    "config-no-effect",
    `\`only\` is not used, because the operation is merged into ${definition.name}.`,
    location,
    `Set it for ${definition.name} in mcp-gen.yaml.`,
  );
}

/** Applies a rule for a field inside an input. */
function applyInnerRule(
  tool: PlannedTool,
  key: string,
  rule: InputConfig,
  locationOf: LocationOf,
  context: InputRuleContext,
): PlannedTool {
  const { diagnostics, schemas } = context;
  if (!hasInnerField(tool, key, schemas)) {
    const known = [...tool.inputs.map(({ name }) => name), ...innerPaths(tool, schemas)];
    diagnostics.add(
      "config-unknown-input",
      `${quoteText(key)} is not a field of an input of ${tool.definition.name}` +
        (suggestionFor(key, known) || "."),
      locationOf(""),
      known.length > 0 ? `Its inputs and their fields: ${listNames(known)}.` : undefined,
    );
    return tool;
  }
  const value = valueOf(rule);
  if (value) {
    reportUnusedKeys(key, rule, value, locationOf, diagnostics);
    return applyInnerValue(tool, key, value, locationOf(""), context) ?? tool;
  }
  diagnostics.add(
    "config-unknown-input",
    `${quoteText(key)} is a field inside an input of ${tool.definition.name}.`,
    locationOf(""),
    "Only fixed, env without override, and hide apply to it.",
  );
  return tool;
}

/** The rules before `only`, with the inputs that they are about. */
interface KeptContext {
  /** The tool before its rules. */
  readonly tool: PlannedTool;
  readonly targets: readonly {
    readonly key: string;
    readonly input: InputConfig;
    readonly target: InputTarget | undefined;
  }[];
  readonly locationOf: Rule["locationOf"];
}

/** Applies `only`: removes all inputs but those of the list. */
function keepInputs(
  configured: PlannedTool,
  only: readonly string[],
  { tool, targets, locationOf }: KeptContext,
  context: InputRuleContext,
): PlannedTool {
  const kept = new Set(
    only.flatMap((key, i) =>
      ADDED_INPUTS.has(key) && !tool.inputs.some(({ name }) => name === key)
        ? []
        : [findKept(tool, key, locationOf("inputs", "only", i), context.diagnostics)],
    ),
  );
  if (kept.has(undefined)) return configured;
  for (const { key, input, target } of targets)
    if (target?.input !== undefined && !kept.has(target.input) && !valueOf(input))
      reportNotKept(key, locationOf("inputs", key), context.diagnostics);
  const fileNames = fileNameInputs(tool);
  const removed = tool.inputs.filter(
    ({ name }) => !kept.has(name) && !kept.has(fileNames.get(name)),
  );
  const location = locationOf("inputs", "only");
  return removed.reduce(
    (current, { name }) =>
      withoutUnlisted(fromVariableOnly(current, name), name, location, context),
    { ...configured, ...withoutAddedInputs(only) },
  );
}

/** Removes an input that `only` does not list. */
function withoutUnlisted(
  tool: PlannedTool,
  name: string,
  location: SourceLocation,
  context: InputRuleContext,
): PlannedTool {
  if (isChoice(tool, name))
    return rejectSelectingInput(tool, name, "Leave it to the call", location, context.diagnostics);
  const matches = ({ source }: BoundParameter): boolean => sourceInput(source) === name;
  return boundParameters(tool).some(matches)
    ? applyValue(tool, { hide: true }, matches, name, location, context)
    : removeInput(tool, name);
}

/** A tool whose input with a default of the environment has only that value. */
function fromVariableOnly(tool: PlannedTool, name: string): PlannedTool {
  return replaceSources(tool, ({ source }) => {
    if (typeof source === "string" || !("from" in source) || source.from !== name) return source;
    const { from: _from, default: _default, defaultEnv: env, ...style } = source;
    return env === undefined ? source : { env, ...style };
  });
}

/** Inputs that tools get after their rules are applied. */
const ADDED_INPUTS = new Set(["include", "fields", "countOnly"]);

/** Prevents the inputs that `only` does not list, unless another key of the rule asks for them. */
const withoutAddedInputs = (only: readonly string[]): Partial<PlannedTool> => ({
  ...(!only.includes("include") && { includeLists: false }),
  ...(!only.includes("countOnly") && { countOnly: false }),
  ...(!only.includes("fields") && { fields: false }),
});

/** The input that an entry of `only` names. */
function findKept(
  tool: PlannedTool,
  key: string,
  location: SourceLocation,
  diagnostics: DiagnosticCollector,
): string | undefined {
  const target = findInput(tool, key, location, diagnostics);
  if (target && target.input === undefined)
    diagnostics.add(
      "config-unknown-input",
      `${quoteText(key)} is not an input of ${tool.definition.name}, because the server sets its value.`,
      location,
      "Remove it from only.",
    );
  return target?.input;
}

function reportNotKept(
  key: string,
  location: SourceLocation,
  diagnostics: DiagnosticCollector,
): void {
  diagnostics.add(
    "config-unknown-input",
    `The rule of ${quoteText(key)} has no effect, because only does not list this input.`,
    location,
    "Add it to only, or remove the rule.",
  );
}

function fileNameInputs({ definition }: PlannedTool): ReadonlyMap<string, string | undefined> {
  return new Map(
    definition.operations.flatMap(({ request: { body } }) =>
      Object.entries(body?.encoding ?? {}).flatMap(([field, { filenameInput }]) => {
        const source = body?.fields?.[field];
        return filenameInput === undefined
          ? []
          : [[filenameInput, source && sourceInput(source)] as const];
      }),
    ),
  );
}

function applyInput(
  tool: PlannedTool,
  key: string,
  rule: InputConfig,
  target: InputTarget,
  locationOf: LocationOf,
  context: InputRuleContext,
): PlannedTool {
  const value = valueOf(rule);
  const isChosen = target.input !== undefined && isChoice(tool, target.input);
  if (isChosen && (value ?? rule.env ?? rule.default) !== undefined)
    return rejectSelectingInput(
      tool,
      target.input,
      "Leave it to the call",
      locationOf(""),
      context.diagnostics,
    );
  if (value) {
    reportUnusedKeys(key, rule, value, locationOf, context.diagnostics);
    return applyValue(tool, value, target.matches, key, locationOf(""), context);
  }
  const { env } = rule;
  if (env !== undefined && inputsThatSend(tool, target.matches).length > 0) {
    const { env: _env, override: _override, ...rest } = rule;
    const location = locationOf("env");
    const defaulted = applyEnvDefault(tool, env, target.matches, key, location, context);
    return applyInput(defaulted, key, rest, target, locationOf, context);
  }
  const { input } = target;
  const planned = tool.inputs.find(({ name }) => name === input);
  if (input === undefined || !planned) {
    context.diagnostics.add(
      "config-unknown-input",
      `${quoteText(key)} is not an input of ${tool.definition.name}, because the server sets its value.`,
      locationOf(""),
      "Only fixed, env and hide apply to it.",
    );
    return tool;
  }
  const described = applyDescriptionAndExamples(tool, planned, rule, locationOf, context);
  const required = applyRequired(
    applyDefault(described, planned, rule, locationOf, context),
    planned,
    rule,
    locationOf,
    context,
  );
  const updated = rule.ask
    ? applyAsk(required, planned, rule.name ?? input, locationOf("ask"), context)
    : required;
  if (rule.name === input) reportSameName(input, locationOf("name"), context.diagnostics);
  return rule.name === undefined || rule.name === input
    ? updated
    : renameInput(updated, input, rule.name, locationOf, context);
}

function valueOf({ fixed, env, hide, override }: InputConfig): InnerValue | undefined {
  if (fixed !== undefined) return { fixed };
  return env !== undefined && !override ? { env } : hide === true ? { hide } : undefined;
}

/** Reports the keys beside a value of the server, which leaves nothing to a call. */
function reportUnusedKeys(
  key: string,
  rule: InputConfig,
  value: InnerValue,
  locationOf: LocationOf,
  diagnostics: DiagnosticCollector,
): void {
  const [used = ""] = Object.keys(value);
  const keys = Object.keys(rule) as (keyof InputConfig)[];
  const unused = keys.filter((name) => name !== used);
  if (unused.length === 0) return;
  diagnostics.add(
    "config-no-effect",
    `${unused.map((name) => `\`${name}\``).join(", ")} of ${quoteText(key)} ` +
      `${unused.length === 1 ? "changes" : "change"} nothing beside \`${used}\`.`,
    locationOf(unused[0] ?? ""),
    used === "env"
      ? "Remove it, or add override: true, with which a call may give another value."
      : `Remove it, or remove \`${used}\`.`,
  );
}

function applyDescriptionAndExamples(
  tool: PlannedTool,
  { name, type }: PlannedInput,
  rule: InputConfig,
  locationOf: LocationOf,
  { schemas, references, diagnostics }: InputRuleContext,
): PlannedTool {
  const { examples } = rule;
  const invalid = examples?.findIndex((example) => !matchesSchema(example, type, schemas)) ?? -1;
  if (invalid >= 0)
    diagnostics.add(
      "config-incompatible-value",
      `Example ${invalid + 1} of ${quoteText(name)} does not satisfy the schema of the input, ` +
        `which takes ${describeAcceptedValues(type, schemas)}.`,
      locationOf("examples"),
      "Correct it.",
    );
  const description =
    rule.description === undefined
      ? undefined
      : truncateText(
          toSentence(
            sanitizeText(references.resolve(rule.description, locationOf("description"))).trim(),
          ),
          MAX_DESCRIPTION_LENGTH,
          false,
        );
  return changeInput(tool, name, (input, schema) => ({
    input: description === undefined ? input : { ...input, description },
    schema: {
      ...schema,
      ...(description !== undefined && { description }),
      ...(examples && invalid < 0 && { examples }),
    },
  }));
}

/** Applies a default, which is sent even if the API has one. */
function applyDefault(
  tool: PlannedTool,
  { name, type }: PlannedInput,
  { default: value, description }: InputConfig,
  locationOf: LocationOf,
  { schemas, diagnostics }: InputRuleContext,
): PlannedTool {
  if (value === undefined) return tool;
  if (!matchesSchema(value, type, schemas)) {
    diagnostics.add(
      "config-incompatible-value",
      `The default of ${quoteText(name)} does not satisfy the schema of the input, ` +
        `which takes ${describeAcceptedValues(type, schemas)}.`,
      locationOf("default"),
      "Correct it.",
    );
    return tool;
  }
  const rewired = replaceSources(
    tool,
    ({ source }) =>
      (sourceInput(source) === name
        ? { ...(typeof source === "string" ? { from: source } : source), default: value }
        : source) as typeof source,
  );
  const defaultText =
    estimateSize(value) <= 80 && typeof value !== "object" ? ` Default: ${String(value)}.` : "";
  const words = (text: string): string =>
    description === undefined
      ? `${toSentence(text.replace(/ ?Default: [^ ]+\.(?= |$)/, ""))}${defaultText}`
      : text;
  return changeInput(rewired, name, (input, schema) => ({
    input: { ...input, required: false, description: words(input.description) },
    schema: { ...schema, default: value, description: words(input.description) },
  }));
}

/** A name that mcp-gen infers anyway stays the same with later versions of the document. */
function reportSameName(
  input: string,
  location: SourceLocation,
  diagnostics: DiagnosticCollector,
): void {
  diagnostics.add("config-restates", `${quoteText(input)} has this name anyway.`, location);
}

function applyRequired(
  tool: PlannedTool,
  { name, required: isRequired }: PlannedInput,
  { required, default: value }: InputConfig,
  locationOf: LocationOf,
  { diagnostics }: InputRuleContext,
): PlannedTool {
  if (required === undefined) return tool;
  if (required && value !== undefined)
    diagnostics.add(
      "config-no-effect",
      `\`default\` of ${quoteText(name)} changes nothing beside \`required\`: every call gives a value.`,
      locationOf("default"),
      "Remove one of the two.",
    );
  if (required === isRequired && value === undefined)
    diagnostics.add(
      "config-restates",
      `${quoteText(name)} is ${required ? "required" : "optional"} anyway.`,
      locationOf("required"),
    );
  const isInPath = tool.definition.operations.some(
    ({ request, whenProvided }) =>
      whenProvided.length === 0 &&
      Object.values(request.pathParams ?? {}).some(
        (source) => sourceInput(source) === name && typeof source === "string",
      ),
  );
  if (!required && isInPath && value === undefined) {
    diagnostics.add(
      "config-incompatible-value",
      `${quoteText(name)} is a part of the path and always required.`,
      locationOf("required"),
      "Give it a default, or leave it required.",
    );
    return tool;
  }
  return changeInput(tool, name, (input, schema) => ({ input: { ...input, required }, schema }));
}

/** Lets the user be asked for a value, so that a model need not invent it. */
function applyAsk(
  tool: PlannedTool,
  { name, type }: PlannedInput,
  newName: string,
  location: SourceLocation,
  { diagnostics, schemas }: InputRuleContext,
): PlannedTool {
  const isFlat = isFlatSchema(resolveSchema(schemas, type));
  if (!isFlat || isSecretName(name) || isSecretName(newName)) {
    diagnostics.add(
      "config-incompatible-value",
      `The user cannot be asked for ${quoteText(name)}: ` +
        (isFlat ? "forms must not ask for secrets." : "forms take texts, numbers and switches."),
      location,
      isFlat ? "Set it with env." : undefined,
    );
    return tool;
  }
  const { definition } = tool;
  const asked = {
    ...tool,
    definition: { ...definition, asks: [...(definition.asks ?? []), name] },
  };
  return changeInput(asked, name, (input, schema) => {
    const description = [input.description, ASKED_INPUT].filter(Boolean).join(" ");
    return {
      input: { ...input, required: false, description },
      schema: { ...schema, description },
    };
  });
}

function isFlatSchema(schema: ReturnType<typeof resolveSchema>): boolean {
  const types = typeof schema === "object" ? [schema.type].flat() : [];
  const known = types.filter((type) => type !== "null");
  return (
    known.length === 1 && ["string", "number", "integer", "boolean"].includes(String(known[0]))
  );
}

/** Target of a rule: an input, or values that are sent without one. */
interface InputTarget {
  readonly input: string | undefined;
  readonly matches: (parameter: BoundParameter) => boolean;
}

/** Finds an input by its name, else by its name in the request. */
function findTarget(tool: PlannedTool, key: string): InputTarget | { readonly inputs: InputList } {
  if (tool.inputs.some((input) => input.name === key))
    return { input: key, matches: ({ source }) => sourceInput(source) === key };
  const renamed = boundParameters(tool).filter((parameter) => hasWireName(parameter, key));
  const inputs = [...new Set(renamed.map(({ source }) => sourceInput(source)))];
  const [input] = inputs;
  if (inputs.length !== 1) return { inputs };
  return {
    input,
    matches:
      input === undefined
        ? (parameter) => hasWireName(parameter, key)
        : ({ source }) => sourceInput(source) === input,
  };
}

/** Inputs with a name in requests; `undefined` for a value that the server sets. */
type InputList = readonly (string | undefined)[];

const isUnknown = (target: ReturnType<typeof findTarget>): boolean =>
  "inputs" in target && target.inputs.length === 0;

/** Finds the input of a rule. Anything else is an error with the nearest name. */
export function findInput(
  tool: PlannedTool,
  key: string,
  location: SourceLocation,
  diagnostics: DiagnosticCollector,
): InputTarget | undefined {
  const target = findTarget(tool, key);
  if (!("inputs" in target)) return target;
  const { inputs } = target;
  const parameters = boundParameters(tool);
  const known = new Set([
    ...tool.inputs.map(({ name }) => name),
    ...parameters.flatMap(({ wireName }) => wireName ?? []),
  ]);
  const { name: toolName } = tool.definition;
  const candidates = inputs.filter((candidate) => candidate !== undefined).join(", ");
  const problem =
    inputs.length > 1
      ? `is sent by several inputs of ${toolName}: ${candidates}. Name one of these`
      : `is not an input of ${toolName}${suggestionFor(key, known)}`;
  diagnostics.add(
    "config-unknown-input",
    `${quoteText(key)} ${problem}${problem.endsWith("?") ? "" : "."}`,
    location,
    known.size > 0 ? `Its inputs: ${listNames([...known])}.` : "It has no inputs.",
  );
  return undefined;
}

/** Maximum number of names that a hint lists. */
const MAX_LISTED = 20;

/** Names of a hint, with the number of those that it leaves out. */
function listNames(names: readonly string[]): string {
  const more = names.length - MAX_LISTED;
  const listed = names.slice(0, MAX_LISTED).join(", ");
  return more > 0 ? `${listed} and ${more} more` : listed;
}

/** Names of headers compare without case (RFC 9110, section 5.1). */
function hasWireName({ location, wireName }: BoundParameter, name: string): boolean {
  return (
    wireName === name || (location === "header" && wireName?.toLowerCase() === name.toLowerCase())
  );
}
