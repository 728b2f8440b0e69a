import { STATUS_CODES } from "node:http";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ResponseRow } from "./row.js";

/** A result in the two forms in which hosts pass it on to a model. */
export interface Forms {
  /** Claude Code, Codex and VS Code: the structured content, or the text of an error. */
  readonly structure: string;
  /** Gemini CLI: the content. */
  readonly content: string;
}

export function formsOf({ content, structuredContent, isError }: CallToolResult): Forms {
  const written = content.map((part) => (part.type === "text" ? part.text : JSON.stringify(part)));
  const text = written.join("\n");
  const isStructured = structuredContent !== undefined && isError !== true;
  return { structure: isStructured ? JSON.stringify(structuredContent) : text, content: text };
}

/** Faults of a result, by kind. */
export interface Faults {
  readonly turned: readonly string[];
  readonly lost: readonly string[];
  readonly contradictions: readonly string[];
}

/** Compares both forms of a result with the response and with what the row wants. */
export function findFaults(row: ResponseRow, result: CallToolResult): Faults {
  const isError = result.isError === true;
  const forms = Object.entries(formsOf(result));
  const turned = isError === (row.fails === true) ? [] : [isError ? "an error" : "a success"];
  const isUnseen = row.partial === true || row.requests === 0;
  const values = isUnseen ? [] : row.fails ? valuesOfError(row) : valuesOf(row);
  const wanted = [...(row.says ?? []), ...values];
  const lost = forms.flatMap(([form, text]) =>
    wanted.filter((fact) => !contains(text, fact)).map((fact) => `${form}: ${String(fact)}`),
  );
  const never = [...alwaysFalse(row), ...(row.never ?? [])];
  const contradictions = forms.flatMap(([form, text]) =>
    never.filter((sentence) => sentence.test(text)).map((sentence) => `${form}: ${sentence}`),
  );
  return { turned, lost, contradictions: [...contradictions, ...emptyForms(row, forms)] };
}

/** A text is contained as it is, or as JSON escapes it once or twice. */
function contains(text: string, fact: string | RegExp): boolean {
  if (fact instanceof RegExp) return fact.test(text);
  const once = JSON.stringify(fact).slice(1, -1);
  return [fact, once, JSON.stringify(once).slice(1, -1)].some((form) => text.includes(form));
}

/** Something happened: no form may be nothing, or an object without a word. */
function emptyForms(row: ResponseRow, forms: readonly (readonly [string, string])[]): string[] {
  if (isEmptyData(row.response.body)) return [];
  return forms
    .filter(([, text]) => /^(?:\{\}|\[\]|null)?$/.test(text))
    .map(([form]) => `${form} is empty`);
}

function isEmptyData(body: unknown): boolean {
  return typeof body === "object" && body !== null && JSON.stringify(body) === "{}";
}

/** All texts, numbers and flags of a body; of one that is not JSON, its lines. */
function valuesOf({ response: { body } }: ResponseRow): readonly string[] {
  if (body === undefined || body instanceof Uint8Array) return [];
  if (typeof body !== "string") return leavesOf(body);
  const values = body.split("\n").flatMap((line) => leavesOfLine(line.trim()));
  return values.filter((value) => value !== "");
}

/**
 * Texts and numbers of an error in JSON, as an agent reads them: in one line. Words that only
 * repeat that it is an error, and the status, are in the first line already.
 */
function valuesOfError({ response: { body, status } }: ResponseRow): readonly string[] {
  if (typeof body !== "object" || body instanceof Uint8Array) return [];
  const name = lettersOf(STATUS_CODES[status] ?? "");
  const isRepeated = (value: string): boolean =>
    value === String(status) ||
    value === "0" ||
    lettersOf(value) === name ||
    /^(?:true|false|error|fail|failed|failure|about:blank)$/i.test(value);
  const values = leavesOf(body).filter((value) => !isRepeated(value));
  return values.map((value) => value.replace(/\s+/g, " ").trim().replace(/\.$/, ""));
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, "");

function leavesOfLine(line: string): readonly string[] {
  if (!/^[[{"\d]/.test(line)) return [line];
  try {
    return leavesOf(JSON.parse(line));
  } catch {
    return [line];
  }
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(leavesOf);
  return value === null || value === "" ? [] : [String(value)];
}

/** Sentences that no response of the table makes true. */
function alwaysFalse({ response, fails }: ResponseRow): readonly RegExp[] {
  const always = [/undefined|\[object Object\]|NaN/, /base URL.{0,40}(?:wrong|check)/i];
  if (!fails) return [...always, /do not retry|check the (?:key|credentials)|failed/i];
  const isRefusal = response.status === 401 || response.status === 403;
  return [
    ...always,
    ...(isRefusal ? [] : [/credentials (?:were|are) rejected|lack permission/i]),
    ...(response.status >= 500 ? [] : [/passing fault|temporary|try again later/i]),
  ];
}
