import type { InputRule } from "../../curation/types.js";
import { quoteText } from "../../diagnostics/clean.js";
import { didYouMean } from "../../diagnostics/index.js";
import type { JsonSchema } from "../../json.js";
import type { ReadBinding, RequestBinding, ResolveBinding } from "../../runtime/types.js";
import { ended } from "../describe/sentences.js";
import { wordsOf } from "../name/words.js";
import { identityOf } from "../producers/entity.js";
import { listInside } from "../pages.js";
import { type Schemas, typesOf } from "../schema/refs.js";
import { propertiesOf } from "../tool-inputs.js";
import type { PlannedInput, PlannedTool } from "../types.js";
import { fieldsOf, itemsOf } from "./fields.js";
import { findInput } from "./find-input.js";
import { leadsOn, pagesOf } from "./pagination.js";
import type { References } from "./references.js";
import type { Rule } from "./rules.js";
import type { Findings } from "../findings.js";
import { inputOf, sitesOf } from "./wires.js";

export interface ResolveContext {
  readonly schemas: Schemas;
  readonly references: References;
  readonly findings: Findings;
}

/** Items that are looked through for a name where the list cannot be searched. */
const MOST_ITEMS = 1000;

/** Lets inputs that take an ID take a name too, as a rule says (`resolve`), when the tool that it names can look it up. */
export function withResolve(tool: PlannedTool, { rule, placeOf }: Rule, tools: ReadonlyMap<string, PlannedTool>, context: ResolveContext): PlannedTool {
  return Object.entries(rule.inputs ?? {}).reduce((now, [key, input]) => {
    if (!input.resolve || input.fixed !== undefined || input.env !== undefined || input.hide) return now;
    const name = input.name ?? findInput(now, key, placeOf("inputs", key), context.findings)?.input;
    const planned = now.inputs.find((one) => one.name === name);
    return planned ? resolved(now, planned, input.resolve, (...path) => placeOf("inputs", key, "resolve", ...path), tools, context) : now;
  }, tool);
}

function resolved(tool: PlannedTool, input: PlannedInput, rule: NonNullable<InputRule["resolve"]>, placeOf: Rule["placeOf"], tools: ReadonlyMap<string, PlannedTool>, context: ResolveContext): PlannedTool {
  const { findings, references } = context;
  const written = tools.get(references.find(rule.via) ?? "");
  const inside = written && listInside(written, context.schemas);
  const via = written && inside ? { ...inside.tool, definition: { ...written.definition, requests: [inside.request] } } : written;
  if (!via) {
    findings.add("curation-resolve", `There is no tool ${quoteText(rule.via)} to look names up with${didYouMean(rule.via, references.known) || "."}`, placeOf("via"), "Name a tool that returns a list.");
    return tool;
  }
  const refuse = (why: string, key: "via" | "match" = "via", hint?: string): PlannedTool => (findings.add("curation-resolve", `${quoteText(input.name)} cannot be looked up with ${via.definition.name}: ${why}`, placeOf(key), hint), tool);
  const schema = propertyOf(tool, input.name);
  if (!typesOf(schema).every((type) => type === "string" || type === "integer" || type === "number")) return refuse("it takes more than a single value.", "via", "Only an input that takes one ID can take a name instead.");
  const fields = fieldsIn(via, context.schemas);
  const list = via.definition.requests.filter(({ read }) => isList(read));
  if (!via.definition.annotations.readOnlyHint) return refuse("it may change something.", "via", "Name a tool that only reads.");
  if (list.length === 0 || fields.size === 0) return refuse("it returns no list.", "via", "Name a tool that returns a list of things.");
  if (!fields.has(rule.match)) return refuse(`the items that it returns have no ${quoteText(rule.match)}${didYouMean(rule.match, fields.keys()) || "."}`, "match", `Their fields: ${[...fields.keys()].slice(0, 20).join(", ")}.`);
  const id = idField(tool, input.name, [...fields.keys()]);
  if (id === undefined) return refuse("the items that it returns have no ID.", "via", `Their fields: ${[...fields.keys()].slice(0, 20).join(", ")}. If \`output\` takes the ID away, keep it.`);
  const text = textInput(via, list, rule.match);
  const needs = (via.definition.inputSchema["required"] as readonly string[] | undefined) ?? [];
  const missing = needs.filter((name) => name !== text && !tool.inputs.some((one) => one.name === name));
  if (missing.length > 0) return refuse(`it needs ${missing.join(", ")}, which ${tool.definition.name} does not have.`);
  if (!list.some(({ given }) => given.every((name) => name === text || needs.includes(name)))) return refuse(`its list needs ${list.map(({ given }) => given.join(" and ")).join(" or ")}.`);
  const binding = bindingOf({ tool, input, via, match: rule.match, id, text, pass: needs.filter((name) => name !== text), schema, schemas: context.schemas, items: inside?.pointer });
  return withBinding(tool, input, binding, schema);
}

function propertyOf({ definition }: PlannedTool, name: string): JsonSchema {
  return propertiesOf(definition)[name] ?? {};
}

function isList({ items, wrap }: ReadBinding): boolean {
  return items !== undefined || wrap === "items";
}

function fieldsIn({ output }: PlannedTool, schemas: Schemas): ReadonlyMap<string, unknown> {
  const items = output && itemsOf(fieldsOf(output, schemas).get("items"), schemas);
  return items === undefined ? new Map() : fieldsOf(items, schemas);
}

