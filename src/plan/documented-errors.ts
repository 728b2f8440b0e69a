import { joinFirst } from "../diagnostics/index.js";
import { anyOfPatterns } from "../language/patterns.js";
import { isObject, type JsonSchema } from "../json.js";
import type { Operation, Response } from "../model/types.js";
import type { ClassifiedOperation } from "./operations/types.js";
import { memoizeBySchema, resolveSchema, type Schemas } from "./schemas/refs.js";
import { flattenMarkdown } from "./text/markdown.js";
import type { PlannedTool } from "./types.js";

/** Maximum number of codes of one tool. */
const MAX_CODES = 40;
const MAX_SENTENCE_LENGTH = 220;
const MAX_NAMED_CODES = 6;
/** Operations with more codes share them with others, so naming some is not informative. */
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
    ...contents.flatMap(({ schema }) =>
      schema ? codesOfSchema(resolveSchema(schemas, schema), schemas) : [],
    ),
  ]);
}

const CODE_FIELD = /^(?:error|err)?_?(?:code|type|reason|name|error|key)$/i;
const MAX_DEPTH = 3;

type CodeMeaning = readonly [code: string, meaning: string];

/** Explained values of the fields of an error that hold a code. */
const codesOfSchema = memoizeBySchema((schema, schemas) => codesOfFields(schema, schemas, 0));

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
 * `Error codes: resource_in_use (Firewall must not be in use to be deleted).` The meanings are
 * left out if they are too long. Undefined for many codes, and without codes other than statuses.
 */
