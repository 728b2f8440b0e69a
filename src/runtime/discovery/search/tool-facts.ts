import { propertiesOf, propertySchema, targetOf } from "../../schema/subschemas.js";
import type { AnyTool } from "../../tools/definitions.js";
import type { JsonSchema, ToolEffect } from "../../types.js";

/** Fields of the index. */
export const searchFields = [
  "name",
  "title",
  "summary",
  "description",
  "inputs",
  "inputTexts",
  "values",
  "outputs",
  "path",
  "toolset",
  "api",
  "keywords",
] as const;

export type SearchField = (typeof searchFields)[number];

/** Facts of a tool that the search stores, in addition to the terms of the index. */
export interface ToolFacts {
  readonly name: string;
  readonly toolset?: string;
  readonly api?: string;
  readonly effect: ToolEffect;
  /** True if it is about resources of the user whose credentials are sent. */
  readonly isOwn: boolean;
  /** Tools that provide the required inputs that need another tool. */
  readonly producers: readonly (readonly string[])[];
  /** Those of the optional inputs. */
  readonly optionalProducers: readonly (readonly string[])[];
  /** Names of things whose ID no tool is known to provide. */
  readonly unprovided: readonly string[];
  readonly required: readonly string[];
  /** True if it requires free text and has no input that another tool provides. */
  readonly isTextSearch: boolean;
}

/** Words of a tool that the ranking compares with a request. */
export interface ToolWords {
  readonly name: string;
  /** Paths of its operations; its name and title if it has none. */
  readonly path: string;
  /** First sentence of the description. */
  readonly summary: string;
  /** Words for the action of the tool: the first of its name and title, the last of its paths. */
  readonly acts: readonly string[];
  /** Values of enums that choose an action: `{"type": "reboot"}`. */
  readonly choices: readonly string[];
}

/** Searched texts of a tool by field. */
export type FieldTexts = Readonly<Record<SearchField, readonly string[]>>;

interface ReadTool {
  readonly facts: ToolFacts;
  readonly words: ToolWords;
  readonly texts: FieldTexts;
}

const maxDescription = 500;

/** Reads the facts that the search needs of a tool. The tool itself is not referenced. */
export function readTool(tool: AnyTool): ReadTool {
  const { name, title, description, toolset, api, annotations, inputSchema, producers = {} } = tool;
  const inputs = readInputs(inputSchema);
  const paths = pathsOf(tool);
  const isReading = annotations.readOnlyHint;
  const effect = "effect" in tool ? tool.effect : undefined;
  const required = (inputSchema["required"] ?? []) as readonly string[];
  const producersOf = (isIncluded: (input: string) => boolean): (readonly string[])[] =>
    Object.entries(producers).flatMap(([input, names]) => (isIncluded(input) ? [names] : []));
  const ownName = withoutApi(name, api);
  const verbs = [ownName.split("_", 1)[0]!, title.split(" ", 1)[0]!];
  const summary = /^.*?[.!?\u3002](?=\s|$)/s.exec(description.slice(0, 500))?.[0] ?? description;
  return {
    facts: {
      name,
      ...(toolset !== undefined && { toolset }),
      ...(api !== undefined && { api }),
      effect: effect ?? (isReading ? "reads" : "changes"),
      isOwn: ownPath.test(paths) || ownText.test(description),
      producers: producersOf((input) => required.includes(input)),
      optionalProducers: producersOf((input) => !required.includes(input)),
      unprovided: Object.entries(propertiesOf(inputSchema))
        .filter(([input]) => producers[input] === undefined)
        .flatMap(([input, schema]) => neededThings(input, schema, required.includes(input))),
      required,
      isTextSearch: tool.producers === undefined && requiresText(inputSchema, required),
    },
    words: {
      name: ownName,
      // Custom tools have none: their names and titles say what paths of others say.
      path: paths === "" ? `${ownName} ${title}` : paths,
      summary,
      acts: isReading ? verbs : [...verbs, /(?<![^/.\s])[^/.\s]+\s*$/.exec(paths)?.[0] ?? ""],
      choices: isReading ? [] : inputs.choices,
    },
    texts: {
      name: [ownName],
      title: [title],
      summary: [summary],
      description: [description.slice(summary.length, maxDescription)],
      inputs: inputs.names,
      inputTexts: inputs.texts,
      values: inputs.values,
      outputs: fieldNames(tool.outputSchema),
      path: [paths],
      toolset: toolset === undefined ? [] : [withoutApi(toolset, api)],
      api: api === undefined ? [] : [api],
      keywords: ("keywords" in tool ? tool.keywords : undefined) ?? [],
    },
  };
}

