import type { InputConfig } from "../../configuration/types.js";
import { quoteText } from "../../diagnostics/text.js";
import { suggestionFor } from "../../diagnostics/index.js";
import { type JsonSchema, omitUndefined } from "../../json.js";
import type { NameResolution, OperationBinding } from "../../runtime/types.js";
import { requestParameters, sourceInput } from "../bound-parameters.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { inputProperties } from "../input-properties.js";
import { splitWords } from "../names/words.js";
import { detectPagination, hasNextPage, returnsItems } from "../pagination/detect.js";
import { embeddedList } from "../pagination/hints.js";
import { parseIdentityName } from "../producers/identity.js";
import { allFields, listItems } from "../schema-fields.js";
import { type Schemas, typesOf } from "../schemas/refs.js";
import { toSentence } from "../text/sentences.js";
import type { PlannedInput, PlannedTool } from "../types.js";
import { findInput } from "./inputs.js";
import type { References } from "./references.js";
import type { Rule } from "./rules.js";

interface ResolveContext {
  readonly schemas: Schemas;
  readonly references: References;
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
  return Object.entries(config.inputs ?? {}).reduce((current, [key, input]) => {
    if (!input.resolve || input.fixed !== undefined || input.env !== undefined || input.hide)
      return current;
    const name =
      input.name ?? findInput(current, key, locationOf("inputs", key), context.diagnostics)?.input;
    const planned = current.inputs.find((candidate) => candidate.name === name);
    return planned
      ? resolveInput(
          current,
          planned,
          input.resolve,
          (...path) => locationOf("inputs", key, "resolve", ...path),
          tools,
          context,
        )
      : current;
  }, tool);
}

function resolveInput(
  tool: PlannedTool,
  input: PlannedInput,
  rule: NonNullable<InputConfig["resolve"]>,
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
  const found = planLookUp(tool, input.name, via, rule.match, schemas);
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
  );
}

/** Lookup of a name. */
interface LookUp {
  /** Tool that returns the list. */
  readonly via: PlannedTool;
  /** Fields of its items that are the name and the ID. */
  readonly nameField: string;
  readonly idField: string;
  /** Its input that takes the name, or words of it. */
  readonly searchInput: string | undefined;
  /** Its other required inputs, which the tool has under the same names. */
  readonly passedInputs: readonly string[];
}

/** Reason against a lookup. */
interface LookUpFailure {
  /** End of the sentence "… cannot be looked up with …: ". */
  readonly reason: string;
  /** Part of the rule with the problem. */
  readonly ruleKey: "via" | "match";
  readonly hint?: string;
}

/** Plans the lookup of names for an input. */
function planLookUp(
  tool: PlannedTool,
  input: string,
  via: PlannedTool,
  match: string,
  schemas: Schemas,
): LookUp | LookUpFailure {
  const fields = [...itemFieldNames(via, schemas)];
  const lists = via.definition.operations.filter(({ response }) => returnsItems(response));
  const failure =
    rejectInput(tool, input) ?? rejectTool(via, lists, fields) ?? rejectField(match, fields);
  if (failure) return failure;
  const id = idField(tool, input, fields);
  if (id === undefined)
    return {
      reason: "the items that it returns have no ID.",
      ruleKey: "via",
      hint: `${fieldsHint(fields)} If \`output\` drops the ID, keep it.`,
    };
  const text = searchInput(via, lists, match);
  const required = (via.definition.inputSchema["required"] as readonly string[] | undefined) ?? [];
  const passedInputs = required.filter((name) => name !== text);
  const provided = text === undefined ? required : [...required, text];
  return (
    missingInputs(tool, lists, provided, passedInputs) ?? {
      via,
      nameField: match,
      idField: id,
      searchInput: text,
      passedInputs,
    }
  );
}

/** Rejects an input that takes anything but one text or number. */
function rejectInput({ definition }: PlannedTool, input: string): LookUpFailure | undefined {
  const takesOneValue = typesOf(inputProperties(definition)[input] ?? {}).every(
    (type) => type === "string" || type === "integer" || type === "number",
  );
  if (takesOneValue) return undefined;
  return {
    reason: "it does not take a single value.",
    ruleKey: "via",
    hint: "Only an input that takes one ID can take a name instead.",
  };
}

/** Rejects a tool that changes something or does not return a list of objects. */
function rejectTool(
  { definition }: PlannedTool,
  lists: readonly OperationBinding[],
  fields: readonly string[],
): LookUpFailure | undefined {
  if (!definition.annotations.readOnlyHint)
    return {
      reason: "it is not read-only.",
      ruleKey: "via",
      hint: "Name a tool that only reads.",
    };
  if (lists.length > 0 && fields.length > 0) return undefined;
  return {
    reason: "it does not return a list.",
    ruleKey: "via",
    hint: "Name a tool that returns a list of objects.",
  };
}

/** Rejects a name of a field that the items lack. */
function rejectField(match: string, fields: readonly string[]): LookUpFailure | undefined {
  if (fields.includes(match)) return undefined;
  const suggestion = suggestionFor(match, fields) || ".";
  return {
    reason: `the items that it returns have no ${quoteText(match)}${suggestion}`,
    ruleKey: "match",
    hint: fieldsHint(fields),
  };
}

