import type { ParameterRule } from "../../curation/types.js";
import { quoteText } from "../../diagnostics/clean.js";
import type { Place } from "../../diagnostics/index.js";
import type { JsonValue, Wire, WireInput } from "../../runtime/types.js";
import type { Environment } from "../env.js";
import type { Findings } from "../findings.js";
import type { PlannedTool } from "../types.js";
import { isSecret } from "./secret.js";
import { inputOf, rewire, type WireSite, wiresOf } from "./wires.js";

/** What taking a value from elsewhere than the model needs to know. */
export interface ValueContext {
  readonly environment: Environment;
  readonly findings: Findings;
}

/** Sends a constant or a value from the environment where a rule says so, or nothing. */
export function withValues(
  tool: PlannedTool,
  rule: ParameterRule,
  matches: (site: WireSite) => boolean,
  name: string,
  place: Place,
  context: ValueContext,
): PlannedTool {
  const value = { ...rule };
  if ("env" in value)
    context.environment.addNamed(value.env, {
      description: `Value of ${name}, sent with every call that has it.`,
      required: wiresOf(tool).some((site) => matches(site) && isNeeded(site, tool)),
      secret: isSecret(name, value.env),
    });
  const changed = rewire(tool, (site) => {
    if (!matches(site)) return site.wire;
    if (site.wireName === undefined && !("hide" in value))
      return refuse(
        site,
        `${quoteText(name)} is the whole ${site.place} and cannot be fixed.`,
        place,
        context,
      );
    if ("hide" in value) return hidden(site, tool, name, place, context);
    return "env" in value
      ? { env: value.env, ...(isNeeded(site, tool) && { required: true }), ...styleOf(site.wire) }
      : { value: value.fixed, ...styleOf(site.wire) };
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

function hidden(
  site: WireSite,
  tool: PlannedTool,
  name: string,
  place: Place,
  context: ValueContext,
): Wire | undefined {
  if (site.place === "path")
    return refuse(
      site,
      `${quoteText(name)} is a part of the path and cannot be hidden.`,
      place,
      context,
    );
  if (isNeeded(site, tool))
    context.findings.add(
      "curation-hidden-required",
      `The API requires ${quoteText(name)}, and ${tool.definition.name} sends none.`,
      place,
      "Use fixed or env instead of hide.",
    );
  return undefined;
}

function refuse(
  { wire }: WireSite,
  message: string,
  place: Place,
  { findings }: ValueContext,
): Wire {
  findings.add("curation-value", message, place, "Use fixed or env for a single value.");
  return wire;
}

function isNeeded({ place, wire }: WireSite, tool: PlannedTool): boolean {
  const input = inputOf(wire);
  return place === "path" || tool.inputs.some(({ name, required }) => name === input && required);
}

/** How a value is written, whatever it is. */
export function styleOf(wire: Wire): Omit<WireInput, "from" | "default"> {
  if (typeof wire === "string" || "generate" in wire) return {};
  const {
    from: _from,
    default: _default,
    value: _value,
    env: _env,
    required: _required,
    ...style
  } = wire as WireInput & {
    readonly value?: JsonValue;
    readonly env?: string;
    readonly required?: boolean;
  };
  return style;
}
