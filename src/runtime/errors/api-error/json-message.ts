import { isObject } from "../../json.js";

/** What an API says about one field or parameter, by whatever name it calls it. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** An API's message in words, and what it says about single places. */
export interface ApiErrorDetails {
  readonly message: string;
  readonly fieldErrors: readonly FieldError[];
}

type ErrorFields = Readonly<Record<string, unknown>>;

/** Fields that hold the message itself, in the order in which they are told. */
const messageFields = [
  "title",
  "message",
  "error_description",
  "detail",
  "error",
  "fault",
  "description",
  "msg",
  "reason",
  "Message",
  "errorMessage",
  "error_message",
  "error_summary",
  "faultstring",
];

/** Fields that hold a list of messages, or messages by field. */
const listFields = [
  "errors",
  "details",
  "violations",
  "issues",
  "errorMessages",
  "invalid-params",
  "invalidParams",
  "fieldViolations",
  "invalid_params",
  "fieldErrors",
  "field_errors",
  "validationErrors",
  "messages",
  "non_field_errors",
  "error_messages",
];

/**
 * Fields that name a kind of failure, for programs; told after the message, because agents know
 * many of them.
 */
const codeFields = ["code", "error_code", "errorCode", "Code", "__type", "type", "status"];

/** Fields that say which input is meant. */
const fieldNameFields = [
  "field",
  "path",
  "pointer",
  "loc",
  "param",
  "parameter",
  "parameterName",
  "property",
  "propertyPath",
  "propertyName",
  "attribute",
  "argument",
  "instancePath",
  "dataPath",
  "target",
  "key",
  "fields",
  "name",
];

/**
 * Those that say it even outside a list of errors, where the others often mean something else:
 * Stripe's `error.param`.
 */
const reliableFieldNameFields = ["param", "parameter", "field", "pointer"];

/** Levels of messages inside messages. */
const MAX_DEPTH = 6;
const MAX_ENTRIES = 50;

/**
 * Reads the usual shapes of error answers: https://www.rfc-editor.org/rfc/rfc9457 and what the
 * large APIs made before it.
 */
export function parseErrorValue(value: unknown): ApiErrorDetails {
  const reader = new ErrorReader();
  const words = reader.message(value, 0) || fallbackMessage(value, reader.fieldErrors);
  return { message: words, fieldErrors: reader.fieldErrors };
}

class ErrorReader {
  readonly fieldErrors: FieldError[] = [];

