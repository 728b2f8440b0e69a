/** Notes to the agent about truncated, paged and coerced results. */
import { propertiesOf, propertySchema } from "../schema/subschemas.js";
import { describeConversion, describeProblem, formatPath, type Problem } from "../schema/check.js";
import type { JsonSchema, ToolDefinition, ToolInput } from "../types.js";
import { capitalize, joinFirst, omitUndefined } from "../data/values.js";
import { singularize } from "../language/inflection.js";
import type { OutputDifferences } from "../schema/coerce-output.js";
import type { ResultFacts } from "./result-facts.js";
import type { Omission } from "./truncate.js";

/** Maximum number of omissions or differences that a note lists. */
const MAX_LISTED = 3;

/** Maximum number of parts that a note names as omitted. A part that it does not name looks whole. */
const MAX_OMISSIONS = 8;

/** Maximum number of inputs that a note suggests. */
const MAX_SUGGESTED = 6;

/** Maximum length of an input's value in a note. */
const MAX_VALUE = 500;

/** Names of inputs that set the number of items. */
export const ITEM_COUNT = new RegExp(
  "^(?:limit|per_?page|page_?size|size|count|top|max_?(?:results|items|per_?page)|first|" +
    "num(?:ber)?_?(?:of_?)?(?:results|items)?)$",
  "i",
);

/** Names of inputs that limit or select the content of a result. */
const SIZING = /limit|size|per_?page|count|top|fields|select|max/i;

const POSITION_NAMES = [
  "page(?:_?(?:number|no|num|index|token|offset))?",
  "(?:next_?|page_?)?(?:cursor|token)",
  "offset|skip|marker",
  "start(?:_?(?:at|index|from|after))?",
  "(?:starting_?)?after|(?:ending_?)?before",
  "since_?id|last_?id",
];
/** Names of inputs that select a page. */
export const POSITION = new RegExp(`^(?:${POSITION_NAMES.join("|")})$`, "i");

/** Names of inputs that identify the thing itself, or one state of it. */
const IDENTITY = /^(?:id|uuid|(?:.*_)?rev(?:ision)?(?:_?(?:id|number|no))?)$/i;

/** Flags that select items or leave some out, by name or text. Other flags often extend a result. */
const SELECTING_FLAG = /\bonly\b|\bfilter|\bexclud|\bomit|\bhide\b|\bwithout\b/i;

/** Names of inputs that order, shape or extend a result and do not narrow it. */
const NOT_NARROWING =
  /sort|order|direction|expand|include|embed|populate|with_|locale|lang|format|pretty|callback|version|time_?zone/i;

type NamedTool = Pick<ToolDefinition, "name" | "inputSchema">;
/** Input of a call, as far as another call can narrow its result. */
export interface NarrowingOptions {
  /** Input of the call. Inputs that it has already are not suggested. */
  readonly input?: ToolInput | undefined;
  /** Inputs that select the result of the operation. Absent: none is known. */
  readonly narrowing?: readonly string[] | undefined;
}

/**
 * Lists the parts that were omitted for size, and advises how to request less or the rest.
 */
export function truncationNote(
  omissions: readonly Omission[],
  tool: NamedTool,
  { input = {}, narrowing = [] }: NarrowingOptions = {},
): string {
  const isPaged = narrowing.some((name) => POSITION.test(name));
  const hasItems = omissions.some(({ kind }) => kind === "items");
  const paging = hasItems && isPaged ? " They do not appear on later pages." : "";
  const advice = narrowingAdvice(omissions, tool, input, narrowing);
  const hint = advice === "" ? "" : ` To see them, ${advice}.`;
  return `The result was too large. Omitted: ${describeOmissions(omissions)}.${paging}${hint}`;
}

/** Lists omissions, the outermost first. */
export function describeOmissions(omissions: readonly Omission[]): string {
  const outermostFirst = omissions.toSorted((a, b) => a.path.length - b.path.length);
  return joinFirst(outermostFirst.map(describeOmission), MAX_OMISSIONS, "; ");
}

