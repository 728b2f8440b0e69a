/** `parameters` of the configuration, applied to the tools of the whole API. */
import type { Configuration, ParameterConfig } from "../../configuration/types.js";
import { type SourceLocation, suggestionFor } from "../../diagnostics/index.js";
import { quoteText } from "../../diagnostics/text.js";
import type { Operation } from "../../model/types.js";
import { type BoundParameter, boundParameters } from "../bound-parameters.js";
import { bodyFieldNames } from "../inputs/inferred-roles.js";
import { operationKey } from "../operations/identity.js";
import { isFieldPath } from "../schemas/field-path.js";
import type { Schemas } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";
import { applyEnvDefault } from "./env-defaults.js";
import { selectingInput } from "./input-changes.js";
import { applyInnerValue, innerPaths } from "./inner-fields.js";
import type { ValueContext } from "./parameter-values.js";

interface ParametersContext extends ValueContext {
  readonly schemas: Schemas;
  readonly operations: readonly Operation[];
  /** True if the command line selects operations. A rule may have no effect then. */
  readonly isFiltered: boolean;
}

/** An entry of `parameters`. */
interface ParameterEntry {
  readonly name: string;
  readonly rule: ParameterConfig;
  readonly location: SourceLocation;
}

/**
 * Applies the entries that roles of single values do not express: defaults of the environment, and
 * fields inside bodies. An entry that no tool has is an error.
 */
export function applyParameters(
  tools: readonly PlannedTool[],
  { content, locationOf }: Pick<Configuration, "content" | "locationOf">,
  context: ParametersContext,
): readonly PlannedTool[] {
  return Object.entries(content.parameters ?? {}).reduce<readonly PlannedTool[]>(
    (current, [name, rule]) =>
      applyEntry(current, { name, rule, location: locationOf(["parameters", name]) }, context),
    tools,
  );
}

function applyEntry(
  tools: readonly PlannedTool[],
  entry: ParameterEntry,
  context: ParametersContext,
): readonly PlannedTool[] {
  const { name, rule, location } = entry;
  const owners = context.operations.filter((operation) =>
    hasName(operation, name, context.schemas),
  );
  if (owners.length === 0) return isFieldPath(name) ? applyPath(tools, entry, context) : tools; // reported already
  reportIfUnselected(owners, tools, entry, context);
  if (!("override" in rule) || !rule.override) return tools;
  const { env } = rule;
  const matches = (parameter: BoundParameter): boolean => isNamed(parameter, name);
  const matching = tools.filter((tool) => !tool.workflow && boundParameters(tool).some(matches));
  const isChoice = (tool: PlannedTool): boolean => selectingInput(tool, matches) !== undefined;
  const hasOthers = matching.some((tool) => !isChoice(tool));
  return tools.map((tool) => {
    if (!matching.includes(tool)) return tool;
    return hasOthers && isChoice(tool)
      ? withoutDefault(tool, name)
      : applyEnvDefault(tool, env, matches, name, location, context);
  });
}

/** A tool whose calls choose the operation with the value: a list without it, a thing with it. */
const withoutDefault = (tool: PlannedTool, name: string): PlannedTool => ({
  ...tool,
  reasons: [
    ...tool.reasons,
    `${quoteText(name, 60)} has no default, because it selects one of the operations.`,
  ],
});

/** Applies a path to a field inside bodies. */
function applyPath(
  tools: readonly PlannedTool[],
  { name, rule, location }: ParameterEntry,
  context: ParametersContext,
): readonly PlannedTool[] {
  const { diagnostics, schemas } = context;
  if (("hide" in rule && !rule.hide) || ("override" in rule && rule.override)) {
    diagnostics.add(
      "config-incompatible-value",
      `${quoteText(name)} is a field inside an input.`,
      location,
      "Only fixed, env without override, and hide: true apply to it.",
    );
    return tools;
  }
  const value = "hide" in rule ? { hide: true } : rule;
  const applied = tools.map((tool) =>
    tool.workflow ? undefined : applyInnerValue(tool, name, value, location, context),
  );
  if (applied.every((tool) => tool === undefined)) {
    const known = new Set(tools.flatMap((tool) => innerPaths(tool, schemas)));
    reportNoEffect(
      `No selected tool has a field ${quoteText(name)} in its body${suggestionFor(name, known) || "."}`,
      "Correct it, or remove it.",
      location,
      context,
    );
  }
  return tools.map((tool, i) => applied[i] ?? tool);
}

/** Reports an entry whose operations are left out. */
function reportIfUnselected(
  owners: readonly Operation[],
  tools: readonly PlannedTool[],
  { name, location }: ParameterEntry,
  context: ParametersContext,
): void {
  const selected = new Set(tools.flatMap((tool) => tool.operations.map(operationKey)));
  if (owners.some((operation) => selected.has(operationKey(operation)))) return;
  const [first, ...others] = owners;
  const owner = `${first?.method} ${first?.path}`;
  const why =
    others.length === 0
      ? `${owner}, which has it, is left out.`
      : `${owner} and ${others.length} more, which have it, are left out.`;
  reportNoEffect(
    `No selected operation has ${quoteText(name)}: ${why}`,
    "Select one of them, or remove the entry.",
    location,
    context,
  );
}

function reportNoEffect(
  message: string,
  hint: string,
  location: SourceLocation,
  { diagnostics, isFiltered }: ParametersContext,
): void {
  diagnostics.add(
    isFiltered ? "config-left-out" : "config-unknown-parameter",
    message,
    location,
    hint,
  );
}

/** Tests whether an operation has a parameter, or a field of its body, under a name. */
export function hasName(operation: Operation, name: string, schemas: Schemas): boolean {
  return (
    operation.parameters.some((parameter) =>
      isNamed({ location: parameter.in, wireName: parameter.name }, name),
    ) || bodyFieldNames(operation, schemas).includes(name)
  );
}

/** Names of headers compare without case (RFC 9110, section 5.1). */
function isNamed(
  { location, wireName }: Pick<BoundParameter, "location" | "wireName">,
  name: string,
): boolean {
  return (
    wireName === name || (location === "header" && wireName?.toLowerCase() === name.toLowerCase())
  );
}
