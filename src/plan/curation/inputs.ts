import type { InputRule, ParameterRule } from "../../curation/types.js";
import { cleanText, quoteText } from "../../diagnostics/clean.js";
import type { JsonSchema } from "../../json.js";
import { ended, fit } from "../describe/sentences.js";
import { MAX_DESCRIPTION } from "../describe/tool.js";
import { sizeOf } from "../schema/leaf.js";
import type { Schemas } from "../schema/refs.js";
import { fits } from "../schema/values.js";
import { propertiesOf } from "../tool-inputs.js";
import type { PlannedInput, PlannedTool } from "../types.js";
import { findInput, type InputTarget } from "./find-input.js";
import { takes } from "../schema/takes.js";
import type { References } from "./references.js";
import { followingRename, replaceWord } from "./renamed-input.js";
import type { Rule } from "./rules.js";
import { type ValueContext, withValues } from "./values.js";
import { inputOf, rewire } from "./wires.js";

export interface InputRuleContext extends ValueContext {
  readonly schemas: Schemas;
  readonly references: References;
}

/**
 * Applies what a rule says about the inputs of its tool, each found by its inferred name or its
 * name in the request.
 */
export function withInputs(
  tool: PlannedTool,
  { rule, placeOf }: Rule,
  context: InputRuleContext,
): PlannedTool {
  const targets = Object.entries(rule.inputs ?? {}).map(([key, input]) => ({
    key,
    input,
    target: findInput(tool, key, placeOf("inputs", key), context.findings),
  }));
  return targets.reduce(
    (now, { key, input, target }) =>
      target
        ? withInput(
            now,
            key,
            input,
            target,
            (path) => placeOf("inputs", key, ...(path === "" ? [] : [path])),
            context,
          )
        : now,
    tool,
  );
}

type PlaceOf = (key: keyof InputRule | "") => ReturnType<Rule["placeOf"]>;

function withInput(
  tool: PlannedTool,
  key: string,
  rule: InputRule,
  target: InputTarget,
  placeOf: PlaceOf,
  context: InputRuleContext,
): PlannedTool {
  const value = valueOf(rule);
  if (value) return withValues(tool, value, target.matches, key, placeOf(""), context);
  const { input } = target;
  const planned = tool.inputs.find(({ name }) => name === input);
  if (input === undefined || !planned) {
    context.findings.add(
      "curation-input",
      `${quoteText(key)} is no input of ${tool.definition.name}: the server gives it a value by itself.`,
      placeOf(""),
      "Only fixed, env and hide apply to it.",
    );
    return tool;
  }
  const described = withWords(tool, planned, rule, placeOf, context);
  const settled = withRequired(
    withDefault(described, planned, rule, placeOf, context),
    input,
    rule,
    placeOf,
    context,
  );
  return rule.name === undefined || rule.name === input
    ? settled
    : withName(settled, input, rule.name, placeOf, context);
}

function valueOf({ fixed, env, hide }: InputRule): ParameterRule | undefined {
  if (fixed !== undefined) return { fixed };
  return env !== undefined ? { env } : hide === true ? { hide } : undefined;
}

function withWords(
  tool: PlannedTool,
  { name, type }: PlannedInput,
  rule: InputRule,
  placeOf: PlaceOf,
  { schemas, references, findings }: InputRuleContext,
): PlannedTool {
  const { examples } = rule;
  const wrong = examples?.findIndex((one) => !fits(one, type, schemas)) ?? -1;
  if (wrong >= 0)
    findings.add(
      "curation-value",
      `Example ${wrong + 1} of ${quoteText(name)} does not satisfy the schema of the input, which takes ${takes(type, schemas)}.`,
      placeOf("examples"),
      "Correct it.",
    );
  const description =
    rule.description === undefined
      ? undefined
      : fit(
          ended(cleanText(references.resolve(rule.description, placeOf("description"))).trim()),
          MAX_DESCRIPTION,
          false,
        );
  return change(tool, name, (input, schema) => ({
    input: description === undefined ? input : { ...input, description },
    schema: {
      ...schema,
      ...(description !== undefined && { description }),
      ...(examples && wrong < 0 && { examples }),
    },
  }));
}

/** A default that people chose is sent, also where the API could do without. */
function withDefault(
  tool: PlannedTool,
  { name, type }: PlannedInput,
  { default: value, description }: InputRule,
  placeOf: PlaceOf,
  { schemas, findings }: InputRuleContext,
): PlannedTool {
  if (value === undefined) return tool;
  if (!fits(value, type, schemas)) {
    findings.add(
      "curation-value",
      `The default of ${quoteText(name)} does not satisfy the schema of the input, which takes ${takes(type, schemas)}.`,
      placeOf("default"),
      "Correct it.",
    );
    return tool;
  }
  const wired = rewire(
    tool,
    ({ wire }) =>
      (inputOf(wire) === name
        ? { ...(typeof wire === "string" ? { from: wire } : wire), default: value }
        : wire) as typeof wire,
  );
  const said =
    sizeOf(value) <= 80 && typeof value !== "object" ? ` Default: ${String(value)}.` : "";
  const words = (text: string): string =>
    description === undefined
      ? `${ended(text.replace(/ ?Default: [^ ]+\.(?= |$)/, ""))}${said}`
      : text;
  return change(wired, name, (input, schema) => ({
    input: { ...input, required: false, description: words(input.description) },
    schema: { ...schema, default: value, description: words(input.description) },
  }));
}

