/** The API's part of the server's instructions: what it is for, and what holds for all its tools. */
import { isObject, type JsonSchema } from "../json.js";
import type { ApiModel } from "../model/types.js";
import { hasOpenSchema } from "./inputs/open-schema.js";
import { flattenMarkdown } from "./text/markdown.js";
import { sentencesOf, toSentence, truncateText } from "./text/sentences.js";
import type { PlannedTool } from "./types.js";

/** Characters of the text about the API. */
export const MAX_ABOUT = 500;

/** Number of tools that share something, so that it is said once for all. */
const MANY = 3;

const READ_BACK =
  "Some writes without a response are read back: the thing as current, or that it is gone.";

/** Minimum number of such writes. Fewer are stated by the tools alone. */
const MANY_WRITES = 5;

const SEVERAL_IDS = "Where an ID may be a list, one call does the same to each of up to 20 things.";

const OPEN_INPUTS =
  "If the API needs a field of the body that a tool does not list, pass it like an input.";

/**
 * Writes the instructions: what the API is for, if the document says so, and conventions of several
 * tools. The runtime adds the toolsets, because settings select them.
 * @param sharedSentences sentences that the descriptions of many tools leave out
 * @param readsBack whether the server reads things after writes
 */
export function serverInstructions(
  model: ApiModel,
  title: string,
  tools: readonly PlannedTool[],
  sharedSentences: readonly string[] = [],
  readsBack = true,
): string {
  return [
    aboutApi(model, title),
    timeConvention(tools),
    idConvention(tools),
    pageConvention(tools),
    readsBack ? readBackConvention(tools) : "",
    ...(tools.some(takesSeveralIds) ? [SEVERAL_IDS] : []),
    ...(tools.some(hasOpenSchema) ? [OPEN_INPUTS] : []),
    ...(sharedSentences.length > 0 ? ["Several tools state:", ...sharedSentences] : []),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

const takesSeveralIds = ({ definition }: PlannedTool): boolean =>
  definition.operations.some(({ severalIds }) => severalIds !== undefined);

/** Title, summary and first sentences of the document; empty if they add nothing to the title. */
function aboutApi({ summary = "", description = "" }: ApiModel, title: string): string {
  const [short = "", long = ""] = [summary, description].map(flattenMarkdown);
  const isIn = (text: string, other: string): boolean => wordsOf(other).startsWith(wordsOf(text));
  const texts = isIn(short, long) ? [long] : [short, long];
  const shown = texts.filter((text) => !isIn(text, title));
  return shown.length === 0
    ? ""
    : `${title}: ${shown.map((text) => toSentence(firstSentences(text))).join(" ")}`;
}

function firstSentences(text: string): string {
  const [first = "", ...others] = sentencesOf(text);
  const shown = [truncateText(first, MAX_ABOUT, false)];
  for (const sentence of others) {
    if ([...shown, sentence].join(" ").length > MAX_ABOUT) break;
    shown.push(sentence);
  }
  return shown.join(" ");
}

const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Format of points in time, if all inputs that state one have the same. */
function timeConvention(tools: readonly PlannedTool[]): string {
  const formats = tools.map(({ definition }) => timeFormats(definition.inputSchema));
  const having = (format: TimeFormat): number => formats.filter((one) => one.has(format)).length;
  if (having("unix") > 0 || having("date-time") + having("date") < MANY) return "";
  const times = having("date-time") > 0 ? "Times are RFC 3339, such as 2026-01-31T09:00:00Z" : "";
  const dates = having("date") > 0 ? "dates are YYYY-MM-DD" : "";
  if (times !== "" && dates !== "") return `${times}; ${dates}.`;
  return times === "" ? "Dates are YYYY-MM-DD." : `${times}.`;
}

type TimeFormat = "date-time" | "date" | "unix";

function timeFormats({ properties }: JsonSchema): ReadonlySet<TimeFormat> {
  const formats = new Set<TimeFormat>();
  for (const schema of Object.values(isObject(properties) ? properties : {})) {
    if (!isObject(schema)) continue;
    const { format, description } = schema;
    if (format === "date-time" || format === "date") formats.add(format);
    if (typeof description === "string" && /\b(?:unix|epoch)\b/i.test(description))
      formats.add("unix");
  }
  return formats;
}

/** Source of IDs, where descriptions of inputs name it. */
function idConvention(tools: readonly PlannedTool[]): string {
  const naming = tools.filter(({ inputs }) =>
    inputs.some(({ producers = [] }) => producers.length > 0),
  );
  return naming.length < MANY
    ? ""
    : "Required inputs that take IDs name the tools that return them, where there are some.";
}

/** Pages of lists, as the results describe them. */
function pageConvention(tools: readonly PlannedTool[]): string {
  const paged = tools.filter(({ definition }) =>
    definition.operations.some(({ pagination }) => pagination !== undefined),
  );
  return paged.length < MANY ? "" : "Lists come in pages: a result says how to get the next one.";
}

/** Reads after writes, which spare the agent its own. */
function readBackConvention(tools: readonly PlannedTool[]): string {
  const told = tools.filter(({ definition, text }) => {
    const isRemoval = definition.operations.some(({ readBack }) => readBack?.isRemoval);
    return isRemoval || text.readsBack !== undefined;
  });
  return told.length < MANY_WRITES ? "" : READ_BACK;
}
