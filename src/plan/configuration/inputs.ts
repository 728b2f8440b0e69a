import type { InputConfig, ParameterConfig } from "../../configuration/types.js";
import { type SourceLocation, suggestionFor } from "../../diagnostics/index.js";
import { quoteText, sanitizeText } from "../../diagnostics/text.js";
import {
  type BoundParameter,
  boundParameters,
  changeInput,
  replaceSources,
  sourceInput,
} from "../bound-parameters.js";
import { MAX_DESCRIPTION_LENGTH } from "../descriptions/print.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { Schemas } from "../schemas/refs.js";
import { describeAcceptedValues, estimateSize, matchesSchema } from "../schemas/values.js";
import { toSentence, truncateText } from "../text/sentences.js";
import type { PlannedInput, PlannedTool } from "../types.js";
import { applyValue, type ValueContext } from "./parameter-values.js";
import type { References, Rule } from "./rules.js";
import { type LocationOf, renameInput } from "./input-changes.js";

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
  { config, locationOf }: Rule,
  context: InputRuleContext,
): PlannedTool {
  const targets = Object.entries(config.inputs ?? {}).map(([key, input]) => ({
    key,
    input,
    target: findInput(tool, key, locationOf("inputs", key), context.diagnostics),
  }));
  return targets.reduce(
    (current, { key, input, target }) =>
      target
        ? applyInput(
            current,
            key,
            input,
            target,
            (path) => locationOf("inputs", key, ...(path === "" ? [] : [path])),
            context,
          )
        : current,
    tool,
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
  if (value) return applyValue(tool, value, target.matches, key, locationOf(""), context);
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
  const updated = applyRequired(
    applyDefault(described, planned, rule, locationOf, context),
    input,
    rule,
    locationOf,
    context,
  );
  return rule.name === undefined || rule.name === input
    ? updated
    : renameInput(updated, input, rule.name, locationOf, context);
}

function valueOf({ fixed, env, hide }: InputConfig): ParameterConfig | undefined {
  if (fixed !== undefined) return { fixed };
  return env !== undefined ? { env } : hide === true ? { hide } : undefined;
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

function applyRequired(
  tool: PlannedTool,
  name: string,
  { required, default: value }: InputConfig,
  locationOf: LocationOf,
  { diagnostics }: InputRuleContext,
): PlannedTool {
  if (required === undefined) return tool;
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

/** Target of a rule: an input, or values that are sent without one. */
interface InputTarget {
  readonly input: string | undefined;
  readonly matches: (parameter: BoundParameter) => boolean;
}

/**
 * Finds an input by its name, else by its name in the request. Anything else is an error with the
 * nearest name.
 */
export function findInput(
  tool: PlannedTool,
  key: string,
  location: SourceLocation,
  diagnostics: DiagnosticCollector,
): InputTarget | undefined {
  if (tool.inputs.some((input) => input.name === key))
    return { input: key, matches: ({ source }) => sourceInput(source) === key };
  const parameters = boundParameters(tool);
  const renamed = parameters.filter((parameter) => hasWireName(parameter, key));
  const inputs = [...new Set(renamed.map(({ source }) => sourceInput(source)))];
  const [input] = inputs;
  if (inputs.length === 1)
    return {
      input,
      matches:
        input === undefined
          ? (parameter) => hasWireName(parameter, key)
          : ({ source }) => sourceInput(source) === input,
    };
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
    known.size > 0 ? `Its inputs: ${[...known].slice(0, 20).join(", ")}.` : "It has no inputs.",
  );
  return undefined;
}

/** Names of headers compare without case (RFC 9110, section 5.1). */
function hasWireName({ location, wireName }: BoundParameter, name: string): boolean {
  return (
    wireName === name || (location === "header" && wireName?.toLowerCase() === name.toLowerCase())
  );
}