function withRequired(
  tool: PlannedTool,
  name: string,
  { required, default: value }: InputRule,
  placeOf: PlaceOf,
  { findings }: InputRuleContext,
): PlannedTool {
  if (required === undefined) return tool;
  const inPath = tool.definition.requests.some(
    ({ send, given }) =>
      given.length === 0 &&
      Object.values(send.pathParams ?? {}).some(
        (wire) => inputOf(wire) === name && typeof wire === "string",
      ),
  );
  if (!required && inPath && value === undefined) {
    findings.add(
      "curation-value",
      `${quoteText(name)} is a part of the path and is always needed.`,
      placeOf("required"),
      "Give it a default, or leave it required.",
    );
    return tool;
  }
  return change(tool, name, (input, schema) => ({ input: { ...input, required }, schema }));
}

function withName(
  tool: PlannedTool,
  from: string,
  to: string,
  placeOf: PlaceOf,
  { findings }: InputRuleContext,
): PlannedTool {
  if (to === "__proto__" || tool.inputs.some(({ name }) => name === to)) {
    findings.add(
      "curation-input",
      `${tool.definition.name} has another input ${quoteText(to)}.`,
      placeOf("name"),
      "Choose another name.",
    );
    return tool;
  }
  const wired = rewireNames(tool, from, to);
  const advice = (text: string): string => replaceWord(text, from, to);
  const named = change(wired, from, (input, schema) => ({ input: { ...input, name: to }, schema }));
  const { definition, inputs } = named.inputs.reduce(
    (now, { name }) => change(now, name, (input, schema) => mentioning(input, schema, from, to)),
    named,
  );
  const onError =
    definition.onError &&
    Object.fromEntries(
      Object.entries(definition.onError).map(([status, text]) => [status, advice(text)]),
    );
  const followed = followingRename(
    { ...wired, inputs, definition: { ...definition, ...(onError && { onError }) } },
    from,
    to,
  );
  return {
    ...followed,
    reasons: [...wired.reasons, `${quoteText(from, 60)} is called ${to}, as the curation says.`],
  };
}

function rewireNames(tool: PlannedTool, from: string, to: string): PlannedTool {
  const requests = rewire({ ...tool, inputs: [] }, ({ wire }) =>
    inputOf(wire) !== from ? wire : typeof wire === "string" ? to : { ...wire, from: to },
  ).definition.requests;
  const named = requests.map((request, i) => ({
    ...request,
    given: tool.definition.requests[i]?.given.map((one) => (one === from ? to : one)) ?? [],
  }));
  return {
    ...tool,
    definition: {
      ...tool.definition,
      requests: named.map((request) => ({
        ...request,
        send: withFilename(request.send, from, to),
      })),
    },
  };
}

function withFilename(
  send: PlannedTool["definition"]["requests"][number]["send"],
  from: string,
  to: string,
): typeof send {
  if (!send.body?.encoding) return send;
  const encoding = Object.fromEntries(
    Object.entries(send.body.encoding).map(([field, one]) => [
      field,
      one.filename === from ? { ...one, filename: to } : one,
    ]),
  );
  return { ...send, body: { ...send.body, encoding } };
}

/** Sentences of ours about other inputs follow a renamed one. */
function mentioning(
  input: PlannedInput,
  schema: JsonSchema,
  from: string,
  to: string,
): ReturnType<Change> {
  const description = input.description.replace(
    /(?:Not together with|Goes only with|File name of) [^.]*\.|For the next page: next\.\w+ of/g,
    (sentence) => replaceWord(sentence, from, to),
  );
  return description === input.description
    ? { input, schema }
    : { input: { ...input, description }, schema: { ...schema, description } };
}

type Change = (
  input: PlannedInput,
  schema: JsonSchema,
) => { readonly input: PlannedInput; readonly schema: JsonSchema };

/** A tool with one input changed, in the list and in the schema; required ones stay first. */
function change(tool: PlannedTool, name: string, how: Change): PlannedTool {
  const { properties: _p, required: _r, ...root } = tool.definition.inputSchema;
  const schemas = propertiesOf(tool.definition);
  const all = tool.inputs.map((input) =>
    input.name === name
      ? how(input, schemas[name] ?? {})
      : { input, schema: schemas[input.name] ?? {} },
  );
  const ordered = [
    ...all.filter(({ input }) => input.required),
    ...all.filter(({ input }) => !input.required),
  ];
  const required = ordered.filter(({ input }) => input.required).map(({ input }) => input.name);
  const { $defs, ...rest } = root;
  const inputSchema = {
    ...rest,
    properties: Object.fromEntries(ordered.map(({ input, schema }) => [input.name, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
  };
  return {
    ...tool,
    inputs: ordered.map(({ input }) => input),
    definition: { ...tool.definition, inputSchema },
  };
}