  /** The words of a value; what it says about places goes to the complaints. */
  message(value: unknown, depth: number): string {
    if (typeof value === "string") return value;
    if (depth > MAX_DEPTH) return "";
    if (Array.isArray(value))
      return joinTexts(value.slice(0, MAX_ENTRIES).map((entry) => this.#entry(entry, depth)));
    return isObject(value) ? this.#fields(value, depth) : "";
  }

  #fields(fields: ErrorFields, depth: number): string {
    if (isByField(fields))
      return joinTexts(
        Object.entries(fields).map(([name, texts]) => this.#about(name, messageOf(texts))),
      );
    const own = joinTexts(messageFields.map((name) => this.message(fields[name], depth + 1)));
    const place = firstText(reliableFieldNameFields.map((name) => fields[name]));
    const told = [
      this.#about(place, own && withCode(own, fields)),
      ...listFields.map((name) => this.#list(fields[name], depth + 1)),
    ];
    return joinTexts(told);
  }

  /** `[{field, message}]`, `[text]`, FastAPI's `[{loc, msg}]`, `{field: [messages]}`. */
  #list(errors: unknown, depth: number): string {
    if (!isObject(errors)) return this.message(errors, depth);
    if (messageFields.some((name) => typeof errors[name] === "string"))
      return this.#entry(errors, depth);
    return joinTexts(
      Object.entries(errors)
        .slice(0, MAX_ENTRIES)
        .map(([name, value]) => this.#about(name, messageOf(value))),
    );
  }

  /** One error of a list: about a place, if it says which. */
  #entry(error: unknown, depth: number): string {
    if (!isObject(error)) return this.message(error, depth + 1);
    const place = findFieldName(error);
    const before = this.fieldErrors.length;
    const words =
      this.message(
        place.from === undefined ? error : { ...error, [place.from]: undefined },
        depth + 1,
      ) ||
      codeOf(error) ||
      scalars(error, place.from);
    return place.name === "" || this.fieldErrors.length > before
      ? words
      : this.#about(place.name, words);
  }

  #about(place: string, words: string): string {
    if (place === "" || words === "") return words;
    this.fieldErrors.push({ field: place, message: words });
    return "";
  }
}

/** Django's way: `{"email": ["is required"]}` without anything around it. */
function isByField(fields: ErrorFields): boolean {
  const entries = Object.entries(fields);
  const isTexts = (value: unknown): boolean =>
    Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
  return (
    entries.length > 0 &&
    entries.length <= MAX_ENTRIES &&
    entries.every(([name, value]) => isTexts(value) && !listFields.includes(name))
  );
}

/** Which field an error is about, and the field that says so. */
function findFieldName(fields: ErrorFields): { readonly name: string; readonly from?: string } {
  const { source } = fields;
  if (isObject(source))
    return {
      name: firstText([source["pointer"], source["parameter"], source["header"]]),
      from: "source",
    };
  const from = fieldNameFields.find((name) => formatPath(fields[name]) !== "");
  return from === undefined ? { name: "" } : { name: formatPath(fields[from]), from };
}

/** `email`, `["body", "email"]`, `["items", 0, "name"]`. */
function formatPath(value: unknown): string {
  if (typeof value === "string") return value.length <= 200 ? value : "";
  const isPath =
    Array.isArray(value) &&
    value.length > 0 &&
    value.length < 20 &&
    value.every((step) => typeof step === "string" || typeof step === "number");
  return isPath ? (value as readonly unknown[]).map(String).join(".") : "";
}

function withCode(words: string, fields: ErrorFields): string {
  const code = codeOf(fields);
  return code === "" || words.includes(code) ? words : `${words} (${code})`;
}

/**
 * A code in words: numbers are the status again, or mean something only to programs; `about:blank`
 * and links say nothing.
 */
function codeOf(fields: ErrorFields): string {
  return firstText(
    codeFields
      .map((name) => fields[name])
      .filter(
        (code) =>
          typeof code === "string" &&
          /^[A-Za-z][\w.#-]{2,63}$/.test(code) &&
          !/^(?:error|fail|failed|failure)$/i.test(code),
      ),
  );
}

function messageOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "object") return String(value as string | number | boolean);
  const reader = new ErrorReader();
  const words = reader.message(value, MAX_DEPTH - 2);
  return joinTexts([
    words,
    ...reader.fieldErrors.map(({ field, message: about }) => `${field}: ${about}`),
  ]);
}

/** The plain values of an error that has no message, with their names. */
function scalars(fields: ErrorFields, without: string | undefined): string {
  const told = Object.entries(fields).filter(
    ([name, value]) =>
      name !== without &&
      !name.startsWith("@") &&
      ["string", "number", "boolean"].includes(typeof value),
  );
  return told
    .slice(0, 8)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ");
}

/** An answer without a message: as it is, unless there is nothing in it. */
function fallbackMessage(value: unknown, complaints: readonly FieldError[]): string {
  if (
    complaints.length > 0 ||
    typeof value !== "object" ||
    value === null ||
    Object.keys(value).length === 0
  )
    return "";
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}

function firstText(values: readonly unknown[]): string {
  return values.find((value): value is string => typeof value === "string" && value !== "") ?? "";
}

/** Each text once. */
function joinTexts(texts: readonly string[]): string {
  return [...new Set(texts.filter(Boolean))].join("; ");
}
