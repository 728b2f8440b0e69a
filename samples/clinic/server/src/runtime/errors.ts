// errors: files of the runtime of mcp-gen as one module, each after those that it uses.

import { describeScopes } from "./auth.js";
import { isPossibleWrite, isWrite, retryAfter } from "./client.js";
import {
  beginningOf, canParseUrl, capitalize, isEmptyValue, isJson, isObject, isReadableText, isXml,
  joinFirst, ownProperty, parseContainerText, parseContentType, parseLimitedJson, pluralize,
  singularize, type Steps,
} from "./data.js";
import {
  type ApiCall, type ApiResponse, type CallableTool, credentialHeaderVariables, type Failure,
  type FindTool, inputOf, type InputProblem, isSuccess, mappedInputs, queryInputs,
} from "./request.js";
import { decodeText, narrowingInputs, sanitize } from "./response.js";
import { expandSchemas, isSecretField, propertiesOf, propertySchema } from "./schema.js";
import {
  type BodyMapping, type JsonSchema, loginCommandOf, type OutcomeField, type RequestMapping,
  rulesOf, type ToolDefinition,
} from "./types.js";

// ---- errors/api-error/json-in-text.ts ----
// JSON in a text of an error response, as gateways pass on the error of another server.

/** Maximum number of characters that are read as JSON. */
const MAX_TEXT = 20_000;

/** Maximum number of values of the JSON. */
const MAX_TEXT_VALUES = 1_000;

/** Parses a text that is a JSON object, list or string as a whole; undefined for any other text. */
export function jsonInText(text: string): unknown {
  const trimmed = text.length <= MAX_TEXT ? text.trim() : "";
  const ends = `${trimmed[0] ?? ""}${trimmed.at(-1) ?? ""}`;
  if (trimmed.length < 2 || !["{}", "[]", '""'].includes(ends)) return undefined;
  return parseLimitedJson(trimmed, MAX_TEXT_VALUES);
}

// ---- errors/api-error/json-message.ts ----
// The message of an API in a JSON error body, and its errors of fields.

/** An error that the API reports for one field or parameter, under the API's own name. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** The message of an API error, and its errors of single fields. */
export interface ApiErrorDetails {
  readonly message: string;
  readonly fieldErrors: readonly FieldError[];
  /** True if the body has no message, so that its JSON stands for one. */
  readonly isBody?: true;
}

type ErrorFields = Readonly<Record<string, unknown>>;

/** Fields that hold the message, in the order in which they are quoted; letters only, in lower case. */
const MESSAGE_FIELDS = (
  "title message errordescription detail error fault description msg reason errormessage " +
  "errormsg errmsg errorsummary faultstring errordetail"
).split(" ");

/** Fields that hold a list of messages, or messages by field. */
const LIST_FIELDS = (
  "errors details violations issues errorMessages invalid-params invalidParams " +
  "fieldViolations invalid_params fieldErrors field_errors validationErrors messages " +
  "non_field_errors error_messages"
).split(" ");

/** Fields that hold an error code. It follows the message, because agents know many codes. */
const CODE_FIELDS = ["code", "error_code", "errorCode", "Code", "__type", "type", "status"];

/** Fields that name the input that an error is about. */
const NAME_FIELDS = (
  "field path pointer loc param parameter parameterName property propertyPath " +
  "propertyName attribute argument instancePath dataPath target key fields name"
).split(" ");

/**
 * Fields that name an input even outside a list of errors, such as Stripe's `error.param`. There,
 * the other fields often mean something else.
 */
const RELIABLE_NAME_FIELDS = ["param", "parameter", "field", "pointer"];

/** Maximum nesting of messages. */
const MAX_MESSAGE_DEPTH = 6;

/** Maximum number of entries of a list that are read. */
const MAX_ENTRIES = 50;

/** Limits of a text and a path that name a field. */
const MAX_NAME = 200;
const MAX_STEPS = 20;

/** Maximum number of values of an error without a message. */
const MAX_SHOWN_VALUES = 8;

/**
 * Reads the usual shapes of error responses: problem details and the formats of large APIs.
 * https://www.rfc-editor.org/rfc/rfc9457
 */
export function parseErrorValue(value: unknown): ApiErrorDetails {
  const reader = new ErrorReader();
  const { fieldErrors } = reader;
  const own = reader.message(value, 0);
  const hasNone = own === "" && fieldErrors.length === 0;
  const message = hasNone ? reader.message(onlyPart(value), 1) : own;
  if (message !== "") return { message, fieldErrors };
  const body = fallbackMessage(value, fieldErrors);
  return body === "" ? { message, fieldErrors } : { message: body, fieldErrors, isBody: true };
}

/** Names of objects that hold an error beside its name or flags. */
const ERROR_OBJECT = /^(?:data|response|result|body|payload|meta|cause|info)$/i;

/**
 * The one object in a body that is not empty: `{"meta": {"errorDetail": "…"}, "response": {}}`.
 * Beside it may be texts and flags: `{"name": "NotFound", "data": {"message": "…"}}`.
 */
function onlyPart(value: unknown): unknown {
  if (!isObject(value)) return undefined;
  const parts = Object.entries(value).filter(([, part]) => !isEmptyValue(part));
  const [first, ...others] = parts.filter(([, part]) => typeof part === "object");
  if (!first || others.length > 0 || !isObject(first[1])) return undefined;
  return parts.length === 1 || ERROR_OBJECT.test(first[0]) ? first[1] : undefined;
}

class ErrorReader {
  readonly fieldErrors: FieldError[] = [];

  /** Returns the message of a value and collects its errors of fields. */
  message(value: unknown, depth: number): string {
    if (typeof value === "string") return this.#text(value, depth);
    if (depth > MAX_MESSAGE_DEPTH) return "";
    if (Array.isArray(value))
      return joinTexts(value.slice(0, MAX_ENTRIES).map((entry) => this.#entry(entry, depth)));
    return isObject(value) ? this.#fields(value, depth) : "";
  }

  /** A text, or the message of the JSON that it holds: `"{\\"error\\": \\"no space\\"}"`. */
  #text(text: string, depth: number): string {
    const value = depth < MAX_MESSAGE_DEPTH ? jsonInText(text) : undefined;
    const reported = this.fieldErrors.length;
    const message = value === undefined ? "" : this.message(value, depth + 1);
    return message === "" && this.fieldErrors.length === reported ? text : message;
  }

  #fields(fields: ErrorFields, depth: number): string {
    if (isByField(fields))
      return joinTexts(
        Object.entries(fields).map(([name, texts]) => this.#report(name, messageOf(texts, depth))),
      );
    const messages = messagesOf(fields).map((value) => this.message(value, depth + 1));
    const message = joinTexts(messages);
    const field = firstText(RELIABLE_NAME_FIELDS.map((name) => fields[name]));
    return joinTexts([
      this.#report(field, message && withCode(message, fields)),
      ...LIST_FIELDS.map((name) =>
        this.#list(fields[name] ?? fields[withCapital(name)], depth + 1),
      ),
    ]);
  }

  /** Reads a list of errors: `[{field, message}]`, `[text]`, FastAPI's `[{loc, msg}]`, `{field: [messages]}`. */
  #list(errors: unknown, depth: number): string {
    if (!isObject(errors)) return this.message(errors, depth);
    if (messagesOf(errors).some((value) => typeof value === "string"))
      return this.#entry(errors, depth);
    return joinTexts(
      Object.entries(errors)
        .slice(0, MAX_ENTRIES)
        .map(([name, value]) => this.#report(name, messageOf(value, depth))),
    );
  }

  /** Reads one error of a list, which may name its field. */
  #entry(error: unknown, depth: number): string {
    if (!isObject(error)) return this.message(error, depth + 1);
    const { name, source } = findFieldName(error);
    const reported = this.fieldErrors.length;
    const unnamed = source === undefined ? error : { ...error, [source]: undefined };
    const message =
      this.message(unnamed, depth + 1) || codeOf(error) || describeValues(error, source);
    return this.fieldErrors.length > reported ? message : this.#report(name, message);
  }

  /** Collects an error of a field. @returns the message when no field is named */
  #report(field: string, message: string): string {
    if (field === "" || message === "") return message;
    this.fieldErrors.push({ field, message });
    return "";
  }
}

/** Values of the fields that hold a message: `errmsg`, `Error Message`. */
function messagesOf(fields: ErrorFields): readonly unknown[] {
  const entries = Object.entries(fields)
    .slice(0, MAX_ENTRIES)
    .map(([name, value]) => [name.toLowerCase().replace(/[^a-z]/g, ""), value] as const);
  return MESSAGE_FIELDS.flatMap((field) =>
    entries.flatMap(([name, value]) => (name === field ? [value] : [])),
  );
}

/** True if an object maps fields to messages, as Django does: `{"email": ["is required"]}`. */
function isByField(fields: ErrorFields): boolean {
  const entries = Object.entries(fields);
  const isTexts = (value: unknown): boolean =>
    Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
  return (
    entries.length > 0 &&
    entries.length <= MAX_ENTRIES &&
    entries.every(([name, value]) => isTexts(value) && !isListField(name))
  );
}

/** Some frameworks capitalize names: `Errors`, `Details`. */
const withCapital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const isListField = (name: string): boolean =>
  LIST_FIELDS.some((field) => field === name || withCapital(field) === name);

/** The field that an error names; `source` is the member that names it. */
interface FieldName {
  readonly name: string;
  readonly source?: string;
}

function findFieldName(fields: ErrorFields): FieldName {
  const jsonApi = fields["source"];
  if (isObject(jsonApi)) {
    const name = firstText([jsonApi["pointer"], jsonApi["parameter"], jsonApi["header"]]);
    return { name, source: "source" };
  }
  const source = NAME_FIELDS.find((name) => formatPath(fields[name]) !== "");
  return source === undefined ? { name: "" } : { name: formatPath(fields[source]), source };
}

/** Formats the name or the path of a field: `email`, `["body", "email"]`, `["items", 0, "name"]`. */
function formatPath(value: unknown): string {
  if (typeof value === "string") return value.length <= MAX_NAME ? value : "";
  const isPath =
    Array.isArray(value) &&
    value.length > 0 &&
    value.length < MAX_STEPS &&
    value.every((step) => typeof step === "string" || typeof step === "number");
  return isPath ? (value as readonly unknown[]).map(String).join(".") : "";
}

function withCode(message: string, fields: ErrorFields): string {
  const code = codeOf(fields);
  if (code !== "") return message.includes(code) ? message : `${message} (${code})`;
  const number = numericCodeOf(fields);
  const isNamed = number === "" || message.split(/\D+/).includes(number);
  return isNamed ? message : `${message} (code ${number})`;
}

/** Reads an error code that is a word. `about:blank` and links do not help an agent. */
function codeOf(fields: ErrorFields): string {
  const isCode = (value: unknown): boolean =>
    typeof value === "string" &&
    /^[A-Za-z][\w.#-]{2,63}$/.test(value) &&
    !/^(?:error|fail|failed|failure)$/i.test(value);
  const isClass = (value: unknown): boolean =>
    isCode(value) && /[a-z](?:Error|Exception)$/.test(String(value));
  const codes = CODE_FIELDS.map((name) => fields[name]);
  return (
    firstText([...codes, extensionCode(fields)].filter(isCode)) ||
    firstText([fields["name"]].filter(isClass))
  );
}

/** The code beside a message as GraphQL has it: `{message, extensions: {code}}`. */
function extensionCode({ extensions }: ErrorFields): unknown {
  return isObject(extensions) ? extensions["code"] : undefined;
}

/** Reads a number of the API's own. A status that the body repeats says nothing new. */
function numericCodeOf(fields: ErrorFields): string {
  const isOwn = (text: string): boolean =>
    /^-?[1-9]\d{0,9}$/.test(text) && !/^[1-5]\d\d$/.test(text);
  return CODE_FIELDS.map((name) => String(fields[name])).find(isOwn) ?? "";
}

/** Message of a value that a field or a list of errors has, with its errors of fields. */
function messageOf(value: unknown, depth: number): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "object" && typeof value !== "string")
    return String(value as number | boolean);
  const reader = new ErrorReader();
  const message = reader.message(value, Math.max(depth, MAX_MESSAGE_DEPTH - 2));
  const nested = reader.fieldErrors.map((error) => `${error.field}: ${error.message}`);
  return joinTexts([message, ...nested]);
}

/** Describes an error without a message by its scalar values. */
function describeValues(fields: ErrorFields, omitted: string | undefined): string {
  const values = Object.entries(fields).filter(
    ([name, value]) =>
      name !== omitted &&
      !name.startsWith("@") &&
      ["string", "number", "boolean"].includes(typeof value),
  );
  return values
    .slice(0, MAX_SHOWN_VALUES)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ");
}

/** Serializes a response without a message, unless it is empty. */
function fallbackMessage(value: unknown, fieldErrors: readonly FieldError[]): string {
  const isStructured = typeof value === "object" && !isEmptyValue(value);
  if (!isStructured || fieldErrors.length > 0) return "";
  try {
    return JSON.stringify(value);
  } catch {
    // Thousands of lists in lists exhaust the stack.
    return "";
  }
}

function firstText(values: readonly unknown[]): string {
  return values.find((value): value is string => typeof value === "string" && value !== "") ?? "";
}

/** Joins texts. A text that is repeated, alone, with a code or at the end of another one, is joined once. */
function joinTexts(texts: readonly string[]): string {
  const parts = new Map<string, string>();
  const isJoined = (key: string): boolean =>
    parts.has(key) ||
    [...parts.keys()].some((other) => other.endsWith(`: ${key}`) || other.startsWith(`${key} (`));
  for (const part of texts.flatMap((text) => text.split("; "))) {
    const key = part.trim().replace(/\.$/, "").toLowerCase();
    if (key !== "" && !isJoined(key)) parts.set(key, part.trim());
  }
  // A full stop before the separator would end the sentence twice.
  return [...parts.values()].join("; ").replaceAll(/(?<!\.)\.; /g, "; ");
}

// ---- errors/api-error/extract.ts ----
// The API's own message in an error response.

/** Maximum number of characters of the API's message that are passed on. */
const MAX_CHARACTERS = 2000;
const MAX_FIELD_ERRORS = 20;
const MAX_FIELD_NAME = 200;

const NO_DETAILS: ApiErrorDetails = { message: "", fieldErrors: [] };

/**
 * Extracts the API's message from an error response, and its errors of single fields. It knows the
 * usual shapes: problem details (RFC 9457), `message`, `error`, SOAP faults and pages. Both are
 * empty when the response has no message.
 */
export function extractApiError(
  response: Pick<ApiResponse, "headers" | "body" | "size">,
): ApiErrorDetails {
  const details = limitSize(parseBody(response));
  if (details.message || details.fieldErrors.length > 0) return details;
  const challenge = challengeMessage(response.headers.get("www-authenticate"));
  return { message: shorten(toOneLine(challenge)), fieldErrors: [] };
}

/** Extracts the message of a JSON value that reports an error. */
export function extractErrorFromValue(value: unknown): ApiErrorDetails {
  return limitSize(parseErrorValue(value));
}

/** Parses the body of an error response; undefined unless it is JSON. */
export function responseValue(response: Pick<ApiResponse, "headers" | "body" | "size">): unknown {
  const text = bodyText(response);
  return text === undefined ? undefined : parseLimitedJson(text, MAX_ERROR_VALUES);
}

/** Quotes the message of an API. The JSON of a body without one is not quoted once more. */
export function quoteMessage({ message, isBody }: Omit<ApiErrorDetails, "fieldErrors">): string {
  return isBody ? message : JSON.stringify(message);
}

/** Prepares the beginning of a malformed response for quoting. */
export function excerpt(text: string): string {
  return shorten(toOneLine(markupMessage(text)));
}

function parseBody(response: Pick<ApiResponse, "headers" | "body" | "size">): ApiErrorDetails {
  const text = bodyText(response);
  if (text === undefined) return NO_DETAILS;
  const value = parseLimitedJson(text, MAX_ERROR_VALUES);
  return value === undefined ? markupError(text) : parseErrorValue(value);
}

/** Elements that name the input of an error: `<QueryParameterName>blockid</QueryParameterName>`. */
const INPUT_NAMES = ["QueryParameterName", "ParameterName", "HeaderName", "ArgumentName"];

/** The message of markup, as that of the input that an XML document names. */
function markupError(text: string): ApiErrorDetails {
  const message = markupMessage(text);
  const field = isFault(text) ? firstElementText(text.slice(0, MAX_TEXT_READ), INPUT_NAMES) : "";
  return field === "" || message === ""
    ? { message, fieldErrors: [] }
    : { message: "", fieldErrors: [{ field, message }] };
}

/** Undefined without a body, and for one that is not text. */
function bodyText({
  headers,
  body,
  size,
}: Pick<ApiResponse, "headers" | "body" | "size">): string | undefined {
  if (size === 0) return undefined;
  const { essence, charset } = parseContentType(headers.get("content-type"));
  const isText = essence === "" || isJson(essence) || isReadableText(essence);
  return isText ? decodeText(body, charset).text : undefined;
}

/** Maximum number of values of an error response that are read. */
const MAX_ERROR_VALUES = 10_000;

function limitSize({ message, fieldErrors, isBody }: ApiErrorDetails): ApiErrorDetails {
  let remaining = MAX_CHARACTERS;
  const errors: FieldError[] = [];
  for (const error of fieldErrors.slice(0, MAX_FIELD_ERRORS)) {
    const field = toOneLine(error.field).slice(0, MAX_FIELD_NAME);
    const shortened = shorten(toOneLine(error.message), Math.max(0, remaining));
    remaining -= field.length + shortened.length;
    if (remaining > 0) errors.push({ field, message: shortened });
  }
  const shortened = { message: shorten(toOneLine(message)), fieldErrors: errors };
  return isBody ? { ...shortened, isBody } : shortened;
}

function toOneLine(text: string): string {
  return sanitize(text).replace(/\s+/g, " ").trim();
}

/** Part of a shortened text that is its end, where a log has its error. */
const END_SHARE = 0.3;

/** Shortens a text to its beginning and its end, with a mark between them. */
function shorten(text: string, max = MAX_CHARACTERS): string {
  if (text.length <= max) return text;
  const end = Math.floor(max * END_SHARE);
  return `${text.slice(0, max - end)}…${end > 0 ? text.slice(-end) : ""}`;
}

/**
 * Reads the reason from a `WWW-Authenticate` header, which is often the only message. RFC 6750,
 * section 3. Empty when there is none.
 */
function challengeMessage(header: string | null): string {
  if (header === null) return "";
  const text = header.slice(0, 2000);
  const [description, error, scope] = ["error_description", "error", "scope"].map(
    (name) => new RegExp(`\\b${name}="([^"]*)"`, "i").exec(text)?.[1],
  );
  return [
    description ?? error,
    error === "insufficient_scope" && scope ? `scope needed: ${scope}` : undefined,
  ]
    .filter(Boolean)
    .join("; ");
}

/** Maximum number of characters that are read, so that the time is bounded. */
const MAX_TEXT_READ = 32 * 1024;

/**
 * Extracts the message of a page or an XML document. That is the message of a SOAP fault or of an
 * error document (`<Error><Code>…<Message>…`), otherwise all text without scripts, styles,
 * what is shown without scripts, and tags.
 * Text without markup is returned unchanged.
 */
function markupMessage(text: string): string {
  const start = shorten(text, MAX_TEXT_READ);
  if (!/<[a-z!/?]/i.test(start)) return start;
  return faultMessage(start) || textOf(removeHead(start));
}

/** True for an error document of XML. */
const isFault = (text: string): boolean =>
  /^\s*<(?:\?xml|[\w:.-]{1,60}(?:Envelope|Error|Fault|ErrorResponse|problem)\b)/i.test(text);

function faultMessage(xml: string): string {
  if (!isFault(xml)) return "";
  const message = firstElementText(xml, ["faultstring", "Text", "message", "title", "detail"]);
  const code = firstElementText(xml, ["faultcode", "code"]);
  return message && code && !message.includes(code) ? `${message} (${code})` : message;
}

function firstElementText(xml: string, names: readonly string[]): string {
  for (const name of names) {
    const text = elementText(xml, name);
    if (text !== "") return text;
  }
  return "";
}

/** Reads the text of the first element of a name, in any namespace. */
function elementText(xml: string, name: string): string {
  const tag = `<(?:[\\w.-]{1,30}:)?${name}(?:\\s[^<>]{0,300})?>`;
  const [, content = ""] = new RegExp(`${tag}([^<]{1,2000})<`, "i").exec(xml) ?? [];
  return decodeEntities(content).trim();
}

/** Removes the head of a page. A page without text in its body keeps it, for its title. */
function removeHead(page: string): string {
  const body = page.search(/<body\b/i);
  return body >= 0 && textOf(page.slice(body)).trim() !== "" ? page.slice(body) : page;
}

function textOf(markup: string): string {
  return decodeEntities(
    markup
      .replace(/<(script|style|noscript)\b[^]{0,8192}?<\/\1\s*>/gi, " ")
      .replace(/<[^<>]{0,2048}>/g, " "),
  );
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
]);

/** Replaces the entities of XML, and references to characters. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi,
    (entity, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES.get(name.toLowerCase()) ?? entity;
      const point = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : entity;
    },
  );
}

// ---- errors/api-error/name-lists.ts ----
// Names that a message joins to one that it speaks of: `name, email and password are required`.

/** Maximum number of joined names. */
const MAX_JOINED = 10;

/** Maximum number of characters of a list of names. */
const MAX_LIST_LENGTH = 300;

const LAST = /([\w.$[\]-]{1,80}) ?(?:, ?(?:and|or)?| (?:and|or|&)) ?$/i;
const NEXT = /^ ?(?:, ?(?:(?:and|or) )?|(?:and|or|&) )([\w.$[\]-]{1,80})/i;

/** The names that are joined to the one at a position, from the left. */
export function namesBefore(text: string, at: number): readonly string[] {
  let rest = text.slice(Math.max(0, at - MAX_LIST_LENGTH), at);
  const names: string[] = [];
  while (names.length < MAX_JOINED) {
    const found = LAST.exec(rest);
    if (!found) break;
    names.unshift(found[1]!);
    rest = rest.slice(0, found.index);
  }
  return names;
}

/** The names that are joined to the one that ends at a position. */
export function namesAfter(text: string, end: number): readonly string[] {
  let rest = text.slice(end, end + MAX_LIST_LENGTH);
  const names: string[] = [];
  while (names.length < MAX_JOINED) {
    const found = NEXT.exec(rest);
    if (!found) break;
    names.push(found[1]!);
    rest = rest.slice(found[0].length);
  }
  return names;
}

// ---- errors/api-error/message-kind.ts ----
// Subjects of an API's message, by its words: credentials, the input, a state, a fault.

const any = (...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join("|"), "i");

/** Verbs of instructions. Only with an object or an adverb: "Update failed" is not an instruction. */
const VERBS =
  "use|try|stop|start|remove|delete|set|add|check|specify|provide|enable|disable|enter|contact|" +
  "upgrade|update|change|choose|create|include|increase|reduce|verify|configure|pass|wait|run|" +
  "ensure|make|see|visit|supply|select|send|log|sign|grant|rename|pull";