/** A name of a tool or a toolset without that of its API, which all others of the API may have, too. */
export const withoutApi = (name: string, api: string | undefined): string =>
  api !== undefined && name.startsWith(`${api}_`) ? name.slice(api.length + 1) : name;

const ownPath = /(?:^|[/.])@?(?:me|my|self|viewer|whoami)(?:[/.]|$)/;
const ownText =
  /\b(?:current|authenticated|calling|logged-in|signed-in) user|\byour (?:own )?(?!app|server)/i;

/** Paths of a tool's operations, without parameters. */
function pathsOf(tool: AnyTool): string {
  if (!("operations" in tool)) return "";
  const paths = tool.operations.map(({ request }) => request.path.replace(/\{[^{}]*\}/g, " "));
  return paths.length === 1 ? paths[0]! : [...new Set(paths)].join(" ");
}

/** An ID in the words of a description: `ID of the user`, `User ID`. */
const idOf =
  /^(?:[\w-]+ ){0,7}?(?:(?:IDs?|identifiers?) (?:of|for) (?:the |an? )?([\w-]+)|([\w-]+) (?:IDs?|identifiers?)\b)/;

/** Names of the thing that an input identifies: its own, and the noun of its description. */
function neededThings(input: string, { description }: JsonSchema, isRequired: boolean): string[] {
  const [, after, before] = (typeof description === "string" && idOf.exec(description)) || [];
  const noun = after ?? before;
  if (noun !== undefined) return [input, noun];
  return isRequired || /(?:[_-]ids?|[a-z]I[dD]s?)$/.test(input) ? [input] : [];
}

function requiresText(inputs: JsonSchema, required: readonly string[]): boolean {
  return required.some((input) => {
    const { type, enum: values } = propertySchema(inputs, input);
    const isFreeText = type === "string" && values === undefined;
    return isFreeText && !/(^|[_-])(id|ids|key|code)$|I[dD]s?$/.test(input);
  });
}

const inputLimits = { depth: 2, count: 40 };
const outputLimits = { depth: 3, count: 30 };
const maxInputText = 100;

const choiceNames =
  /^(?:type|action|status|state|event|operation|command|mode|kind|availability)$|_(?:type|action|status|state|event)$/;

/** Names, descriptions and values of enums of the inputs. */
function readInputs(
  schema: JsonSchema,
): Readonly<Record<"names" | "texts" | "values" | "choices", readonly string[]>> {
  const names: string[] = [];
  const texts: string[] = [];
  const values: string[] = [];
  const choices: string[] = [];
  visitSchema(schema, inputLimits, (name, { description, enum: options }) => {
    names.push(name);
    if (typeof description === "string") texts.push(opening(description));
    if (!Array.isArray(options)) return;
    for (const option of options) {
      if (typeof option !== "string") continue;
      values.push(option);
      if (choiceNames.test(name)) choices.push(option);
    }
  });
  return { names, texts, values, choices };
}

/** The start of a description, without the advice about sources of values. */
function opening(description: string): string {
  const advice = description.indexOf("Get it from ");
  return description.slice(0, advice < 0 ? maxInputText : Math.min(advice, maxInputText));
}

function fieldNames(schema: unknown): readonly string[] {
  const names: string[] = [];
  visitSchema(schema, outputLimits, (name) => names.push(name));
  return names;
}

interface Limits {
  /** Levels of properties. */
  readonly depth: number;
  /** Properties. */
  readonly count: number;
}

/**
 * Visits the first properties of a schema, those of items and of alternatives included, each schema
 * once.
 */
function visitSchema(
  root: unknown,
  limits: Limits,
  visit: (name: string, property: JsonSchema) => void,
): void {
  const seen = new Set<unknown>();
  let remaining = limits.count;
  const walk = (node: unknown, depth: number): void => {
    if (typeof node !== "object" || node === null || remaining <= 0 || seen.has(node)) return;
    seen.add(node);
    if (Array.isArray(node)) {
      for (const one of node) walk(one, depth);
      return;
    }
    const { properties, items, anyOf, oneOf, allOf, $ref } = node as JsonSchema;
    if (typeof properties === "object" && properties !== null && depth < limits.depth)
      for (const name in properties) {
        if (remaining-- <= 0) return;
        const property = (properties as Readonly<Record<string, unknown>>)[name];
        visit(name, (property ?? {}) as JsonSchema);
        walk(property, depth + 1);
      }
    if (items !== undefined) walk(items, depth);
    if (anyOf !== undefined) walk(anyOf, depth);
    if (oneOf !== undefined) walk(oneOf, depth);
    if (allOf !== undefined) walk(allOf, depth);
    if (typeof $ref === "string") walk(targetOf($ref, root as JsonSchema), depth);
  };
  walk(root, 0);
}
