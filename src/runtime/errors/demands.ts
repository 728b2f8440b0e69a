/** What an API demands against its document: another type of an input, or fields that it lacks. */
import { parseContainerText } from "../data/json-text.js";
import { isJson } from "../data/media-types.js";
import { joinFirst, ownProperty } from "../data/values.js";
import { inputOf } from "../request/parameter-source.js";
import type { ApiCall } from "../request/types.js";
import { expandSchemas, propertiesOf } from "../schema/subschemas.js";
import type { JsonSchema } from "../types.js";
import { isAboutAbsence, isAboutBody, REJECTIONS } from "./body-advice.js";
import { isAboutText, type JsonType, typedFields } from "./deserializers.js";
import type { ApiErrorByInput } from "./input-errors.js";

/** What an error response demands of the inputs of a call. */
export interface Demands {
  /** Inputs of which the API wants a type that the document does not allow, with its name. */
  readonly types: readonly (readonly [input: string, type: JsonType])[];
  /** Required fields of the body that the document lacks. */
  readonly fields: readonly string[];
  /** The document has no body, and the API rejects its absence, or may have failed because of it. */
  readonly body?: "needed" | "likely";
}

const NONE: Demands = { types: [], fields: [] };

/**
 * Reads the demands of an error response. Empty where the server takes no input against the
 * document, and for bodies that are not JSON.
 */
export function readDemands(status: number, call: ApiCall, error: ApiErrorByInput): Demands {
  const { body, isRaw, method } = call.mapping;
  const takesBody = body ? isJson(body.contentType) && !body.from : BODY_METHODS.test(method);
  if (!call.isCorrectable || isRaw || !takesBody) return NONE;
  const isDocumented = body?.from !== undefined || Object.keys(body?.fields ?? {}).length > 0;
  const undocumented = isDocumented ? undefined : undocumentedBody(status, call, error.message);
  if (undocumented !== undefined) return undocumented;
  if (status === 500) return { types: typesAfterFault(call, error), fields: [] };
  if (!REJECTIONS.has(status)) return NONE;
  const types = againstDocument(call, [...statedTypes(error), ...deserializedTypes(call, error)]);
  return { types, fields: demandedFields(call, error) };
}

/** Methods whose requests may have a body, also where the document forgets it. */
const BODY_METHODS = /^(?:DELETE|PATCH|POST|PUT)$/;

/** Field that JavaScript read of an absent object. */
const READ_FIELD =
  /\(reading '([\w$]{1,60})'\)|\bdestructure property '([\w$]{1,60})'|\bproperty '([\w$]{1,60})' of (?:undefined|null)\b/i;

/** Members of texts and lists, which code reads of its own values. */
const METHOD =
  /^(?:charAt|endsWith|forEach|includes|indexOf|join|length|map|pop|push|replace(?:All)?|slice|split|startsWith|substring|to(?:Lower|Upper)Case|toString|trim)$/;

/** Names of the field that code read of an absent object, as its exception has them. */
function readFields(message: string): readonly string[] {
  const [, ...named] = READ_FIELD.exec(message) ?? [];
  return named.filter((name) => name !== undefined);
}

/** Omitted inputs that the code of an API has read all the same, and failed. */
export const readInputs = (call: ApiCall, message: string): readonly string[] =>
  readFields(message).filter(
    (name) =>
      Object.hasOwn(propertiesOf(call.tool.inputSchema), name) && call.input[name] === undefined,
  );

/** Demands of an API that has read a body where neither the document nor the request has one. */
function undocumentedBody(status: number, call: ApiCall, message: string): Demands | undefined {
  if (call.request.body !== undefined) return undefined;
  const read = readFields(message);
  const isFault =
    status === 500 && isAboutAbsence(message) && !read.some((one) => METHOD.test(one));
  // 415 is about the format of a body, also where the request has none.
  const isBodyMeant =
    status === 415 || ((status === 500 || REJECTIONS.has(status)) && isAboutBody(message));
  if (!isFault && !isBodyMeant) return undefined;
  const fields = read.filter((name) => !NO_FIELD.test(name));
  return { types: [], fields, body: isBodyMeant ? "needed" : "likely" };
}

