import type { Configuration, ParameterConfig } from "../../configuration/types.js";
import { quoteText } from "../../diagnostics/text.js";
import { suggestionFor, type SourceLocation } from "../../diagnostics/index.js";
import type { ApiModel, Operation, Parameter } from "../../model/types.js";
import type {
  ConstantSource,
  InputSource,
  JsonValue,
  ParameterSource,
} from "../../runtime/types.js";
import {
  type BoundParameter,
  boundParameters,
  inputProperties,
  replaceSources,
  sourceInput,
} from "../bound-parameters.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { Environment } from "../server-names.js";
import type { InputCandidate, InputRole } from "../inputs/candidates.js";
import { bodyFieldNames } from "../inputs/inferred-roles.js";
import { isFieldPath, requiredFields, takesNoText } from "../schemas/field-path.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import { isSecretConstant, isSecretName } from "../secret-names.js";
import type { EnvironmentVariable, PlannedTool } from "../types.js";
import { keepSelectingInput, rejectSelectingInput, selectingInput } from "./input-changes.js";

/** Values of parameters for the whole API, from `parameters`. */
export interface ConfiguredParameters {
  /** Role of a parameter that the file names. Undefined for any other. */
  readonly roleOf: (candidate: InputCandidate) => InputRole | undefined;
  /** Environment variables with values. */
  readonly variables: readonly EnvironmentVariable[];
}

type ParameterRules = ReadonlyMap<
  string,
  { readonly name: string; readonly rule: ParameterConfig; readonly location: SourceLocation }
>;

/** True for a rule that leaves the value to callers. */
const staysInput = (rule: ParameterConfig): boolean =>
  ("hide" in rule && !rule.hide) || ("override" in rule && rule.override === true);

/**
 * Reads `parameters` by names on the wire. Names of headers compare without case. A name that no
 * operation has is an error. Paths to fields inside bodies are applied to tools.
 */
export function readParameters(
  { content, locationOf }: Pick<Configuration, "content" | "locationOf">,
  { operations, schemas }: Pick<ApiModel, "operations" | "schemas">,
  diagnostics: DiagnosticCollector,
): ConfiguredParameters {
  const rules: ParameterRules = new Map(
    Object.entries(content.parameters ?? {}).map(([name, rule]) => [
      name,
      { name, rule, location: locationOf(["parameters", name]) },
    ]),
  );
  const byHeader = new Map([...rules].map(([name, rule]) => [name.toLowerCase(), rule]));
  const isRequiredField = (name: string): boolean =>
    operations.some(({ body }) =>
      body?.contents.some(({ schema }) => schema && requiredFields(schema, schemas).includes(name)),
    );
  return {
    roleOf: (candidate) => {
      const isHeader = candidate.in === "header";
      const found = isHeader
        ? byHeader.get(candidate.wireName.toLowerCase())
        : rules.get(candidate.wireName);
      if (found && staysInput(found.rule)) return { kind: "input" };
      if (candidate.isWholeBody) return undefined;
      return found && roleFor(candidate, found.rule, found.location, { schemas, diagnostics });
    },
    variables: parameterVariables(rules, declaredParameters(operations), {
      fields: new Set(operations.flatMap((operation) => bodyFieldNames(operation, schemas))),
      isRequiredField,
      diagnostics,
    }),
  };
}

function parameterVariables(
  rules: ParameterRules,
  declared: ReadonlyMap<string, Parameter>,
  {
    fields,
    isRequiredField,
    diagnostics,
  }: {
    readonly fields: ReadonlySet<string>;
    readonly isRequiredField: (name: string) => boolean;
    readonly diagnostics: DiagnosticCollector;
  },
): readonly EnvironmentVariable[] {
  return [...rules.values()].flatMap(({ name, rule, location }) => {
    const parameter = declared.get(name) ?? declared.get(name.toLowerCase());
    if (!parameter && !fields.has(name)) {
      if (isFieldPath(name)) return [];
      const known = [...declared.keys(), ...fields];
      diagnostics.add(
        "config-unknown-parameter",
        `No operation has a parameter ${quoteText(name)}${suggestionFor(name, known) || "."}`,
        location,
        "Correct it, or remove it. Fields of bodies count, too; one inside another has a path: " +
          "metadata.namespace.",
      );
      return [];
    }
    return "env" in rule && !staysInput(rule)
      ? [parameterVariable(name, rule.env, parameter?.required ?? isRequiredField(name))]
      : [];
  });
}

/** Parameters of all operations by name; headers also in lower case. */
function declaredParameters(operations: readonly Operation[]): ReadonlyMap<string, Parameter> {
  const declared = new Map<string, Parameter>();
  for (const parameter of operations.flatMap(({ parameters }) => parameters)) {
    declared.set(parameter.name, parameter);
    if (parameter.in === "header") declared.set(parameter.name.toLowerCase(), parameter);
  }
  return declared;
}

function parameterVariable(
  parameter: string,
  variable: string,
  required: boolean,
): EnvironmentVariable {
  return {
    name: variable,
    description: `Value of ${parameter}, sent with every call that has it.`,
    required,
    secret: [parameter, variable].some(isSecretName),
  };
}

