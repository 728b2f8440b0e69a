/** Suggested entries of mcp-gen.yaml, and the YAML that they are written in. */
import { escapeInvisible, toSingleLine } from "../../diagnostics/text.js";
import { isObject } from "../../json.js";
import { isEssentialField, pickOrder } from "../../key-fields.js";
import type { ToolConfig } from "../../configuration/types.js";
import { consumedFields, type Consumers } from "../../plan/consumed-fields.js";
import { inputTokens, largestInputs } from "../../plan/budget/input-tokens.js";
import type { PlannedInput, PlannedTool, ToolCost } from "../../plan/types.js";
import type { ParameterSource } from "../../runtime/types.js";

/** Words that YAML 1.1 or 1.2 does not parse as strings. */
const NOT_STRINGS = /^(true|false|null|yes|no|on|off|y|n|~)$/i;

/**
 * A string as YAML in flow style: bare where every parser reads that string, else in double quotes
 * as in JSON, with invisible characters escaped. Document text cannot end the value or start
 * another line.
 */
export function scalar(text: string): string {
  return /^(?:\.{1,2}\/)*[A-Za-z_][\w./-]*$/.test(text) && !NOT_STRINGS.test(text)
    ? text
    : escapeInvisible(JSON.stringify(text)).replace(
        /[\u2028\u2029]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16)}`,
      );
}

/** `[a, b]` */
export function flowList(texts: readonly string[]): string {
  return `[${texts.map(scalar).join(", ")}]`;
}

const WIDTH = 110;

/** Text as comment lines, wrapped at spaces. */
export function comment(text: string, indent: number): readonly string[] {
  const lines: string[] = [];
  for (const word of toSingleLine(text).split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH - indent)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => `${" ".repeat(indent)}# ${line}`);
}

/** Input of the suggestions. */
interface SuggestionContext {
  readonly tools: ReadonlyMap<string, PlannedTool>;
  readonly cost: ToolCost | undefined;
  /** True when the tool is among the largest. */
  readonly large: boolean;
  /** Tools that take a value from the result of this tool. */
  readonly consumers: Consumers;
  /** True for names of inputs that take a value from the result of any tool. */
  readonly isProduced: (name: string) => boolean;
  readonly ruleName: (tool: string) => string;
}

const MAX_HIDDEN = 5;
const MAX_PICKED = 6;
/** Minimum fields and tokens of a result for a rule. */
const MIN_FIELDS = 7;
const MIN_TOKENS = 150;

const PRESENTATION_NAMES = [
  String.raw`expand|embed|include(_\w+)?|with_\w+|pretty(_print)?|format|locale`,
  "lang(uage)?|time_?zone|callback|envelope|verbose|debug|alt|prefer",
];
/** Inputs of little use to agents. */
const PRESENTATION_INPUTS = new RegExp(`^(${PRESENTATION_NAMES.join("|")})$`, "i");

/** A suggested line of a rule. */
export interface Suggestion {
  /** Key of the rule that the line is below, or the whole line is. */
  readonly key: "inputs" | "output" | "pagination";
  /** Valid YAML without the comment sign. */
  readonly line: string;
  /** Estimated tokens of the list or of a result that it saves. A spared call counts as `CALL`. */
  readonly saved: number;
  /** The saving, in words. */
  readonly effect: string;
}

/** A suggestion among those of all tools. */
export interface RankedSuggestion extends Suggestion {
  /** 1 for the one that saves the most. */
  readonly rank: number;
}

/** Tokens of a call that a suggestion spares: its arguments and a small result. */
const CALL = 500;

/**
 * Suggested rules for a tool.
 * @param rule the configured rule, whose keys get no suggestion
 */
export function suggestionsFor(
  tool: PlannedTool,
  advice: SuggestionContext,
  rule: ToolConfig = {},
): readonly Suggestion[] {
  return [
    ...(rule.inputs ? [] : inputSuggestions(tool, advice)),
    ...(rule.output ? [] : pickSuggestions(tool, advice)),
    ...(rule.pagination || rule.followPages !== undefined ? [] : pageSuggestions(tool)),
  ];
}

/** The suggestions of a tool as lines of YAML below it, valid without the comment signs. */
export function suggestionLines(suggestions: readonly RankedSuggestion[]): readonly string[] {
  const inputs = suggestions.filter(({ key }) => key === "inputs");
  const others = suggestions.filter(({ key }) => key !== "inputs");
  const text = ({ line, rank, effect }: RankedSuggestion): string =>
    `${line}  # no. ${rank}: ${effect}`;
  return [
    ...(inputs.length > 0 ? ["inputs:", ...inputs.map((one) => `  ${text(one)}`)] : []),
    ...others.map(text),
  ];
}

function inputSuggestions(tool: PlannedTool, advice: SuggestionContext): readonly Suggestion[] {
  const hidden = inputsToHide(tool, advice.large).map((name) => {
    const saved = inputTokens(tool, name);
    const line = `${scalar(name)}: {hide: true}`;
    return {
      key: "inputs" as const,
      line,
      saved,
      effect: `saves up to ${saved} tokens of the list`,
    };
  });
  const named = tool.inputs.flatMap((input) => {
    const via = takesNames(tool, input) ? undefined : lookUpTool(tool, input, advice.tools);
    if (via === undefined) return [];
    const rule = `{resolve: {via: ${advice.ruleName(via)}, match: name}}`;
    const effect = `spares a call of ${via}`;
    return [
      { key: "inputs" as const, line: `${scalar(input.name)}: ${rule}`, saved: CALL, effect },
    ];
  });
  return [...hidden, ...named];
}