/** `product_id` and `productId` are what `id` of a product is; a field of the input's own name goes first. */
function idField(tool: PlannedTool, input: string, fields: readonly string[]): string | undefined {
  const wires = tool.definition.requests.flatMap(({ send }) => sitesOf(send)).filter(({ wire }) => inputOf(wire) === input).flatMap(({ wireName }) => wireName ?? []);
  const same = (name: string): string | undefined => fields.find((field) => wordsOf(field).join(" ") === wordsOf(name).join(" "));
  const { idWord } = identityOf(input);
  return [input, ...wires, ...(idWord === "" ? [] : [idWord]), "id", "uuid", "key", "slug", "code", "sid"].map(same).find((field) => field !== undefined);
}

const TEXT = /^(q|query|text|search|search (text|term|query|string)|terms?|keywords?|phrase|name)$/;

/** The input of a list that takes the name, or words of it. */
function textInput({ definition }: PlannedTool, list: readonly RequestBinding[], match: string): string | undefined {
  const properties = propertiesOf(definition);
  const sites = list.flatMap(({ send }) => sitesOf(send)).flatMap(({ place, wireName = "", wire }) => {
    const input = inputOf(wire);
    return input === undefined || place === "path" || !typesOf(properties[input] ?? {}).includes("string") || properties[input]?.enum ? [] : [{ input, words: [input, wireName].map((name) => wordsOf(name).join(" ")) }];
  });
  const own = wordsOf(match).join(" ");
  return (sites.find(({ words }) => words.includes(own)) ?? sites.find(({ words }) => words.some((word) => TEXT.test(word))))?.input;
}

interface Parts {
  readonly tool: PlannedTool;
  readonly input: PlannedInput;
  readonly via: PlannedTool;
  readonly match: string;
  readonly id: string;
  readonly text: string | undefined;
  readonly pass: readonly string[];
  readonly schema: JsonSchema;
  readonly schemas: Schemas;
  /** Where the list stands in the answer, when the result is not `{items}`. */
  readonly items: string | undefined;
}

function bindingOf({ via, match, id, text, pass, schema, schemas, items }: Parts): ResolveBinding {
  const { requests } = via.definition;
  const get = requests.find(({ read, given }) => read.item !== undefined && given.length === 1)?.given[0];
  const ids = tellingSchema(schema);
  const list = requests.find(({ read, given }) => isList(read) && given.every((name) => pass.includes(name)));
  const pages = text === undefined && list && pagesOf(list, via, MOST_ITEMS, schemas);
  return {
    via: via.definition.name, match, id,
    ...(text !== undefined && { text }), ...(get !== undefined && { get }), ...(pass.length > 0 && { pass }), ...(ids && { ids }), ...(items !== undefined && { items }), ...(pages && leadsOn(pages) && { pages }),
  };
}

/** Names as people give them: a pattern that allows one of them does not tell an ID. */
const NAMES = ["Red shoes", "rex", "Alice", "ACME", "main-warehouse", "Müller & Sons"];
const TELLING_FORMATS = new Set(["uuid", "date", "date-time", "uri", "email", "ipv4", "ipv6"]);

/** The part of an ID's schema that no name satisfies. */
function tellingSchema({ type, format, pattern, enum: values }: JsonSchema): JsonSchema | undefined {
  if (type === "integer" || type === "number") return { type };
  if (Array.isArray(values)) return { type: "string", enum: values };
  if (format !== undefined && TELLING_FORMATS.has(format)) return { type: "string", format };
  if (pattern === undefined) return undefined;
  const test = new RegExp(pattern, "u");
  return NAMES.some((name) => test.test(name)) ? undefined : { type: "string", pattern };
}

/** The input takes any text; what numbers stay as they are. */
function withBinding(tool: PlannedTool, input: PlannedInput, binding: ResolveBinding, schema: JsonSchema): PlannedTool {
  const { definition } = tool;
  const { pattern: _p, format: _f, minLength: _n, maxLength: _x, enum: _e, examples, description: _d, type, ...rest } = schema;
  const isNumber = type === "integer" || type === "number";
  const description = `${ended(input.description)} Or its exact ${binding.match}, which ${binding.via} looks up.`;
  const own: JsonSchema = { ...(isNumber ? { anyOf: [schemaOfNumber(schema), { type: "string" }] } : { ...rest, type: "string" }), ...(examples && { examples }), description };
  const properties = { ...propertiesOf(definition), [input.name]: own };
  const requests = definition.requests.map((request) => (sitesOf(request.send).some(({ wire }) => inputOf(wire) === input.name) ? { ...request, resolve: { ...request.resolve, [input.name]: binding } } : request));
  return {
    ...tool,
    inputs: tool.inputs.map((one) => (one.name === input.name ? { ...one, description, type: isNumber ? { anyOf: [input.type, { type: "string" }] } : { type: "string" } } : one)),
    definition: { ...definition, inputSchema: { ...definition.inputSchema, properties }, requests },
    reasons: [...tool.reasons, `${quoteText(input.name, 60)} also takes a name, looked up with ${binding.via}, as the curation says.`],
  };
}

function schemaOfNumber({ description: _d, examples: _e, default: _f, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
