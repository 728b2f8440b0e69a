import type { ResolveConfig } from "../../configuration/types.js";
import { suggestionFor } from "../../diagnostics/index.js";
import { quoteText } from "../../diagnostics/text.js";
import { isObject, type JsonSchema, omitUndefined } from "../../json.js";
import type { NameResolution } from "../../runtime/types.js";
import { inputProperties, requestParameters, sourceInput } from "../bound-parameters.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { detectPagination, hasNextPage, returnsItems } from "../pagination/detect.js";
import { embeddedList } from "../pagination/hints.js";
import type { Schemas } from "../schemas/refs.js";
import { appendSentences } from "../text/sentences.js";
import type { PlannedInput, PlannedTool } from "../types.js";
import { applyUrls } from "./url-inputs.js";
import { inputRules } from "./input-rules.js";
import { findInput } from "./inputs.js";
import { type LookUp, planLookUp } from "./plan-lookup.js";
import type { References, Rule } from "./rules.js";

interface ResolveContext {
  readonly schemas: Schemas;
  readonly references: Pick<References, "find" | "known">;
  readonly diagnostics: DiagnosticCollector;
}

/**
 * Applies `resolve`: inputs that take an ID also accept a name, if the named tool can look it up.
 */
export function applyNameResolution(
  tool: PlannedTool,
  { config, locationOf }: Rule,
  tools: ReadonlyMap<string, PlannedTool>,
  context: ResolveContext,
): PlannedTool {
  const off = config.lookUpNames === false ? { takesNames: false as const } : {};
  return inputRules(config).reduce<PlannedTool>(
    (current, [key, input]) => {
      if (
        input.resolve === undefined ||
        input.fixed !== undefined ||
        (input.env !== undefined && !input.override) ||
        input.hide
      )
        return current;
      const name =
        input.name ??
        findInput(current, key, locationOf("inputs", key), context.diagnostics)?.input;
      const planned = current.inputs.find((candidate) => candidate.name === name);
      if (!planned) return current;
      if (input.resolve === false) return withoutLookUp(current, planned);
      const { via, match, id, url } = input.resolve;
      const place: Rule["locationOf"] = (...path) => locationOf("inputs", key, "resolve", ...path);
      const resolved =
        via === undefined || match === undefined
          ? current
          : resolveInput(current, planned, { via, match, id }, place, tools, context);
      if (url === undefined) return resolved;
      const target = resolved.inputs.find((candidate) => candidate.name === name) ?? planned;
      return applyUrls(resolved, target, [url].flat(), place("url"), context.diagnostics);
    },
    { ...tool, ...off },
  );
}

function withoutLookUp(tool: PlannedTool, input: PlannedInput): PlannedTool {
  const inputs = tool.inputs.map((one) =>
    one === input ? { ...one, takesName: false as const } : one,
  );
  return { ...tool, inputs };
}

/**
 * Makes an input that takes an ID accept a name, too.
 * @param tools tools that can look it up, by name
 */
export function resolveInput(
  tool: PlannedTool,
  input: PlannedInput,
  rule: Required<Pick<ResolveConfig, "via" | "match">> & { readonly id?: string | undefined },
  locationOf: Rule["locationOf"],
  tools: ReadonlyMap<string, PlannedTool>,
  { schemas, diagnostics, references }: ResolveContext,
): PlannedTool {
  const lookupTool = tools.get(references.find(rule.via) ?? "");
  if (!lookupTool) {
    diagnostics.add(
      "config-resolve",
      `The tool ${quoteText(rule.via)} for the lookup of names does not exist` +
        (suggestionFor(rule.via, references.known) || "."),
      locationOf("via"),
      "Name a tool that returns a list.",
    );
    return tool;
  }
  const list = embeddedList(lookupTool, schemas);
  const via = list
    ? { ...list.tool, definition: { ...lookupTool.definition, operations: [list.request] } }
    : lookupTool;
  const names = { matches: [rule.match].flat(), id: rule.id };
  const found = planLookUp(tool, input.name, via, names, schemas);
  if ("reason" in found) {
    diagnostics.add(
      "config-resolve",
      `${quoteText(input.name)} cannot be looked up with ${via.definition.name}: ${found.reason}`,
      locationOf(found.ruleKey),
      found.hint,
    );
    return tool;
  }
  const schema = inputProperties(tool.definition)[input.name] ?? {};
  return addNameResolution(
    tool,
    input,
    nameResolution(found, schema, list?.pointer, schemas),
    schema,
    lookupTool.definition.hidden === true,
  );
}

/** Maximum number of items that are searched for a name, if the list has no search. */
const MAX_SEARCHED_ITEMS = 1000;

/**
 * Lookup in the form of the runtime.
 * @param schema schema of the input that takes the ID
 * @param items position of the list in the response, if the result is not `{items}`
 */