/** Words of messages by the type that they mean. */
const TYPES: ReadonlyMap<string, JsonType> = new Map(
  Object.entries({
    array: "array list sequence slice",
    boolean: "bool boolean",
    integer: "int integer",
    number: "decimal float number numeric",
    object: "dict dictionary hash map mapping object struct",
    string: "str string text",
  }).flatMap(([type, words]) => words.split(" ").map((word) => [word, type as JsonType] as const)),
);

const TYPE_WORDS = [...TYPES.keys()].join("|");

/** `must be of type object`, `expected string`, `should be a valid list`, `is not an integer`. */
const DEMAND = new RegExp(
  "\\b(?:(?:must be|should be|has to be|needs to be|expected|expects)" +
    "(?: (?:an?|of|the|type|valid|to|be)){0,4}" +
    "|(?:is not|not)(?: (?:an?|of|type|valid)){1,3})" +
    ` ["'\`]?(${TYPE_WORDS})\\b`,
  "i",
);

type InputType = Demands["types"][number];

/** Types that the errors of inputs state in words. */
const statedTypes = ({ inputErrors }: ApiErrorByInput): readonly InputType[] =>
  inputErrors.flatMap(({ input, message }) => {
    const word = DEMAND.exec(message)?.[1]?.toLowerCase();
    const type = word === undefined ? undefined : TYPES.get(word);
    return type === undefined ? [] : [[input, type] as const];
  });

/** Types of fields that a deserializer names. */
function deserializedTypes(call: ApiCall, error: ApiErrorByInput): readonly InputType[] {
  const { fields = {} } = call.mapping.body ?? {};
  const texts = [error.message, ...error.inputErrors.map(({ message }) => message)].join("; ");
  return typedFields(texts).flatMap(({ field, type }) => {
    const source = ownProperty(fields, field);
    const input = source === undefined ? undefined : inputOf(source);
    return input === undefined ? [] : [[input, type] as const];
  });
}

/** The types of fields of the body that the document does not allow. */
function againstDocument(call: ApiCall, types: readonly InputType[]): Demands["types"] {
  const inputs = Object.values(call.mapping.body?.fields ?? {}).map(inputOf);
  return [...new Map(types)].filter(
    ([input, type]) => inputs.includes(input) && !allowsType(call.tool.inputSchema, input, type),
  );
}

/** Types that the code of an API shows that it expects, as it fails. */
const typesAfterFault = (call: ApiCall, error: ApiErrorByInput): Demands["types"] =>
  againstDocument(call, [...deserializedTypes(call, error), ...structuresInText(call, error)]);

/**
 * The only text of a body that holds a JSON object or list, where the code of the API fails because
 * it got a text.
 */
function structuresInText(call: ApiCall, { message }: ApiErrorByInput): readonly InputType[] {
  if (!isAboutText(message)) return [];
  const inputs = Object.values(call.mapping.body?.fields ?? {}).flatMap(
    (one) => inputOf(one) ?? [],
  );
  const held = inputs.flatMap((input) => {
    const type = typeOfJson(call.input[input]);
    return type === undefined ? [] : [[input, type] as const];
  });
  return held.length === 1 ? held : [];
}

function typeOfJson(value: unknown): "array" | "object" | undefined {
  const parsed = parseContainerText(value);
  if (parsed === undefined) return undefined;
  return Array.isArray(parsed) ? "array" : "object";
}