const OBJECTS =
  "an?|the|your|this|that|it|its|them|these|another|one|either|only|at|to|in|with|for|again|sure|" +
  "different|more|fewer|less|valid";

const INSTRUCTION = any(
  /\bplease\b/,
  /\b(?:use|try|choose|pass|send|call|specify)\b[^.;]{1,80}\binstead\b/,
  /\binstead,? (?:use|try|pass|send|call)\b/,
  /\byou (?:must|need to|have to|should|may want to|can(?! ?not\b| only\b))\b/,
  /\b(?:try|retry|retrying)(?: \w+)? (?:again|later|after|in \d)/,
  /\b(?:must|should|has to|have to) be (?:one of|in |between|at least|at most|less|greater|lower|higher|smaller|larger|within|either|equal|before|after|the same|no more)/,
  /\b(?:allowed|valid|permitted|supported|possible|accepted|available) (?:values?|options|types|choices|formats)\b/,
  /\bexpected (?:one of|values?)\b/,
  /\bdid you mean\b|\bmake sure\b|\bcontact (?:your|the|us|support|an?)\b/,
  new RegExp(
    `(?:^|[.:;,!)(-] ?|\\b(?:and|or|then) )(?:${VERBS}) (?:(?:${OBJECTS})\\b|--?\\w|["'\`<])`,
  ),
);

/** True if a message says what to do. Advice would only repeat or contradict it. */
export function isInstruction(message: string): boolean {
  return INSTRUCTION.test(message);
}

const PLAN_NAME = "plan|tier|edition|licen[cs]e|subscription";