function nameResolution(
  { via, nameField: match, nameFields, idField: id, searchInput: text, passedInputs }: LookUp,
  schema: JsonSchema,
  items: string | undefined,
  schemas: Schemas,
): NameResolution {
  const { operations } = via.definition;
  const get = operations.find(
    ({ response, whenProvided }) => response.item !== undefined && whenProvided.length === 1,
  )?.whenProvided[0];
  const ids = idOnlySchema(schema);
  const list = operations.find(
    ({ response, whenProvided }) =>
      returnsItems(response) && whenProvided.every((name) => passedInputs.includes(name)),
  );
  const pagination =
    text === undefined && list && detectPagination(list, via, MAX_SEARCHED_ITEMS, schemas);
  return omitUndefined({
    lookupTool: via.definition.name,
    nameField: match,
    nameFields,
    idField: id,
    searchInput: text,
    idInput: get,
    sharedInputs: passedInputs.length > 0 ? passedInputs : undefined,
    idSchema: ids,
    items,
    pagination: pagination && hasNextPage(pagination) ? pagination : undefined,
  });
}

/** Examples of names. A pattern that accepts one of them does not distinguish IDs. */
const SAMPLE_NAMES = ["Red shoes", "rex", "Alice", "ACME", "main-warehouse", "Müller & Sons"];
const ID_FORMATS = new Set(["uuid", "date", "date-time", "uri", "email", "ipv4", "ipv6"]);

/** Part of an ID's schema that no name satisfies. Of a union, the alternatives that no name is. */
function idOnlySchema(schema: JsonSchema): JsonSchema | undefined {
  const alternatives = alternativesOf(schema);
  if (alternatives.length === 1) return idOnlyAlternative(alternatives[0] ?? schema);
  const ids = alternatives
    .map((one) => (isNumeric(one) ? DIGITS : idOnlyAlternative(one)))
    .filter((one) => one !== undefined);
  return ids.length > 1 ? { anyOf: ids } : ids[0];
}

/** A number for an API that also takes strings is sent unchanged. */
const DIGITS: JsonSchema = { type: "string", pattern: "^-?\\d+$" };

function idOnlyAlternative({
  type,
  format,
  pattern,
  enum: values,
}: JsonSchema): JsonSchema | undefined {
  if (type === "integer" || type === "number") return { type };
  if (Array.isArray(values)) return { type: "string", enum: values };
  if (format !== undefined && ID_FORMATS.has(format)) return { type: "string", format };
  if (pattern === undefined) return undefined;
  const test = new RegExp(pattern, "u");
  return SAMPLE_NAMES.some((name) => test.test(name)) ? undefined : { type: "string", pattern };
}

/** Alternatives of a union, or the schema itself. Null is left out. */
function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  const { anyOf, oneOf, type, ...rest } = schema;
  const members = [...(anyOf ?? []), ...(oneOf ?? [])].filter(isObject) as readonly JsonSchema[];
  const alternatives =
    members.length > 0 || !Array.isArray(type)
      ? members
      : type.map((one) => ({ ...rest, type: one }));
  const values = alternatives.filter((one) => one.type !== "null");
  return values.length > 0 ? values : [schema];
}

/** Adds the lookup to an input, which then accepts any text. Numbers stay numbers. */
function addNameResolution(
  tool: PlannedTool,
  input: PlannedInput,
  binding: NameResolution,
  schema: JsonSchema,
  isHidden: boolean,
): PlannedTool {
  const { definition } = tool;
  const source = isHidden ? "the server" : binding.lookupTool;
  const sentence = `Or its exact ${binding.nameField}, which ${source} looks up.`;
  const description = appendSentences(input.description, sentence);
  const properties = {
    ...inputProperties(definition),
    [input.name]: nameOrIdSchema(schema, description),
  };
  const operations = definition.operations.map((operation) =>
    requestParameters(operation.request).some(({ source }) => sourceInput(source) === input.name)
      ? { ...operation, resolve: { ...operation.resolve, [input.name]: binding } }
      : operation,
  );
  const takesNumber = alternativesOf(schema).some(isNumeric);
  const type = takesNumber ? { anyOf: [input.type, { type: "string" }] } : { type: "string" };
  return {
    ...tool,
    inputs: tool.inputs.map((planned) =>
      planned.name === input.name ? { ...planned, description, type } : planned,
    ),
    definition: {
      ...definition,
      inputSchema: { ...definition.inputSchema, properties },
      operations,
    },
    reasons: [
      ...tool.reasons,
      `${quoteText(input.name, 60)} also takes a name, looked up with ${binding.lookupTool}, as configured.`,
    ],
  };
}

/** Schema of an input that takes an ID or any text. */
function nameOrIdSchema(schema: JsonSchema, description: string): JsonSchema {
  const {
    pattern: _p,
    format: _f,
    minLength: _n,
    maxLength: _x,
    enum: _e,
    examples,
    description: _d,
    type: _t,
    anyOf: _a,
    oneOf: _o,
    ...rest
  } = schema;
  const numbers = alternativesOf(schema).filter(isNumeric).map(numberSchema);
  return {
    ...(numbers.length > 0
      ? { anyOf: [...numbers, { type: "string" }] }
      : { ...rest, type: "string" }),
    ...(examples && { examples }),
    description,
  };
}

const isNumeric = ({ type }: JsonSchema): boolean => type === "integer" || type === "number";

function numberSchema({
  description: _d,
  examples: _e,
  default: _f,
  ...schema
}: JsonSchema): JsonSchema {
  return schema;
}