/** True if the schema of an input allows a type, or states none. */
function allowsType(root: JsonSchema, input: string, type: JsonType): boolean {
  const own = propertiesOf(root)[input];
  const declared = expandSchemas(own ? [own] : [], root).flatMap((schema) => schema["type"] ?? []);
  const same = type === "integer" || type === "number" ? ["integer", "number"] : [type];
  return declared.length === 0 || declared.some((one) => same.includes(one as string));
}

/** Texts of errors of a field that is absent. */
const STATES_ABSENCE = /\b(?:required|missing|mandatory|must be (?:provided|given|set|present))\b/i;

/** `"name" is required`, `missing required field: name`, `missing field in JSON data: name`. */
const QUOTED =
  /["'`]([\w.-]{1,60})["'`] (?:is|are) (?:required|missing|mandatory)\b|\bmissing(?: required)? (?:field|parameter|property|key)s?(?: (?:from|in|of)\b[\w ]{1,40}(?=:))?:? ["'`]?([\w.-]{1,60})/gi;

/** A message that is nothing but `name is required`. */
const SHORT = /^(?:the )?([A-Za-z][\w.-]{0,59}) (?:is|are) (?:required|missing|mandatory)\.?$/i;

/** Words that name no field, and classes of errors. */
const NO_FIELD =
  /^(?:auth\w*|body|content|credentials?|data|header|json|key|payload|request|token|\w+(?:Error|Exception))$/i;

function demandedFields(
  call: ApiCall,
  { message, otherErrors }: ApiErrorByInput,
): readonly string[] {
  const ofFields = otherErrors.filter((error) => STATES_ABSENCE.test(error.message));
  const quoted = [...message.slice(0, MAX_SEARCHED).matchAll(QUOTED)];
  const short = SHORT.exec(message.slice(0, MAX_SEARCHED))?.[1] ?? [];
  const named = [
    ...ofFields.map(({ field }) => field),
    ...quoted.flatMap(({ 1: before, 2: after }) => before ?? after ?? []),
    ...[short].flat(),
  ];
  const declared = propertiesOf(call.tool.inputSchema);
  const names = named.map(fieldName).filter((name) => name !== "" && !NO_FIELD.test(name));
  return [...new Set(names)]
    .filter((name) => !Object.hasOwn(declared, name))
    .slice(0, MAX_DEMANDED);
}

/** Maximum number of characters of a message, and of fields that one response demands. */
const [MAX_SEARCHED, MAX_DEMANDED] = [2000, 10];

/** `body.fields` → `fields`. Fields of another part of the request, and inner ones, are none. */
function fieldName(path: string): string {
  const inBody = path.replace(/^(?:body|payload|data|request)\./i, "");
  return /^[A-Za-z_][\w-]*$/.test(inBody) ? inBody : "";
}

/** Advice for the demands of a response; undefined if it has none. */
export function demandAdvice(
  { types, fields, body }: Demands,
  { tool }: ApiCall,
): string | undefined {
  const again = `then call ${tool.name} again`;
  if (body !== undefined) {
    const reads = `the API ${body === "needed" ? "reads" : "may read"} a body`;
    const named = fields.length > 0 ? `, such as ${joinFirst(fields, MAX_DEMANDED)},` : "";
    return `${reads}, which its documentation lacks: pass its fields${named} like inputs, ${again}.`;
  }
  const otherwise = "the API wants that, although its documentation says otherwise.";
  const typed = types.map(([input, type]) => `${input} as ${PHRASES[type]}`);
  if (typed.length > 0) return `pass ${joinFirst(typed, MAX_DEMANDED)}, ${again}: ${otherwise}`;
  if (fields.length === 0) return undefined;
  const names = joinFirst(fields, MAX_DEMANDED);
  const needs = "the API needs that, although its documentation lacks it.";
  return `pass ${names} like an input, ${again}: ${needs}`;
}

const PHRASES: Readonly<Record<JsonType, string>> = {
  array: "a list",
  boolean: "true or false",
  integer: "an integer",
  number: "a number",
  object: "an object",
  string: "text",
};