function describeOmission({ path, kind, omitted, total, step }: Omission): string {
  const name = formatPath(path);
  const owner = path.length > 0 && name !== kind ? ` of ${name}` : "";
  const place = step === undefined ? "" : ` in step ${step}`;
  return `${omitted} of ${total} ${kind}${owner}${place}`;
}

function narrowingAdvice(
  omissions: readonly Omission[],
  tool: NamedTool,
  input: ToolInput,
  narrowing: readonly string[],
): string {
  const smaller = smallerPage(omissions, tool, narrowing);
  const lists = omissions.filter(({ kind }) => kind === "items").map(({ path }) => path);
  const inputs = narrowingInputs(tool, narrowing).filter(
    (name) =>
      name !== smaller?.input &&
      input[name] === undefined &&
      lists.some((path) => canNarrow(name, path, tool)),
  );
  const narrower = inputs.length > 0 ? `narrow the call with ${inputs.join(", ")}` : undefined;
  return [smaller?.advice, narrower].filter(Boolean).join(", or ");
}

/**
 * True if an input may select items of a list. Inputs select items of the outermost list, those of
 * a list inside of an item only if their text names it.
 */
function canNarrow(input: string, list: Omission["path"], { inputSchema }: NamedTool): boolean {
  if (list.every((segment) => typeof segment === "string")) return true;
  const noun = String(list.findLast((segment) => typeof segment === "string")).toLowerCase();
  const text = `${input} ${String(propertySchema(inputSchema, input)["description"] ?? "")}`;
  return [noun, singularize(noun)].some((one) => text.toLowerCase().includes(one));
}

/** Advises a page of the size that fits, when an input sets the number of items. */
function smallerPage(
  omissions: readonly Omission[],
  { name, inputSchema }: NamedTool,
  narrowing: readonly string[],
): { readonly input: string; readonly advice: string } | undefined {
  const list = omissions.find(({ kind, path }) => kind === "items" && path.length <= 1);
  if (!list || !narrowing.some((input) => POSITION.test(input))) return undefined;
  const count = list.total - list.omitted;
  const input = Object.keys(propertiesOf(inputSchema)).find(
    (key) => narrowing.includes(key) && isItemCount(key, propertySchema(inputSchema, key), count),
  );
  if (input === undefined) return undefined;
  return { input, advice: `call ${name} with ${input} ${count} and then page by page` };
}

function isItemCount(name: string, schema: JsonSchema, count: number): boolean {
  const isNumber = schema["type"] === "integer" || schema["type"] === "number";
  const minimum = Math.max(1, Number(schema["minimum"] ?? 1));
  return isNumber && count >= minimum && ITEM_COUNT.test(name);
}

/**
 * Describes the call of the next page; `undefined` when the result does not have its inputs. An API
 * that ignores the page names the same one as the next.
 * @param input input of the call
 * @param mayBeLast whether the response does not tell if there is a next page
 */
export function nextPageNote(
  result: unknown,
  { name, inputSchema }: NamedTool,
  input: Readonly<Record<string, unknown>>,
  mayBeLast = false,
  maxValue = MAX_VALUE,
): string | undefined {
  const next =
    typeof result === "object" && result !== null && "next" in result ? result.next : undefined;
  if (typeof next !== "object" || next === null) return undefined;
  const properties = propertiesOf(inputSchema);
  const isUsable = ([key, value]: readonly [string, unknown]): boolean =>
    Object.hasOwn(properties, key) &&
    (typeof value === "string" || typeof value === "number") &&
    String(value).length <= maxValue;
  const usable = Object.entries(next).filter(isUsable);
  if (usable.length === 0) return undefined;
  const inputs = usable.map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  if (isSameInput(Object.fromEntries(usable), input))
    return `The API names this page (${inputs.join(", ")}) as the next one: do not call ${name} for it again.`;
  const call = `call ${name} again with ${inputs.join(" and ")}, and otherwise the same input`;
  return `There ${mayBeLast ? "may be" : "are"} more results: ${call}.`;
}

