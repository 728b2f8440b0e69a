/** Suggested entries of mcp-gen.yaml, and the YAML that they are written in. */
import { escapeInvisible, toSingleLine } from "../../diagnostics/text.js";
import { isObject, type JsonSchema } from "../../json.js";
import { isEssentialField, pickOrder } from "../../key-fields.js";
import type { ToolConfig } from "../../configuration/types.js";
import type { PlannedInput, PlannedTool, ToolCost } from "../../plan/types.js";
import { estimateTokens } from "../../runtime/data/tokens.js";
import type { ParameterSource } from "../../runtime/types.js";

/** Words that YAML 1.1 or 1.2 does not parse as strings. */
const NOT_STRINGS = /^(true|false|null|yes|no|on|off|y|n|~)$/i;

/**
 * A string as YAML in flow style: bare where every parser reads that string, else in double quotes
 * as in JSON, with invisible characters escaped. Document text cannot end the value or start another line.
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
  /** Name of a tool in rules. */
  readonly ruleName: (tool: string) => string;
}

const MAX_HIDDEN = 5;
const MAX_PICKED = 6;
/** Minimum fields and tokens of a result for a rule. */
const MIN_FIELDS = 7;
const MIN_TOKENS = 150;

const PRESENTATION_NAMES = [
  String.raw`fields?|expand|embed|include(_\w+)?|with_\w+|pretty(_print)?|format|locale`,
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
export function suggestionLines(suggestions: readonly Suggestion[]): readonly string[] {
  const inputs = suggestions.filter(({ key }) => key === "inputs");
  const others = suggestions.filter(({ key }) => key !== "inputs");
  return [
    ...(inputs.length > 0 ? ["inputs:", ...inputs.map(({ line }) => `  ${line}`)] : []),
    ...others.map(({ line }) => line),
  ];
}

function inputSuggestions(tool: PlannedTool, advice: SuggestionContext): readonly Suggestion[] {
  const properties = tool.definition.inputSchema["properties"] as Readonly<
    Record<string, JsonSchema>
  >;
  const hidden = inputsToHide(tool, advice.large).map((name) => ({
    key: "inputs" as const,
    line: `${scalar(name)}: {hide: true}`,
    saved: estimateTokens(JSON.stringify({ [name]: properties[name] ?? {} })),
  }));
  const named = tool.inputs.flatMap((input) => {
    const via = lookUpTool(tool, input, advice.tools);
    return via === undefined
      ? []
      : [
          {
            key: "inputs" as const,
            line: `${scalar(input.name)}: {resolve: {via: ${advice.ruleName(via)}, match: name}}`,
            saved: CALL,
          },
        ];
  });
  return [...hidden, ...named];
}

/**
 * Optional inputs to hide: deprecated ones, those about presentation, and the largest ones of large
 * tools.
 */
function inputsToHide({ inputs, definition }: PlannedTool, large: boolean): readonly string[] {
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
  const properties = definition.inputSchema["properties"] as Readonly<Record<string, JsonSchema>>;
  const size = ({ name }: PlannedInput): number => JSON.stringify(properties[name] ?? {}).length;
  const costly = large
    ? open
        .filter((input) => !unhelpful.includes(input) && size(input) > 400)
        .sort((a, b) => size(b) - size(a))
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
    const via = tools.get(producer)?.definition;
    const fields = itemFields(via?.outputSchema);
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
  { definition }: PlannedTool,
  { cost, large }: SuggestionContext,
): readonly Suggestion[] {
  const fields = pickable(definition.outputSchema);
  if (!large || (cost?.outputTokens ?? 0) < MIN_TOKENS || fields.length < MIN_FIELDS) return [];
  const many = Math.max(MAX_PICKED, fields.filter(isEssentialField).length);
  const share = 1 - many / fields.length;
  const saved = Math.round(Math.max(0, share) * (cost?.outputTokens ?? 0));
  return [{ key: "output", line: `output: {pick: ${flowList(fields.slice(0, many))}}`, saved }];
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
  const saved = CALL / 2; // pages are followed anyway while the result is small
  return isPaged ? [{ key: "pagination", line: "pagination: {maxItems: 100}", saved }] : [];
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
