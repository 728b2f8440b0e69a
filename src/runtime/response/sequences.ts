/** JSON of responses with a limited number of values, and sequences of it. */
import { splitJsonSequence } from "../data/json-sequence.js";
import { limitValuesInSteps, MAX_VALUES, type ValueLimit } from "../data/limit-values.js";
import type { Steps } from "../data/steps.js";
import { type ParsedJson, parseJsonInSteps } from "../data/values.js";

/** A parsed response. */
export interface ParsedResponse extends ParsedJson {
  /** The limit that it exceeds, so that only a part was read. */
  readonly exceeded?: ValueLimit;
  /** Nesting of its lists and objects. */
  readonly depth: number;
}

/** Parses the first values of JSON text. */
export function* parseLimited(text: string): Steps<ParsedResponse> {
  const { text: kept, count: _, ...limits } = yield* limitValuesInSteps(text);
  yield;
  return { ...(yield* parseJsonInSteps(kept)), ...limits };
}

/** Values of a sequence. */
export interface ParsedSequence extends ParsedResponse {
  readonly value: readonly unknown[];
  /** Incomplete record at the end; empty if there is none. */
  readonly rest: string;
}

/**
 * Parses a sequence as a list of its values. OpenAPI 3.2, "Sequential Media Types".
 * @throws SyntaxError when a record is not JSON, except for the last one
 */
export function* parseSequence(text: string, essence: string): Steps<ParsedSequence> {
  if (essence === "text/event-stream")
    return { ...(yield* parseEvents(text)), hasInexactNumbers: false, depth: 2, rest: "" };
  return yield* collect(partsOf(text, essence.endsWith("json-seq") ? /\u001e/g : /\n/g));
}

/**
 * Parses JSON values that follow each other without a separator.
 * @throws SyntaxError when there is other text between them
 */
export function parseValuesInRow(text: string): Steps<ParsedSequence> {
  return collect(splitJsonSequence(text));
}

/** Number of records or lines that one step reads. */
const STEP_RECORDS = 1_000;

function* collect(records: Iterable<string>): Steps<ParsedSequence> {
  const value: unknown[] = [];
  let hasInexactNumbers = false;
  let exceeded: ValueLimit | undefined;
  let [remaining, depth] = [MAX_VALUES, 1];
  let [rest, count] = ["", 0];
  for (const record of records) {
    if (++count % STEP_RECORDS === 0) yield;
    if (record.trim() === "") continue;
    if (rest !== "") throw new SyntaxError("A record is not JSON.");
    exceeded = remaining < 1 ? "values" : undefined;
    if (exceeded) break;
    const limited = yield* limitValuesInSteps(record, remaining);
    const parsed = yield* tryParse(limited.text);
    if (!parsed) {
      rest = record;
      continue;
    }
    value.push(parsed.value);
    hasInexactNumbers ||= parsed.hasInexactNumbers;
    depth = Math.max(depth, limited.depth + 1);
    remaining -= limited.count;
    exceeded = limited.exceeded;
    if (exceeded) break;
  }
  if (rest !== "" && value.length === 0) throw new SyntaxError("The only record is not JSON.");
  return { value, hasInexactNumbers, ...(exceeded && { exceeded }), depth, rest };
}

function* tryParse(text: string): Steps<ParsedJson | undefined> {
  try {
    return yield* parseJsonInSteps(text);
  } catch {
    return undefined;
  }
}

/** Parts of a text, one at a time, so that the parts after a limit are not created. */
function* partsOf(text: string, separator: RegExp): Generator<string> {
  let start = 0;
  for (const { index, 0: found } of text.matchAll(separator)) {
    yield text.slice(start, index);
    start = index + found.length;
  }
  yield text.slice(start);
}

interface Event {
  data: string;
  event?: string;
  id?: string;
  retry?: number;
}

/**
 * Parses an event stream. An event without a final empty line is ignored. WHATWG HTML, section
 * 9.2.6.
 */
function* parseEvents(text: string): Steps<Pick<ParsedSequence, "value" | "exceeded">> {
  const events: Event[] = [];
  let fields: Field[] = [];
  let [remaining, count] = [MAX_VALUES, 0];
  for (const line of partsOf(text.replace(/^\ufeff/, ""), /\r\n|\n|\r/g)) {
    if (++count % STEP_RECORDS === 0) yield;
    if (line === "") {
      const event = toEvent(fields);
      if (event && remaining < 1) return { value: events, exceeded: "values" };
      if (event) events.push(event);
      if (event) remaining -= 1 + Object.keys(event).length;
      fields = [];
    } else if (!line.startsWith(":")) fields.push(fieldOf(line));
  }
  return { value: events };
}

type Field = readonly [name: string, value: string];

/** Splits a line at its colon. One space after it is not part of the value. */
function fieldOf(line: string): Field {
  const colon = line.indexOf(":");
  if (colon < 0) return [line, ""];
  return [line.slice(0, colon), line.slice(colon + (line[colon + 1] === " " ? 2 : 1))];
}

function toEvent(fields: readonly Field[]): Event | undefined {
  const data = fields.filter(([name]) => name === "data");
  if (data.length === 0) return undefined;
  const event: Event = { data: data.map(([, value]) => value).join("\n") };
  for (const [name, value] of fields) {
    if (name === "event" || name === "id") event[name] = value;
    if (name === "retry" && /^\d+$/.test(value)) event.retry = Number(value);
  }
  return event;
}
