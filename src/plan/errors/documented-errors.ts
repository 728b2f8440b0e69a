import { isObject, type JsonSchema } from "../../json.js";
import type { Operation, Response } from "../../model/types.js";
import type { ClassifiedOperation } from "../classified-operation.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import { flattenMarkdown } from "../text/markdown.js";
import type { PlannedTool } from "../types.js";
import { extractErrorCodes } from "./error-codes.js";

/** Maximum number of codes of one tool. */
const MAX_CODES = 40;
const MAX_SENTENCE_LENGTH = 220;
const MAX_NAMED_CODES = 6;
/** Operations with more codes share them with others, so that naming some tells little. */
const MAX_DESCRIBED_CODES = 12;

/** Text of an operation without the lists and tables of its error codes. */
export const withoutErrorCodes = (description: string): string =>
  extractErrorCodes(description, false).rest;

/**
 * Meanings of the error codes that the document states for an operation: in its description, in
 * those of its error responses, and for the values of their fields.
 */
export function documentedErrors(
  { description = "", responses }: Pick<Operation, "description" | "responses">,
  schemas: Schemas,
): ReadonlyMap<string, string> {
  const failures = responses.filter(({ status }) => /^(?:[45]|default)/.test(status));
  const found = [
    ...extractErrorCodes(description, false).codes,
    ...failures.flatMap((response) => [...codesOfResponse(response, schemas)]),
  ];
  const codes = new Map<string, string>();
  for (const [code, meaning] of found)
    if (codes.size < MAX_CODES && !codes.has(code)) codes.set(code, meaning);
  return codes;
}

function codesOfResponse(
  { description, contents }: Response,
  schemas: Schemas,
): ReadonlyMap<string, string> {
  return new Map([
    ...extractErrorCodes(description ?? "", true).codes,
    ...contents.flatMap(({ schema }) => (schema ? codesOfSchema(schema, schemas) : [])),
  ]);
}

const CODE_FIELD = /^(?:error|err)?_?(?:code|type|reason|name|error|key)$/i;
const MAX_DEPTH = 3;

type CodeMeaning = readonly [code: string, meaning: string];

/** Results by schema: the operations of an API share the schemas of their errors. */
const codesBySchema = new WeakMap<JsonSchema, readonly CodeMeaning[]>();

/** Explained values of the fields of an error that hold a code. */
function codesOfSchema(schema: JsonSchema, schemas: Schemas): readonly CodeMeaning[] {
  const target = resolveSchema(schemas, schema);
  const codes = codesBySchema.get(target) ?? codesOfFields(target, schemas, 0);
  codesBySchema.set(target, codes);
  return codes;
}

function codesOfFields(
  schema: JsonSchema,
  schemas: Schemas,
  depth: number,
): readonly CodeMeaning[] {
  const { properties = {}, items } = resolveSchema(schemas, schema);
  if (depth > MAX_DEPTH) return [];
  if (isObject(items)) return codesOfFields(items, schemas, depth + 1);
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isObject(property)) return [];
    const meanings = resolveSchema(schemas, property)["x-enum-meanings"];
    if (meanings && CODE_FIELD.test(name))
      return Object.entries(meanings).map(([code, text]) => [code, flattenMarkdown(text)] as const);
    return codesOfFields(property, schemas, depth + 1);
  });
}

/**
 * `Error codes: resource_in_use (Firewall must not be in use to be deleted).` Only names where the
 * meanings take too long. Statuses are not listed; undefined without other codes, and for many.
 */
export function errorCodesSentence(errors: ReadonlyMap<string, string>): string | undefined {
  const codes = [...errors].filter(([code]) => !/^[45]\d\d$/.test(code));
  if (codes.length === 0 || codes.length > MAX_DESCRIBED_CODES) return undefined;
  const explained = codes.map(([code, meaning]) => `${code} (${meaning})`).join(", ");
  if (explained.length <= MAX_SENTENCE_LENGTH) return `Error codes: ${explained}.`;
  const named = codes.slice(0, MAX_NAMED_CODES).map(([code]) => code);
  const more = codes.length - named.length;
  return `Error codes: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

/** Adds the meanings of the error codes of its operations to a tool. */
export function addErrorCodes(
  tool: PlannedTool,
  operations: readonly ClassifiedOperation[],
  schemas: Schemas,
): PlannedTool {
  const codes = operations.flatMap(({ operation }) => [...documentedErrors(operation, schemas)]);
  return codes.length === 0
    ? tool
    : { ...tool, definition: { ...tool.definition, errorCodes: Object.fromEntries(codes) } };
}