function roleFor(
  { in: location, wireName, required, schema }: InputCandidate,
  rule: ParameterConfig,
  ruleLocation: SourceLocation,
  {
    schemas,
    diagnostics,
  }: { readonly schemas: Schemas; readonly diagnostics: DiagnosticCollector },
): InputRole | undefined {
  if ("fixed" in rule)
    return {
      kind: "constant",
      ...fixedValue(wireName, rule.fixed),
      reason: "the configuration fixes it",
    };
  if ("env" in rule)
    return {
      kind: "env",
      env: rule.env,
      required,
      isJson: location === "body" && takesNoText(resolveSchema(schemas, schema)),
      reason: `it is taken from ${rule.env}`,
    };
  if (location === "path")
    return void diagnostics.add(
      "config-incompatible-value",
      `${quoteText(wireName)} is a part of a path and cannot be hidden.`,
      ruleLocation,
      "Use fixed or env instead of hide.",
    );
  if (required)
    diagnostics.add(
      "config-hidden-required",
      `The API requires ${quoteText(wireName)}, but no call sends it.`,
      ruleLocation,
      "Use fixed or env instead of hide.",
    );
  return { kind: "excluded", reason: "the configuration hides it" };
}

/** Context in which values replace inputs. */
export interface ValueContext {
  readonly environment: Environment;
  readonly diagnostics: DiagnosticCollector;
}

/** Sends a constant or a value from the environment instead of an input, or nothing. */
export function applyValue(
  tool: PlannedTool,
  rule: ParameterConfig,
  matches: (parameter: BoundParameter) => boolean,
  name: string,
  location: SourceLocation,
  context: ValueContext,
): PlannedTool {
  const value = { ...rule };
  const selecting = selectingInput(tool, matches);
  if (selecting !== undefined)
    return "fixed" in value
      ? keepSelectingInput(tool, selecting, value.fixed)
      : rejectSelectingInput(tool, selecting, "Use fixed", location, context.diagnostics);
  if ("env" in value)
    context.environment.addNamed(
      parameterVariable(
        name,
        value.env,
        boundParameters(tool).some(
          (parameter) => matches(parameter) && isRequiredSource(parameter, tool),
        ),
      ),
    );
  const rewired = replaceSources(tool, (parameter) => {
    if (!matches(parameter)) return parameter.source;
    if ("hide" in value) return hideSource(parameter, tool, name, location, context);
    if (parameter.wireName !== undefined) return configuredSource(parameter, tool, value);
    return rejectValue(
      parameter,
      `${quoteText(name)} is the whole ${parameter.location} and cannot be fixed.`,
      location,
      context,
    );
  });
  return {
    ...rewired,
    reasons: [
      ...rewired.reasons,
      `${quoteText(name, 60)} is not an input: it ${describeValue(value)}, as configured.`,
    ],
  };
}

/** A constant or a value from the environment, serialized as the input would be. */
function configuredSource(
  parameter: BoundParameter,
  tool: PlannedTool,
  rule: Exclude<ParameterConfig, { readonly hide: unknown }>,
): ParameterSource {
  const style = serializationStyle(parameter.source);
  if (!("env" in rule)) return { ...fixedValue(parameter.wireName ?? "", rule.fixed), ...style };
  return {
    env: rule.env,
    ...(isRequiredSource(parameter, tool) && { required: true }),
    ...(isJsonField(parameter, tool) && { isJson: true as const }),
    ...style,
  };
}

/** True for a field of a body that takes no text. */
export function isJsonField({ location, source }: BoundParameter, tool: PlannedTool): boolean {
  const input = sourceInput(source);
  const schema = input === undefined ? undefined : inputProperties(tool.definition)[input];
  return location === "body" && schema !== undefined && takesNoText(schema);
}

/** A constant of the configuration. That of a secret name has an origin, as variables have. */
export function fixedValue(name: string, value: JsonValue): ConstantSource {
  return { value, ...(isSecretConstant(name, value) && { isSecret: true }) };
}

/** Effect of a rule as a clause. */
export function describeValue(rule: ParameterConfig): string {
  if ("env" in rule) return `is taken from ${rule.env}`;
  return "hide" in rule ? "is not sent" : "is a constant";
}

function hideSource(
  parameter: BoundParameter,
  tool: PlannedTool,
  name: string,
  location: SourceLocation,
  context: ValueContext,
): ParameterSource | undefined {
  if (parameter.location === "path")
    return rejectValue(
      parameter,
      `${quoteText(name)} is a part of the path and cannot be hidden.`,
      location,
      context,
    );
  if (isRequiredSource(parameter, tool))
    context.diagnostics.add(
      "config-hidden-required",
      `The API requires ${quoteText(name)}, but ${tool.definition.name} does not send it.`,
      location,
      "Use fixed or env instead of hide.",
    );
  return undefined;
}

function rejectValue(
  { source }: BoundParameter,
  message: string,
  location: SourceLocation,
  { diagnostics }: ValueContext,
): ParameterSource {
  diagnostics.add(
    "config-incompatible-value",
    message,
    location,
    "Use fixed or env for a single value.",
  );
  return source;
}

function isRequiredSource({ location, source }: BoundParameter, tool: PlannedTool): boolean {
  const input = sourceInput(source);
  return (
    location === "path" || tool.inputs.some(({ name, required }) => name === input && required)
  );
}

/** Serialization of a value, without its source. */
function serializationStyle(source: ParameterSource): Omit<InputSource, "from" | "default"> {
  if (typeof source === "string" || "generate" in source) return {};
  const {
    from: _from,
    default: _default,
    value: _value,
    env: _env,
    required: _required,
    ...style
  } = source as InputSource & {
    readonly value?: JsonValue;
    readonly env?: string;
    readonly required?: boolean;
  };
  return style;
}