const PLAN = any(
  new RegExp(
    `\\b(?:${PLAN_NAME})\\b.{0,30}\\b(?:not|n't) (?:allow|include|support|permit|cover|have)`,
  ),
  new RegExp(
    `\\b(?:available|included|supported|enabled|allowed|permitted|unavailable)\\b.{0,40}\\b(?:${PLAN_NAME})\\b`,
  ),
  new RegExp(`\\bupgrad(?:e|ing)\\b.{0,60}\\b(?:${PLAN_NAME}|account)\\b`),
  new RegExp(
    `\\b(?:requires?|needs?|without|no valid|missing|invalid|expired) (?:an? )?(?:[\\w-]{1,30} ){0,3}(?:licen[cs]e|subscription)\\b`,
  ),
  /\b(?:licen[cs]e|subscription) (?:has |is )?(?:expired|invalid|required|missing)/,
  /\bunlicen[cs]ed\b|(?:\bnot|n't) (?:\w+ )?licen[cs]ed\b/,
  /\bfeature\b.{0,60}\b(?:(?:not|n't) (?:\w+ )?(?:enabled|available|included|licen[cs]ed|activated|supported)|disabled|unavailable)\b/,
  /\b(?:enterprise|premium|paid)[- ](?:only|feature|plan|edition|tier|version|licen[cs]e)\b/,
);

/** True if a message says that a licence, a plan or a switched-off feature prevents the call. */
export function isAboutPlan(message: string): boolean {
  return PLAN.test(message);
}

const LIMITED = "quota|credits?|balance|usage limit|monthly limit|daily limit|plan limit";
const USED_UP =
  "exceed(?:s|ed|ing)?|exhausted|reached|insufficient|used up|depleted|run out|ran out|out of";

const QUOTA = any(
  new RegExp(`\\b(?:${LIMITED})\\b.{0,40}\\b(?:${USED_UP})\\b`),
  new RegExp(`\\b(?:${USED_UP}|no more|no remaining)\\b.{0,40}\\b(?:${LIMITED})\\b`),
  /\binsufficient_(?:quota|credits|balance)\b/,
);

/** A quota that is new after a short time, which a wait resolves. */
const SHORT_PERIOD = /\b(?:per|a|each|every) (?:second|minute|hour|user)\b|\brate.?limit/i;

/** True if a message says that a quota or a balance is used up. */
export function isAboutQuota(message: string): boolean {
  return QUOTA.test(message) && !SHORT_PERIOD.test(message);
}

const CREDENTIAL = any(
  /\b(?:auth\w*|tokens?|credentials?|api.?keys?|passwords?|signatures?|log(?:ged)? ?in|sign(?:ed)? ?in|bearer|jwt)\b/,
  // A session of another kind is a thing that the API manages: `no exec session with ID e1`.
  /(?:^|\b(?:the|your|user|login|active|current|valid|invalid|expired|no|missing|unknown) |["'`:_-]) ?session(?:s|_?id)?\b/,
  /\bsession (?:has |is |was )?(?:id|tokens?|cookie|key|expired|invalid|not|timed|closed|required|missing)\b/,
);

/** True if a message speaks of credentials. */
export function isAboutCredentials(message: string): boolean {
  return CREDENTIAL.test(message);
}

const SECRET = "token|(?:api|app).?key|credentials?|signature";
const NOT_VALID = "invalid|expired|incorrect|wrong|revoked|missing";

const DENIED = any(
  /\b(?:not authenticated|un(?:authenticated|authori[sz]ed)|not authed|not logged in|invalid auth)\b/,
  /\bauth(?:entication|ori[sz]ation) (?:is )?(?:failed|required|invalid)/,
  /\b(?:bad|incorrect|invalid|wrong) (?:user(?: ?name)?|login|e-?mail) ?(?:or|and|\/) ?password\b/,
  new RegExp(
    `(?:${NOT_VALID}|unknown|no)(?: (?:access|api|auth|bearer|session|or wrong))* (?:${SECRET})`,
  ),
  new RegExp(
    `(?:(?:access|auth|api|^).?(?:key|token)|credentials?|signature).{0,24}(?:${NOT_VALID}|(?:not|no longer) valid)`,
  ),
);

/** True if a message says that credentials are absent or not valid, as opposed to not sufficient. */
export function deniesCredentials(message: string): boolean {
  return DENIED.test(message.replaceAll("_", " "));
}

const INPUT_PART =
  "parameter|argument|field|property|attribute|value|input|query|filter|body|payload|json|request|" +
  "format|name|id|uuid|identifier|type|date|reference|syntax|option|key|url|path|matcher|expression|" +
  "character|header|cron|tag|column|keyword|regex\\w*|config\\w*|number|range|specification|spec";

const INPUT = any(
  /\b(?:is|are|must be|should be|has to be|have to be|has not been|not|n't) (?:required|provided|specified|supplied|mandatory)\b/,
  /\b(?:must|may|can|should|is|are|was)(?: ?not| ?n't)? ?(?:be )?(?:empty|blank|null|nil|negative)\b/,
  /\bmust (?:not )?(?:have|contain|match|start|end|be)\b(?! (?:logged|authen|author|an? admin|enabled|running|active|closed|deleted|removed|stopped)\b)/,
  /\bis an? \w{2,20},? (?:and )?not an? \w/,
  /\brequires property\b|\bhave required property\b|\bunknown field\b|\bfield required\b/,
  /\b(?:cannot|could not|can't|couldn't|unable to|failed to|error|while) (?:unmarshal|parse|parsing|decode|deserialize)\b/,
  /(?:\bnot|n't) (?:an? )?(?:valid|number|integer|string|boolean|date)\b/,
  /\bno [\w-]{1,60}(?: (?:or|nor|and) [\w-]{1,60}| ids?)? (?:(?:was|were) )?(?:given|provided|specified|supplied)\b/,
  /(?:\bnot|n't) match\b|\bout of range\b|\btoo (?:long|short|large|small|many|few)\b/,
  new RegExp(
    `\\b(?:missing|required|invalid|unknown|unexpected|unrecognized|malformed|illegal|bad|unsupported)\\b.{0,40}\\b(?:${INPUT_PART})s?\\b`,
  ),
  /(?:^|: )invalid\b/,
  /\bspecified\b.{0,60}\bis (?:invalid|not valid)\b/,
  /\bexpect(?:ed|ing) to find\b/,
  /\bnot (?:in the (?:correct|right|expected) format|within the (?:permissible|permitted|allowed))\b/,
  // Exceptions about values that were passed in.
  /\b(?:IllegalArgument|NumberFormat|DateTimeParse|InvalidFormat|MismatchedInput|ArgumentOutOfRange)Exception\b/,
  // Constraints of databases on values.
  /\b(?:check|not.?null) constraint\b|\bhas no default value\b|\bdoesn't have a default value\b/,
  /\binsert (?:or update on table|statement conflicted)\b.{0,200}\bforeign key constraint\b|\bchild row\b/,
  /\bfor input string\b|\bcould not be parsed\b|\b(?:cannot|can't) be (?:cast|converted) to\b/,
);

/** Messages of nothing but "Invalid data supplied": words that name neither an input nor a reason. */
const VAGUE =
  /^(?:error: ?)?(?:(?:invalid|bad|wrong|incorrect|malformed|illegal) (?:data|input|request|parameters?|params|arguments?|payload|values?)|(?:data|input|request|parameters?|payload|values?)(?: is| are)? (?:invalid|incorrect|malformed|not valid)|(?:request |input )?validation (?:failed|error))(?: (?:data|input|parameters?|payload|supplied|provided|given|received|sent|error))*[.!]?$/i;

/** True if a message only says that something about the input is wrong. */
export const isVague = (message: string): boolean => VAGUE.test(message.trim());

/** Faults of a server, and of servers behind it, that contain the same words. */
const SERVER_FAULT = any(
  /\binvalid (?:memory|state|response|upstream|certificate|server|pointer)/,
  /\bunexpected (?:error|end|eof|response|condition)/,
  /\bcertificate\b|\b(?:upstream|gateway|backend)\b/,
  /\bnull ?pointer|\bnil pointer|\bundefined\b|\bNoneType\b/,
  /\bis not (?:a function|iterable)\b|\bcannot read propert|\bhas no attribute\b/,
  // Node.js names the argument of its own function: `ERR_INVALID_ARG_TYPE`.
  /\bargument must be (?:of type|an instance)\b/,
);

/** True if a message says that something about the input is wrong or absent. */
export function isAboutInput(message: string): boolean {
  return INPUT.test(message) && !CREDENTIAL.test(message) && !SERVER_FAULT.test(message);
}

const MISSING = any(
  /\bnot.?found\b|(?:\bnot|n't) (?:exist|find|be found)\b/,
  /\bno such\b|\bno .{1,40} (?:found|exists?)\b|\bno query results\b|\bnot known\b/,
);

/** True if a message says that something does not exist. */
export function isAboutMissing(message: string): boolean {
  return MISSING.test(message);
}

const STATE = any(
  /\balready (?:\w+ )?(?:exists?|in use|taken|allocated|running|started|stopped|registered|used)\b/,
  /\b(?:is|are|was|were) already \w/,
  /\b(?:is|are) not (?:running|paused|stopped|started|active|mounted|attached|connected|locked)\b/,
  /\bcan only \w+ [^.]{1,80}\bstate\b|\bstate (?:is|must be|should be|improper)\b/,
  /\b(?:improper|wrong|incorrect|illegal) state\b/,
  /\b(?:bucket|collection|container|directory|folder|group|project|queue)\b.{0,40}\bnot empty\b/,
  /\bin use\b|\bduplicate\b|\bhas to be unique\b|\bnot unique\b|\bunique constraint\b/,
  // Databases about a row that others refer to.
  /\bupdate or delete on table\b.{0,200}\bforeign key constraint\b|\bparent row\b/,
  /\breference constraint\b|\bstill referenced\b|\bforeign key constraint failed\b/,
);

/** True if a message says that the state of a resource prevents the call. */
export function isAboutState(message: string): boolean {
  return STATE.test(message);
}

/** True if a message says that the API, or what the call is about, cannot do this at all. */
export function isAboutSupport(message: string): boolean {
  return /(?:\bnot|n't) support(?:ed)?\b|\bnot (?:yet )?implemented\b/i.test(message);
}

/** True for the message of an exception in the code of an API. */
export const isException = (message: string): boolean =>
  /exception|traceback|stack ?trace|\bpanic|n(?:il|ull) ?pointer|\b(?:Type|Key|Value|Attribute|Reference)Error\b/i.test(
    message,
  );

/** Faults that pass: of load, of time and of servers behind the API. */
const PASSING_TEXT = any(
  /time.?d?.?out|deadline|unavailable|temporar|overload|\bbusy\b|later|\bagain\b|internal|unexpected/,
  /something went wrong|connection|upstream|gateway|server error|exception/,
  /unknown error|crash|capacity|maintenance|\bdown\b|traceback|stack ?trace|\bpanic/,
  /n(?:il|ull) ?pointer|\bfault\b/,
);

/** True if a message is absent, or gives no other reason than a fault of the server. */
export function isPassingFault(message: string): boolean {
  return /^(?:\W*|\w{1,20})$/.test(message.trim()) || PASSING_TEXT.test(message);
}

/**
 * Words before the name of an input that is wrong: `Unknown driver`, `unsupported type`. Before a
 * quoted value, the name may have two words: `unknown pool type 'x'`.
 */
const WRONG =
  /\b(?:unknown|invalid|unsupported|illegal|bad|wrong|unrecognized|malformed)\s+(?:([a-z]{1,40} [a-z]{1,40})(?=:? ["'`])|["'`]?([\w.-]{1,60}))/gi;

/** Names after "unknown", "invalid" and the like, as the message spells them. */
export function wrongNames(message: string): readonly string[] {
  const text = message.slice(0, 2000);
  return [...text.matchAll(WRONG)].flatMap(({ 0: all, 1: compound, 2: name = "", index }) => [
    compound?.replace(" ", "_") ?? name,
    ...namesAfter(text, index + all.length),
  ]);
}

/** Messages that only routers write, about the path of the request as it was sent. */
export const ROUTER = any(
  /^cannot (?:get|head|post|put|patch|delete) \//,
  /^route (?:get|head|post|put|patch|delete):\/.{0,2000} not found$/,
  /^(?:404 )?page not found\.?$/,
  /^no route matched with those values$/,
  /^no static resource /,
  // A server that dispatches by the path quotes it.
  /^(?:could(?: not|n't) find|no such|unknown) (?:method|endpoint|route)(?: ["'`]?[\w.-]*(?:\/[\w.-]+)+["'`]?)?\.?$/,
  /^(?:method|endpoint) not found\.?$/,
);

/** Messages of routers and web servers, which know no path of this form. */
export const NO_ROUTE = any(
  /\b(?:page|route|url|uri|path|endpoint)\b.{0,60}\b(?:not (?:be )?found|(?:does not|doesn't) exist)\b/,
  /\bno (?:such |matching )?(?:route|endpoint)/,
  /^cannot (?:get|head|post|put|patch|delete) \//,
);

// ---- errors/input-errors.ts ----
// Errors that an API reports for fields, as errors of the inputs of a tool.

/** An error that the API reports for one of the tool's inputs. */
interface InputError {
  /** Path from the input: `address.city`. */
  readonly input: string;
  readonly message: string;
}

/** An API error whose fields are mapped to inputs of the tool, where that is possible. */
export interface ApiErrorByInput {
  readonly message: string;
  readonly inputErrors: readonly InputError[];
  /** Errors of fields that no input gives. The message has them, too. */
  readonly otherErrors: readonly FieldError[];
}

/**
 * Maps errors of fields to inputs. The API knows fields by their names on the wire, the agent knows
 * the names of the tool's inputs.
 */
export function mapErrorsToInputs(
  { message, fieldErrors }: ApiErrorDetails,
  call: ApiCall,
): ApiErrorByInput {
  const inputs = inputsByWireName(call);
  const inputErrors: InputError[] = [];
  const otherErrors: FieldError[] = [];
  for (const error of fieldErrors) {
    const input = findInput(error, inputs, call.mapping.body);
    if (input === undefined || !isInput(input, call) || repeatsValue(error, call.input[input]))
      otherErrors.push(error);
    else inputErrors.push({ input, message: error.message });
  }
  const isRepeated = inputErrors.some((error) => error.message === message);
  const others = otherErrors.map((error) => `${error.field}: ${error.message}`);
  const texts = isRepeated ? others : [message, ...others];
  return { message: texts.filter(Boolean).join("; "), inputErrors, otherErrors };
}

/** True for a fact such as `{"name": "web"}`, which names the value of an input and no error of it. */
function repeatsValue({ message }: FieldError, value: unknown): boolean {
  return (typeof value === "string" || typeof value === "number") && message === String(value);
}

/** Words that only name a parameter: `groupID`, `pad_id`. */
const IDENTIFIER = /[a-z][A-Z]|_|^[a-z]+(?:id|key)$/;

/** Inputs that a call omits and the API's message names. */
export function omittedInputs(call: ApiCall, message: string): readonly string[] {
  return inputsNamedIn(call, message).filter((name) => isOmitted(call.input[name]));
}

/** Empty inputs that the API's message calls required or empty. Another value is not what it means. */
export function incompleteInputs(call: ApiCall, message: string): readonly string[] {
  const inputs = inputsByWireName(call);
  return [...new Set(requiredNames(message).flatMap((name) => inputs.get(name) ?? []))].filter(
    (name) => isInput(name, call) && !isOmitted(call.input[name]) && isEmptyValue(call.input[name]),
  );
}

/** Inputs with a value that the API's message calls unknown, invalid or unsupported by their names. */
export function wrongInputs(call: ApiCall, message: string): readonly string[] {
  const inputs = inputsByWireName(call);
  const names = wrongNames(message).map((name) => normalizeFieldName(name.replace(/\W+$/, "")));
  return [...new Set(names.flatMap((name) => inputs.get(name) ?? []))].filter(
    (name) => isInput(name, call) && !isOmitted(call.input[name]),
  );
}

function inputsNamedIn(call: ApiCall, message: string): readonly string[] {
  const inputs = inputsByWireName(call);
  const words = message.match(/[\w-]+/g)?.filter((word) => IDENTIFIER.test(word)) ?? [];
  const names = [...words.map(normalizeFieldName), ...requiredNames(message)];
  const named = names.flatMap((name) => inputs.get(name) ?? []);
  return [...new Set(named)].filter((name) => isInput(name, call));
}

/** Words that say that something is absent, or that it is not what the type demands. */
const ABSENT =
  /\b(?:required|missing|mandatory|must have|must be an?)\b|\b(?:must|please|need to|have to) (?:give|include|pass|provide|specify|supply)\b|\bno [\w-]{1,60}(?: ids?)? (?:(?:was|were) )?(?:given|provided|specified|supplied)\b|(?:\bnot|n't) (?:find|have|contain|include) (?:a |the )?(?:required )?(?:argument|field|key|parameter|property)\b|\b(?:not|n't|must be|is|should be) (?:be )?(?:provided|specified|present|supplied|given|set|empty|blank|null)\b/i;

/** The word before such a statement: `name in body is required`, `key is not provided`. */
const ABSENT_NAME =
  /([\w.$[\]-]{1,80})(?: in (?:body|query|path|header|cookie|formData))?(?: (?:field|parameter|property|value|argument))? (?:is|are|was|were|must|can|cannot|can't|should|may|has|have)\b/gi;

/** `No rrsets given`, `no lease ID was specified`. */
const NOT_GIVEN =
  /\bno ([\w-]{1,60}(?: ids?)?) (?:(?:was|were) )?(?:given|provided|specified|supplied)\b/gi;

/** `Must specify users to add`. */
const TO_GIVE =
  /\b(?:must|please|need to|have to) (?:give|include|pass|provide|specify|supply) (?:an? |the |at least one )?([\w-]{1,60})/gi;

/** `Missing required fields: name, email`, `Missing field in JSON data: name`. */
const MISSING_NAME =
  /\bmissing(?: required)?(?: (?:body|query|path|input))?(?: (?:fields?|parameters?|propert(?:y|ies)|arguments?|values?|inputs?))?(?: (?:from|in|of)\b[\w ]{1,40}(?=:))?:? ([\w.$[\]-]{1,80})/gi;

/** Names that a clause calls required, missing or empty without quoting them, and those joined to them. */
function statedNames(clause: string): readonly string[] {
  const before = [...clause.matchAll(ABSENT_NAME)].flatMap(({ 1: name = "", index }) => [
    ...namesBefore(clause, index),
    name,
  ]);
  const after = [NOT_GIVEN, TO_GIVE, MISSING_NAME].flatMap((pattern) =>
    [...clause.matchAll(pattern)].flatMap(({ 0: all, 1: name = "", index }) => [
      name,
      ...namesAfter(clause, index + all.length),
    ]),
  );
  return [...before, ...after];
}

/** Names that a message quotes, or that it calls required, missing or empty; in one spelling. */
function requiredNames(message: string): readonly string[] {
  const clauses = message
    .slice(0, MAX_MESSAGE)
    .split(/[.;!](?:\s|$)/)
    .filter((clause) => ABSENT.test(clause));
  return clauses.flatMap((clause) => {
    const quoted = [...clause.matchAll(/["'`]([\w.$[\]-]{1,80})["'`]/g)];
    const names = quoted.length > 0 ? quoted.map(([, name = ""]) => name) : statedNames(clause);
    return names.map((name) => normalizeFieldName(removeContainers(name)));
  });
}

/** Maximum number of characters of a message that are searched for names. */
const MAX_MESSAGE = 2000;

const isOmitted = (value: unknown): boolean => value === undefined || value === null;

/** True if a path starts with an input of the tool. The steps of a workflow have other inputs. */
function isInput(path: string, { tool }: ApiCall): boolean {
  const [name = ""] = path.split(".");
  return Object.hasOwn(propertiesOf(tool.inputSchema), name);
}

/** Inputs of a call that its path is filled from. */
export function pathInputs(call: ApiCall): readonly string[] {
  const sources = Object.values(call.mapping.pathParams ?? {});
  return sources.flatMap((source) => inputOf(source) ?? []).filter((name) => isInput(name, call));
}

/** Containers that APIs prefix to the name of a field. They are ignored. */
const CONTAINERS: ReadonlySet<string> = new Set([
  "",
  ...(
    "$ # body requestbody request query querystring path params header headers cookie " +
    "payload data attributes input root"
  ).split(" "),
]);

function findInput(
  { field }: FieldError,
  inputs: ReadonlyMap<string, string>,
  { from: bodyInput, envelope = [] }: Pick<BodyMapping, "from" | "envelope"> = {},
): string | undefined {
  const inside = removeContainers(field, envelope);
  const exact = inputs.get(normalizeFieldName(inside));
  if (exact !== undefined) return exact;
  const steps = inside
    .split(/[./[\]]+/)
    .filter(Boolean)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const input = inputs.get(normalizeFieldName(steps[0] ?? ""));
  if (input !== undefined) return [input, ...steps.slice(1)].join(".");
  if (bodyInput === undefined || steps.length === 0) return undefined;
  return [bodyInput, ...steps].join(".");
}

/**
 * Removes containers: `body.email` → `email`, `#/data/attributes/title` → `title`. A path of
 * containers keeps the last one.
 */
function removeContainers(path: string, envelope: readonly string[] = []): string {
  for (let rest = path; ;) {
    const [, first = "", others = ""] = /^([^./]*)[./](.*)$/s.exec(rest) ?? [];
    const isContainer = CONTAINERS.has(normalizeFieldName(first)) || envelope.includes(first);
    if (others === "" || !isContainer) return rest;
    rest = others;
  }
}

/**
 * Normalizes the spelling of a name: `petId`, `pet_id` and `Pet-Id` are one name, because
 * frameworks rename fields between the wire and their messages.
 */
function normalizeFieldName(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, "");
}

/** Beginning of the headers of a vendor, which messages leave out: `lease ID` for `x-ms-lease-id`. */
const VENDOR = /^x(?:amz|goog|ms)/;

function inputsByWireName({ mapping }: ApiCall): ReadonlyMap<string, string> {
  const locations = [
    mapping.pathParams,
    mapping.query,
    mapping.headers,
    mapping.cookies,
    mapping.body?.fields,
  ];
  const entries = locations
    .flatMap((sources) => Object.entries(sources ?? {}))
    .flatMap(([name, source]) => {
      const input = inputOf(source);
      return input === undefined ? [] : [[normalizeFieldName(name), input] as const];
    });
  // Some frameworks report the names of their own code, which often are the names of the inputs.
  // Names on the wire take precedence.
  return new Map([
    ...entries.map(([name, input]) => [name.replace(VENDOR, ""), input] as const),
    ...entries.map(([, input]) => [normalizeFieldName(input), input] as const),
    ...entries,
  ]);
}

/** Maximum number of problems in one text. An agent corrects them and learns the rest. */
export const MAX_LISTED_PROBLEMS = 20;

/** Maximum length of an example in characters. */
const MAX_EXAMPLE = 200;

/** The parts of a tool that help to correct its inputs. */
export type ToolInputs = Pick<ToolDefinition, "name"> &
  Partial<Pick<ToolDefinition, "inputSchema" | "producers">>;

/** Problems that an example solves. Others name the allowed values or the limit themselves. */
const SOLVED_BY_EXAMPLE =
  /^(?:is (?:required|empty|missing)|must not be empty|expected |.* is not an? |.* does not match )/s;

/**
 * Names the producers of a valid value or an example, as a clause: `; get it from find_pets`. Empty
 * when neither is known.
 */
export function problemHint({ input, problem }: InputProblem, tool: ToolInputs): string {
  if (!SOLVED_BY_EXAMPLE.test(problem)) return "";
  const sources = ownProperty(tool.producers, input)?.slice(0, 2).join(" or ") ?? "";
  if (sources) return `; get ${problem === "is required" ? "it" : "a valid one"} from ${sources}`;
  const example = problem.includes("such as") ? undefined : exampleOf(tool, input);
  return example === undefined ? "" : `; for example ${example}`;
}

function exampleOf({ inputSchema = {} }: ToolInputs, input: string): string | undefined {
  const { examples } = propertySchema(inputSchema, input);
  if (!Array.isArray(examples) || examples.length === 0) return undefined;
  const text = JSON.stringify(examples[0]);
  return text.length <= MAX_EXAMPLE ? text : undefined;
}

// ---- errors/single-item.ts ----
// Lists of one item, which many servers read as a text.

/**
 * A list of one item in the query for which the API demands a list. Many servers read a single
 * `name=value` as a text (the parser `qs` of Express).
 */
export function singleItem(call: ApiCall, { inputErrors }: ApiErrorByInput): string | undefined {
  const lists = new Set(explodedInputs(call.mapping));
  return inputErrors.find(({ input, message }) => {
    const value = call.input[input];
    return (
      lists.has(input) &&
      Array.isArray(value) &&
      value.length === 1 &&
      /\b(?:array|list|sequence)\b/i.test(message)
    );
  })?.input;
}

/** Inputs of the query whose list is sent as one parameter for each item. */
function explodedInputs({ query = {} }: RequestMapping): readonly string[] {
  return Object.values(query).flatMap((source) => {
    if (typeof source === "string") return [source];
    const isForm = "from" in source && (source.style ?? "form") === "form" && !source.separator;
    return isForm && (source.explode ?? true) ? [source.from] : [];
  });
}

/** Advises after such a demand. */
export function singleItemAdvice(tool: ToolDefinition, input: string): string {
  const { name } = tool;
  const twice = hasUniqueItems(tool, input) ? "" : `, or with the same item twice in ${input}`;
  const reason = `${input} has one item, which is sent like a text, and the API wants a list`;
  return `${reason}. Call ${name} again with more items${twice}.`;
}

/** True if the schema of a list forbids the same item twice. */
export function hasUniqueItems({ inputSchema }: ToolDefinition, input: string): boolean {
  return propertySchema(inputSchema, input)["uniqueItems"] === true;
}

// ---- errors/next-tools.ts ----
// Phrases of advice for an agent: inputs, the request and settings.

/** Maximum number of characters of a URL in a text. */
const MAX_URL = 300;

/** Maximum number of characters of an input's value in advice. */
const MAX_VALUE = 100;

/** Names of the inputs that have a value in a call. */
export function presentInputs({ input }: Pick<ApiCall, "input">): readonly string[] {
  return Object.keys(input).filter((name) => input[name] !== undefined && input[name] !== null);
}

/** Names of inputs as a phrase: `a, b and c`. */
export function joinNames(names: readonly string[]): string {
  if (names.length > 4) return `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

/** Formats the value of an input for a sentence; the name for an input without a value. */
export function formatInput(name: string, value: unknown): string {
  if (value === undefined || value === null) return name;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return beginningOf(text, MAX_VALUE);
}

/** Formats the value of an input as `formatInput` does, with quotation marks around text. */
export function quoteInput(name: string, value: unknown): string {
  const text = formatInput(name, value);
  return typeof value === "string" ? JSON.stringify(text) : text;
}

/** Method and URL, shortened for a sentence. */
export function requestLine({ request, api, tool, isOfSeveral }: ApiCall): string {
  const { method, url } = request;
  const whose = isOfSeveral || tool.api !== undefined ? `${api.title}: ` : "";
  return `${whose}${method} ${beginningOf(url, MAX_URL)}`;
}

/** Formats a duration in seconds: `2 s`. */
export function formatSeconds(ms: number): string {
  return `${Math.max(1, Math.ceil(ms / 1000))} s`;
}

/**
 * Variable of the base URL, with the base URL of a request. A base path of the document that it
 * lacks is named, because users often leave it out.
 */
export function baseUrlSetting(call: ApiCall): string {
  const { api } = call;
  const base = baseUrlOf(call);
  const documented = documentedBasePath(call);
  const path = new URL(base).pathname.replace(/\/$/, "");
  const hint =
    documented === "" || documented === path
      ? ""
      : `; the API's document has the base path ${documented}`;
  return `${api.envPrefix}_BASE_URL (now ${base}${hint})`;
}

/** Path of the document's first server; empty for the root. */
function documentedBasePath({ api, mapping }: ApiCall): string {
  const [server] = mapping.servers ?? api.servers;
  if (server === undefined) return api.basePath ?? "";
  const url = server.url.replace(
    /\{([^{}]*)\}/g,
    (expression, name: string) => ownProperty(server.variables, name)?.default ?? expression,
  );
  return canParseUrl(url) ? decodeURI(new URL(url).pathname).replace(/\/$/, "") : "";
}

/** Base URL that a request was sent to. */
export function baseUrlOf({ mapping, request }: Pick<ApiCall, "mapping" | "request">): string {
  const { origin, pathname } = new URL(request.url);
  const segments = pathname.split("/");
  // The template's own segments end the path; what is before them is the base path.
  const own = mapping.path.split("/").length - 1;
  const base = segments.slice(0, Math.max(1, segments.length - own)).join("/");
  return `${origin}${base}`;
}

// ---- errors/body-advice.ts ----
// Advice about request bodies that a call did not have.

/** The status of a response that means another one, and the one that was sent. */
interface RejectedResponse {
  readonly status: number;
  readonly sentStatus?: number;
}

/** Words of messages about a missing body. */
const ABOUT_BODY = /\b(?:body|payload|content|EOF|JSON)\b|\bend.of.(?:input|file)\b/i;

/** True if a message speaks of the body of a request. */
export const isAboutBody = (message: string): boolean => ABOUT_BODY.test(message);

/** True if a message is about the body, and none was sent, because its inputs were omitted. */
export const asksForBody = (call: ApiCall, message: string): boolean =>
  call.request.body === undefined && fieldsOfOmittedBody(call, message).length > 0;

/** Inputs of a body that was not sent, or sent as `{}`, because all of them were omitted. */
export function fieldsOfOmittedBody(call: ApiCall, message: string): readonly string[] {
  const { body } = call.mapping;
  const isEmpty = call.request.body === "{}" && body?.emptyByDefault === true;
  const isOmitted = call.request.body === undefined || isEmpty;
  return isOmitted && isAboutBody(message) ? bodyInputs(call) : [];
}

function bodyInputs({ mapping: { body } }: ApiCall): readonly string[] {
  if (!body) return [];
  return [body.from, ...Object.values(body.fields ?? {}).map(inputOf)].filter(
    (name) => name !== undefined,
  );
}

/** Advice where the API asks for a body that the call did not have. */
export function omittedBodyAdvice({ status, sentStatus }: RejectedResponse, call: ApiCall): string {
  const { name } = call.tool;
  const isAbsent = call.request.body === undefined;
  const sent = isAbsent ? "no body" : "an empty body";
  const inputs = joinFirst(bodyInputs(call), 5);
  const reason = `the request had ${sent}, because no input of it was given (${inputs})`;
  const advice = `If the API needs a body, give at least one of them, and call ${name} again.`;
  const isOffered = isAbsent && needsSecondCall(call, sentStatus ?? status);
  const same = presentInputs(call).length > 0 ? "with the same input" : "without input";
  const other = isOffered ? ` Call ${name} again ${same} only to send \`{}\`.` : "";
  return `${reason}. ${advice}${other}`;
}

/** Statuses with which an API rejects a request before it does anything. */
export const REJECTIONS: ReadonlySet<number> = new Set([400, 411, 415, 422]);

/** True if `{}` may replace the body of a request that the API has rejected without a body. */
export function takesEmptyBody(call: ApiCall, status: number): boolean {
  return hasFields(call) && REJECTIONS.has(status);
}

/** True if the body is a JSON object whose fields are inputs. */
const hasFields = ({ mapping: { body } }: ApiCall): boolean =>
  body?.fields !== undefined && body.from === undefined && isJson(body.contentType);

/**
 * True if `{}` may create an empty thing or replace a thing by one, and nothing in the call says
 * that it is wanted: for a creation neither an input nor the same call before it, for a replacement
 * no such call.
 */
export function needsSecondCall(call: ApiCall, status: number): boolean {
  if (!takesEmptyBody(call, status)) return false;
  const { readOnlyHint, idempotentHint } = call.tool.annotations;
  const isHarmless = readOnlyHint || idempotentHint || call.onlyReads === true;
  const isWanted = isHarmless || presentInputs(call).length > 0;
  if (isWanted && !mayReplace(call)) return false;
  return call.earlier?.hasFailed(status) !== true;
}

/** True for a PUT of a thing (`/pets/{id}`, `/settings`), unlike one below it (`/pets/{id}/pin`). */
const mayReplace = ({ mapping: { method, path } }: ApiCall): boolean =>
  method === "PUT" && !/\}\/[^{}]+$/.test(path);

/** Exceptions about a value that is absent, in several languages. */
const ABSENT_VALUE =
  /\bNoneType\b|\bnull ?pointer|\bnil pointer\b|\b(?:of|for|is) (?:null|undefined|nil)\b|\bcannot destructure\b/i;

/** True for the message of an exception about a value that is absent. */
export const isAboutAbsence = (message: string): boolean =>
  ABSENT_VALUE.test(message.slice(0, MAX_FAULT_TEXT));

/** True for a fault of a server that reads the optional body, which the call left out. */
export function failsWithoutBody(call: ApiCall, response: ApiResponse): boolean {
  if (response.status !== 500 || call.request.body !== undefined || !hasFields(call)) return false;
  return isAboutAbsence(JSON.stringify(responseValue(response) ?? ""));
}

/** Maximum number of characters of a response that are searched. */
const MAX_FAULT_TEXT = 20_000;

/** Advice after such a fault. The write may have taken effect, so it is not repeated by itself. */
export const omittedBodyFault = (call: ApiCall): string =>
  `The request had no body, because no input of it was given (${joinFirst(bodyInputs(call), 5)}); ` +
  `the same call again is sent with \`{}\`.`;

// ---- errors/deserializers.ts ----
// Messages of deserializers, which name the field and the type that it should have.

/** A field whose value has another type than the API wants. */
export interface TypedField {
  readonly field: string;
  /** Name of a type of JSON Schema. */
  readonly type: JsonType;
}

export type JsonType = "array" | "boolean" | "integer" | "number" | "object" | "string";

/** A message with the groups `field` and `type`, and the types that its names mean. */
interface Form {
  readonly pattern: RegExp;
  readonly types: readonly (readonly [name: RegExp, type: JsonType])[];
}

/** Names of types of Java and .NET. Any other class is an object. */
const CLASSES: Form["types"] = [
  [/\[\]$|(?:List|Set|Collection|Enumerable)\b/, "array"],
  [/\bString$/, "string"],
  [/\b(?:Int(?:eger|16|32|64)?|Long|Short|int|long)$/, "integer"],
  [/\b(?:Double|Float|Decimal|BigDecimal|Single|double|float)$/, "number"],
  [/\bBoolean$|\bboolean$/, "boolean"],
  [/./, "object"],
];

const FORMS: readonly Form[] = [
  {
    // Go: `json: cannot unmarshal string into Go struct field Pet.tags of type []string`.
    pattern:
      /\bcannot unmarshal \w{1,20} into Go struct field \w{0,60}\.(?<field>[\w-]{1,60}) of type (?<type>[\w.*[\]{}]{1,80})/g,
    types: [
      [/^\*?\[/, "array"],
      [/^\*?string$/, "string"],
      [/^\*?u?int\d*$/, "integer"],
      [/^\*?float\d*$/, "number"],
      [/^\*?bool$/, "boolean"],
      [/./, "object"],
    ],
  },
  {
    // .NET: `The JSON value could not be converted to System.String. Path: $.name | LineNumber: 0`.
    pattern:
      /\bJSON value could not be converted to (?<type>[\w.`[\]]{1,120}?)\.? Path: \$\.(?<field>\w{1,60})(?= |$)/g,
    types: CLASSES,
  },
  {
    // Jackson: ``Cannot deserialize value of type `java.util.List` from String value (through:
    // Pet["tags"])``.
    pattern:
      /\bCannot (?:deserialize value|construct instance) of (?:type )?`(?<type>[\w.$[\]]{1,80})[^`]{0,80}`[^"]{0,300}["\]]?\[\\?"(?<field>\w{1,60})\\?"\]/g,
    types: CLASSES,
  },
  {
    // Rust: `tags: invalid type: string "red", expected a sequence at line 1 column 9`.
    pattern:
      /(?:^|[\s(])(?<field>[\w-]{1,60}): invalid type: .{1,100}?, expected (?:an? |any )?(?<type>\w{1,30})/g,
    types: [
      [/^(?:sequence|array|list|tuple)$/, "array"],
      [/^(?:string|str|borrowed)$/, "string"],
      [/^[iu](?:8|16|32|64|128|size)$|^integer$/, "integer"],
      [/^f(?:32|64)$|^floating$|^number$/, "number"],
      [/^bool(?:ean)?$/, "boolean"],
      [/^(?:map|struct|object)$/, "object"],
    ],
  },
];

/** Maximum number of characters of a message that are searched. */
const MAX_TYPED_TEXT = 2000;

/** The fields that a message names with the types that they should have. */
export function typedFields(message: string): readonly TypedField[] {
  const text = message.slice(0, MAX_TYPED_TEXT);
  return FORMS.flatMap(({ pattern, types }) =>
    [...text.matchAll(pattern)].flatMap(({ groups }) => {
      const { field = "", type: name = "" } = groups ?? {};
      const type = types.find(([names]) => names.test(name))?.[1];
      return type === undefined ? [] : [{ field, type }];
    }),
  );
}

/** Exceptions of code that expects an object or a list, and got a text. */
const TEXT_IN_PLACE =
  /'str' object (?:has no attribute|does not support item)|\bstring indices must be integers\b|\bpropert(?:y|ies) .{1,60} o[fn] string\b/;

/** True if a message says that the code of the API expects another type than text. */
export const isAboutText = (message: string): boolean => TEXT_IN_PLACE.test(message);

// ---- errors/demands.ts ----
// What an API demands against its document: another type of an input, or fields that it lacks.

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

// ---- errors/api-error/effective-status.ts ----
// The status that an error body means, where it says more than the status of the response.

/**
 * HTTP statuses of gRPC codes, by number and by name. Gateways respond with 500 or 503 for some of
 * them. https://grpc.io/docs/guides/status-codes/
 */
const GRPC_STATUSES: ReadonlyMap<string, number> = new Map(
  (
    [
      [3, "INVALID_ARGUMENT", 400],
      [5, "NOT_FOUND", 404],
      [6, "ALREADY_EXISTS", 409],
      [7, "PERMISSION_DENIED", 403],
      [9, "FAILED_PRECONDITION", 400],
      [11, "OUT_OF_RANGE", 400],
      [12, "UNIMPLEMENTED", 501],
      [16, "UNAUTHENTICATED", 401],
    ] as const
  ).flatMap(([code, name, status]) => [
    [String(code), status],
    [name, status],
  ]),
);

/**
 * Status that the gRPC code of an error body means: `{error, code, message}`, `{code, message,
 * details}` or a code by its name. `undefined` for another body, whose small numbers mean other
 * things.
 */
export function statusOfGrpcCode(body: unknown): number | undefined {
  if (!isObject(body)) return undefined;
  const fields = isObject(body["error"]) ? body["error"] : body;
  const { code, status, message, error, details, grpc_code: grpcCode } = fields;
  if (typeof message !== "string") return undefined;
  const isGateway = error === message || Array.isArray(details);
  const codes = [grpcCode, nameOf(code), nameOf(status), isGateway ? code : undefined];
  return codes.map((one) => GRPC_STATUSES.get(String(one))).find((one) => one !== undefined);
}

/**
 * Status of the call as the body of a server error states it: that of its gRPC code, or a
 * `statusCode` of 400 to 499. Frameworks lose the status of an error that they do not know.
 */
export function statusOfBody(body: unknown): number | undefined {
  if (!isObject(body)) return undefined;
  const { error } = body;
  const stated = [body, error].map((one) => (isObject(one) ? one["statusCode"] : undefined));
  const isClientError = (one: unknown): one is number => Number(one) >= 400 && Number(one) < 500;
  return statusOfGrpcCode(body) ?? stated.map(Number).find(isClientError);
}

function nameOf(code: unknown): string | undefined {
  return typeof code === "string" ? code.toUpperCase() : undefined;
}

/** True if the body of an error response shows that the same request fails again. */
export function isLastingError(response: Pick<ApiResponse, "headers" | "body" | "size">): boolean {
  const code = statusOfBody(responseValue(response));
  return code !== undefined || isAboutInput(extractApiError(response).message);
}

// ---- errors/documented-status.ts ----
// Meanings of statuses and error codes, as the documentation states them.

/** The documented meaning of a status for the operation of a call: `no such container`. */
export function documentedStatus(
  { api, statuses }: Pick<ApiCall, "api" | "statuses">,
  status: number,
): string | undefined {
  const keys = [String(status), `${Math.floor(status / 100)}XX`];
  const key = keys.find((candidate) => ownProperty(statuses, candidate) !== undefined);
  if (key === undefined) return undefined;
  const text = ownProperty(statuses, key);
  return text === true ? ownProperty(api.statuses, key) : text;
}

/** Words of the shortest text that explains a fault. "Failure" and "Bad server" do not. */
const MIN_WORDS = 3;

/**
 * True if the documentation explains a server error by a state that only another call can change:
 * `node is not part of a swarm`. A retry meets the same error. The text of `5XX` explains no single
 * one of its errors.
 */
export function isLastingFault(call: Pick<ApiCall, "api" | "statuses">, status: number): boolean {
  if (status < 500 || ownProperty(call.statuses, String(status)) === undefined) return false;
  const meaning = documentedStatus(call, status);
  return (
    meaning !== undefined && meaningWords(meaning).length >= MIN_WORDS && !isPassingFault(meaning)
  );
}

/** True if a message has all words of a documented meaning. */
export function repeatsMeaning(message: string, meaning: string): boolean {
  const words = new Set(meaningWords(message));
  return meaningWords(meaning).every((word) => words.has(word));
}

const meaningWords = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Maximum number of values that are compared with documented codes. */
const MAX_VALUES = 200;
const MAX_EXPLAINED = 3;

/** Fields that hold a code as a number. */
const NUMBER_FIELD = /code|err|status|type/i;

/**
 * Documented meanings of the codes in an error response, one per line: of its values, or of its
 * status. Empty when the document explains none of them.
 */
export function documentedMeanings(
  response: Pick<ApiResponse, "status" | "headers" | "body" | "size">,
  call: Pick<ApiCall, "api" | "tool" | "statuses">,
  message: string,
): string {
  const { api, tool, statuses } = call;
  if (!tool.errorCodes && !api.errorCodes && !statuses) return "";
  const statusMeaning = isSuccess(response) ? undefined : documentedStatus(call, response.status);
  const meaningOf = (code: string): string | undefined =>
    ownProperty(tool.errorCodes, code) ??
    ownProperty(api.errorCodes, code) ??
    (code === String(response.status) ? statusMeaning : undefined);
  const codes = new Set([...scalars(responseValue(response)), String(response.status)]);
  return [...codes]
    .map((code) => [code, meaningOf(code)] as const)
    .filter(([, meaning]) => meaning !== undefined && !repeatsMeaning(message, meaning))
    .slice(0, MAX_EXPLAINED)
    .map(([code, meaning]) => `The documentation says of ${code}: ${JSON.stringify(meaning)}`)
    .join("\n");
}

/** Texts of a value, and numbers in fields that hold a code. */
function scalars(root: unknown): readonly string[] {
  const found: string[] = [];
  const queue: (readonly [value: unknown, field: string])[] = [[root, ""]];
  for (const [value, field] of queue) {
    if (queue.length > MAX_VALUES) break;
    if (typeof value === "string") found.push(value);
    else if (typeof value === "number" && NUMBER_FIELD.test(field)) found.push(String(value));
    else if (Array.isArray(value)) for (const item of value) queue.push([item, field]);
    else if (isObject(value))
      for (const [key, item] of Object.entries(value)) queue.push([item, key]);
  }
  return found;
}

// ---- errors/api-error/code-words.ts ----
// Machine-readable codes in messages, as words: `MISSING_LOCAL_ID`.

/** A code at the start of a message or of a part of it. A quoted one is a value. */
const MACHINE_CODE = /(^|[;:(] ?)([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)\b/g;

/** Maximum number of characters of a message that are read. */
const MAX_SPELLED = 2000;

/**
 * Spells the codes of a message as words, and the inputs in them by their names:
 * `MISSING_LOCAL_ID` → `missing localId`.
 */
export function spellCodes(message: string, inputs: readonly string[]): string {
  if (message.length > MAX_SPELLED) return message;
  return message.replace(MACHINE_CODE, (_, before: string, code: string) => {
    const words = plainWords(code);
    const named = inputs.filter((input) => ` ${words} `.includes(` ${plainWords(input)} `));
    const [input] = named.toSorted((a, b) => b.length - a.length);
    return before + (input === undefined ? words : words.replace(plainWords(input), () => input));
  });
}

const plainWords = (name: string): string => wordsOf(name).join(" ");

/** The words of a text or a name in lower case: `pet`, `id` of `petId`. */
export const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

// ---- errors/message-paths.ts ----
// Local paths and URLs in an API's messages, whose segments are not values of the call.

/** Characters that end a path in a sentence. */
const PATH_END = /[\s"'`()<>,;=[\]{}|]/;

/** Start of an absolute path, also after a word: `/var/lib`, `C:\data`, `https://`, `open:/var`. */
const ABSOLUTE = /^(?:[\w.+-]{1,20}:|~|\.{1,2})?[\\/]/;

/** Origin of a URL. */
const ORIGIN = /^[\w.+-]{1,20}:[\\/]{2}[^\\/]{0,300}/;

/**
 * True if a value stands in a local path or URL of a message, which says nothing about the value:
 * `/var/lib/sites/web1/index.html: no such file`. The path of the request itself names its values,
 * and the file at the end of a path may be one.
 * @param before text before the value
 * @param after text after the value
 */
export function isInOtherPath(
  { request }: Pick<ApiCall, "request">,
  value: string,
  before: string,
  after: string,
): boolean {
  const start = before.split(PATH_END).at(-1) ?? "";
  if (!ABSOLUTE.test(start)) return false;
  const path = start.replace(ORIGIN, "");
  if (path === "/" || isOwnPath(request.url, path, value)) return false;
  const isFile = value.includes(".") && !/^[\\/]/.test(after);
  return !isFile;
}

/** True if the path of a request goes on with the value after the same segments, or could. */
function isOwnPath(url: string, path: string, value: string): boolean {
  const own = `${url.replace(ORIGIN, "").split("?")[0]}/`;
  const forms = [value, encodeURIComponent(value)];
  return own.endsWith(path) || forms.some((form) => own.includes(`${path}${form}/`));
}

// ---- errors/evidence.ts ----
// The inputs that an API's message is about, by their values and their nouns in it.

/** A value of a call, with the path of its input: `tags.0.id`. */
export interface GivenValue {
  readonly path: string;
  readonly value: unknown;
}

/** A value that a message may name, with its nouns. */
interface Candidate extends GivenValue {
  readonly isInPath: boolean;
  /** The name of the input says nothing about the thing, such as `name`. */
  readonly isUnnamed?: boolean;
  /** Nouns in the singular, the own ones of the input first. */
  readonly nouns: readonly string[];
}

/** Inputs that a message names, or the reason why there are none. */
export interface MissingEvidence {
  readonly named: readonly GivenValue[];
  /** True if the message names a thing that no input stands for. */
  readonly isAboutOther: boolean;
}

/** Limits of the values that are compared with a message. */
const MAX_CANDIDATES = 200;
const MAX_CANDIDATE_DEPTH = 5;
const MAX_NAMED = 3;
const MAX_VALUE_LENGTH = 200;

/**
 * Finds the inputs that a message is about: by their values in it, otherwise by their nouns. The
 * last clause that calls something missing says what: `Cannot create pet "p1": owner ID does not
 * exist`.
 */
export function findMissing(call: ApiCall, message: string): MissingEvidence {
  const clauses = message.split(CLAUSE_END);
  const cause = clauses.findLastIndex((clause) => IS_MISSING.test(clause));
  const inCause = cause > 0 ? findIn(call, clauses.slice(cause).join("")) : undefined;
  return inCause?.named.length ? inCause : findIn(call, message);
}

/** The place between two clauses. */
const CLAUSE_END = /(?<=[.:;]\s)/;

const IS_MISSING =
  /\b(?:no such|unknown)\b|\bno\b.{1,200}\b(?:found|exists?)\b|(?:\bnot|n't) (?:be )?(?:found|exist)\b/i;

function findIn(call: ApiCall, message: string): MissingEvidence {
  const byValue = findNamedValues(call, message);
  if (byValue.length > 0) return { named: byValue, isAboutOther: false };
  const candidates = candidatesOf(call);
  const byFile = FILE_IS_MISSING.test(message) ? candidates.filter(isFilePath) : [];
  if (byFile.length > 0) return { named: distinct(byFile), isAboutOther: false };
  if (UNKNOWN_FIELD.test(message)) return { named: [], isAboutOther: true };
  const nouns = missingNouns(message);
  // An object stands for nothing that an API could look up, and neither does a list of objects.
  const values = candidates.filter(({ value }) => ![value].flat().some(isObject));
  const byNoun = values.filter((one) => one.nouns.some((noun) => nouns.all.has(noun)));
  // Two words name an input more exactly than one, and its own words more than those of its path.
  const byPair = byNoun.filter((one) => one.nouns.some((noun) => nouns.pairs.has(noun)));
  const byOwn = byNoun.filter(({ isUnnamed }) => isUnnamed !== true);
  const named = [byPair, byOwn].find(({ length }) => length > 0) ?? byNoun;
  if (named.length > 0) return { named: distinct(named), isAboutOther: false };
  const known = new Set([...partNouns(call), ...GENERIC_NOUNS]);
  return { named: [], isAboutOther: [...nouns.single].some((noun) => !known.has(noun)) };
}

/** Messages of operating systems about the path of a file: `no such file or directory`. */
const FILE_IS_MISSING = /\bno such file or directory\b|\bENOENT\b|\bFileNotFoundException\b/i;

const FILE_NOUNS: ReadonlySet<string> = new Set(
  "path file filename filepath directory dir folder".split(" "),
);

const isFilePath = ({ nouns: [own = ""], value }: Candidate): boolean =>
  FILE_NOUNS.has(own) && typeof value === "string";

/** `Attribute nameColor does not exist`: the request has a field that the API does not know. */
const UNKNOWN_FIELD =
  /\b(?:argument|attribute|column|field|option|parameter|property) ["'`]?[\w.$-]{1,80}["'`]? (?:does not|doesn't) exist\b/i;

/** Words before a value in which something is missing: `provider not found for "routes"`. */
const MISSING_IN =
  /\b([a-z]{2,30}) (?:(?:was|is|could|does|do) ?)?(?:not (?:be )?found|(?:not|n't) exist) (?:for|in|on|of|under|at) ["'`]?$/i;

/** True if the text before a value says that something else is missing in it. */
function isPlaceOfMissing(before: string, { nouns }: Candidate): boolean {
  const [, missing] = MISSING_IN.exec(before) ?? [];
  return missing !== undefined && !nouns.includes(singularize(missing.toLowerCase()));
}

/** Words before the thing that is missing, which those that it belongs to follow. */
const FIRST_IS_MISSING =
  /\b(?:no|unknown)\b|(?:\bnot|n't|unable to|failed to|cannot) (?:find|fetch|get|load|retrieve|look ?up|read)\b|\b(?:failed|error) (?:find|fetch|gett|load|retriev|read)ing\b/i;

/**
 * Finds the inputs whose values stand in a message, of all inputs that were sent. After "no" or
 * "could not find", the first one is meant: `no feature "a" in project "b"`.
 */
export function findNamedValues(call: ApiCall, message: string): readonly GivenValue[] {
  const found = candidatesOf(call).flatMap((one) => {
    const at = positionOf(call, message, one);
    return at < 0 ? [] : [{ one, at }];
  });
  const start = message.search(FIRST_IS_MISSING);
  // Of two values at one position, the longer one stands there.
  const first = found
    .filter(({ at }) => start >= 0 && at > start)
    .toSorted((a, b) => a.at - b.at || valueText(b.one).length - valueText(a.one).length)
    .slice(0, 1);
  const named = first.length > 0 ? first : found;
  return distinct(named.flatMap(({ one, at }) => [one, ...partsOfReference(call, message, at)]));
}

const valueText = ({ value }: GivenValue): string => String(value);

/** Characters between the parts of a reference, and those that no reference has. */
const [JOINS, ENDS] = [/^[:/@#|.,~]*$/, /[\s"'`()<>[\]{}]/];

/**
 * The values of the path that a message writes as one reference: `component:default/cart` of a
 * kind, a namespace and a name. Empty where the text at a position has anything else.
 */
function partsOfReference(call: ApiCall, message: string, at: number): readonly Candidate[] {
  const before =
    message
      .slice(Math.max(0, at - MAX_VALUE_LENGTH), at)
      .split(ENDS)
      .at(-1) ?? "";
  const reference = before + (message.slice(at, at + MAX_PATH_LENGTH).split(ENDS)[0] ?? "");
  const inPath = candidatesOf(call).filter(({ isInPath }) => isInPath);
  const parts: Candidate[] = [];
  let rest = reference;
  for (const one of inPath.toSorted((a, b) => valueText(b).length - valueText(a).length)) {
    if (!rest.includes(valueText(one))) continue;
    rest = rest.replace(valueText(one), "");
    parts.push(one);
  }
  return parts.length > 1 && JOINS.test(rest) ? inPath.filter((one) => parts.includes(one)) : [];
}

/** Keeps one input per value, the outermost one first. */
function distinct(candidates: readonly Candidate[]): readonly GivenValue[] {
  const byPath = new Map(candidates.map((one) => [one.path, one]));
  const paths = [...byPath.keys()];
  const inner = (path: string): boolean => paths.some((other) => path.startsWith(`${other}.`));
  return [...byPath.values()].filter(({ path }) => !inner(path)).slice(0, MAX_NAMED);
}

/** The values that a call has sent, those of its path first. */
function candidatesOf(call: ApiCall): readonly Candidate[] {
  const inPath = Object.entries(call.mapping.pathParams ?? {}).flatMap(([name, source]) => {
    const input = inputOf(source);
    if (input === undefined || call.input[input] === undefined) return [];
    const nouns = [...nounsOf(name), ...nounsOf(input), ...collectionBefore(call, name)];
    return [{ path: input, value: call.input[input], isInPath: true, nouns }];
  });
  const others = [...new Set(mappedInputs(call.mapping))].filter(
    (name) => !pathInputs(call).includes(name),
  );
  const found: Candidate[] = [...inPath];
  const owner = lastCollection(call);
  for (const name of others) {
    const isBody = call.mapping.body?.from === name;
    collect({ path: name, name, value: call.input[name], owner, isBody }, 0, found);
  }
  return found.slice(0, MAX_CANDIDATES);
}

/** A value, the name of its field, and the nouns of the thing that it is a field of. */
interface FieldValue extends GivenValue {
  readonly name: string;
  readonly owner: readonly string[];
  /** True for a whole body and the items of one. */
  readonly isBody: boolean;
}

/** Collects a value and the values inside of it. */
function collect(field: FieldValue, depth: number, found: Candidate[]): void {
  const { path, name, value, owner, isBody } = field;
  if (value === undefined || value === null || typeof value === "boolean") return;
  if (depth > MAX_CANDIDATE_DEPTH || found.length > MAX_CANDIDATES) return;
  const own = nounsOf(name);
  const isUnnamed = isBody || isIdentifierWord(name);
  const nouns = isUnnamed ? [...own, ...owner] : own;
  found.push({ path, value, isInPath: false, isUnnamed, nouns });
  if (typeof value !== "object") return;
  const isList = Array.isArray(value);
  // The ID of a part identifies the part: `matchers.0.name` names a matcher, beside a silence.
  const inner = isUnnamed ? owner : own;
  for (const [key, item] of Object.entries(value))
    collect(
      {
        path: `${path}.${key}`,
        name: isList ? name : key,
        value: item,
        owner: isList ? owner : inner,
        isBody: isList && isBody,
      },
      depth + 1,
      found,
    );
}

/** Words of identifiers, which say nothing about the thing that they identify. */
const ID_WORDS: ReadonlySet<string> = new Set(
  "id ids uuid uuids guid key keys name names slug ref refs number no code identifier hash".split(
    " ",
  ),
);

/** True for a name of identifiers alone, such as `id`, not for an operator such as `_eq`. */
function isIdentifierWord(name: string): boolean {
  const words = wordsOf(name);
  return words.length > 0 && words.every((word) => ID_WORDS.has(word));
}

/** The end of a name in one word: `jobid`. */
const ID_ENDING = /(?<=.{3})(?:id|uuid)$/;

/** The noun of a name without the words of identifiers: `pet` for `pet_ids`; empty for `id`. */
function nounsOf(name: string): readonly string[] {
  const words = wordsOf(name);
  while (words.length > 0 && ID_WORDS.has(words.at(-1)!)) words.pop();
  const last = words.at(-1);
  if (last === undefined || last.length < 3) return [];
  const compound = words.length > 1 ? [singularize(words.join(""))] : [];
  const [stem = last] = last.split(ID_ENDING, 1);
  return [...new Set([singularize(last), ...compound, stem])];
}

/** The noun of the last segment before a parameter of the path: `pet` for `/pets/{id}`. */
function collectionBefore({ mapping: { path } }: ApiCall, parameter: string): readonly string[] {
  const before = path.slice(0, Math.max(0, path.indexOf(`{${parameter}}`)));
  return nounsOf(before.split("/").findLast((segment) => /^[a-z]/i.test(segment)) ?? "");
}

/**
 * Nouns of the segments after which no parameter follows: `lease` for `/v3/lease/revoke`, and for a
 * collection only its own, `alias` for `/images/aliases`.
 */
function lastCollection({ mapping: { path } }: ApiCall): readonly string[] {
  const segments = path.slice(path.lastIndexOf("}") + 1).split("/");
  const last = segments.at(-1)!;
  const own = nounsOf(last);
  return own.some((noun) => pluralize(noun) === last) ? own : segments.flatMap(nounsOf);
}

/** Nouns of what the path has below its last item: `photo` of `/pets/{petId}/photo`. */
function partNouns(call: ApiCall): readonly string[] {
  const parameters = Object.keys(call.mapping.pathParams ?? {});
  return [...lastCollection(call), ...parameters.flatMap((name) => collectionBefore(call, name))];
}

/** Nouns that stand for any thing, and other words next to "not found". */
const GENERIC_NOUNS: ReadonlySet<string> = new Set(
  (
    "the an any some all this that these one requested specified given provided resource item " +
    "object entity record document page route url path endpoint with not could can cannot was " +
    "were are has have been for from and you your are looking such find found get fetch load " +
    "lookup result query model app exist data error failed failure unable operation request " +
    "which matching match value key name id user_id uuid http status api server row content file " +
    "code message does did but may might there none nothing anything via parameter element"
  ).split(" "),
);

/** Number of words before and after "not found" that may name the thing. */
const BEFORE = 5;
const AFTER = 5;

/** Nouns of the things that a message calls missing, in the singular. */
interface MissingNouns {
  readonly single: ReadonlySet<string>;
  /** Two words as one: `tsigkey` of "TSIG key". */
  readonly pairs: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

function missingNouns(message: string): MissingNouns {
  const phrases = message
    .slice(0, 2000)
    .split(/[.;:!?](?:\s|$)|, /)
    .flatMap(missingPhrases);
  const pairs = phrases
    .flatMap((words) => words.slice(1).map((word, i) => `${words[i]}${word}`))
    .map(singularize);
  const isNoun = (word: string): boolean => /^\p{L}[\p{L}\p{N}]{2,}/u.test(word);
  const single = phrases.flat().filter(isNoun).map(singularize);
  return { single: new Set(single), pairs: new Set(pairs), all: new Set([...single, ...pairs]) };
}

/** The part below an item that a message calls missing: `manual` of `/parts/{id}/manual`. */
export function missingPart(call: ApiCall, message: string): string | undefined {
  const part = partOf(call);
  const nouns = missingNouns(message).all;
  return part !== undefined && nounsOf(part).some((noun) => nouns.has(noun)) ? part : undefined;
}

/** The part below an item that a path reads or deletes: `photo` of `/pets/{petId}/photo`. */
export function partOf({ mapping: { method, path } }: ApiCall): string | undefined {
  const isWithoutBody = /^(?:GET|HEAD|DELETE)$/.test(method);
  const [, part] = isWithoutBody ? (/\}\/([a-z][a-z_-]*)$/i.exec(path) ?? []) : [];
  return part?.replace(/[_-]/g, " ");
}

/** The owner of a quoted thing: `for table "people"` of `index "by_age" for table "people"`. */
const CONTEXT_OF =
  /(?<=["'`]) (?:for|of|in|on|from) (?:the )?[a-z]{2,30} ["'`][^"'`]{0,200}["'`]/gi;

/** The words before "not found", and those after "no" and "could not find". */
function missingPhrases(clause: string): readonly (readonly string[])[] {
  const words = wordsOf(clause.replace(CONTEXT_OF, " ").replace(/["'`][^"'`]{0,200}["'`]/g, " "));
  return words.flatMap((word, i) => {
    if (/^(?:found|exist|exists)$/.test(word)) return [words.slice(Math.max(0, i - BEFORE), i)];
    if (/^(?:such|find|unknown|no)$/.test(word)) return [words.slice(i + 1, i + 1 + AFTER)];
    return [];
  });
}

/** Number of characters around a value that are read. */
const CONTEXT = 50;

/** Number of characters of a path in a message that are read. */
const MAX_PATH_LENGTH = 300;

/** Position of a value in a message, as a whole and not as one of its own words; −1 without one. */
function positionOf(call: ApiCall, message: string, candidate: Candidate): number {
  const { value, isInPath, path, nouns } = candidate;
  const isNumber = typeof value === "number";
  if (typeof value !== "string" && !isNumber) return -1;
  const text = String(value);
  if (text === "" || text.length > MAX_VALUE_LENGTH) return -1;
  if (isNumber && !isInPath && !/(?:^|[._])id$|I[dD]$/.test(path)) return -1;
  for (let at = message.indexOf(text); at >= 0; at = message.indexOf(text, at + 1)) {
    const before = message.slice(Math.max(0, at - CONTEXT), at);
    const after = message.slice(at + text.length, at + text.length + CONTEXT);
    if (isPartOfWord(before, after) || QUALIFIES.test(after)) continue;
    const start = message.slice(Math.max(0, at - MAX_PATH_LENGTH), at);
    if (isPlaceOfMissing(before, candidate) || isInOtherPath(call, text, start, after)) continue;
    const isNamed = nouns.includes(singularize(wordsOf(before).at(-1) ?? ""));
    const isMissing = isInPath && /\w $/.test(before) && MISSING_AFTER.test(after);
    if (NAMING_VALUE.test(text) || isNamed || isMissing || isMarked(before)) return at;
  }
  return -1;
}

/** `Provider main not found` has the value of the path before these words. */
const MISSING_AFTER =
  /^ (?:(?:was|is|could|does) )?(?:not (?:be )?(?:found|exist|known)|unknown)\b/i;

/** A value that is no word and no small number, which messages have for other reasons, too. */
const NAMING_VALUE = /[_:/.@-]|\d\D|\D\d|\d{3}/;

/** `no such column: pets.color` is about the column, and `a.txt` is not `a`. */
const QUALIFIES = /^["'`\]]?\.["'`[]?[\p{L}_]/u;

const isPartOfWord = (before: string, after: string): boolean =>
  /[\p{L}\p{N}_]$|[\p{L}\p{N}]-$/u.test(before.slice(-2)) ||
  /^[\p{L}\p{N}_]|^-[\p{L}\p{N}]/u.test(after.slice(0, 2));

/** True for a word that quotation marks or the words before it mark as a value. */
const isMarked = (before: string): boolean =>
  /(?:["'`[(<=#{]|: ?|\w\.|\b(?:for|named|called|name|id|with|no such \w{1,30}) )$/i.test(before);

/** Names of inputs that hold one ID. */
const ID_NAME = /(?:^|_)(?:id|uuid|guid)$|(?:[a-z]I[dD]|Uuid|UUID)$|^I[dD]$/;

/**
 * The IDs of a call outside of its path, at any depth of its body: by their names, or because other
 * tools return them.
 */
export function otherIds(call: ApiCall): readonly GivenValue[] {
  const isId = ({ path, value }: Candidate): boolean =>
    (typeof value === "string" || typeof value === "number") &&
    (ID_NAME.test(path.split(".").at(-1) ?? "") ||
      ownProperty(call.tool.producers, path) !== undefined);
  return distinct(candidatesOf(call).filter((one) => !one.isInPath && isId(one)));
}

/** The values of a call's path. */
export function pathValues(call: ApiCall): readonly GivenValue[] {
  return pathInputs(call).map((name) => ({ path: name, value: call.input[name] }));
}

/** Lists values with the paths of their inputs: `pet_id "p1" and visit_id "v1"`. */
export function formatValues(values: readonly GivenValue[], conjunction: "and" | "or"): string {
  return values
    .map(({ path, value }) => `${path} ${quoteInput(path, value)}`)
    .join(` ${conjunction} `);
}

/** Name of the input of a value: `tags` of `tags.0.id`. */
export function rootOf({ path }: GivenValue): string {
  return path.split(".")[0] ?? path;
}

// ---- errors/other-tools.ts ----
// Other tools that help after a failure: sources of valid inputs, and readers of what a write changes.

/** Maximum number of tools that are named for one input. */
const MAX_PRODUCERS = 2;

/**
 * Advises to get a value for an input from up to two offered tools. A tool that creates what it
 * returns is not called for an ID only.
 */
function producerAdvice(call: ApiCall, input: string): string | undefined {
  const { tool, findTool } = call;
  const producers = callableProducers(tool, input, presentInputs(call), findTool);
  const reading = producers.filter((name) => findTool(name)?.annotations?.readOnlyHint !== false);
  const names = (reading.length > 0 ? reading : producers).slice(0, MAX_PRODUCERS).join(" or ");
  if (names === "") return undefined;
  if (reading.length > 0) return `Get a valid ${input} from ${names}`;
  return `Use the ${input} that ${names} returned, which creates a new one with every call`;
}

/**
 * Advises how to get valid values for inputs: from other tools, or from the tool itself, where it
 * lists what it otherwise finds by this input. Inputs without a source are left out.
 * @param purpose why the tool itself is called without the input, as the end of a sentence
 */
export function sourcesOfInputs(
  call: ApiCall,
  inputs: readonly string[],
  purpose = "to get a valid one",
): readonly string[] {
  return inputs.flatMap((input) => {
    const producers = producerAdvice(call, input);
    if (producers !== undefined) return [producers];
    const { name } = call.tool;
    const isGiven = call.input[input] !== undefined;
    return isGiven && call.servesWithout?.(input)
      ? [`Call ${name} without ${input} ${purpose}`]
      : [];
  });
}

/** Advice before a write is repeated that may have taken effect. */
export function verificationAdvice(call: ApiCall): string {
  const tool = findReader(call);
  if (tool === undefined) return "find out from another tool or the user whether it took effect";
  return `call ${tool} to see whether it took effect`;
}

/**
 * Finds a tool that reads what a write changes, and that can be called with its input: the one that
 * gets the thing itself, else by name the one that takes the fewest IDs that the call does not
 * have.
 */
export function findReader(call: ApiCall): string | undefined {
  if (!isPossibleWrite(call)) return undefined;
  const { tool, api, findTool } = call;
  const given = new Set(presentInputs(call));
  const ofThing = readerOfThing(call, given);
  if (ofThing !== undefined) return ofThing;
  const readers = readersByName(tool.name, api.namespace)
    .flatMap((name) =>
      isCallable(name, given, findTool, new Set([tool.name])) ? [findTool(name)!] : [],
    )
    .filter(({ annotations }) => annotations?.destructiveHint !== true);
  const [best] = readers.toSorted(
    (one, other) => countUnknownIds(one, given) - countUnknownIds(other, given),
  );
  return best?.name;
}

/** The tool that gets the thing of a write, if the call has the inputs of it and it is offered. */
function readerOfThing(
  { tool, mapping, findTool }: ApiCall,
  given: ReadonlySet<string>,
): string | undefined {
  // The tool of a workflow has steps in place of operations.
  const operations = "operations" in tool ? tool.operations : [];
  const { readBack } =
    operations.find(
      ({ request }) => request.path === mapping.path && request.method === mapping.method,
    ) ?? {};
  if (!readBack || readBack.listed || !findTool(readBack.tool)) return undefined;
  const { created, inputs } = readBack;
  const hasId = !created || Object.hasOwn(inputs, created.input);
  return hasId && Object.values(inputs).every((input) => given.has(input))
    ? readBack.tool
    : undefined;
}

const LIST_VERBS = ["find", "list", "search"];
const GET_VERBS = ["get", "fetch", "read", "retrieve", "show"];

/**
 * Names of tools that show the effect of another one: `find_visits` for `book_visit`,
 * `get_pet_photo` for `upload_pet_photo`.
 * @param namespace first word of every tool's name
 */
export function readersByName(tool: string, namespace: string | undefined): readonly string[] {
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  const noun = tool.slice(prefix.length).split("_").slice(1).join("_");
  if (noun === "" || !tool.startsWith(prefix)) return [];
  const lists = [noun, pluralOf(noun)].flatMap((one) => [one, `all_${one}`, `${one}_all`]);
  const names = [
    ...LIST_VERBS.flatMap((verb) => lists.map((list) => `${verb}_${list}`)),
    ...GET_VERBS.flatMap((verb) => [`${verb}_${noun}`, `${verb}_${noun}_by_id`]),
  ];
  return names.map((name) => prefix + name).filter((name) => name !== tool);
}

/** `pet_photo` → pet_photos. */
const pluralOf = (noun: string): string => noun.replace(/[^_]+$/, pluralize);

/** Maximum length of a chain of tools that leads to a value. */
const MAX_CHAIN = 4;

/**
 * Lists the producers of an input that can be called with the inputs of a call. Every other value
 * that they require must have a producer that can be called as well, or be one of a few.
 * @param given names of the inputs that the agent has values for
 */
export function callableProducers(
  tool: CallableTool,
  input: string,
  given: readonly string[],
  find: FindTool,
): readonly string[] {
  const known = new Set(given.filter((name) => name !== input));
  return producersOf(tool, input).filter((name) =>
    isCallable(name, known, find, new Set([tool.name])),
  );
}

/** True if a tool is offered and all of its required inputs can be had. */
function isCallable(
  name: string,
  given: ReadonlySet<string>,
  find: FindTool,
  callers: ReadonlySet<string>,
): boolean {
  const isExcluded = callers.has(name) || callers.size > MAX_CHAIN;
  const tool = isExcluded ? undefined : find(name);
  if (!tool) return false;
  const visited = new Set([...callers, name]);
  const { required = [], properties = {} } = tool.inputSchema as {
    readonly required?: readonly string[];
    readonly properties?: Readonly<Record<string, JsonSchema>>;
  };
  const canHave = (input: string): boolean =>
    given.has(input) ||
    (!isId(tool, input) && !isPathInput(tool, input)) ||
    isChoice(properties[input]) ||
    producersOf(tool, input).some((producer) => isCallable(producer, given, find, visited));
  const conditions = tool.operations?.map(({ whenProvided }) => whenProvided) ?? [[]];
  return required.every(canHave) && conditions.some((inputs) => inputs.every(canHave));
}

/**
 * Counts the IDs that a tool takes and a caller has no values for, in the operation that needs the
 * fewest. An optional ID counts: many documents leave out `required`.
 */
function countUnknownIds(tool: CallableTool, given: ReadonlySet<string>): number {
  const counts = (tool.operations ?? []).map(
    ({ request }) =>
      mappedInputs(request).filter((input) => isId(tool, input) && !given.has(input)).length,
  );
  return counts.length > 0 ? Math.min(...counts) : 0;
}

/** True for an input that takes an ID. An agent cannot invent one, unlike a date or a text. */
function isId(tool: CallableTool, input: string): boolean {
  return producersOf(tool, input).length > 0 || /(?:^|_)(?:id|uuid|guid)s?$|I[dD]s?$/.test(input);
}

function isPathInput({ operations = [] }: CallableTool, input: string): boolean {
  return operations.some(({ request }) =>
    Object.values(request.pathParams ?? {}).some((source) => inputOf(source) === input),
  );
}

/** True for a value that the agent can choose without asking: one of a few, or one with a default. */
function isChoice(schema: JsonSchema | undefined): boolean {
  if (!schema) return false;
  return (
    "enum" in schema || "const" in schema || "default" in schema || schema["type"] === "boolean"
  );
}

function producersOf({ producers = {} }: CallableTool, input: string): readonly string[] {
  return Object.hasOwn(producers, input) ? (producers[input] ?? []) : [];
}

// ---- errors/credential-advice.ts ----
// Advice after 401 and 403, about the credentials that were sent.

/** Maximum number of inputs that are named. */
const MAX_NAMES = 4;

/** Advises after 401. */
export function unauthorizedAdvice(call: ApiCall, { message }: ApiErrorByInput): string {
  const { tool } = call;
  const sent = sentCredentials(call);
  const inputs = credentialInputs(call, message, sent !== undefined);
  if (inputs.length > 0 && SWITCHED_OFF.test(message))
    return `${REASON_GIVEN}. Tell the user; do not retry.`;
  if (inputs.length > 0) {
    const others = sent === undefined ? "; no other credentials were sent" : `, or ${sent.subject}`;
    const check =
      sent === undefined ? "" : ` If they are right, tell the user to check ${sent.check}.`;
    const correct = `Correct ${joinNames(inputs)}, or ask the user for the right values`;
    return `the API rejected ${joinNames(inputs)}${others}. ${correct}, then call ${tool.name} again.${check}`;
  }
  if (sent !== undefined && call.credentials?.isTokenDropped)
    return (
      `the API rejected the access token, which may have expired. The request was not repeated, ` +
      `because it may have taken effect. If it has not, call ${tool.name} once more: a new token ` +
      `will be sent. If that is rejected too, tell the user to check ${sent.check}.`
    );
  if (sent !== undefined && haveSucceeded(call))
    return (
      `the API does not accept ${sent.subject} for this call, although other calls with them ` +
      `succeeded. Tell the user what the API says; do not retry. If the other calls fail now, ` +
      `too, tell the user to check ${sent.check}.`
    );
  if (sent !== undefined)
    return `the API rejected ${sent.subject}. Tell the user to check ${sent.check}; do not retry.${prefixHint(call)}`;
  const setting = missingSetting(call);
  const missing = "the API requires credentials, and none were sent";
  const reason = setting.startsWith(" to set")
    ? ""
    : ": its description declares none for this operation";
  return `${missing}${reason}. Tell the user${setting}; do not retry.`;
}

const REASON_GIVEN = "the API refuses this call for the reason that it gives";

/** Advises after 403. Some APIs return it for invalid credentials or a missing resource. */
export function forbiddenAdvice(call: ApiCall, apiError: ApiErrorByInput): string {
  const { message } = apiError;
  const sent = sentCredentials(call);
  if (deniesCredentials(message) && sent !== undefined) return unauthorizedAdvice(call, apiError);
  const missing = call.credentials?.missingScopes ?? [];
  if (missing.length > 0)
    return (
      `the user's sign-in does not have ${describeScopes(missing)}. Tell the user to run ` +
      `${loginCommandOf(call.api)} and to grant it; call ${call.tool.name} again after that.`
    );
  if (isOtherReason(call, message))
    return hasBodyInput(call)
      ? `${REASON_GIVEN}; the same input fails again.`
      : `${REASON_GIVEN}. Tell the user; do not retry.`;
  const user =
    sent === undefined
      ? `tell the user${missingSetting(call)}`
      : `tell the user to check the permissions of ${sent.check}`;
  const ids = idsOf(call, message);
  const isKnown = ids.length === 0 && sent !== undefined && haveSucceeded(call);
  const refusal = refusalOf(call, sent, isKnown);
  if (ids.length > 0) return refusedIdAdvice(call, refusal, ids, user);
  if (hasBodyInput(call)) return `${refusal}. If the input is right, ${user}.${prefixHint(call)}`;
  return `${refusal}. ${capitalize(user)}${isKnown ? "" : "; do not retry"}.${prefixHint(call)}`;
}

/** The refusal of a call as a clause. A body leaves its reason open. */
function refusalOf(call: ApiCall, sent: SentPhrase | undefined, haveWorked: boolean): string {
  if (sent === undefined) return "the API refuses this call, and no credentials were sent with it";
  if (hasBodyInput(call))
    return "these credentials lack permission, or the API refuses something in the input";
  return haveWorked
    ? "the API refuses this call, although other calls with these credentials succeeded"
    : "these credentials lack permission";
}

/** Advises after a refusal that may mean an absent item. */
function refusedIdAdvice(
  call: ApiCall,
  refusal: string,
  ids: readonly GivenValue[],
  user: string,
): string {
  return [
    `${refusal}, or there is no such ID: ${formatValues(ids, "or")}.`,
    ...sourcesOfInputs(call, [...new Set(ids.map(rootOf))]).map((source) => `${source}.`),
    `Do not call ${call.tool.name} again with the same input; if the value is right, ${user}.${prefixHint(call)}`,
  ].join(" ");
}

/** True if a call has sent an input in its body. */
function hasBodyInput({ mapping: { body }, input }: ApiCall): boolean {
  const sources = [body?.from, ...Object.values(body?.fields ?? {})];
  return sources.some((source) => {
    const name = source === undefined ? undefined : inputOf(source);
    return name !== undefined && input[name] !== undefined;
  });
}

/** Messages about permissions. */
const PERMISSION =
  /permi|authori[sz]|access|privilege|\brole\b|scope|forbid|not allowed|\bmay not\b|denied|refused|credential|admin|\bacl\b|policy/gi;

/** Messages about a part of the API, or an account, that somebody has switched off. */
const SWITCHED_OFF =
  /\b(?:disabled|deactivated|suspended|archived|read-only|locked out|(?:not|n't) (?:been |yet )?(?:enabled|activated|approved|confirmed|validated|verified)|(?:turned|switched) off)\b/i;

/**
 * True if a message gives a reason for 403 other than permissions and an absent item. A word of the
 * path names what the call is about: `Built-in role cannot be deleted`.
 */
function isOtherReason({ mapping }: ApiCall, message: string): boolean {
  const hasReason = message.trim().split(/\s+/).length > 2;
  if (!hasReason || isAboutMissing(message)) return false;
  const path = mapping.path.toLowerCase();
  const words = message.toLowerCase().match(PERMISSION) ?? [];
  return SWITCHED_OFF.test(message) || words.every((word) => path.includes(word));
}

/**
 * The IDs of a call that may be wrong: those that the message names, otherwise all that no earlier
 * call has shown. Servers hide absent items.
 */
function idsOf(call: ApiCall, message: string): readonly GivenValue[] {
  const { named } = findMissing(call, message);
  if (named.length > 0) return named;
  const isKnown = (one: GivenValue): boolean =>
    call.foundInputs?.includes(rootOf(one)) === true ||
    call.earlier?.hasAccepted(one.path, one.value) === true;
  return [...pathValues(call), ...otherIds(call)].filter((one) => !isKnown(one));
}

interface SentPhrase {
  /** Rejected credentials, as the subject of a sentence: `the credentials`. */
  readonly subject: string;
  /** Setting for the user to check: `CLINIC_TOKEN`. */
  readonly check: string;
}

/** The credentials that were sent with a call; `undefined` if none were. */
function sentCredentials({ credentials }: ApiCall): SentPhrase | undefined {
  const { variables = [], headers = [] } = credentials ?? {};
  const header = headers.length === 1 ? "the header" : "the headers";
  const forwarded =
    headers.length > 0 ? `${header} ${joinNames(headers)} of its client` : undefined;
  const configured = variables.length > 0 ? joinNames(variables) : undefined;
  const check = [forwarded, configured].filter(Boolean).join(", and ");
  if (check === "") return undefined;
  return {
    subject: forwarded === undefined ? "the credentials" : `the credentials in ${check}`,
    check,
  };
}

/**
 * Inputs of a sign-in: those that hold credentials, and those that say whose they are. The password
 * of a new user, for example, is none that the API compares, unless the message names it.
 */
function credentialInputs(call: ApiCall, message: string, areSent: boolean): readonly string[] {
  const given = presentInputs(call);
  const properties = call.tool.inputSchema["properties"];
  const isSecret = (name: string): boolean =>
    isSecretField(name, isObject(properties) ? properties[name] : undefined) ||
    hasSecret(call.input[name]);
  const secrets = given.filter(isSecret);
  const isNamed = (name: string): boolean => message.toLowerCase().includes(name.toLowerCase());
  const signsIn = SIGN_IN.test(`${call.tool.name} ${call.mapping.path}`) || secrets.some(isNamed);
  if (secrets.length === 0 || (areSent && !signsIn)) return [];
  return given.filter((name) => secrets.includes(name) || OWNER.test(name)).slice(0, MAX_NAMES);
}

/** Words of operations that compare credentials. */
const SIGN_IN = /(?:log|sign)[_-]?in|auth(?!ors?\b)|credential|password|session|token|unlock/i;

/** Names of inputs that say whose credentials a sign-in has. */
const OWNER = /user|login|mail|account|client|phone|identi|^name$/i;

/** Maximum nesting of an input in which credentials are looked for. */
const MAX_DEPTH = 5;

/** True if an object has a text that its name calls a secret: `{"user": {"password": "…"}}`. */
const hasSecret = (value: unknown, depth = 0): boolean =>
  depth < MAX_DEPTH &&
  isObject(value) &&
  Object.entries(value).some(
    ([name, part]) =>
      (typeof part === "string" && isSecretField(name, undefined)) || hasSecret(part, depth + 1),
  );

/** True if calls with the same credentials have succeeded since the start of the server. */
function haveSucceeded({ credentials, earlier }: ApiCall): boolean {
  return credentials !== undefined && earlier?.haveSucceeded(credentials) === true;
}

/** Warns about a key that is a whole `Authorization` header without a scheme. RFC 9110, section 11.6.2. */
function prefixHint(call: ApiCall): string {
  const { api, credentials } = call;
  if (!credentials?.hasBareAuthorization || haveSucceeded(call)) return "";
  const scheme = Object.values(api.securitySchemes).find(
    (candidate) =>
      candidate.kind === "apiKey" &&
      candidate.in === "header" &&
      candidate.name.toLowerCase() === "authorization" &&
      credentials?.variables.includes(candidate.env),
  );
  if (scheme?.kind !== "apiKey") return "";
  return ` ${scheme.env} is the whole Authorization header: the API may expect a prefix such as Bearer in it.`;
}

/**
 * Lists the environment variables that an operation declares: `A, or B and C`. Empty when it
 * declares none.
 */
function declaredVariables({ api, mapping }: ApiCall): string {
  const stated = mapping.isSecurityUnstated ? mapping.likelySecurity : mapping.security;
  const alternatives = (stated ?? api.security ?? []).map((requirement) =>
    Object.keys(requirement).flatMap((name) => {
      const scheme = ownProperty(api.securitySchemes, name);
      return scheme ? rulesOf(scheme).advice(scheme) : [];
    }),
  );
  const phrases = alternatives.map((names) => names.join(" and ")).filter(Boolean);
  return [...new Set(phrases)].join(", or ");
}

/**
 * The end of a clause about the user of a server that sent no credentials: the variables to set, or
 * the setting that adds a header which the document lacks.
 */
function missingSetting(call: ApiCall): string {
  const { api } = call;
  const named = [declaredVariables(call), ...credentialHeaderVariables(api)].filter(Boolean);
  if (named.length > 0) return ` to set ${named.join(", or ")}`;
  return Object.keys(api.securitySchemes).length > 0
    ? ""
    : " that `server.headers` in mcp-gen.yaml can send a header such as Authorization";
}

// ---- errors/not-found-advice.ts ----
// Advice after 404 and messages such as "no such image": the inputs that may be wrong, and valid ones.

const ASK_USER = "if the user gave the value, ask them to check it";

/** Advises after a response that something does not exist. */
export function notFoundAdvice(
  response: ApiResponse & { readonly isEmbedded?: boolean },
  call: ApiCall,
  apiError: ApiErrorByInput,
): string {
  const deletion = ownDeletion(call);
  if (deletion !== undefined) return deletion;
  const check = baseUrlCheck(response, call, apiError);
  const doubtful = (values: readonly GivenValue[]): string =>
    adviceForIds(
      call,
      values,
      `the API may have nothing with ${formatValues(values, "or")}`,
      check,
    );
  if (ROUTER.test(apiError.message) && response.isEmbedded !== true)
    return routeAdvice(call, check);
  const part = missingPart(call, apiError.message);
  if (part !== undefined)
    return (
      `the API finds no ${part} for ${formatValues(pathValues(call), "and")}. ` +
      `Do not call ${call.tool.name} again with the same input.`
    );
  const { named: found, isAboutOther } = missingInputs(call, apiError);
  // The nouns of values that the API has known may be about another value.
  const isQuoted = found.some(({ value }) => apiError.message.includes(String(value)));
  const named = isQuoted ? found : found.filter((one) => !hasAccepted(call, one));
  const sources = isQuoted ? [] : sourceValues(call).filter((one) => !isOneOf(one, found));
  if (found.length > 0 && sources.length > 0) return doubtful([...sources, ...found]);
  if (named.length > 0) {
    const { unknown, known } = splitByEvidence(call, named);
    const refusal = isAboutAccess(apiError.message) ? ", or refuses access to it" : "";
    const problem = `the API finds nothing with ${formatValues(unknown, "and")}${known}${refusal}`;
    return adviceForIds(call, unknown, problem, check);
  }
  const omitted = omittedInputs(call, apiError.message);
  if (omitted.length > 0) return omissionAdvice(call, omitted);
  const { unknown: inPath, known } = splitByEvidence(call, pathValues(call));
  const others = otherIds(call);
  const ids = others.filter((one) => !hasAccepted(call, one));
  const values = [...inPath, ...ids];
  if (values.length === 0)
    return others.length > 0
      ? knownAdvice(call, others)
      : unknownAdvice(response, call, apiError, check);
  const isKnown = found.length > 0 && inPath.every((one) => hasAccepted(call, one));
  const untried = isKnown ? untriedInputs(call) : [];
  if (isKnown && untried.length === 0) return knownAdvice(call, found);
  if (isAboutOther || isKnown || inPath.length === 0) return doubtful([...untried, ...values]);
  const orIds = ids.length > 0 ? `, or nothing with ${formatValues(ids, "or")}` : "";
  const nothing = `the API finds nothing with ${formatValues(inPath, "and")}`;
  const orOther = `${orPart(call, inPath.length)}${orIds}${orOffer(response, call, apiError)}`;
  return adviceForIds(call, values, `${nothing}${orOther}${known}`, check);
}

/**
 * Clause after a response without a message, or to a PUT of the last value, which it may create.
 * That is also the response of an operation that the API does not offer.
 */
function orOffer(
  { isEmbedded = false }: { readonly isEmbedded?: boolean },
  call: ApiCall,
  { message }: ApiErrorByInput,
): string {
  const { method, path } = call.mapping;
  const isNested = pathValues(call).length > 1 && !isEmbedded;
  const isOffered = call.earlier?.hasOperation() === true;
  const isVague = message === "" || (method === "PUT" && path.endsWith("}"));
  return isVague && isNested && !isOffered ? ", or does not offer this" : "";
}

/** Advice to add inputs that the API names and the call does not have. */
export function omissionAdvice(call: ApiCall, inputs: readonly string[]): string {
  const sources = sourcesOfInputs(call, inputs).map((source) => `${source}.`);
  const isOne = inputs.length === 1;
  const names = `${joinNames(inputs)}${isOne ? "" : " as far as the API asks for them"}`;
  return [`add ${names}, then call ${call.tool.name} again.`, ...sources].join(" ");
}

/** Advice about an item that an earlier call of this server has deleted. */
function ownDeletion(call: ApiCall): string | undefined {
  for (const value of pathValues(call)) {
    const tool = call.earlier?.deletedBy(value.path);
    if (tool === undefined) continue;
    const same = `Do not call ${call.tool.name} again with the same input`;
    return `${tool} deleted ${formatValues([value], "and")} earlier, so it is gone. ${same}.`;
  }
  return undefined;
}

/** Advice after the message of a router, which quotes IDs of the path without having read them. */
function routeAdvice(call: ApiCall, check: string): string {
  const { name } = call.tool;
  const values = pathValues(call).filter((value) => !isOwnId(value, call));
  const nothing = `nothing with ${formatValues(values, "and")}`;
  if (call.earlier?.hasOperation() === true)
    return values.length > 0
      ? adviceForIds(call, values, `the API finds ${nothing}`, "")
      : `an earlier call of ${name} succeeded, so the input of this one may be wrong. ` +
          `Do not call ${name} again with the same input; tell the user.`;
  const problem = "the server has no such path: it may not offer this operation";
  return values.length > 0
    ? adviceForIds(call, values, `${problem}, or has ${nothing}`, check)
    : `${problem}. Do not call ${name} again.${check}`;
}

/** True for the ID that a PUT gives to what it creates: `PUT /charts/{id}`. */
function isOwnId({ path }: GivenValue, { tool, mapping }: ApiCall): boolean {
  const last = mapping.path.endsWith("}") ? mapping.path.slice(mapping.path.lastIndexOf("{")) : "";
  const source = mapping.pathParams?.[last.slice(1, -1)];
  const creates = tool.effect === "adds" && mapping.method === "PUT";
  return creates && source !== undefined && inputOf(source) === path;
}

/** Inputs of a write that say what is copied or moved to the path: `x_ms_copy_source`, `from`. */
const SOURCE = /(?:^|_)(?:source|from|origin)(?:_?(?:id|key|name|path|ur[il]))?$/i;

const sourceValues = ({ mapping: { method }, input }: ApiCall): readonly GivenValue[] =>
  Object.keys(method === "PUT" || method === "POST" ? input : {})
    .map((path) => ({ path, value: input[path] }))
    .filter(({ path, value }) => SOURCE.test(path) && typeof value === "string");

const isOneOf = ({ path }: GivenValue, values: readonly GivenValue[]): boolean =>
  values.some((one) => one.path === path);

/**
 * Inputs outside of the path with which no call has succeeded, such as the version of a thing. The
 * values of a list in the document identify nothing.
 */
function untriedInputs(call: ApiCall): readonly GivenValue[] {
  const properties = propertiesOf(call.tool.inputSchema);
  return presentInputs(call)
    .map((path) => ({ path, value: call.input[path] }))
    .filter(
      (one) =>
        /^(?:number|string)$/.test(typeof one.value) &&
        properties[one.path]?.enum === undefined &&
        !hasAccepted(call, one),
    )
    .slice(0, MAX_UNTRIED);
}

/** Maximum number of such inputs that are named. */
const MAX_UNTRIED = 3;

const hasAccepted = ({ earlier }: ApiCall, { path, value }: GivenValue): boolean =>
  earlier?.hasAccepted(path, value) === true;

/** Values that may be unknown, and a clause about those of the path that the API has known. */
function splitByEvidence(
  call: ApiCall,
  values: readonly GivenValue[],
): { readonly unknown: readonly GivenValue[]; readonly known: string } {
  const accepted = values.filter((one) => hasAccepted(call, one));
  if (accepted.length === 0 || accepted.length === values.length)
    return { unknown: values, known: "" };
  return {
    unknown: values.filter((value) => !accepted.includes(value)),
    known: ` (the API knew ${formatValues(accepted, "and")} in an earlier call)`,
  };
}

/** Advice about the IDs of a path that may be wrong, as one reason of several. */
export const doubtfulIdsAdvice = (call: ApiCall, mayHave: string): string => {
  const values = pathValues(call);
  return adviceForIds(call, values, `${mayHave} nothing with ${formatValues(values, "and")}`, "");
};

/** True if a message names an input of the call as missing, by its value or its noun. */
export function namesMissingInput(call: ApiCall, apiError: ApiErrorByInput): boolean {
  return missingInputs(call, apiError).named.length > 0;
}

/** True for a message that calls something missing, and names nothing but what the path has. */
export function isAboutPath(call: ApiCall, message: string): boolean {
  return pathValues(call).length > 0 && !findMissing(call, message).isAboutOther;
}

function missingInputs(
  call: ApiCall,
  { message, inputErrors }: ApiErrorByInput,
): ReturnType<typeof findMissing> {
  const named = [...new Set(inputErrors.map(({ input }) => input))]
    .map((path) => ({ path, value: valueAt(call.input, path) }))
    .filter(({ value }) => value !== undefined);
  return named.length > 0 ? { named, isAboutOther: false } : findMissing(call, message);
}

function valueAt(input: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, step) => Object(value ?? {})[step] as unknown, input);
}

function adviceForIds(
  call: ApiCall,
  values: readonly GivenValue[],
  problem: string,
  check: string,
): string {
  const sources = sourcesOfInputs(call, [...new Set(values.map(rootOf))]);
  if (sources.length > 0) return `${problem}. ${sources.join(". ")}; ${ASK_USER}.${check}`;
  const same = `${problem}. Do not call ${call.tool.name} again with the same input`;
  // The agent itself has written the path of a raw request.
  return call.mapping.isRaw === true ? `${same}.${check}` : `${same}; ${ASK_USER}.${check}`;
}

/** Advice after IDs that the API has returned or taken before. */
const knownAdvice = ({ tool: { name } }: ApiCall, values: readonly GivenValue[]): string =>
  `the API knew ${formatValues(values, "and")} in an earlier call, and has nothing for ` +
  `${values.length > 1 ? "them" : "it"} here. Do not call ${name} again with the same input.`;

/** Advice where no input can be named. */
function unknownAdvice(
  { isEmbedded = false }: { readonly isEmbedded?: boolean },
  call: ApiCall,
  { message }: ApiErrorByInput,
  check: string,
): string {
  const same = `o not call ${call.tool.name} again with the same input.${check}`;
  if (isEmbedded) return `d${same}`;
  if (presentInputs(call).length === 0)
    return `the path of this request is fixed, so that no ID in it is wrong. D${same}`;
  return message === "" ? `the API does not say what it did not find. D${same}` : `d${same}`;
}

/**
 * Advises to check the base URL, unless the API itself has responded: a call with this base URL has
 * succeeded, or the body is an error in the form of an API. A router may say so of its own paths.
 */
function baseUrlCheck(
  response: ApiResponse & { readonly isEmbedded?: boolean },
  call: ApiCall,
  { message }: ApiErrorByInput,
): string {
  if (response.isEmbedded === true) return "";
  const hasOnlyName = message === "" && presentInputs(call).length === 0;
  // Some paths of a server are outside of the base path of its others: `/ping` beside `/v4/info`.
  const isProven = call.earlier?.isBaseUrlRight() === true;
  const isOutside = hasOnlyName && !isApiForm(response) && call.earlier?.hasOperation() !== true;
  if (isProven && !isOutside) return "";
  const isForeign = !isApiForm(response) && (pathValues(call).length === 0 || isPage(response));
  if (!NO_ROUTE.test(message) && !isForeign && !hasOnlyName) return "";
  const setting = baseUrlSetting(call);
  return ` If other tools get ${response.status} too, tell the user to check ${setting}.`;
}

/** True for JSON, and for XML that is not a page. */
function isApiForm(response: ApiResponse): boolean {
  if (responseValue(response) !== undefined) return true;
  const { essence } = parseContentType(response.headers.get("content-type"));
  return isXml(essence) && !isPage(response) && response.size > 0;
}

const isPage = ({ headers }: ApiResponse): boolean =>
  /html/i.test(headers.get("content-type") ?? "");

const isAboutAccess = (message: string): boolean =>
  isAboutCredentials(message) || /\b(?:access|permission|denied)\b/i.test(message);

/** Clause about what a path has below an item. */
function orPart(call: ApiCall, count: number): string {
  const part = partOf(call);
  return part === undefined ? "" : `, or no ${part} for ${count > 1 ? "them" : "it"}`;
}

// ---- errors/retry-time.ts ----
// The time after which an API allows another call, from the header or the body of its response.

/** Fields with seconds to wait, as Discord, Telegram and Zulip have them. */
const SECONDS_FIELD = /^(?:retry|try)[-_]?(?:after|in)(?:[-_]?(?:s|secs?|seconds))?$/i;

/** Longest time in seconds that is taken for one. */
const MAX_SECONDS = 7 * 24 * 3600;

/** Milliseconds to wait; `undefined` if the response does not say. */
export function retryTime(response: ApiResponse): number | undefined {
  return retryAfter(response) ?? secondsIn(responseValue(response), 1);
}

/** The time in a body, or in an object in it. */
function secondsIn(value: unknown, depth: number): number | undefined {
  if (!isObject(value)) return undefined;
  for (const [name, part] of Object.entries(value)) {
    const seconds = SECONDS_FIELD.test(name) ? Number(part) : NaN;
    if (seconds > 0 && seconds <= MAX_SECONDS) return Math.ceil(seconds * 1000);
  }
  if (depth === 0) return undefined;
  const times = Object.values(value).map((part) => secondsIn(part, depth - 1));
  return times.find((time) => time !== undefined);
}

// ---- errors/advice.ts ----
// The next step after an error response, as advice for an agent.

/** Wait above which an exhausted quota is likelier than too many calls in a row. */
const LONG_WAIT_MS = 3_600_000;

/** End of advice to call again: a second failure ends the attempts. */
const GIVE_UP = "If it fails again, tell the user.";

/** An error response, or a success response that reports an error. */
export interface ErrorResponse extends ApiResponse {
  /** True if the API responded with a success status. */
  readonly isEmbedded?: boolean;
  /** Status that the API sent, if `status` is the one that the response means. */
  readonly sentStatus?: number;
}

/**
 * Advises after an error response: by the tool's `onError`, otherwise by what the message is about,
 * otherwise by the status. `undefined` if the message itself says what to do.
 */
export function adviceFor(
  response: ErrorResponse,
  call: ApiCall,
  { message, ...errors }: ApiErrorByInput,
): string | undefined {
  const apiError = { ...errors, message: spellCodes(message, inputsOf(call.tool)) };
  const configured =
    configuredAdvice(response.status, call) ?? limitAdvice(response, call, apiError);
  if (configured !== undefined) return configured;
  const status = effectiveStatus(response, call, apiError);
  if (isInstructed(apiError) && !needsCredentials(status, call, apiError)) return undefined;
  return adviceByStatus({ ...response, status, sentStatus: response.status }, call, apiError);
}

/**
 * Advice that the tool configures for the status, its class or any status. `{input}` stands for the
 * value of an input.
 */
function configuredAdvice(
  status: number,
  { tool: { onError = {} }, input }: ApiCall,
): string | undefined {
  const keys = [String(status), `${Math.floor(status / 100)}XX`, "default"];
  const key = keys.find((candidate) => Object.hasOwn(onError, candidate));
  if (key === undefined) return undefined;
  return onError[key]!.replace(/\{(\w+)\}/g, (_, name: string) => formatInput(name, input[name]));
}

/** Advice about licences, quotas and rate limits, whatever the status. */
function limitAdvice(
  response: ErrorResponse,
  call: ApiCall,
  apiError: ApiErrorByInput,
): string | undefined {
  const { message } = apiError;
  const { name } = call.tool;
  const wait = `Tell the user what it says; do not call ${name} again until that has changed.`;
  // An API of subscriptions has plans and quotas of its own, and a tier may be an input.
  const isOwnNoun = [call.mapping.path, ...presentInputs(call)].some((text) =>
    /plan|tier|licen[cs]e|subscription|feature|quota|credit|balance/i.test(text),
  );
  if (!isOwnNoun && response.status !== 404 && isAboutPlan(message))
    return `the API says that its licence, its plan or its settings do not allow this. ${wait}`;
  if (!isOwnNoun && isAboutQuota(message) && retryTime(response) === undefined)
    return `the API says that a quota or a balance is used up. ${wait}`;
  if (!isRateLimit(response, apiError)) return undefined;
  // The header adds the time, unless the message has one.
  const isStated = isInstruction(message) && (/\d/.test(message) || !retryTime(response));
  return isStated ? undefined : rateLimitAdvice(response, name);
}

/**
 * The status that a response means: that of its gRPC code, and for a server error that of its
 * message. Many servers respond with 500 or 503 to a wrong call.
 */
function effectiveStatus(
  response: ErrorResponse,
  call: ApiCall,
  apiError: ApiErrorByInput,
): number {
  const { status } = response;
  const { message, inputErrors } = apiError;
  const isServerError = status >= 500 && status !== 501;
  if (!isServerError && status !== 400 && status !== 422) return status;
  const ofCode = isServerError ? statusOfBody(responseValue(response)) : undefined;
  if (ofCode !== undefined && ofCode !== 400) return ofCode;
  const isMissing = isAboutMissing(message) && inputErrors.length === 0;
  const isOfId = isMissing && !isServerError && hasOnlyOneId(call);
  if (isOfId || (isMissing && namesMissingInput(call, apiError))) return 404;
  if (isMissing && isServerError && isAboutPath(call, message)) return 404;
  if (!isServerError) return status;
  if (ofCode !== undefined || inputErrors.length > 0 || isAboutInput(message)) return 400;
  if (wrongInputs(call, message).length > 0 && !isAboutCredentials(message)) return 400;
  if (asksForBody(call, message) && !isAboutAbsence(message)) return 400;
  if (isAboutSupport(message)) return 501;
  return isAboutState(message) ? 409 : status;
}

/** True if the API says what to do: its message, or that about every input. */
function isInstructed({ message, inputErrors }: ApiErrorByInput): boolean {
  if (inputErrors.length === 0) return isInstruction(message);
  return inputErrors.every((error) => isInstruction(error.message));
}

/** True if a message asks for credentials, which only the user of this server can set. */
function needsCredentials(status: number, call: ApiCall, { message }: ApiErrorByInput): boolean {
  const isRejected = status === 401 && isAboutCredentials(message);
  return isRejected || (status === 403 && call.credentials?.missingScopes !== undefined);
}

function adviceByStatus(
  response: ErrorResponse,
  call: ApiCall,
  apiError: ApiErrorByInput,
): string | undefined {
  const { status } = response;
  const { name } = call.tool;
  if (status >= 300 && status < 400)
    return `the API gave no result, only a redirect or "not modified". Calling again does not help.`;
  switch (status) {
    case 401:
      return unauthorizedAdvice(call, apiError);
    case 402:
      return "the API requires payment or a larger plan. Tell the user; do not retry.";
    case 451:
      return "the API withholds this for legal reasons. Tell the user; do not retry.";
    case 403:
      return forbiddenAdvice(call, apiError);
    case 404:
    case 410:
      return notFoundAdvice(response, call, apiError);
    case 405:
    case 501:
      return unsupportedOperationAdvice(call, apiError);
    case 406:
      return formatAdvice(name, "cannot respond in a format that this server asks for");
    case 415:
      if (asksForBody(call, apiError.message)) return omittedBodyAdvice(response, call);
      return (
        demandAdvice(readDemands(status, call, apiError), call) ??
        formatAdvice(name, unsupportedFormat(call))
      );
    case 409:
    case 412:
    case 423:
      return conflictAdvice(call, apiError);
    case 413:
      // A limit that shorter input does not meet, such as too many tags of a thing.
      return apiError.message !== "" && !SIZE.test(apiError.message)
        ? unclearAdvice(call, apiError.message)
        : tooLargeAdvice(call);
    case 414:
    case 431:
      return tooLargeAdvice(call);
    case 429:
      return undefined;
    case 408:
    case 425:
      return serverErrorAdvice(response, call, apiError);
    default:
      return status < 500
        ? correctionAdvice(response, call, apiError)
        : serverErrorAdvice(response, call, apiError);
  }
}

/** True if a response reports a rate limit. Some APIs do so with 403 and another sign. */
function isRateLimit({ status, headers }: ApiResponse, { message }: ApiErrorByInput): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  const isExhausted = headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after");
  return isExhausted || /\brate.?limit/i.test(message);
}

function rateLimitAdvice(response: ApiResponse, name: string): string {
  const isLong = (retryTime(response) ?? 0) > LONG_WAIT_MS;
  const quota = isLong ? ", or tell the user that the API's quota is used up" : "";
  return `too many calls: ${waitPhrase(response)}, then call ${name} again${quota}. ${GIVE_UP}`;
}

/** A request without a body has no format: what it asks for does not exist in one. */
const unsupportedFormat = ({ mapping: { body } }: ApiCall): string =>
  body === undefined
    ? "does not have this in the format that the operation returns"
    : "does not accept the format of this request";

const formatAdvice = (name: string, problem: string): string =>
  `the API ${problem}. Do not call ${name} again with the same input; tell the user.`;

/** Advises after 405 and 501, which may be about the operation or about one of its inputs. */
function unsupportedOperationAdvice(call: ApiCall, { message }: ApiErrorByInput): string {
  const { name } = call.tool;
  const words = new Set(message.match(/[\w.-]+/g));
  const ids = pathInputs(call);
  const named = presentInputs(call).filter((input) => words.has(input) && !ids.includes(input));
  if (named.length > 0)
    return `the API does not support ${joinNames(named)} here. Call ${name} again without it, or tell the user.`;
  return call.earlier?.hasOperation() === true
    ? `the API does not support this input here. Do not call ${name} again with it; tell the user.`
    : `the API does not support this operation here; do not call ${name} again.`;
}

/** Words of messages about the size of a request, and not about another limit that it exceeds. */
const SIZE = /\b(?:large|big|size|length|long|bytes?|[km]i?b|body|payload|content|entity)\b/i;

const tooLargeAdvice = ({ tool: { name } }: ApiCall): string =>
  `the request is too large for the API: pass less or shorter input, then call ${name} again.`;

function correctionAdvice(
  response: ErrorResponse,
  call: ApiCall,
  apiError: ApiErrorByInput,
): string {
  const { name } = call.tool;
  const inputs = listInputs(apiError);
  const same = "the same input fails again";
  const { status, sentStatus = status } = response;
  const demanded = demandAdvice(readDemands(sentStatus, call, apiError), call);
  if (demanded !== undefined) return demanded;
  if (inputs !== "") {
    const single = singleItem(call, apiError);
    if (single !== undefined) return singleItemAdvice(call.tool, single);
    const names = apiError.inputErrors.map(({ input }) => input);
    const sources = sourcesOfInputs(call, [...new Set(names)]).map((source) => `${source}.`);
    return [`correct ${inputs}, then call ${name} again; ${same}.`, ...sources].join(" ");
  }
  const omitted = omittedInputs(call, apiError.message);
  if (omitted.length > 0) return omissionAdvice(call, omitted);
  if (inputsOf(call.tool).length === 0 && !call.mapping.body?.isOpen)
    return `the API rejects this call, and ${name} has no input. Tell the user.`;
  const isAboutValue = findNamedValues(call, apiError.message).length > 0;
  if (!isAboutValue && fieldsOfOmittedBody(call, apiError.message).length > 0)
    return omittedBodyAdvice(response, call);
  if (apiError.message === "") {
    const problem = "the API rejects this input without a message";
    return `${problem}. Compare it with the description of ${name}, and call it again only with another input.`;
  }
  if (isVague(apiError.message)) return vagueAdvice(call);
  const wrong = wrongInputs(call, apiError.message);
  const isOther = !isAboutInput(apiError.message) && wrong.length === 0;
  const inPath = hasOnlyPathInputs(call);
  const hasInput = presentInputs(call).length > 0 || call.request.body !== undefined;
  if (!isOther && !hasInput) return withoutInputAdvice(call);
  if (isOther || (inPath && wrong.length === 0 && !ABOUT_TYPE.test(apiError.message)))
    return unclearAdvice(call, apiError.message);
  const byValue = incorrectInputs(call, apiError.message);
  const named = byValue.length > 0 ? byValue : wrong;
  const orOther = otherWrong(call, apiError.message, wrong, named);
  const orName = orOther === undefined ? "" : ` or ${orOther}`;
  const subject =
    named.length > 0 ? `${joinNames(named)}${orName}` : `the input of ${name} as the API says`;
  return `correct ${subject}, then call ${named.length > 0 ? name : "it"} again; ${same}.`;
}

/** `id must be a valid integer`, `invalid UUID length`: about the form of a value, not a state. */
const ABOUT_TYPE =
  /\b(?:must be|should be|expected|invalid|malformed|not)\b.{0,30}\b(?:integer|int|number|uuid|guid|date|hex\w*|base64|format|syntax)\b/i;

/**
 * An input that a message calls wrong by its name beside those whose values it has:
 * `a.txt is not a directory; bad type` quotes the path, and names the type.
 */
const otherWrong = (
  { input }: ApiCall,
  message: string,
  wrong: readonly string[],
  named: readonly string[],
): string | undefined =>
  wrong.find(
    (one) =>
      input[one] !== undefined &&
      named.every((other) => other !== one && !other.startsWith(`${one}.`)) &&
      !isAttribute(one, named, message),
  );

/** True for a name that stands before that of another input: `metadata` of `metadata kind 'X'`. */
function isAttribute(input: string, named: readonly string[], message: string): boolean {
  const text = message.toLowerCase();
  return named.some((one) => text.includes(`${input} ${one}`.toLowerCase()));
}

/**
 * Inputs that a message names by their values, or as required. The ID of what is changed often only
 * names it: `Job "nightly" is invalid: …`.
 */
function incorrectInputs(call: ApiCall, message: string): readonly string[] {
  const ids = call.mapping.body === undefined ? [] : pathInputs(call);
  const named = findNamedValues(call, message).map(({ path }) => path);
  const values = named.filter((path) => !ids.includes(path));
  return values.length > 0 ? values : incompleteInputs(call, message);
}

const inputsOf = ({ inputSchema }: ToolDefinition): readonly string[] =>
  Object.keys(propertiesOf(inputSchema));

/** True if all inputs of the tool are path parameters, so that no other input can be corrected. */
function hasOnlyPathInputs(call: ApiCall): boolean {
  const inputs = new Set(pathInputs(call));
  return inputsOf(call.tool).every((name) => inputs.has(name));
}

/** True for a tool whose only input is one in its path. */
const hasOnlyOneId = (call: ApiCall): boolean =>
  hasOnlyPathInputs(call) && pathInputs(call).length === 1;

/** Advice after a message such as "Invalid data", which may be about a state as well. */
function vagueAdvice(call: ApiCall): string {
  const { name } = call.tool;
  const problem = "the API does not say what it rejects";
  if (hasOnlyPathInputs(call) && pathInputs(call).length > 0)
    return doubtfulIdsAdvice(call, `${problem}, and may have`);
  if (presentInputs(call).length === 0 && call.request.body === undefined)
    return withoutInputAdvice(call);
  return (
    `${problem}. Compare the input with the description of ${name}; if it is right, ` +
    "tell the user. The same input may fail again."
  );
}

/** Advice where a message may be about the input, or about a state. */
function unclearAdvice(call: ApiCall, message: string): string {
  const values = findNamedValues(call, message);
  const inputs = values.length > 0 ? ` for ${formatValues(values, "and")}` : "";
  return `the API refuses this${inputs}. Correct what its message names, or tell the user; the same input may fail again.`;
}

/** Advice where a call without input is rejected, by its state or for want of an input. */
function withoutInputAdvice(call: ApiCall): string {
  const inputs = joinFirst(inputsOf(call.tool), MAX_NAMED_INPUTS);
  return `the call had no input. Give ${inputs} if the API asks for it; otherwise tell the user.`;
}

/** Maximum number of inputs that advice names. */
const MAX_NAMED_INPUTS = 5;

function conflictAdvice(call: ApiCall, apiError: ApiErrorByInput): string {
  const { name } = call.tool;
  const omitted = isAboutInput(apiError.message) ? omittedInputs(call, apiError.message) : [];
  if (omitted.length > 0) return omissionAdvice(call, omitted);
  const inputs = listInputs(apiError);
  // Some APIs send 409 for any refusal, so that their reason counts.
  const refusal =
    apiError.message === "" && inputs === ""
      ? "the request conflicts with the current state"
      : "the API refuses this for the reason that it gives";
  const problem = `${refusal}${namedParts(call, apiError)}`;
  const reader = findReader(call);
  const read = reader === undefined ? "" : `Call ${reader} to see the current state. `;
  if (hasOnlyPathInputs(call))
    return `${problem}. ${read}Do not call ${name} again while it lasts.`;
  if (inputs === "") return `${problem}. ${read}The same input may fail again.`;
  return `${problem}. ${read}Change ${inputs}, then call ${name} again; the same input fails again.`;
}

/** The parts inside of inputs whose values the API's message has, as the end of a clause. */
function namedParts(call: ApiCall, { message, inputErrors }: ApiErrorByInput): string {
  const named = inputErrors.length > 0 ? [] : findNamedValues(call, message);
  const parts = named.filter(({ path }) => path.includes("."));
  return parts.length === 0 ? "" : `, and the API names ${formatValues(parts, "and")}`;
}

/** Lists the inputs that the API reports errors for, as a phrase. */
function listInputs({ inputErrors }: ApiErrorByInput): string {
  return joinNames([...new Set(inputErrors.map(({ input }) => input))]);
}

function serverErrorAdvice(
  response: ApiResponse,
  call: ApiCall,
  apiError: ApiErrorByInput,
): string {
  const { message } = apiError;
  const { name } = call.tool;
  if (isLastingFault(call, response.status))
    return `resolve what the API and its documentation say, or tell the user; do not call ${name} again before.`;
  const hasTime = retryTime(response) !== undefined;
  const isFault = isPassingFault(message) && !mayBeOfInput(response, call, message);
  const isPassing = response.status < 500 || hasTime || isFault;
  const asksToWait = response.status === 503 || hasTime;
  if (!hasTime && call.earlier?.hasFailed(response.status) === true)
    return repeatedFaultAdvice(response, call);
  if (!isPossibleWrite(call)) {
    const retry = `${asksToWait ? waitPhrase(response) : "wait a little"}, then call ${name} again`;
    return isPassing
      ? `the fault is on the API's side. A retry can help: ${retry}. ${GIVE_UP}`
      : `if the reason that the API gives can pass by itself, ${retry}; otherwise tell the user.`;
  }
  const check = verificationAdvice(call);
  const advice = asksToWait ? `${waitPhrase(response)}, then ${check}` : check;
  const fault = isPassing ? "the fault is on the API's side, and " : "";
  const event = `${fault}${name} may or may not have taken effect`;
  const demanded = demandAdvice(readDemands(response.status, call, apiError), call);
  if (demanded !== undefined)
    return `${name} may or may not have taken effect. ${capitalize(advice)}. If not, ${demanded}`;
  const lacksBody = failsWithoutBody(call, response);
  const omitted = lacksBody ? [] : readInputs(call, message);
  if (omitted.length > 0) {
    const add = omissionAdvice(call, omitted);
    return `${name} may or may not have taken effect. ${capitalize(advice)}. If not, ${add}`;
  }
  const again = lacksBody ? omittedBodyFault(call) : GIVE_UP;
  return `${event}. ${capitalize(advice)} before you call ${name} again. ${again}`;
}

/** True for an exception of the code that read the input, which may be its reason. */
function mayBeOfInput({ status }: ApiResponse, call: ApiCall, message: string): boolean {
  if (status !== 500) return false;
  if (isAboutText(message)) return true;
  const isSent =
    call.request.body !== undefined ||
    queryInputs(call.mapping).some((name) => call.input[name] !== undefined);
  return isSent && isException(message);
}

/** Advice after the same request has failed with the same status before. */
function repeatedFaultAdvice({ status }: ApiResponse, call: ApiCall): string {
  const { name } = call.tool;
  // The status of a server that is down or busy does not depend on the call.
  if (status > 501)
    return `the same request failed with ${status} before. Tell the user; do not call ${name} again now.`;
  const event = `the same request failed with ${status} before, so it may fail whenever it is made`;
  const change = presentInputs(call).length > 0 ? "Change its input, or tell" : "Tell";
  const effect = isPossibleWrite(call)
    ? " Each of these calls may or may not have taken effect."
    : "";
  return `${event}.${effect} ${change} the user; do not call ${name} again as it is.`;
}

function waitPhrase(response: ApiResponse): string {
  const ms = retryTime(response);
  return ms === undefined ? "wait a minute" : `wait ${formatSeconds(ms)}`;
}

// ---- errors/status-names.ts ----
// Standard names of HTTP statuses.

/** The status with its standard name. The API's own reason phrase is shown, as such, only without one. */
export function formatStatus({
  status,
  statusText,
}: Pick<ApiResponse, "status" | "statusText">): string {
  const name = statusName(status);
  if (name !== "" || statusText === "") return `${status} ${name}`.trim();
  return `${status} (in the API's words ${JSON.stringify(statusText.slice(0, 60))})`;
}

/** Reason phrases of HTTP statuses. RFC 9110, section 15. */
const STATUS_NAMES: ReadonlyMap<number, string> = new Map([
  [200, "OK"],
  [201, "Created"],
  [202, "Accepted"],
  [206, "Partial Content"],
  [207, "Multi-Status"],
  [304, "Not Modified"],
  [400, "Bad Request"],
  [401, "Unauthorized"],
  [402, "Payment Required"],
  [403, "Forbidden"],
  [404, "Not Found"],
  [405, "Method Not Allowed"],
  [406, "Not Acceptable"],
  [408, "Request Timeout"],
  [409, "Conflict"],
  [410, "Gone"],
  [412, "Precondition Failed"],
  [413, "Content Too Large"],
  [415, "Unsupported Media Type"],
  [422, "Unprocessable Content"],
  [423, "Locked"],
  [428, "Precondition Required"],
  [429, "Too Many Requests"],
  [500, "Internal Server Error"],
  [501, "Not Implemented"],
  [502, "Bad Gateway"],
  [503, "Service Unavailable"],
  [504, "Gateway Timeout"],
]);

/** Names that older versions of HTTP gave to a status. */
const FORMER_NAMES: ReadonlyMap<number, readonly string[]> = new Map([
  [413, ["Payload Too Large", "Request Entity Too Large"]],
  [422, ["Unprocessable Entity"]],
]);

/** Reason phrase of a status, for HTTP/2 responses, which have none. Empty for an unusual status. */
function statusName(status: number): string {
  return STATUS_NAMES.get(status) ?? "";
}

/** The standard name of a status, and those of older versions of HTTP. */
export function statusNames(status: number): readonly string[] {
  return [statusName(status), ...(FORMER_NAMES.get(status) ?? [])];
}

/** Removes the parts of a message that only name the status: `No such pet; Not Found`. */
export function withoutStatusName(message: string, status: number): string {
  const names = statusNames(status).map(alphanumeric);
  const parts = message.split("; ");
  const rest = parts.filter((part) => {
    const name = alphanumeric(
      part.replace(new RegExp(`^(?:(?:http|error) )*${status}\\b`, "i"), ""),
    );
    return name !== "" && !names.includes(name);
  });
  return rest.length === parts.length ? message : rest.join("; ");
}

/** Letters and numbers in lower case. */
export const alphanumeric = (text: string): string =>
  text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

// ---- errors/api-error/remaining-values.ts ----
// Values of an error response that its quoted message lacks.

/** Maximum number of characters of the values, and of one of them. */
const MAX_REST = 1000;
const MAX_REST_VALUE = 300;
const MAX_REST_DEPTH = 8;
const MAX_REST_VALUES = 500;

/** Text that an agent reads about an error response besides its values. */
export interface ShownText {
  /** The quoted message. */
  readonly text: string;
  readonly status: number;
  /** Names of the status, as the standard and its earlier versions have them. */
  readonly statusNames: readonly string[];
  /** Names of fields that are shown, in any spelling: `address.city`. */
  readonly fields: readonly string[];
  readonly method: string;
  readonly url: string;
}

/**
 * The values of a body that the shown text lacks, as JSON; empty if it has all of them. Members
 * keep their names and places. The objects of a list stay whole, because their members belong
 * together.
 */
export function remainingValues(body: unknown, shown: ShownText): string {
  const pruner = new Pruner(shown);
  const rest = pruner.prune(body, 0);
  return rest === undefined ? "" : bothEnds(JSON.stringify(rest), MAX_REST);
}

/**
 * A text without its middle, if it is too long: the cause of an error is often the last line of its
 * stack trace.
 */
function bothEnds(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  const start = text.slice(0, half).replace(/[\ud800-\udbff]$/, "");
  const end = text.slice(-half).replace(/^[\udc00-\udfff]/, "");
  const omitted = text.length - start.length - end.length;
  return `${start}… [${omitted} more characters] …${end}`;
}

/** Words of a body that only repeat that it is an error. */
const FAILED_OUTCOME = /^(?:error|err|fail|failed|failure|false|nok|ko)$/i;

/** Flags of a body that only repeat that it is an error. */
const SUCCESS_FLAG = /^(?:is_?)?(?:ok|success|succeeded|successful)$/i;
const ERROR_FLAG = /^(?:is_?)?errors?$/i;

class Pruner {
  readonly #shown: string;
  readonly #written = new Set<string>();
  readonly #names: ReadonlySet<string>;
  #visited = 0;

  constructor(private readonly context: ShownText) {
    this.#shown = oneLine(context.text);
    const paths = context.fields.flatMap((path) => [path, ...stepsOf(path)]);
    this.#names = new Set([...paths, ...PLACES].map(alphanumeric));
  }

  prune(value: unknown, depth: number, name = ""): unknown {
    if (++this.#visited > MAX_REST_VALUES || depth > MAX_REST_DEPTH) return undefined;
    if (Array.isArray(value)) return this.#list(value, depth, name);
    if (isObject(value)) return this.#object(value, depth);
    if (this.#isShown(name, value)) return undefined;
    const inside = typeof value === "string" ? jsonInText(value) : undefined;
    return inside === undefined ? this.#write(name, value) : this.prune(inside, depth + 1, name);
  }

  #object(value: Readonly<Record<string, unknown>>, depth: number): unknown {
    const entries = Object.entries(value).flatMap(([name, part]) => {
      const rest = this.prune(part, depth + 1, name);
      return rest === undefined ? [] : [[name, rest] as const];
    });
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }

  #list(items: readonly unknown[], depth: number, name: string): unknown {
    const rest = items.flatMap((item) => {
      const part = this.prune(item, depth + 1, name);
      if (part === undefined) return [];
      return [isObject(item) && items.length > 1 ? item : part];
    });
    return rest.length === 0 ? undefined : rest;
  }

  /** A value, unless a member of the same name has it already. */
  #write(name: string, value: unknown): unknown {
    const key = `${name} ${String(value)}`;
    if (this.#written.has(key)) return undefined;
    this.#written.add(key);
    return typeof value === "string" ? bothEnds(value, MAX_REST_VALUE) : value;
  }

  #isShown(name: string, value: unknown): boolean {
    if (value === null || value === undefined || isNoCode(name, value)) return true;
    if (value === false) return SUCCESS_FLAG.test(name) || this.#hasFlag(name, value);
    if (value === true) return ERROR_FLAG.test(name) || this.#hasFlag(name, value);
    const text = oneLine(String(value as string | number));
    if (text === "" || FAILED_OUTCOME.test(text)) return true;
    return (
      text === NO_TYPE ||
      this.#isStatus(text) ||
      this.#isRequest(text) ||
      this.#isField(text) ||
      includesWord(this.#shown, text)
    );
  }

  /** A field is shown as the input that stands for it. */
  #isField(text: string): boolean {
    if (this.context.fields.length === 0 || /\s/.test(text)) return false;
    const steps = stepsOf(text).map(alphanumeric);
    return this.#names.has(alphanumeric(text)) || steps.every((step) => this.#names.has(step));
  }

  /** A flag is shown where its name is next to it. */
  #hasFlag(name: string, flag: boolean): boolean {
    const forms = [`${name} ${flag}`, `"${name}":${flag}`];
    return name !== "" && forms.some((form) => this.#shown.includes(form));
  }

  #isStatus(text: string): boolean {
    const { status, statusNames } = this.context;
    const name = alphanumeric(text.replace(new RegExp(`^${status}\\b`), ""));
    return name === ""
      ? text.trim() === String(status)
      : statusNames.some((one) => alphanumeric(one) === name);
  }

  #isRequest(text: string): boolean {
    const { method, url } = this.context;
    return (
      text === method ||
      (/^(?:https?:\/)?\/./.test(text) && (url === text || pathOf(url).endsWith(text)))
    );
  }
}

/** Codes that mean "no code": `"error_code": 0`. */
const isNoCode = (name: string, value: unknown): boolean =>
  value === 0 && /code|status|err/i.test(name);

/** Type of an error that has none of its own. RFC 9457, section 4.2.1. */
const NO_TYPE = "about:blank";

/** Parts of a request that precede the path of a field. */
const PLACES = ["body", "query", "path", "header", "headers", "cookie", "data", "attributes"];

const stepsOf = (path: string): readonly string[] => path.split(/[#/.[\]]+/).filter(Boolean);

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim().replace(/\.$/, "");

const pathOf = (url: string): string => url.replace(/[?#].*$/s, "");

/** True if a text has another one that is not a part of a longer word. */
function includesWord(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const around = `${text[at - 1] ?? " "}${text[at + part.length] ?? " "}`;
    if (!/[\p{L}\p{N}_]/u.test(around)) return true;
  }
  return false;
}

// ---- errors/api-error/xml-values.ts ----
// Values of an error document in XML.

/** Limits of what is read, so that the time is bounded. */
const MAX_READ = 32 * 1024;
const MAX_ELEMENTS = 50;

/** An element without elements in it. */
const LEAF = /<((?:[\w.-]{1,40}:)?([\w.-]{1,60}))(?:\s[^<>]{0,300})?>([^<]{1,2000})<\/\1\s{0,5}>/g;

/**
 * Texts of the innermost elements, by their names: `{"Code": "NoSuchKey", "Key": "a.txt"}`. Empty
 * for a body that is not XML. Of several elements of one name, a list.
 */
export function xmlValues({
  headers,
  body,
  size,
}: Pick<ApiResponse, "headers" | "body" | "size">): Readonly<Record<string, unknown>> {
  const { essence, charset } = parseContentType(headers.get("content-type"));
  if (size === 0 || !isXml(essence) || /html/.test(essence)) return {};
  const text = decodeText(body, charset).text.slice(0, MAX_READ);
  const values = new Map<string, string[]>();
  for (const [, , name = "", content = ""] of [...text.matchAll(LEAF)].slice(0, MAX_ELEMENTS)) {
    values.set(name, [...(values.get(name) ?? []), decodeEntities(content).trim()]);
  }
  return Object.fromEntries(
    [...values].map(([name, texts]) => [name, texts.length > 1 ? texts : texts[0]]),
  );
}

// ---- errors/embedded-error.ts ----
// Errors in responses with a success status.

/** Equivalent statuses of an error in a success response, by what its message is about. */
const STATUS_BY_MESSAGE: readonly (readonly [(message: string) => boolean, number])[] = [
  [(message) => /rate.?limit|too many requests|throttl|quota/i.test(message), 429],
  [deniesCredentials, 401],
  [(message) => REFUSED.test(message), 403],
  [isAboutMissing, 404],
  [isAboutState, 409],
  [(message) => /server error|internal|database|unavailable|later|timed.?out/i.test(message), 500],
];

const REFUSED =
  /missing scope|forbidden|permission|privilege|(?:access|request).?denied|not (?:allowed|authori[sz]ed)/i;

/** Advises after an error in a success response, as if it had the equivalent status. */
export function embeddedErrorAdvice(
  response: ApiResponse,
  call: ApiCall,
  apiError: ApiErrorByInput,
): string | undefined {
  const message = apiError.message.replaceAll("_", " ");
  const status = STATUS_BY_MESSAGE.find(([isAbout]) => isAbout(message))?.[1] ?? 422;
  return adviceFor({ ...response, status, isEmbedded: true }, call, apiError);
}

type Body = Readonly<Record<string, unknown>>;

/** Maximum number of fields of a body that can be an error. Larger ones are data. */
const MAX_FIELDS = 1_000;

/**
 * True if a success response reports an error: by a field whose values the document explains, by
 * `ok: false` or `success: false` with a reason, by GraphQL's errors without data, or as a body
 * that is only an error. Errors that the output schema declares are data, not a failure.
 */
export function isEmbeddedError(
  value: unknown,
  schema?: JsonSchema,
  outcome?: OutcomeField,
): boolean {
  if (!isObject(value)) return false;
  const documented = outcome && documentedOutcome(value, outcome);
  if (documented !== undefined) return documented === "failure";
  if (hasMoreFields(value, MAX_FIELDS)) return false;
  return (
    isRefusal(value, schema) ||
    isGraphqlError(value, schema) ||
    isRejectedInput(value) ||
    isErrorEnvelope(value, schema) ||
    isErrorHeader(value)
  );
}

function hasMoreFields(body: Body, max: number): boolean {
  let count = 0;
  for (const _ in body) if (++count > max) return true;
  return false;
}

/**
 * The value of a sequence that reports the failure of the whole request: `{"errorDetail": …}` in a
 * build log. A sequence whose other values have the same fields reports on each of its items.
 */
export function* findErrorIn(values: unknown): Steps<{ readonly value: unknown } | undefined> {
  if (!Array.isArray(values)) return undefined;
  const value = yield* findInSteps(values, (item) => isEmbeddedError(item));
  if (!isObject(value)) return undefined;
  const report = yield* findInSteps(
    values,
    (item) =>
      isObject(item) &&
      !isEmbeddedError(item) &&
      Object.keys(item).some((name) => Object.hasOwn(value, name)),
  );
  return report === undefined ? { value } : undefined;
}

/** Number of values that one step checks. */
const STEP_VALUES = 1_000;

function* findInSteps(
  values: readonly unknown[],
  isMatch: (value: unknown) => boolean,
): Steps<unknown> {
  for (const [i, value] of values.entries()) {
    if (isMatch(value)) return value;
    if (i % STEP_VALUES === STEP_VALUES - 1) yield;
  }
  return undefined;
}

/** Fields of an envelope next to the data. */
const HEADER = /^(?:meta|metadata|header|status|responsestatus|responseheader)$/;

/** `{"meta": {"code": 400, "errorDetail": "near is not a place"}, "response": {}}` */
function isErrorHeader(body: Body): boolean {
  const [header, ...others] = Object.entries(body).filter(([, value]) => !isEmptyValue(value));
  if (!header || others.length > 0 || !HEADER.test(normalize(header[0]))) return false;
  const [, value] = header;
  return isObject(value) && isErrorEnvelope({ ...value, data: null }, undefined);
}

/**
 * True for `ok: false` or `success: false` with a reason. A resource whose run failed has an ID or
 * other documented fields.
 */
function isRefusal(body: Body, schema: JsonSchema | undefined): boolean {
  const fields = Object.entries(body).map(([name, value]) => [normalize(name), value] as const);
  if (!fields.some(([name, value]) => SUCCESS.test(name) && isFalse(name, value))) return false;
  const hasError = fields.some(
    ([name, value]) => (ERROR.test(name) || ERROR_TEXT.test(name)) && isReason(value),
  );
  const payload = Object.keys(body).filter(
    (name) =>
      !isEmptyValue(body[name]) &&
      body[name] !== 0 &&
      !isEnvelopeField(normalize(name), body[name], body),
  );
  if (hasError) return !payload.some((name) => name === "id" || isDeclared(name, schema));
  return payload.length === 0 && fields.some(([name, value]) => isText(name, value));
}

/** JSend: `{"status": "fail", "data": {"title": "A title is required"}}`. */
function isRejectedInput({ status, data, ...rest }: Body): boolean {
  return (
    status === "fail" &&
    isObject(data) &&
    Object.keys(rest).every((name) => name === "code" || name === "message") &&
    !isEmptyValue(data) &&
    Object.values(data).every((text) => typeof text === "string" && isFailureText(text))
  );
}

function documentedOutcome(
  body: Body,
  { field, within, success, failure, othersFail }: OutcomeField,
): "success" | "failure" | undefined {
  const holder = within === undefined ? body : ownProperty(body, within);
  const actual = isObject(holder) ? ownProperty(holder, field) : undefined;
  const isActual = (value: unknown): boolean => value === actual;
  if (success.some(isActual)) return "success";
  if (othersFail && (typeof actual === "number" || typeof actual === "string")) return "failure";
  return failure.some(isActual) ? "failure" : undefined;
}

function isGraphqlError(body: Body, schema: JsonSchema | undefined): boolean {
  if (isDeclared("errors", schema) && !isDeclared("data", schema)) return false;
  const onlyErrors = Object.keys(body).every(
    (name) => name === "errors" || name === "data" || name === "extensions",
  );
  return (
    onlyErrors &&
    isReason(body["errors"]) &&
    Array.isArray(body["errors"]) &&
    Object.values(body["data"] ?? {}).every((field) => field === null)
  );
}

/** Fields of an envelope: outcome, message, data and the identity of the request. */
const OUTCOME = /^(?:status|stat|result|response|state)$/;
const SUCCESS = /^(?:is)?(?:ok|success|succeeded|successful)$/;
const CODE = /^(?:code?|statuscode|ret|retcode|returncode)$/;
const ERROR_CODE = /^err(?:or)?(?:code|no|num)$/;
const ERROR = /^(?:error|errors|err|fault)$/;
const ERROR_TEXT = /^err(?:or)?(?:msg|message|description|type|info|s?details?)$/;
const TEXT = /^(?:message|msg|reason|cause|detail|details|title|info|description|moreinfo)$/;
const DATA = /^(?:data|results?|response|payload|items|rows|predictions)$/;
const REQUEST_WORDS =
  "(?:request|trace|correlation|log)id|timestamp|time|path|method|jsonrpc|id|help";
const REQUEST = new RegExp(`^(?:${REQUEST_WORDS}|documentationurl|httpstatus|type)$`);

const FAILURE_WORD =
  /^(?:error|err|fail|failed|failure|nok|ko|false|[a-z]+_(?:denied|limit|error|request))$/i;
const FAILURE_TEXTS = [
  "errors?|fail(?:ed|ure)?|invalid|wrong|illegal|unknown",
  "not|no|cannot|denied|unauthori[sz]ed|forbidden",
  "missing|required|expired|exceeded|too many",
];
const FAILURE_TEXT = new RegExp(String.raw`\b(?:${FAILURE_TEXTS.join("|")})\b|n't\b`, "i");
/**
 * Failure, error, invalid, does not exist, in Chinese. Without the flag `i`, for which V8 would
 * load the case folding of all languages: 10 MB of memory.
 */
const CHINESE_FAILURE_TEXT = /\u5931\u8d25|\u9519\u8bef|\u65e0\u6548|\u4e0d\u5b58\u5728/;

/**
 * True if a body is only an error: all of its fields belong to an envelope, the data is absent or
 * empty, and one field reports an error with a reason. A resource with a status or an error of its
 * own has other fields, or a schema without an envelope.
 */
function isErrorEnvelope(body: Body, schema: JsonSchema | undefined): boolean {
  const fields = Object.entries(body).map(([name, value]) => [normalize(name), value] as const);
  if (!fields.every(([name, value]) => isEnvelopeField(name, value, body))) return false;
  if (isRpcError(body) || isCodedError(body)) return true;
  const lacksData = lacksDeclaredData(body, schema);
  const signals = Object.keys(body).filter((name) =>
    reportsError(normalize(name), body[name], body, lacksData),
  );
  const isData = (name: string): boolean => isDeclared(name, schema) && !lacksData;
  return (
    signals.some((name) => !isData(name)) && fields.some(([name, value]) => isText(name, value))
  );
}

/** JSON-RPC 2.0, section 5. */
const isRpcError = (body: Body): boolean => "jsonrpc" in body && isReason(body["error"]);

/** `{"errcode": 40013, "errmsg": "invalid appid"}`: a number and a text that are named for errors. */
function isCodedError(body: Body): boolean {
  const has = (names: RegExp, test: (value: unknown) => boolean): boolean =>
    Object.keys(body).some((name) => names.test(normalize(name)) && test(body[name]));
  return (
    has(ERROR_CODE, (value) => typeof value === "number" && isFailureCode(value)) &&
    has(ERROR_TEXT, isReason) &&
    !has(OUTCOME, () => true)
  );
}

/**
 * True if the schema declares data next to the envelope, and a body that is only an envelope lacks
 * it. A status may be that of a resource whose other fields are optional.
 */
function lacksDeclaredData(body: Body, schema: JsonSchema | undefined): boolean {
  const hasStatus = Object.keys(body).some((name) => OUTCOME.test(normalize(name)));
  return declaredFields(schema)
    .map(normalize)
    .some((name) => DATA.test(name) || (!hasStatus && !isEnvelopeName(name)));
}

function isEnvelopeField(name: string, value: unknown, body: Body): boolean {
  if (name === "id") return "jsonrpc" in body;
  if (DATA.test(name) && isEmptyValue(value)) return true;
  return isEnvelopeName(name) && (!OUTCOME.test(name) || typeof value !== "object");
}

const ENVELOPE = [OUTCOME, SUCCESS, CODE, ERROR_CODE, ERROR, ERROR_TEXT, TEXT, REQUEST];

const isEnvelopeName = (name: string): boolean => ENVELOPE.some((names) => names.test(name));

/** True if a single field reports that the request failed. */
function reportsError(name: string, value: unknown, body: Body, lacksData: boolean): boolean {
  if (ERROR.test(name)) return value === true || isReason(value);
  if (ERROR_TEXT.test(name)) return typeof value === "string" && isFailureText(value);
  if (ERROR_CODE.test(name)) return isFailureCode(value);
  const entries = Object.entries(body);
  const says = ([other, text]: readonly [string, unknown]): boolean =>
    TEXT.test(normalize(other)) && typeof text === "string" && isFailureText(text);
  if (OUTCOME.test(name))
    return isErrorStatus(value)
      ? entries.some(says)
      : typeof value === "string" && FAILURE_WORD.test(value);
  if (!CODE.test(name) || !isFailureCode(value)) return false;
  const hasNoData =
    lacksData || entries.some(([other, data]) => DATA.test(normalize(other)) && isEmptyValue(data));
  return hasNoData && entries.some(says);
}

/** True for an HTTP status of an error, as `{"response": 500}` repeats it. */
const isErrorStatus = (value: unknown): boolean =>
  typeof value === "number" && value >= 400 && value < 600;

/** True for a code other than 0 and 2xx, which mean success. */
function isFailureCode(value: unknown): boolean {
  const code = typeof value === "string" ? Number.parseInt(value, 10) : value;
  return typeof code === "number" && code !== 0 && !/^2\d\d/.test(String(code));
}

function isText(name: string, value: unknown): boolean {
  return [ERROR, ERROR_TEXT, TEXT].some((names) => names.test(name)) && isReason(value);
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}

function isDeclared(field: string, schema: JsonSchema | undefined): boolean {
  return declaredFields(schema).includes(field);
}

function declaredFields(schema: JsonSchema | undefined): readonly string[] {
  const properties = schema?.["properties"];
  return isObject(properties) ? Object.keys(properties) : [];
}

/** True for `false`, `"N"` and the like. A number may count successes, except under `ok`. */
function isFalse(name: string, value: unknown): boolean {
  if (typeof value === "string") return /^(?:false|no?)$/i.test(value);
  return value === false || (value === 0 && name === "ok");
}

function isReason(value: unknown): boolean {
  if (typeof value === "string") return value !== "";
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function isFailureText(text: string): boolean {
  return FAILURE_TEXT.test(text) || CHINESE_FAILURE_TEXT.test(text);
}

// ---- errors/error-headers.ts ----
// Headers of an error response that are facts of the error.

/** Headers that belong to a status. RFC 9110, sections 15.5.6, 15.5.16 and 15.5.10. */
const HEADERS_BY_STATUS: Readonly<Record<number, readonly string[]>> = {
  405: ["Allow"],
  409: ["Location"],
  415: ["Accept", "Accept-Post", "Accept-Patch"],
  426: ["Upgrade"],
};

/** Headers in which servers state an error: `X-Error`, `X-Influxdb-Error`, `Grpc-Message`. */
const ERROR_HEADER =
  /^(?:[a-z\d]{1,30}-){0,3}(?:errors?|reason|message)(?:-(?:code|type|message|details?))?$/;

const MAX_HEADER = 500;
const MAX_HEADERS = 4;

/** Lines that quote the headers of an error response which the shown text lacks. */
export function errorHeaderLines(
  { status, headers }: Pick<ApiResponse, "status" | "headers">,
  shown: string,
): readonly string[] {
  const byStatus = (HEADERS_BY_STATUS[status] ?? []).map(
    (name) => [name, headers.get(name) ?? ""] as const,
  );
  const stated = [...headers].filter(([name]) => ERROR_HEADER.test(name.toLowerCase()));
  return [...byStatus, ...stated]
    .map(([name, value]) => [name, sanitize(value).trim()] as const)
    .filter(([, value]) => value !== "" && !shown.includes(value))
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => `The API's header ${name}: ${limitLength(value)}`);
}

function limitLength(text: string): string {
  if (text.length <= MAX_HEADER) return text;
  return `${text.slice(0, MAX_HEADER)}… [${text.length - MAX_HEADER} more characters]`;
}

// ---- errors/payment-page.ts ----
// Stands in for the page that a 402 names: no operation of this project documents the status.

export function paymentPage(..._: readonly unknown[]): string | undefined {
  return undefined;
}

// ---- errors/explain-failure.ts ----
// Error texts for agents: the event, the API's message and the next step.

/** Text for an exception of the server. The log has its details, which may contain secrets. */
export const INTERNAL_ERROR =
  "The call failed with an internal error of this server. The server's log has the details. " +
  "Tell the user; another call will most likely fail too.";

/** Explains an input that was not sent: its problems, sources of valid values and the next step. */
export function invalidInputText(tool: ToolInputs, problems: readonly InputProblem[]): string {
  const isAboutInputs = problems.some(({ input }) => input !== "");
  if (!isAboutInputs) {
    const clauses = problems.map(({ problem }) => problem.replace(/\.$/, ""));
    return `Not sent: ${clauses.join("; ")}.`;
  }
  const listed = problems.slice(0, MAX_LISTED_PROBLEMS);
  const omitted = problems.length - listed.length;
  const isSingle = problems.length === 1;
  const count = isSingle ? "1 problem" : `${problems.length} problems`;
  return [
    `Not sent: ${count} with the input of ${tool.name}.`,
    ...listed.map((problem) => `- ${problemText(problem, tool)}`),
    ...(omitted > 0 ? [`- and ${omitted} more`] : []),
    `Correct ${isSingle ? "it" : "these"} and call ${tool.name} again.`,
  ].join("\n");
}

function problemText(problem: InputProblem, tool: ToolInputs): string {
  const clause = problem.problem + problemHint(problem, tool);
  return problem.input === "" ? clause : `${problem.input}: ${clause}`;
}

/** Explains the failure of a call with a valid input. */
export function explainFailure(failure: Failure, call: ApiCall): string {
  if (failure.kind === "credentials") return failure.message;
  const { summary, effect = "", apiMessage = "", next } = explanationOf(failure, call);
  const advice = next === undefined ? "" : `Next: ${next}`;
  return [`${summary} ${effect}`.trim(), apiMessage, advice].filter(Boolean).join("\n");
}

interface Explanation {
  readonly summary: string;
  /** Sentence about what the call may have changed. */
  readonly effect?: string;
  /** Message of the API, labelled as such. */
  readonly apiMessage?: string;
  /** Absent where the API's message itself says what to do. */
  readonly next?: string;
}

function explanationOf(
  failure: Exclude<Failure, { kind: "credentials" }>,
  call: ApiCall,
): Explanation {
  switch (failure.kind) {
    case "status":
      return explainErrorResponse(failure.response, call);
    case "refused":
      return explainEmbeddedError(failure, call);
    case "unusable":
      return explainUnusable(failure, call);
    default:
      return explainMissingResponse(failure, call);
  }
}

/** Explains a call that ended without a response, or with one that was not read. */
function explainMissingResponse(
  failure: Exclude<Failure, { kind: "credentials" | "status" | "refused" | "unusable" }>,
  call: ApiCall,
): Explanation {
  const { name } = call.tool;
  const at = `(${requestLine(call)})`;
  switch (failure.kind) {
    case "tooLarge":
      return {
        summary: `${name} failed: the response is larger than ${formatBytes(failure.limit)} ${at}.`,
        effect: effectText(call),
        next: narrowingAdvice(call),
      };
    case "timeout": {
      const time = formatSeconds(failure.afterMs);
      const cause = failure.sent
        ? `${call.api.title} did not answer in time`
        : "the request could not be sent in time";
      return {
        summary: `${name} timed out after ${time}: ${cause} ${at}.`,
        effect: effectText(call, failure.sent),
        next: retryAdvice(call, failure.sent),
      };
    }
    case "cancelled":
      return {
        summary: `${name} was cancelled.`,
        effect: effectText(call),
        next: retryAdvice(call),
      };
    case "interrupted":
      return {
        summary: `${name} was interrupted: this server is stopping ${at}.`,
        effect: effectText(call, failure.sent),
        next: retryAdvice(call, failure.sent),
      };
    case "connection":
      return {
        summary: `${name} failed: ${failure.cause} ${at}.`,
        effect: effectText(call, failure.sent),
        next: connectionAdvice(failure, call),
      };
    case "redirect":
      return {
        summary: `${name} failed: ${failure.cause} ${at}.`,
        effect: effectText(call),
        next: redirectAdvice(call),
      };
    case "unavailable":
      return explainUnavailable(failure, call);
    case "busy":
      return explainBusy(failure, name);
  }
}

/** Explains a call that was not sent, because the API does not work. */
function explainUnavailable(
  { origin, failures, waitMs, status, cause }: Extract<Failure, { kind: "unavailable" }>,
  { tool: { name }, api }: ApiCall,
): Explanation {
  const latest = cause ?? formatStatus({ status: status ?? 0, statusText: "" });
  return {
    summary:
      `${name} was not sent: ${api.title} does not work at the moment. ` +
      `The last ${failures} requests to ${origin} failed (${latest}).`,
    next: `wait about ${formatSeconds(waitMs)}, then call ${name} again. If it fails again, tell the user.`,
  };
}

/** Explains a call that was not sent, because others were before it. */
function explainBusy(
  { waitedMs, expectedMs }: Extract<Failure, { kind: "busy" }>,
  name: string,
): Explanation {
  const hasWaited = waitedMs >= 1000;
  const wait = expectedMs >= 5000 ? `about ${Math.ceil(expectedMs / 1000)} s` : "a few seconds";
  const cause = hasWaited
    ? `busy. The call waited ${Math.round(waitedMs / 1000)} s for its turn, and too little time was left`
    : "busy with too many calls";
  return {
    summary: `${name} was not sent: this server is ${cause}.`,
    next: `wait ${wait}, then call ${name} again; make fewer calls at a time.`,
  };
}

function explainErrorResponse(response: ApiResponse, call: ApiCall): Explanation {
  const details = extractApiError(response);
  const message = withoutStatusName(details.message, response.status);
  const apiError = mapErrorsToInputs({ ...details, message }, call);
  const body = responseValue(response) ?? xmlValues(response);
  const next = paymentAdvice(response, call) ?? adviceFor(response, call, apiError);
  const effect = isEffectOpen(response, message, call, next) ? effectText(call) : "";
  return {
    summary: `${call.tool.name} failed: ${formatStatus(response)} (${requestLine(call)}).`,
    effect,
    apiMessage: quoteResponse(response, body, details, apiError, call),
    next: effect === "" ? next : checkedFirst(next, call),
  };
}

/** Advice to pay on the page that a 402 names, unless the tool configures another one. */
function paymentAdvice(response: ApiResponse, { tool }: ApiCall): string | undefined {
  const page = paymentPage(response);
  if (page === undefined || tool.onError !== undefined) return undefined;
  return (
    `the API requires payment. Give the user this link to open in a browser: ${page}\n` +
    `Call ${tool.name} again when they have paid.`
  );
}

/** Advice to repeat a write that may have taken effect: only if it has not. */
function checkedFirst(advice: string | undefined, call: ApiCall): string | undefined {
  return advice && /\bcall \w+ again\b/.test(advice)
    ? `${verificationAdvice(call)}. If not, ${advice}`
    : advice;
}

/**
 * True after a server error that leaves its effect open, if the advice does not say so. A message
 * about an input does not show when the fault occurred. A code of gRPC, 501, and what
 * is missing, exists already or is not supported, do.
 */
function isEffectOpen(
  response: ApiResponse,
  message: string,
  call: ApiCall,
  advice: string | undefined,
): boolean {
  const { status } = response;
  if (status < 500 || status === 501 || isLastingFault(call, status)) return false;
  if ([isAboutMissing, isAboutState, isAboutSupport].some((is) => is(message))) return false;
  if (advice?.includes("taken effect")) return false;
  return statusOfBody(responseValue(response)) === undefined;
}

/** Explains a success status whose response reports an error, such as `ok: false`. */
function explainEmbeddedError(
  { response, value }: Extract<Failure, { kind: "refused" }>,
  call: ApiCall,
): Explanation {
  const details = extractErrorFromValue(value);
  const apiError = mapErrorsToInputs(details, call);
  const event = `the API returned ${formatStatus(response)}, but reports an error in its response`;
  return {
    summary: `${call.tool.name} failed: ${event} (${requestLine(call)}).`,
    apiMessage: quoteResponse(response, value, details, apiError, call),
    next: embeddedErrorAdvice(response, call, apiError),
  };
}

/** Quotes the API's message, its other values and headers, and the documented meanings of codes. */
function quoteResponse(
  response: ApiResponse,
  body: unknown,
  { fieldErrors, isBody }: ApiErrorDetails,
  apiError: ApiErrorByInput,
  call: ApiCall,
): string {
  const message = quoteApiError(apiError, isBody);
  const { message: text, inputErrors } = apiError;
  const shownText = {
    ...call.request,
    text: [text, ...inputErrors.map((error) => error.message)].join("; "),
    fields: [...fieldErrors.map(({ field }) => field), ...inputErrors.map(({ input }) => input)],
    status: response.status,
    statusNames: statusNames(response.status),
  };
  const rest = isBody ? "" : remainingValues(body, shownText);
  const values = rest === "" ? "" : `The response also has: ${rest}`;
  const shown = [message, values].filter(Boolean).join("\n");
  const headers = errorHeaderLines(response, shown);
  const meanings = documentedMeanings(response, call, message);
  return [shown, ...headers, meanings].filter(Boolean).join("\n");
}

/** Quotes the API's message, then one line for each error of an input. */
function quoteApiError({ message, inputErrors }: ApiErrorByInput, isBody?: true): string {
  const lines = inputErrors.map((error) => `- ${error.input}: ${JSON.stringify(error.message)}`);
  const label = lines.length > 0 && !message ? ["The API says:"] : [];
  const said = message && `The API says: ${quoteMessage({ message, ...(isBody && { isBody }) })}`;
  return [said, ...label, ...lines].filter(Boolean).join("\n");
}

function explainUnusable(
  failure: Extract<Failure, { kind: "unusable" }>,
  call: ApiCall,
): Explanation {
  const { response, reason, excerpt: text = "" } = failure;
  return {
    summary: `${call.tool.name}: ${formatStatus(response)}, but ${reason} (${requestLine(call)}).`,
    effect: effectText(call),
    apiMessage: quoteAs("The response begins", excerpt(text)),
    next: unusableAdvice(failure, call),
  };
}

/**
 * Advises after a success response that breaks its description. It does not show what a write has
 * done: pages of proxies and sign-ins have a success status, too.
 */
function unusableAdvice({ shown }: Extract<Failure, { kind: "unusable" }>, call: ApiCall): string {
  if (isPossibleWrite(call)) {
    const advice = `${verificationAdvice(call)} before you call ${call.tool.name} again.`;
    return shown ? `${advice} The response follows unchanged.` : advice;
  }
  if (shown)
    return (
      "the response follows unchanged; use it with care. " +
      "A retry will most likely return the same."
    );
  return "a retry will most likely return the same. Tell the user.";
}

function quoteAs(label: string, text: string): string {
  return text === "" ? "" : `${label}: ${JSON.stringify(text)}`;
}

/** States whether something may have changed; empty for a call that only reads. */
function effectText(call: ApiCall, isSent = true): string {
  if (!isPossibleWrite(call)) return "";
  if (!isSent) return "Nothing was sent, and nothing has changed.";
  return `${call.tool.name} may or may not have taken effect.`;
}

function retryAdvice(call: ApiCall, isSent = true): string {
  const { name } = call.tool;
  const retry = `call ${name} again. If it fails again, tell the user.`;
  if (isPossibleWrite(call) && isSent) return `${verificationAdvice(call)} before you ${retry}`;
  return `a retry can help: wait a little, then ${retry}`;
}

function connectionAdvice(
  { permanent, sent }: Extract<Failure, { kind: "connection" }>,
  call: ApiCall,
): string {
  const check = `check that ${baseUrlSetting(call)} is right, and that the API there works`;
  if (permanent) return `a retry does not help. Tell the user to ${check}.`;
  // A server of HTTPS that is spoken to in HTTP only closes the connection.
  return retryAdvice(call, sent).replace(/tell the user\.$/, `tell the user to ${check}.`);
}

function redirectAdvice(call: ApiCall): string {
  const advice = `if the API has moved, ${baseUrlSetting(call)} must be set to its new address`;
  return `calling again does not help. Tell the user; ${advice}.`;
}

function narrowingAdvice(call: ApiCall): string {
  const { tool, api } = call;
  const usable = isWrite(call) ? [] : queryInputs(call.mapping);
  const inputs = narrowingInputs(tool, usable).filter((name) => call.input[name] === undefined);
  if (inputs.length > 0)
    return `ask for less: narrow with ${inputs.join(", ")}, then call ${tool.name} again.`;
  const setting = `${api.envPrefix}_MAX_RESPONSE_BYTES`;
  const problem = `${tool.name} has no input that narrows the result`;
  return `${problem}. Tell the user: ${setting} raises the limit.`;
}

function formatBytes(bytes: number): string {
  return bytes >= 1_000_000 ? `${Math.round(bytes / 100_000) / 10} MB` : `${bytes} bytes`;
}

// ---- errors/rejected-ids.ts ----
// Inputs that an error response rejects as IDs, by its status and its message.

/**
 * Names the inputs whose values the API does not know: after a 404, those that its message names,
 * else those of the path; after a 400 or 422, and after a 500 to a read, those that its message is
 * about; after an error of a foreign key, all of them. Empty where the response may mean anything
 * else, and where a write may have taken effect.
 */
export function rejectedIds(call: ApiCall, failure: Failure): readonly string[] {
  if (failure.kind !== "status" && failure.kind !== "refused") return [];
  const { response } = failure;
  const details =
    failure.kind === "status" ? extractApiError(response) : extractErrorFromValue(failure.value);
  const message = withoutStatusName(details.message, response.status);
  // Some servers leave it to their router to say that they do not know an ID.
  const isBaseRight = call.earlier?.isBaseUrlRight() === true;
  if (response.status === 404 && isBaseRight && ROUTER.test(message)) return pathInputs(call);
  if (/html/i.test(response.headers.get("content-type") ?? "")) return [];
  const apiError = mapErrorsToInputs({ ...details, message }, call);
  const texts = [details.message, ...apiError.inputErrors.map((error) => error.message)].join("; ");
  if (isAboutOtherThings(texts)) return [];
  return [...new Set(inputsFor(failure.kind, response, call, apiError))];
}

function inputsFor(
  kind: "status" | "refused",
  { status }: ApiResponse,
  call: ApiCall,
  apiError: ApiErrorByInput,
): readonly string[] {
  if (kind === "refused") return isWrite(call) ? [] : namedInputs(call, apiError);
  if (status === 404) return missingIds(call, apiError);
  if (isReferenceError(status, apiError)) return mappedInputs(call.mapping);
  // Many servers respond with 500 to an ID of another form. A read had no effect.
  const isRefused = status >= 500 && !isWrite(call) && isAboutInput(apiError.message);
  return status === 400 || status === 422 || isRefused ? invalidIds(call, apiError) : [];
}

/** Access, limits, the state of a thing, or a path that the API does not have. */
function isAboutOtherThings(message: string): boolean {
  return (
    isAboutCredentials(message) ||
    /\b(?:access|permission|permitted|denied|forbidden|allowed)\b/i.test(message) ||
    isAboutPlan(message) ||
    isAboutQuota(message) ||
    (isAboutState(message) && !REFERENCE.test(message)) ||
    NO_ROUTE.test(message)
  );
}

/** Messages of databases about an ID of something else, which name at most their own columns. */
const REFERENCE =
  /\bforeign.?key\b|\binvalid (?:reference|relation)\b|\b(?:related|referenced) (?:\w{1,30} ){0,3}(?:(?:does not|doesn't) exist|not found)\b/i;

/** True if an ID of another thing is wrong, and the message names no input. */
function isReferenceError(status: number, { message, inputErrors }: ApiErrorByInput): boolean {
  const isRefused = status === 400 || status === 409 || status === 422;
  return isRefused && inputErrors.length === 0 && REFERENCE.test(message);
}

function missingIds(call: ApiCall, apiError: ApiErrorByInput): readonly string[] {
  const { message } = apiError;
  if (missingPart(call, message) !== undefined) return [];
  const byValue = namedInputs(call, apiError);
  if (byValue.length > 0) return byValue;
  const { named, isAboutOther } = findMissing(call, message);
  if (isAboutOther) return [];
  const inPath = pathInputs(call);
  if (named.length === 0) return inPath;
  // A thing is also missing where one that it belongs to is.
  const roots = named.map(rootOf);
  const last = Math.max(...roots.map((name) => inPath.indexOf(name)));
  return [...inPath.slice(0, last + 1), ...roots];
}

function namedInputs(call: ApiCall, { message, inputErrors }: ApiErrorByInput): readonly string[] {
  const roots = inputErrors.map(({ input }) => input.split(".")[0] ?? input);
  return [...roots, ...findNamedValues(call, message).map(rootOf)];
}

/** Messages about the form of an ID that do not say which one is meant. */
const ID_FORM =
  /\b(?:uuid|guid|ulid|object ?id|numeric|integer|number|(?:invalid|malformed|bad|valid) (?:\w{1,30} )?id|id (?:is|must|should|format))\b/i;

function invalidIds(call: ApiCall, apiError: ApiErrorByInput): readonly string[] {
  const named = namedInputs(call, apiError);
  if (named.length > 0) return named;
  const inPath = pathInputs(call);
  return inPath.length === 1 && ID_FORM.test(apiError.message) ? inPath : [];
}