/**
 * Facts about the next page, for a result whose data does not have its inputs.
 * @param next inputs of the next page
 */
export function nextPageFacts(
  next: ToolInput,
  tool: NamedTool,
  input: ToolInput,
  mayBeLast?: boolean,
): ResultFacts {
  const note = nextPageNote({ next }, tool, input, mayBeLast, Infinity);
  return { notes: [note], values: isSameInput(next, input) ? {} : { next } };
}

function isSameInput(next: ToolInput, input: ToolInput): boolean {
  return Object.entries(next).every(([key, value]) => String(input[key]) === String(value));
}

/**
 * Lists optional inputs that may narrow a result. Those with a descriptive name are first. Flags
 * are left out unless they select items.
 * @param usable inputs that select the result of the operation
 */
export function narrowingInputs(
  { inputSchema }: NamedTool,
  usable: readonly string[],
): readonly string[] {
  const required = new Set((inputSchema["required"] as readonly string[] | undefined) ?? []);
  const properties = propertiesOf(inputSchema);
  const narrows = (name: string): boolean =>
    !required.has(name) &&
    !POSITION.test(name) &&
    !NOT_NARROWING.test(name) &&
    !IDENTITY.test(name) &&
    (properties[name]?.["type"] !== "boolean" || isSelectingFlag(name, properties[name]));
  const optional = Object.keys(properties).filter((name) => usable.includes(name) && narrows(name));
  const sizing = optional.filter((name) => SIZING.test(name));
  const others = optional.filter((name) => !sizing.includes(name));
  return [...sizing, ...others].slice(0, MAX_SUGGESTED);
}

const isSelectingFlag = (name: string, { description }: JsonSchema = {}): boolean =>
  SELECTING_FLAG.test(
    `${name.replaceAll("_", " ").replace(/(?<=[a-z])(?=[A-Z])/g, " ")}. ${String(description ?? "")}`,
  );

/** Notes and values about the parts of a response that its output schema does not allow. */
export function coercionFacts({
  moved,
  converted,
  unexpected,
  nullFields,
}: OutputDifferences): ResultFacts {
  if (unexpected.length + converted.length + nullFields.length === 0) return {};
  const notes = [movedNote(moved, unexpected), conversionNote(converted)];
  return {
    notes,
    values: omitUndefined({
      unexpected:
        unexpected.length > 0
          ? unexpected.map(({ path, value }) => unexpectedPart(path, value))
          : undefined,
      nullFields: nullFields.length > 0 ? nullFields : undefined,
    }),
  };
}

/** An item that a list lacks changes the places of those after it. */
function movedNote(
  moved: OutputDifferences["moved"],
  unexpected: OutputDifferences["unexpected"],
): string | undefined {
  if (moved.length === 0) return undefined;
  const hasItem = unexpected.some(({ path }) => typeof path.at(-1) === "number");
  const places = hasItem ? "; items after them have moved up" : "";
  return `${capitalize(describeDifferences(moved))}. The structured result has these parts in \`unexpected\`${places}.`;
}

/** Only a whole response that is a list is converted at the root. */
function conversionNote(converted: readonly Problem[]): string | undefined {
  if (converted.length === 0) return undefined;
  return converted.some(({ path }) => path.length === 0)
    ? "The API sent a list, and its description declares an object. The list is in `items`."
    : `Converted to the types of the API's description: ${listProblems(converted, describeConversion)}.`;
}

/** Entry of `unexpected` in a structured result. The path `$` is the whole response. */
export function unexpectedPart(path: Problem["path"], value: unknown): object {
  return { path: formatPath(path) || "$", value };
}

/** Describes differences between the response and the output schema, as a clause. */
export function describeDifferences(problems: readonly Problem[]): string {
  return `the response differs from the API's description (${listProblems(problems)})`;
}

function listProblems(problems: readonly Problem[], describe = describeProblem): string {
  const descriptions = problems.map(
    (problem) => `${formatPath(problem.path) || "the response"}: ${describe(problem)}`,
  );
  return joinFirst(descriptions, MAX_LISTED, "; ");
}
