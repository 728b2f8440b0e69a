import type { Configuration, ParameterConfig } from "../../configuration/types.js";
import { quoteText } from "../../diagnostics/text.js";
import { suggestionFor, type SourceLocation } from "../../diagnostics/index.js";
import type { Operation } from "../../model/types.js";
import type { InputSource, JsonValue, ParameterSource } from "../../runtime/types.js";
import {
  type BoundParameter,
  boundParameters,
  replaceSources,
  sourceInput,
} from "../bound-parameters.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { Environment } from "../environment.js";
import type { InputCandidate, InputRole } from "../inputs/candidates.js";
import { splitWords } from "../names/words.js";
import type { PlannedTool } from "../types.js";

export type ParameterRoles = (candidate: InputCandidate) => InputRole | undefined;

/**
 * Reads `parameters`: values for parameters wherever they occur, by the name on the wire (that of a
 * header without regard to case). A name that no operation has is an error.
 */
export function parameterRoles(
  { content, locationOf }: Pick<Configuration, "content" | "locationOf">,
  operations: readonly Operation[],
  environment: Environment,
  diagnostics: DiagnosticCollector,
): ParameterRoles {
  const rules = new Map(
    Object.entries(content.parameters ?? {}).map(([name, rule]) => [
      name,
      { name, rule, place: locationOf(["parameters", name]) },
    ]),
  );
  const byHeader = new Map([...rules].map(([name, rule]) => [name.toLowerCase(), rule]));
  const known = new Map(
    operations.flatMap(({ parameters }) =>
      parameters.flatMap(
        (one) =>
          [
            [one.name, one],
            ...(one.in === "header" ? ([[one.name.toLowerCase(), one]] as const) : []),
          ] as const,
      ),
    ),
  );
  for (const { name, rule, place } of rules.values()) {
    const parameter = known.get(name) ?? known.get(name.toLowerCase());
    if (!parameter)
      diagnostics.add(
        "config-unknown-parameter",
        `No operation has a parameter ${quoteText(name)}${suggestionFor(name, known.keys()) || "."}`,
        place,
        "Correct it, or remove it. Fields of bodies are for `inputs` of a tool.",
      );
    else if ("env" in rule)
      environment.addNamed(rule.env, {
        description: `Value of ${name}, sent with every call that has it.`,
        required: parameter.required,
        secret: isSecretName(name, rule.env),
      });
  }
  return (candidate) => {
    const found =
      candidate.in === "body"
        ? undefined
        : candidate.in === "header"
          ? byHeader.get(candidate.wireName.toLowerCase())
          : rules.get(candidate.wireName);
    return found && roleFor(candidate, found.rule, found.place, diagnostics);
  };
}

function roleFor(
  { in: place, wireName, required }: InputCandidate,
  rule: ParameterConfig,
  at: ReturnType<Configuration["locationOf"]>,
  diagnostics: DiagnosticCollector,
): InputRole | undefined {
  if ("fixed" in rule) return { kind: "constant", value: rule.fixed, why: "the curation fixes it" };
  if ("env" in rule)
    return { kind: "env", env: rule.env, required, why: `it is taken from ${rule.env}` };
  if (place === "path")
    return void diagnostics.add(
      "config-incompatible-value",
      `${quoteText(wireName)} is a part of a path and cannot be hidden.`,
      at,
      "Use fixed or env instead of hide.",
    );
  if (required)
    diagnostics.add(
      "config-hidden-required",
      `The API requires ${quoteText(wireName)}, and no call has it.`,
      at,
      "Use fixed or env instead of hide.",
    );
  return { kind: "none", why: "the curation hides it" };
}

/** What taking a value from elsewhere than the model needs to know. */
export interface ValueContext {
  readonly environment: Environment;
  readonly diagnostics: DiagnosticCollector;
}

/** Sends a constant or a value from the environment where a rule says so, or nothing. */
export function applyValue(
  tool: PlannedTool,
  rule: ParameterConfig,
  matches: (site: BoundParameter) => boolean,
  name: string,
  place: SourceLocation,
  context: ValueContext,
): PlannedTool {
  const value = { ...rule };
  if ("env" in value)
    context.environment.addNamed(value.env, {
      description: `Value of ${name}, sent with every call that has it.`,
      required: boundParameters(tool).some((site) => matches(site) && isRequiredSource(site, tool)),
      secret: isSecretName(name, value.env),
    });
  const changed = replaceSources(tool, (site) => {
    if (!matches(site)) return site.source;
    if (site.wireName === undefined && !("hide" in value))
      return rejectValue(
        site,
        `${quoteText(name)} is the whole ${site.place} and cannot be fixed.`,
        place,
        context,
      );
    if ("hide" in value) return hideSource(site, tool, name, place, context);
    return "env" in value
      ? {
          env: value.env,
          ...(isRequiredSource(site, tool) && { required: true }),
          ...serializationStyle(site.source),
        }
      : { value: value.fixed, ...serializationStyle(site.source) };
  });
  const what =
    "env" in value
      ? `is taken from ${value.env}`
      : "hide" in value
        ? "is not sent"
        : "is a constant";
  return {
    ...changed,
    reasons: [
      ...changed.reasons,
      `${quoteText(name, 60)} is no input: it ${what}, as the curation says.`,
    ],
  };
}

function hideSource(
  site: BoundParameter,
  tool: PlannedTool,
  name: string,
  place: SourceLocation,
  context: ValueContext,
): ParameterSource | undefined {
  if (site.place === "path")
    return rejectValue(
      site,
      `${quoteText(name)} is a part of the path and cannot be hidden.`,
      place,
      context,
    );
  if (isRequiredSource(site, tool))
    context.diagnostics.add(
      "config-hidden-required",
      `The API requires ${quoteText(name)}, and ${tool.definition.name} sends none.`,
      place,
      "Use fixed or env instead of hide.",
    );
  return undefined;
}

function rejectValue(
  { source: wire }: BoundParameter,
  message: string,
  place: SourceLocation,
  { diagnostics }: ValueContext,
): ParameterSource {
  diagnostics.add(
    "config-incompatible-value",
    message,
    place,
    "Use fixed or env for a single value.",
  );
  return wire;
}

function isRequiredSource({ place, source: wire }: BoundParameter, tool: PlannedTool): boolean {
  const input = sourceInput(wire);
  return place === "path" || tool.inputs.some(({ name, required }) => name === input && required);
}

/** How a value is written, whatever it is. */
export function serializationStyle(wire: ParameterSource): Omit<InputSource, "from" | "default"> {
  if (typeof wire === "string" || "generate" in wire) return {};
  const {
    from: _from,
    default: _default,
    value: _value,
    env: _env,
    required: _required,
    ...style
  } = wire as InputSource & {
    readonly value?: JsonValue;
    readonly env?: string;
    readonly required?: boolean;
  };
  return style;
}

/** How names of secrets end, in words. */
const SECRET_SUFFIX =
  /(?:^|_)(?:secret|token|password|passwd|passphrase|credentials?|signature|(?:api|access|private|secret|auth|signing|subscription|service|app|account)_?key|apikey|pin)$/;

/**
 * Whether a value that `mcp-gen.yaml` takes from the environment is one that nobody may see: by the
 * name of the parameter, or of the variable.
 */
export function isSecretName(parameter: string, variable: string): boolean {
  return [parameter, variable].some((name) =>
    SECRET_SUFFIX.test(splitWords(name).join("_").toLowerCase()),
  );
}