export function errorCodesSentence(errors: ReadonlyMap<string, string>): string | undefined {
  const codes = [...errors].filter(([code]) => !/^[45]\d\d$/.test(code));
  if (codes.length === 0 || codes.length > MAX_DESCRIBED_CODES) return undefined;
  const explained = codes.map(([code, meaning]) => `${code} (${meaning})`).join(", ");
  if (explained.length <= MAX_SENTENCE_LENGTH) return `Error codes: ${explained}.`;
  const names = codes.map(([code]) => code);
  return `Error codes: ${joinFirst(names, MAX_NAMED_CODES)}.`;
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

/** A line of a list or table. Only blanks of the same line precede its mark. */
const LISTED_LINE = /^[^\S\r\n\u2028\u2029]*[-*+•|]/m;
/** Longer text is not searched. */
const MAX_SOURCE_LENGTH = 20_000;
const MAX_MEANING_LENGTH = 300;

/** Error codes of a text by code, and the text without the lists and tables that explain them. */
interface ExtractedErrorCodes {
  readonly codes: ReadonlyMap<string, string>;
  readonly rest: string;
}

/**
 * Extracts error codes with their meanings from Markdown: tables and lists below a line about
 * errors, and tables whose head names one.
 * @param isAboutErrors whether the whole text is, as that of an error response
 */
export function extractErrorCodes(text: string, isAboutErrors: boolean): ExtractedErrorCodes {
  const codes = new Map<string, string>();
  if (text.length > MAX_SOURCE_LENGTH || !LISTED_LINE.test(text)) return { codes, rest: text };
  const lines = text.split(/\r?\n/);
  const rest: string[] = [];
  let isSection = isAboutErrors;
  for (let start = 0; start < lines.length;) {
    const end = endOfBlock(lines, start);
    const block = lines.slice(start, end);
    const found = readBlock(block, isSection);
    if (found.length === 0) {
      rest.push(...block);
      isSection = isAboutErrors || continuesSection(block, isSection);
    } else {
      dropHeading(rest);
      for (const [code, meaning] of found) if (!codes.has(code)) codes.set(code, meaning);
    }
    start = end;
  }
  return { codes, rest: codes.size === 0 ? text : rest.join("\n") };
}

const isRow = (line: string): boolean => /^\s*\|/.test(line);
const isItem = (line: string): boolean => /^\s*[-*+•]\s+\S/.test(line);

/** Index after the table, the list or the line that starts at `start`. */
function endOfBlock(lines: readonly string[], start: number): number {
  const first = lines[start] as string;
  let end = start + 1;
  if (isRow(first)) while (end < lines.length && isRow(lines[end] as string)) end++;
  else if (isItem(first))
    while (end < lines.length && (isItem(lines[end] as string) || /^\s+\S/.test(lines[end] ?? "")))
      end++;
  return end;
}

type CodeEntry = readonly [code: string, meaning: string];

function readBlock(block: readonly string[], isSection: boolean): readonly CodeEntry[] {
  if (isRow(block[0] as string)) return readTable(block, isSection);
  return isSection && isItem(block[0] as string) ? readList(block) : [];
}

const ERRORS = /\berrors?\b|\bfailures?\b/i;

/** A blank line and a list continue a section, a line about errors starts one, any other ends it. */
function continuesSection([line = ""]: readonly string[], isSection: boolean): boolean {
  return line.trim() === "" || isRow(line) || isItem(line) ? isSection : ERRORS.test(line);
}

/** Removes the heading or the clause before a removed block: `Error codes:`. */
function dropHeading(lines: string[]): void {
  while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
  const last = lines.at(-1)?.trim() ?? "";
  const isHeading =
    /^#|^\*\*[^*]+\*\*:?$|^<h\d/i.test(last) || (last.length < 80 && /:$/.test(last));
  if (isHeading && ERRORS.test(last)) lines.pop();
}

const CODE_COLUMN =
  /^(?:api )?(?:error|failure)?[ _-]?(?:codes?|types?|names?|reasons?|keys?|ids?)$|^errors?$/i;
const STATUS_COLUMN = /^(?:http )?(?:response )?status(?: codes?)?$/i;
const MEANING_COLUMN = /desc|mean|message|reason|detail|cause|expla|text|resolution|comment/i;

function readTable(rows: readonly string[], isSection: boolean): readonly CodeEntry[] {
  const [head = [], ...body] = rows
    .map((row) =>
      row
        .trim()
        .replace(/^\||\|$/g, "")
        .split("|")
        .map((cell) => flattenMarkdown(cell.trim())),
    )
    .filter((cells) => !cells.every((cell) => /^:?-*:?$/.test(cell)));
  if (!isSection && !head.some((cell) => ERRORS.test(cell))) return [];
  const coded = head.findIndex((cell) => CODE_COLUMN.test(cell));
  const column = coded < 0 ? head.findIndex((cell) => STATUS_COLUMN.test(cell)) : coded;
  const named = head.findIndex((cell, i) => i !== column && MEANING_COLUMN.test(cell));
  const meaning = named < 0 ? column + 1 : named;
  return column < 0 ? [] : body.flatMap((cells) => entryOf(cells[column], cells[meaning]));
}

/** An item such as "placement_error: an error during the placement occurred". */
const ITEM = /^\s*[-*+•]\s+([`*"']{0,3})([\w.:/-]{2,80}?)[`*"']{0,3}\s*(?:[:=]|-|–|—)\s+(\S.*)$/s;

function readList(lines: readonly string[]): readonly CodeEntry[] {
  const items: string[] = [];
  for (const line of lines) {
    if (isItem(line)) items.push(line);
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  const entries = items.map((item) => {
    const [, mark, code = "", meaning = ""] = ITEM.exec(item) ?? [];
    return mark === "" && /^[a-z]+$/.test(code) ? [] : entryOf(code, flattenMarkdown(meaning));
  });
  return entries.every((entry) => entry.length > 0) ? entries.flat() : [];
}

/** Words with a sign, a digit or only capitals, and numbers: not `Note`, not a status of success. */
const CODE = new RegExp(
  `^(?:${anyOfPatterns(
    /[a-z][a-z\d]*(?:[_.:/-][a-z\d]+)+|[A-Z][A-Z\d]+|\w*[a-z\d][A-Z]\w*/,
    /-?[1-9]\d{1,8}|[A-Z]{1,6}-?\d+|\w*_\w*|[a-z]{4,}/,
  )})$`,
);

/** Words in capitals before a remark: `- NOTE: …`. */
const REMARK = /^(?:CAUTION|EXAMPLE|HINT|IMPORTANT|INFO|NB|NOTE|TIP|TODO|WARNING)$/;

function entryOf(code = "", meaning = ""): readonly CodeEntry[] {
  const text = meaning.trim().replace(/(?<![.;])[.;]+$/, "");
  const isCode = CODE.test(code) && !/^[123]\d\d$/.test(code) && !REMARK.test(code);
  const isUsable = isCode && /\p{L}{2}/u.test(text);
  return isUsable && text.length <= MAX_MEANING_LENGTH ? [[code, text]] : [];
}
