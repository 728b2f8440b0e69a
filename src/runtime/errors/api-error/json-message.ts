/** The message of an API in a JSON error body, and its errors of fields. */
import { isEmptyValue, isObject } from "../../data/values.js";
import { jsonInText } from "./json-in-text.js";

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
