import { quoteText } from "../../../diagnostics/clean.js";
import { didYouMean } from "../../../diagnostics/index.js";
import type { ReadBinding, RequestBinding } from "../../../runtime/types.js";
import { wordsOf } from "../../name/words.js";
import { identityOf } from "../../producers/entity.js";
import { type Schemas, typesOf } from "../../schema/refs.js";
import { propertiesOf } from "../../tool-inputs.js";
import type { PlannedTool } from "../../types.js";
import { fieldsOf, itemsOf } from "../fields.js";
import { inputOf, sitesOf } from "../wires.js";

/** How a name is looked up. */
export interface LookUp {
  /** The tool that lists. */
  readonly via: PlannedTool;
  /** The field of its items that is the name, and the one that is the ID. */
  readonly match: string;
  readonly id: string;
  /** Its input that takes the name, or words of it. */
  readonly text: string | undefined;
  /** Inputs that it needs besides, which the tool has under the same names. */
  readonly pass: readonly string[];
}

/** Why a name cannot be looked up. */
export interface Obstacle {
  /** What goes on behind "… cannot be looked up with …: ". */
  readonly why: string;
  /** The part of the rule that is at fault. */
  readonly at: "via" | "match";
  readonly hint?: string;
}

/** How the names for an input are looked up, or why they cannot be. */
export function lookUp(
  tool: PlannedTool,
  input: string,
  via: PlannedTool,
  match: string,
  schemas: Schemas,
): LookUp | Obstacle {
  const isSingle = typesOf(propertiesOf(tool.definition)[input] ?? {}).every(
    (type) => type === "string" || type === "integer" || type === "number",
  );
  if (!isSingle)
    return {
      why: "it takes more than a single value.",
      at: "via",
      hint: "Only an input that takes one ID can take a name instead.",
    };
  if (!via.definition.annotations.readOnlyHint)
    return { why: "it may change something.", at: "via", hint: "Name a tool that only reads." };
  const fields = [...fieldsIn(via, schemas)];
  const lists = via.definition.requests.filter(({ read }) => isList(read));
  if (lists.length === 0 || fields.length === 0)
    return {
      why: "it returns no list.",
      at: "via",
      hint: "Name a tool that returns a list of things.",
    };
  const known = `Their fields: ${fields.slice(0, 20).join(", ")}.`;
  if (!fields.includes(match))
    return {
      why: `the items that it returns have no ${quoteText(match)}${didYouMean(match, fields) || "."}`,
      at: "match",
      hint: known,
    };
  const id = idField(tool, input, fields);
  if (id === undefined)
    return {
      why: "the items that it returns have no ID.",
      at: "via",
      hint: `${known} If \`output\` takes the ID away, keep it.`,
    };
  const text = textInput(via, lists, match);
  const needs = (via.definition.inputSchema["required"] as readonly string[] | undefined) ?? [];
  const pass = needs.filter((name) => name !== text);
  return (
    lacking(tool, lists, [...needs, ...(text === undefined ? [] : [text])], pass) ?? {
      via,
      match,
      id,
      text,
      pass,
    }
  );
}

/**
 * What the call of the list would lack. @param given inputs that are there when a name is looked up
 */
function lacking(
  { definition, inputs }: PlannedTool,
  lists: readonly RequestBinding[],
  given: readonly string[],
  pass: readonly string[],
): Obstacle | undefined {
  const missing = pass.filter((name) => !inputs.some((one) => one.name === name));
  if (missing.length > 0)
    return {
      why: `it needs ${missing.join(", ")}, which ${definition.name} does not have.`,
      at: "via",
    };
  if (lists.some((list) => list.given.every((name) => given.includes(name)))) return undefined;
  return {
    why: `its list needs ${lists.map((list) => list.given.join(" and ")).join(" or ")}.`,
    at: "via",
  };
}

/** A request whose answer becomes the `items` of a result. */
export function isList({ items, wrap }: ReadBinding): boolean {
  return items !== undefined || wrap === "items";
}

/** Names of the fields that the items of a list have. */
function fieldsIn({ output }: PlannedTool, schemas: Schemas): Iterable<string> {
  const items = output && itemsOf(fieldsOf(output, schemas).get("items"), schemas);
  return items === undefined ? [] : fieldsOf(items, schemas).keys();
}

/**
 * `product_id` and `productId` are what `id` of a product is; a field of the input's own name goes
 * first.
 */
function idField(tool: PlannedTool, input: string, fields: readonly string[]): string | undefined {
  const wires = tool.definition.requests
    .flatMap(({ send }) => sitesOf(send))
    .filter(({ wire }) => inputOf(wire) === input)
    .flatMap(({ wireName }) => wireName ?? []);
  const same = (name: string): string | undefined =>
    fields.find((field) => wordsOf(field).join(" ") === wordsOf(name).join(" "));
  const { idWord } = identityOf(input);
  return [
    input,
    ...wires,
    ...(idWord === "" ? [] : [idWord]),
    "id",
    "uuid",
    "key",
    "slug",
    "code",
    "sid",
  ]
    .map(same)
    .find((field) => field !== undefined);
}

const TEXT = /^(q|query|text|search|search (text|term|query|string)|terms?|keywords?|phrase|name)$/;

/** The input of a list that takes the name, or words of it. */
function textInput(
  { definition }: PlannedTool,
  list: readonly RequestBinding[],
  match: string,
): string | undefined {
  const properties = propertiesOf(definition);
  const sites = list
    .flatMap(({ send }) => sitesOf(send))
    .flatMap(({ place, wireName = "", wire }) => {
      const input = inputOf(wire);
      return input === undefined ||
        place === "path" ||
        !typesOf(properties[input] ?? {}).includes("string") ||
        properties[input]?.enum
        ? []
        : [{ input, words: [input, wireName].map((name) => wordsOf(name).join(" ")) }];
    });
  const own = wordsOf(match).join(" ");
  return (
    sites.find(({ words }) => words.includes(own)) ??
    sites.find(({ words }) => words.some((word) => TEXT.test(word)))
  )?.input;
}