const fieldsHint = (fields: readonly string[]): string =>
  `Their fields: ${fields.slice(0, 20).join(", ")}.`;

/**
 * Finds inputs that the call of the list would lack.
 * @param provided inputs with a value when a name is looked up
 */
function missingInputs(
  { definition, inputs }: PlannedTool,
  lists: readonly OperationBinding[],
  provided: readonly string[],
  passedInputs: readonly string[],
): LookUpFailure | undefined {
  const missing = passedInputs.filter((name) => !inputs.some((input) => input.name === name));
  if (missing.length > 0)
    return {
      reason: `it needs ${missing.join(", ")}, which ${definition.name} does not have.`,
      ruleKey: "via",
    };
  if (lists.some((list) => list.whenProvided.every((name) => provided.includes(name))))
    return undefined;
  return {
    reason: `its list needs ${lists.map((list) => list.whenProvided.join(" and ")).join(" or ")}.`,
    ruleKey: "via",
  };
}

/** Names of the fields of a list's items. */
function itemFieldNames({ output }: PlannedTool, schemas: Schemas): Iterable<string> {
  const items = output && listItems(allFields(output, schemas).get("items"), schemas);
  return items === undefined ? [] : allFields(items, schemas).keys();
}

/** Field of the items with the ID: one with the input's own name, else `id` and its like. */
function idField(tool: PlannedTool, input: string, fields: readonly string[]): string | undefined {
  const wires = tool.definition.operations
    .flatMap(({ request }) => requestParameters(request))
    .filter(({ source }) => sourceInput(source) === input)
    .flatMap(({ wireName }) => wireName ?? []);
  const sameField = (name: string): string | undefined =>
    fields.find((field) => splitWords(field).join(" ") === splitWords(name).join(" "));
  const { idWord } = parseIdentityName(input);
  return [
    input,
    ...wires,
    ...(idWord === "" ? [] : [idWord]),
    "id",
    "uuid",
    "key",
    "slug",
    "code",
    "sid",
  ]
    .map(sameField)
    .find((field) => field !== undefined);
}

const SEARCH_INPUT =
  /^(q|query|text|search|search (text|term|query|string)|terms?|keywords?|phrase|name)$/;

/** Input of a list that takes the name, or words of it. */
function searchInput(
  { definition }: PlannedTool,
  list: readonly OperationBinding[],
  match: string,
): string | undefined {
  const properties = inputProperties(definition);
  const parameters = list
    .flatMap(({ request }) => requestParameters(request))
    .flatMap(({ location, wireName = "", source }) => {
      const input = sourceInput(source);
      return input === undefined ||
        location === "path" ||
        !typesOf(properties[input] ?? {}).includes("string") ||
        properties[input]?.enum
        ? []
        : [{ input, words: [input, wireName].map((name) => splitWords(name).join(" ")) }];
    });
  const newSchema = splitWords(match).join(" ");
  return (
    parameters.find(({ words }) => words.includes(newSchema)) ??
    parameters.find(({ words }) => words.some((word) => SEARCH_INPUT.test(word)))
  )?.input;
}

/** Maximum number of items that are searched for a name, if the list has no search. */
const MAX_SEARCHED_ITEMS = 1000;

/**
 * Lookup in the form of the runtime.
 * @param schema schema of the input that takes the ID
 * @param items position of the list in the response, if the result is not `{items}`
 */
function nameResolution(
  { via, nameField: match, idField: id, searchInput: text, passedInputs }: LookUp,
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

/** Part of an ID's schema that no name satisfies. */
function idOnlySchema({ type, format, pattern, enum: values }: JsonSchema): JsonSchema | undefined {
  if (type === "integer" || type === "number") return { type };
  if (Array.isArray(values)) return { type: "string", enum: values };
  if (format !== undefined && ID_FORMATS.has(format)) return { type: "string", format };
  if (pattern === undefined) return undefined;
  const test = new RegExp(pattern, "u");
  return SAMPLE_NAMES.some((name) => test.test(name)) ? undefined : { type: "string", pattern };
}

/** Adds the lookup to an input, which then accepts any text. Numbers stay numbers. */
function addNameResolution(
  tool: PlannedTool,
  input: PlannedInput,
  binding: NameResolution,
  schema: JsonSchema,
): PlannedTool {
  const { definition } = tool;
  const sentence = `Or its exact ${binding.nameField}, which ${binding.lookupTool} looks up.`;
  const description = `${toSentence(input.description)} ${sentence}`;
  const properties = {
    ...inputProperties(definition),
    [input.name]: nameOrIdSchema(schema, description),
  };
  const operations = definition.operations.map((operation) =>
    requestParameters(operation.request).some(({ source }) => sourceInput(source) === input.name)
      ? { ...operation, resolve: { ...operation.resolve, [input.name]: binding } }
      : operation,
  );
  const type = isNumeric(schema) ? { anyOf: [input.type, { type: "string" }] } : { type: "string" };
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
    ...rest
  } = schema;
  return {
    ...(isNumeric(schema)
      ? { anyOf: [numberSchema(schema), { type: "string" }] }
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
