import type { InputRule } from "../../../curation/types.js";
import { quoteText } from "../../../diagnostics/clean.js";
import { didYouMean } from "../../../diagnostics/index.js";
import type { Findings } from "../../findings.js";
import { listInside } from "../../pages.js";
import type { Schemas } from "../../schema/refs.js";
import { propertiesOf } from "../../tool-inputs.js";
import type { PlannedInput, PlannedTool } from "../../types.js";
import { findInput } from "../find-input.js";
import type { References } from "../references.js";
import type { Rule } from "../rules.js";
import { bindingOf } from "./binding.js";
import { withBinding } from "./input.js";
import { lookUp } from "./look-up.js";

export interface ResolveContext {
  readonly schemas: Schemas;
  readonly references: References;
  readonly findings: Findings;
}

/**
 * Lets inputs that take an ID take a name too, as a rule says (`resolve`), when the tool that it
 * names can look it up.
 */
export function withResolve(
  tool: PlannedTool,
  { rule, placeOf }: Rule,
  tools: ReadonlyMap<string, PlannedTool>,
  context: ResolveContext,
): PlannedTool {
  return Object.entries(rule.inputs ?? {}).reduce((now, [key, input]) => {
    if (!input.resolve || input.fixed !== undefined || input.env !== undefined || input.hide)
      return now;
    const name = input.name ?? findInput(now, key, placeOf("inputs", key), context.findings)?.input;
    const planned = now.inputs.find((one) => one.name === name);
    return planned
      ? resolved(
          now,
          planned,
          input.resolve,
          (...path) => placeOf("inputs", key, "resolve", ...path),
          tools,
          context,
        )
      : now;
  }, tool);
}

function resolved(
  tool: PlannedTool,
  input: PlannedInput,
  rule: NonNullable<InputRule["resolve"]>,
  placeOf: Rule["placeOf"],
  tools: ReadonlyMap<string, PlannedTool>,
  { schemas, findings, references }: ResolveContext,
): PlannedTool {
  const written = tools.get(references.find(rule.via) ?? "");
  if (!written) {
    findings.add(
      "curation-resolve",
      `There is no tool ${quoteText(rule.via)} to look names up with${didYouMean(rule.via, references.known) || "."}`,
      placeOf("via"),
      "Name a tool that returns a list.",
    );
    return tool;
  }
  const inside = listInside(written, schemas);
  const via = inside
    ? { ...inside.tool, definition: { ...written.definition, requests: [inside.request] } }
    : written;
  const found = lookUp(tool, input.name, via, rule.match, schemas);
  if ("why" in found) {
    findings.add(
      "curation-resolve",
      `${quoteText(input.name)} cannot be looked up with ${via.definition.name}: ${found.why}`,
      placeOf(found.at),
      found.hint,
    );
    return tool;
  }
  const schema = propertiesOf(tool.definition)[input.name] ?? {};
  return withBinding(tool, input, bindingOf(found, schema, inside?.pointer, schemas), schema);
}
