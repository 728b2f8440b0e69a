import { parseMediaType, isJson, isText } from "../read/media-type.js";
import { decodeText } from "../read/text.js";
import type { ApiResponse } from "../send/index.js";
import { clean } from "../shape/clean.js";

/** Most of the API's own words that are passed on. */
const mostCharacters = 2000;

/**
 * What the API says about its refusal, in one line: the message of the usual error shapes (problem details, `message`, `error`,
 * `errors`), else the start of the text without markup; empty when it says nothing. RFC 9457.
 */
export function apiWords({ headers, body, size }: Pick<ApiResponse, "headers" | "body" | "size">): string {
  if (size === 0) return "";
  const { essence, charset } = parseMediaType(headers.get("content-type"));
  if (essence !== "" && !isJson(essence) && !isText(essence)) return "";
  const { text } = decodeText(body, charset);
  return cut(oneLine(messageOf(parsed(text)) ?? stripMarkup(text)));
}

/** Text of a broken answer, fit to be quoted. */
export function excerpt(text: string): string {
  return cut(oneLine(stripMarkup(text)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Fields that hold the message itself, in the order in which they are told. */
const messageFields = ["title", "message", "error_description", "detail", "error", "description", "msg", "reason", "Message", "errorMessage"];

function messageOf(answer: unknown): string | undefined {
  if (typeof answer === "string") return answer;
  if (typeof answer !== "object" || answer === null) return undefined;
  if (Array.isArray(answer)) return listed(answer);
  const fields = answer as Record<string, unknown>;
  const parts = [...messageFields.map((name) => part(fields[name])), ...["errors", "details", "violations", "issues"].map((name) => listed(fields[name]))];
  return [...new Set(parts.filter(Boolean))].join("; ") || other(answer);
}

/** An answer without a message: as it is, unless there is nothing in it. */
function other(answer: object): string {
  return Object.keys(answer).length === 0 ? "" : JSON.stringify(answer).slice(0, mostCharacters);
}

function part(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? (messageOf(value) ?? "") : "";
}

/** `[{field, message}]`, `{field: [messages]}`, `[text]`, and FastAPI's `[{loc, msg}]`. */
function listed(errors: unknown): string {
  if (typeof errors !== "object" || errors === null) return part(errors);
  const entries = Array.isArray(errors) ? errors.map(oneError) : Object.entries(errors).map(([name, value]) => `${name}: ${Array.isArray(value) ? value.map(part).join(", ") : part(value)}`);
  return entries.slice(0, 20).join("; ");
}

function oneError(error: unknown): string {
  if (typeof error !== "object" || error === null) return part(error);
  const { field, path, pointer, loc, name, param } = error as Record<string, unknown>;
  const place = [field, path, pointer, param, name, Array.isArray(loc) ? loc.join(".") : loc].find((candidate) => typeof candidate === "string");
  return typeof place === "string" ? `${place}: ${messageOf(error) ?? ""}` : (messageOf(error) ?? "");
}

/** Text of an HTML page, roughly: without scripts, styles and tags. Only the start is looked at, so that this stays linear. */
function stripMarkup(text: string): string {
  const start = text.slice(0, 32 * 1024);
  if (!/<[a-z!/]/i.test(start)) return start;
  return start.replace(/<(script|style)\b[^]{0,8192}?<\/\1\s*>/gi, " ").replace(/<[^<>]{0,2048}>/g, " ");
}

function oneLine(text: string): string {
  return clean(text).replace(/\s+/g, " ").trim();
}

function cut(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
}