/** True if callers may give a name without a rule. A tool that may destroy does not act on one. */
function takesNames({ definition }: PlannedTool, { name }: PlannedInput): boolean {
  const { readOnlyHint, destructiveHint } = definition.annotations;
  if (destructiveHint && !readOnlyHint) return false;
  return definition.operations.some(({ lookUps = {} }) => Object.hasOwn(lookUps, name));
}

/**
 * Optional inputs to hide: deprecated ones, those about presentation, and the largest ones of large
 * tools.
 */
function inputsToHide(tool: PlannedTool, large: boolean): readonly string[] {
  const { inputs, definition } = tool;
  const bound = new Set(
    definition.operations.flatMap(({ whenProvided, request, included }) => [
      ...whenProvided,
      // The API does not have it, so `inputs` cannot name it.
      ...(included ? [included.input] : []),
      ...Object.values(request.pathParams ?? {}).flatMap((source) => inputOf(source) ?? []),
    ]),
  );
  const open = inputs.filter(
    ({ name, required }) => !required && !bound.has(name) && !isEssentialField(name),
  );
  const unhelpful = open.filter(
    ({ name, description }) =>
      / ?Deprecated\.$/.test(description) || PRESENTATION_INPUTS.test(name),
  );
  const costly = large
    ? largestInputs(
        tool,
        open.filter((one) => !unhelpful.includes(one)),
        MAX_HIDDEN,
      )
    : [];
  return [...unhelpful, ...costly].slice(0, MAX_HIDDEN).map(({ name }) => name);
}

/** The input that a parameter takes its value from; undefined if it takes none. */
export function inputOf(source: ParameterSource | undefined): string | undefined {
  if (typeof source === "string" || source === undefined) return source;
  return "from" in source ? source.from : undefined;
}

/** The list tool that resolves names to IDs, when its items have names and it needs no input. */
function lookUpTool(
  { definition }: PlannedTool,
  { name, producers = [], type }: PlannedInput,
  tools: ReadonlyMap<string, PlannedTool>,
): string | undefined {
  if (
    !/(^|_|[a-z])(id|Id|uuid|Uuid)$/.test(name) ||
    (type.type !== "string" && type.type !== "integer")
  )
    return undefined;
  return producers.find((producer) => {
    const tool = tools.get(producer);
    const via = tool?.definition;
    const fields = tool?.listedFields ?? itemFields(via?.outputSchema);
    const lists =
      via?.operations.some(
        ({ whenProvided, response }) =>
          whenProvided.length === 0 && (response.items !== undefined || response.wrap === "items"),
      ) === true;
    return (
      producer !== definition.name &&
      lists &&
      via?.inputSchema["required"] === undefined &&
      fields.includes("id") &&
      fields.includes("name")
    );
  });
}

function pickSuggestions(
  tool: PlannedTool,
  { cost, large, consumers, isProduced }: SuggestionContext,
): readonly Suggestion[] {
  const fields = pickable(tool.definition.outputSchema);
  if (!large || (cost?.outputTokens ?? 0) < MIN_TOKENS || fields.length < MIN_FIELDS) return [];
  const needed = new Set(consumedFields(tool, fields, consumers));
  const isKept = (name: string): boolean =>
    needed.has(name) || isProduced(name) || isEssentialField(name);
  const sorted = [...fields.filter(isKept), ...fields.filter((name) => !isKept(name))];
  const picked = sorted.slice(0, Math.max(MAX_PICKED, fields.filter(isKept).length));
  const share = 1 - picked.length / fields.length;
  if (share <= 0) return [];
  const saved = Math.round(share * (cost?.outputTokens ?? 0));
  const effect = `returns ${picked.length} of ${fields.length} fields`;
  return [{ key: "output", line: `output: {pick: ${flowList(picked)}}`, saved, effect }];
}

function pageSuggestions({ definition }: PlannedTool): readonly Suggestion[] {
  const isPaged = definition.operations.some(
    ({ response, pagination }) =>
      pagination?.maxItems === undefined &&
      ((response.next && Object.keys(response.next).length > 0) ||
        pagination?.linkHeader ||
        pagination?.link !== undefined ||
        pagination?.list !== undefined),
  );
  const saved = CALL / 5; // pages are followed anyway while the result is small
  const effect = "spares calls for further pages";
  return isPaged ? [{ key: "pagination", line: "pagination: {maxItems: 100}", saved, effect }] : [];
}

/** Fields for `pick`, of the items or of the result itself, identifying and cheap ones first. */
function pickable(schema: unknown): readonly string[] {
  const own = itemFields(schema);
  return own.length > 0 ? own : fieldsOf(schema);
}

/** Fields of the items of a result. */
export function itemFields(schema: unknown): readonly string[] {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  const items =
    isObject(properties.items) && properties.items.type === "array"
      ? properties.items.items
      : undefined;
  return fieldsOf(items);
}

function fieldsOf(schema: unknown): readonly string[] {
  const fields =
    isObject(schema) && isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const size = ([, field]: [string, unknown]): number =>
    isObject(field) && (field.type === "object" || field.type === "array") ? 1 : 0;
  return pickOrder(fields.sort((a, b) => size(a) - size(b)).map(([name]) => name));
}
