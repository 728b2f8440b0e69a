import type { JsonSchema } from "../../json.js";
import { splitWords } from "../../language/words.js";
import { shortenItems } from "../text/markdown.js";
import { cleanInputProse } from "./prose.js";
import { appendSentences, toSentence } from "../text/sentences.js";
import { withMissingBlocks } from "../text/blocks.js";
import { CUT, type WholeTexts } from "../text/whole-texts.js";

const MAX_INPUT_DESCRIPTION_LENGTH = 400;

/** Facts from which an input is described. */
interface InputDescriptionSource {
  readonly wireName: string;
  readonly text: string | undefined;
  /** Schema of the input, with `$ref` resolved. */
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly file?: "one" | "many" | undefined;
  /** True for a text that is sent as JSON. */
  readonly isJsonText?: true | undefined;
  /** Sentences for constraints that the tool's schema cannot express. */
  readonly notes: readonly string[];
}

/**
 * Describes one input: the document's text, then format, unit, range and default. Empty if only the
 * name is known.
 */
export function describeInput(source: InputDescriptionSource, wholeTexts: WholeTexts): string {
  const text = inputText(source.text ?? "", source.required, wholeTexts);
  const isMentioned = source.notes.includes("Deprecated.") || /deprecated/i.test(text);
  const facts = [
    ...(source.file ? [FILE_FACTS[source.file]] : valueFacts(source, text.toLowerCase())),
    ...(source.isJsonText ? ["Sent as JSON, in quotes."] : []),
    ...source.notes,
    ...(source.deprecated && !isMentioned ? ["Deprecated."] : []),
  ];
  return appendSentences(text, ...facts);
}

/** The document's text. If it is too long, without the details of its lists; what is cut is marked. */
function inputText(markdown: string, required: boolean, wholeTexts: WholeTexts): string {
  const clean = (text: string): string => stripRequiredMark(cleanInputProse(text), required);
  const max = MAX_INPUT_DESCRIPTION_LENGTH;
  const text = clean(markdown);
  const whole = withMissingBlocks(text, markdown);
  if (whole.length <= max && whole === text) return text;
  const brief = `${toSentence(clean(shortenItems(markdown)))} ${CUT}`;
  const isShorter = brief.length < Math.min(text.length, max + 1);
  return wholeTexts.shorten(text, max, isShorter ? brief : undefined, whole);
}

const REQUIRED = /^(?:\(required\)|\[required\]|required[.:;]|required -)\s+(?=\S)/i;
const OPTIONAL = /^(?:\(optional\)|\[optional\]|optional[.:;]|optional -)\s+(?=\S)/i;

/**
 * `Required. The name of …`: removes the mark that the schema repeats. A mark that contradicts the
 * schema stays.
 */
function stripRequiredMark(text: string, required: boolean): string {
  if (!/^[([]?(?:required|optional)\b/i.test(text)) return text;
  const stripped = text.replace(required ? REQUIRED : OPTIONAL, "");
  return stripped === text ? text : stripped.charAt(0).toUpperCase() + stripped.slice(1);
}

const FILE_FORMS =
  "as base64, or file:NAME if this server has a folder of files (other text is sent as it is).";
const FILE_FACTS = {
  one: `File content ${FILE_FORMS}`,
  many: `Files, each ${FILE_FORMS}`,
} as const;

/** Format, unit, range and default, unless the text mentions them. */
function valueFacts({ schema, wireName }: InputDescriptionSource, text: string): string[] {
  const facts = [
    formatFact(schema.format, text),
    unitFact(wireName, text, schema),
    rangeFact(schema, text),
    defaultFact(schema.default, text),
  ];
  return facts.filter((fact) => fact !== undefined);
}

const FORMATS: Readonly<Record<string, readonly [mentioned: RegExp, fact: string]>> = {
  "date-time": [
    /iso[ -]?8601|rfc[ -]?3339|yyyy-mm-dd/,
    "Format: ISO 8601 date and time, such as 2026-01-31T12:00:00Z.",
  ],
  date: [/iso[ -]?8601|yyyy-mm-dd/, "Format: date, YYYY-MM-DD."],
  time: [/hh:mm/, "Format: time, HH:MM:SSZ."],
  duration: [/iso[ -]?8601/, "Format: ISO 8601 duration, such as PT1H."],
  uuid: [/uuid|guid/, "Format: UUID."],
  uri: [/ur[il]\b/, "Format: URL."],
  url: [/ur[il]\b/, "Format: URL."],
  email: [/e-?mail/, "Format: email address."],
  ipv4: [/ipv4|ip address/, "Format: IPv4 address."],
  ipv6: [/ipv6|ip address/, "Format: IPv6 address."],
  hostname: [/host/, "Format: host name."],
};
/** Formats that repeat the type or do not describe the value. */
const UNINFORMATIVE_FORMATS =
  /^(u?int\d*|float|double|decimal|number|integer|string|boolean|password|binary|byte|object|array|enum|id|identifier|name|text)$/i;

function formatFact(format: unknown, text: string): string | undefined {
  if (typeof format !== "string" || format === "" || UNINFORMATIVE_FORMATS.test(format))
    return undefined;
  const entry = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (entry) return entry[0].test(text) ? undefined : entry[1];
  return /^[\w.+-]{1,40}$/.test(format) && !text.includes(format.toLowerCase())
    ? `Format: ${format}.`
    : undefined;
}

const UNITS: Readonly<Record<string, string>> = {
  ms: "milliseconds",
  millis: "milliseconds",
  milliseconds: "milliseconds",
  seconds: "seconds",
  secs: "seconds",
  sec: "seconds",
  minutes: "minutes",
  mins: "minutes",
  hours: "hours",
  days: "days",
  bytes: "bytes",
  kb: "kilobytes",
  mb: "megabytes",
  gb: "gigabytes",
  percent: "percent",
  cents: "cents",
  meters: "meters",
  km: "kilometers",
  px: "pixels",
};

function unitFact(wireName: string, text: string, schema: JsonSchema): string | undefined {
  if (schema.type !== "integer" && schema.type !== "number") return undefined;
  const last = splitWords(wireName).at(-1) ?? "";
  const unit = Object.hasOwn(UNITS, last) ? UNITS[last] : undefined;
  return unit === undefined || text === "" || text.includes(unit.slice(0, -1))
    ? undefined
    : `In ${unit}.`;
}

function rangeFact({ minimum, maximum }: JsonSchema, text: string): string | undefined {
  const mentions = (limit: number | undefined): boolean =>
    limit !== undefined && text.includes(String(limit));
  if (minimum === undefined && maximum === undefined) return undefined;
  if (minimum !== undefined && maximum !== undefined)
    return mentions(minimum) && mentions(maximum) ? undefined : `${minimum} to ${maximum}.`;
  if (maximum !== undefined) return mentions(maximum) ? undefined : `At most ${maximum}.`;
  return mentions(minimum) || minimum === 0 || minimum === 1 ? undefined : `At least ${minimum}.`;
}

function defaultFact(value: unknown, text: string): string | undefined {
  if (value === undefined || value === null || value === "" || text.includes("default"))
    return undefined;
  if (typeof value === "string" && value.length <= 60 && !/[\n\r]/.test(value))
    return `Default: ${value}.`;
  return typeof value === "number" || typeof value === "boolean" ? `Default: ${value}.` : undefined;
}
