/** A note about what redaction has hidden, so that `[redacted]` is not taken for the API's word. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { joinFirst } from "../data/values.js";
import type { PathSegment } from "../schema/check.js";
import { listFields } from "../schema/list-fields.js";
import type { JsonSchema } from "../types.js";
import { type Redact, REDACTED, redactResult } from "./redact.js";
import { addFacts, type NotedResult } from "./result-facts.js";

/** Maximum number of fields in a note. */
const MAX_LISTED_FIELDS = 3;

/** Redacts a result. A note names what was hidden, except in errors. */
export async function redactWithNote<Result extends NotedResult>(
  noted: Result,
  redact: Redact,
  outputSchema: JsonSchema | undefined,
): Promise<Result> {
  const result = await redactResult(noted.result, redact);
  const redacted = { ...noted, result };
  if (result === noted.result || result.isError) return redacted;
  const notes = [redactionNote(noted.result, result)];
  return { ...redacted, ...addFacts(redacted, { notes }, outputSchema) };
}

function redactionNote(given: CallToolResult, safe: CallToolResult): string {
  const { structuredContent } = safe;
  const values = changedValues(given.structuredContent, structuredContent);
  const texts = countMarks(safe.content) - countMarks(given.content);
  if (values.length > 0) return valuesNote(values, structuredContent);
  if (texts > 0)
    return (
      `Hidden by this server: its credentials, in ${texts} ${texts === 1 ? "place" : "places"}. ` +
      `They are shown as ${REDACTED}.`
    );
  return "Hidden by this server: its credentials in the contents of a file.";
}

function valuesNote(values: readonly ChangedValue[], root: unknown): string {
  const paths = values.map(({ path }) => path);
  const fields = joinFirst(listFields(root, paths), MAX_LISTED_FIELDS);
  const count = values.length === 1 ? "1 value" : `${values.length} values`;
  const numbers = values.some(({ isNumber }) => isNumber) ? ", a number as 0" : "";
  const shown = values.length === 1 ? "It is" : "They are";
  return `Hidden by this server: ${count} with its credentials (${fields}). ${shown} shown as ${REDACTED}${numbers}.`;
}

/** A string or number that redaction has changed, or a property whose name it has changed. */
interface ChangedValue {
  readonly path: readonly PathSegment[];
  readonly isNumber: boolean;
}

/** The changed parts of a value. Redaction keeps the order of members. */
function changedValues(
  given: unknown,
  safe: unknown,
  path: readonly PathSegment[] = [],
): readonly ChangedValue[] {
  if (given === safe) return [];
  if (!isContainer(given) || !isContainer(safe))
    return [{ path, isNumber: typeof given === "number" }];
  const names = Object.keys(safe);
  return Object.entries(given).flatMap(([name, member], i) => {
    const safeName = names[i] ?? name;
    const step = Array.isArray(safe) ? i : safeName;
    if (safeName !== name) return [{ path: [...path, step], isNumber: false }];
    const safeMember = (safe as Readonly<Record<string, unknown>>)[safeName];
    return changedValues(member, safeMember, [...path, step]);
  });
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Number of marks in the texts of content. */
function countMarks(content: CallToolResult["content"]): number {
  return JSON.stringify(content.map((block) => ({ ...block, data: undefined }))).split(REDACTED)
    .length;
}
