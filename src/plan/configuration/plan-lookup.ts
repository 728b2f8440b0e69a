import { typesOf } from "../../json.js";
import { quoteText, suggestionFor } from "../../diagnostics/text.js";
import type { FieldPath } from "../../runtime/data/field-paths.js";
import type { OperationBinding } from "../../runtime/types.js";
import {
  defaultedInputs,
  inputProperties,
  requestParameters,
  sourceInput,
} from "../bound-parameters.js";
import { splitWords } from "../../language/words.js";
import { returnsItems } from "../pagination/detect.js";
import { parseIdentityName } from "../producers/resources.js";
import { allFields, listItems } from "../schemas/flat-object.js";
import { fieldAt, parseFieldPath } from "../schemas/field-path.js";
import type { AnySchema, Schemas } from "../schemas/refs.js";
import { joinWithOr } from "../text/sentences.js";
import type { PlannedTool } from "../types.js";

/** Lookup of a name. */
export interface LookUp {
  /** Tool that returns the list. */
  readonly via: PlannedTool;
  /** Fields of its items that are the name and the ID. */
  readonly nameField: string;
  /** All fields with names, if there are several or one is inside another. */
  readonly nameFields?: readonly FieldPath[];
  readonly idField: string;
  /** Its input for the name, or for words of it. */
  readonly searchInput: string | undefined;
  /** Its other required inputs, which the tool has under the same names. */
  readonly passedInputs: readonly string[];
}

/** Reason against a lookup. */
interface LookUpFailure {
  /** End of the sentence "… cannot be looked up with …: ". */
  readonly reason: string;
  /** Part of the rule with the problem. */
  readonly ruleKey: "via" | "match" | "id";
  readonly hint?: string;
}

/** Fields that a rule names. */
interface NamedFields {
  readonly matches: readonly string[];
  readonly id: string | undefined;
}

/** Plans the lookup of names for an input. */
export function planLookUp(
  tool: PlannedTool,
  input: string,
  via: PlannedTool,
  { matches, id: namedId }: NamedFields,
  schemas: Schemas,
): LookUp | LookUpFailure {
  const items = itemsOf(via, schemas);
  const fields = items === undefined ? [] : [...allFields(items, schemas).keys()];
  const paths = matches.map((match) => pathOf(match, fields));
  const unknown = matches.find(
    (_, i) => fieldAt(items ?? {}, [paths[i] ?? ""].flat(), schemas) === undefined,
  );
  const lists = via.definition.operations.filter(({ response }) => returnsItems(response));
  const failure =
    rejectInput(tool, input) ??
    rejectTool(via, lists, fields) ??
    rejectField(unknown, fields) ??
    rejectUnlisted(matches, paths, via) ??
    rejectId(namedId, fields);
  if (failure) return failure;
  const id = namedId ?? idField(tool, input, fields);
  if (id === undefined)
    return {
      reason: "no name shows which field of its items is the ID.",
      ruleKey: "via",
      hint: `${idHint(fields)} If \`output\` drops the ID, keep it.`,
    };
  const text = searchInputOf(via, lists, matches[0] ?? "");
  const isSimple = paths.length === 1 && typeof paths[0] === "string";
  const required = (via.definition.inputSchema["required"] as readonly string[] | undefined) ?? [];
  const defaulted = defaultedInputs(via.definition).filter(
    (name) => !required.includes(name) && tool.inputs.some((one) => one.name === name),
  );
  const passedInputs = [...required, ...defaulted].filter((name) => name !== text);
  const provided = text === undefined ? required : [...required, text];
  return (
    missingInputs(tool, lists, provided, passedInputs) ?? {
      via,
      nameField: joinWithOr(matches),
      ...(!isSimple && { nameFields: paths }),
      idField: id,
      searchInput: text,
      passedInputs,
    }
  );
}

/** Rejects an input that does not take a single string or number. */
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

/** The path of a field, without the marks of lists. */
function pathOf(match: string, fields: readonly string[]): FieldPath {
  const path = fields.includes(match) ? [match] : parseFieldPath(match);
  return path.length === 1 ? (path[0] as string) : path;
}

/** Rejects a name of a field that the items lack. */
function rejectField(
  match: string | undefined,
  fields: readonly string[],
): LookUpFailure | undefined {
  if (match === undefined) return undefined;
  const suggestion = suggestionFor(match, fields) || ".";
  return {
    reason: `the items that it returns have no ${quoteText(match)}${suggestion}`,
    ruleKey: "match",
    hint: fieldsHint(fields),
  };
}

/** Rejects fields that only the result by ID has, because the list shows no name then. */
function rejectUnlisted(
  matches: readonly string[],
  paths: readonly FieldPath[],
  { listedFields, definition }: PlannedTool,
): LookUpFailure | undefined {
  if (listedFields === undefined) return undefined;
  const i = paths.findIndex((path) => !listedFields.includes([path].flat()[0] ?? ""));
  if (i < 0) return undefined;
  return {
    reason: `its list lacks ${quoteText(matches[i] ?? "")}, which only the result by ID has.`,
    ruleKey: "match",
    hint:
      `${fieldsHint(listedFields)} ` +
      `If ${definition.name} lists it anyway, add it to the document with an overlay.`,
  };
}

function rejectId(id: string | undefined, fields: readonly string[]): LookUpFailure | undefined {
  if (id === undefined || fields.includes(id)) return undefined;
  const suggestion = suggestionFor(id, fields) || ".";
  return {
    reason: `the items that it returns have no ${quoteText(id)}${suggestion}`,
    ruleKey: "id",
    hint: fieldsHint(fields),
  };
}

/** Names the field that may be the ID. Only the owner knows whether the API takes it. */
function idHint(fields: readonly string[]): string {
  const candidate = fields.find((field) => splitWords(field).at(-1) === "id");
  return candidate === undefined
    ? `Name it with \`id\`. ${fieldsHint(fields)}`
    : `If it is ${quoteText(candidate)}, add id: ${candidate} to the rule.`;
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

function itemsOf({ output }: PlannedTool, schemas: Schemas): AnySchema | undefined {
  return output && listItems(allFields(output, schemas).get("items"), schemas);
}

/** Field of the items with the ID: one with the input's own name, else `id` and its like. */
export function idField(
  tool: PlannedTool,
  input: string,
  fields: readonly string[],
): string | undefined {
  const wireNames = tool.definition.operations
    .flatMap(({ request }) => requestParameters(request))
    .filter(({ source }) => sourceInput(source) === input)
    .flatMap(({ wireName }) => wireName ?? []);
  const sameField = (name: string): string | undefined =>
    fields.find((field) => splitWords(field).join(" ") === splitWords(name).join(" "));
  const { idWord } = parseIdentityName(input);
  return [
    input,
    ...wireNames,
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

/** Input of a list for the name, or for words of it. */
export function searchInputOf(
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
  const matchWords = splitWords(match).join(" ");
  return (
    parameters.find(({ words }) => words.includes(matchWords)) ??
    parameters.find(({ words }) => words.some((word) => SEARCH_INPUT.test(word)))
  )?.input;
}
