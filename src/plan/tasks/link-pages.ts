import type { JsonSchema } from "../../json.js";
import type { PageBinding } from "../../runtime/types.js";
import { ended } from "../describe/sentences.js";
import type { Subject } from "../kind.js";
import { wordsOf } from "../name/words.js";
import type { PlannedRequest } from "../tool.js";
import type { PlannedInput, PlannedTool } from "../types.js";

/** Inputs that say which page, not how large it is. */
const WHICH_PAGE = /^(page|p|page (number|no|num|index|token|cursor)|current page|(next |start |end )?cursor|(next|continuation) (token|key|page token)|(starting |start |end )?(after|before)|offset|skip|start( index)?|marker|since|last id|after id)$/;

/** Query parameters that lead to another page, with the inputs that fill them. */
export function pageInputs({ inputs }: PlannedRequest): readonly PlannedInput[] {
  const names = new Set(inputs.wires.flatMap(([{ place, wireName }, wire]) => (place === "query" && WHICH_PAGE.test(wordsOf(wireName).join(" ")) ? (typeof wire === "string" ? [wire] : "from" in wire ? [wire.from] : []) : [])));
  return names.size === 0 ? [] : inputs.inputs.filter(({ name }) => names.has(name));
}

/** The document declares that successful answers have a `Link` header. RFC 8288. */
export function hasLinkHeader({ success }: Subject): boolean {
  return success.some(({ headers }) => headers.some(({ name }) => name.toLowerCase() === "link"));
}

/** The sentence that an input gets whose next value a result holds. */
export const passOn = (name: string): string => `For the next page: next.${name} of the previous result.`;

/**
 * A list whose next page stands in the `Link` header: its result says under `next` which inputs lead there. Without an input that could,
 * the tool stays as it is.
 */
export function withLinkPages(tool: PlannedTool, request: PlannedRequest): PlannedTool {
  const { definition, output } = tool;
  const [only, ...others] = definition.requests;
  if (!only || others.length > 0 || only.read.wrap !== "items" || !output || !definition.outputSchema || !hasLinkHeader(request.subject)) return tool;
  const inputs = pageInputs(request);
  if (inputs.length === 0) return tool;
  const pages: PageBinding = { header: true };
  const told = inputs.reduce(withSentence, tool);
  return {
    ...told,
    output: withNext(output, inputs.map(({ name, type }) => [name, type])),
    definition: { ...told.definition, outputSchema: withNext(definition.outputSchema as JsonSchema, inputs.map(({ name, type }) => [name, { type: plainType(type) }])), requests: [{ ...only, pages }] },
  };
}

/** A number may be any number: clients are to believe the API, not the document. */
function plainType({ type }: JsonSchema): string {
  return type === "integer" || type === "number" ? "number" : "string";
}

function withNext(schema: JsonSchema, fields: readonly (readonly [string, JsonSchema])[]): JsonSchema {
  return { ...schema, properties: { ...schema.properties, next: { type: "object", properties: Object.fromEntries(fields) } } };
}

function withSentence(tool: PlannedTool, { name }: PlannedInput): PlannedTool {
  const { inputSchema } = tool.definition;
  const properties = inputSchema["properties"] as Readonly<Record<string, JsonSchema>>;
  const description = `${ended(String(properties[name]?.description ?? ""))} ${passOn(name)}`;
  return {
    ...tool,
    inputs: tool.inputs.map((input) => (input.name === name ? { ...input, description } : input)),
    definition: { ...tool.definition, inputSchema: { ...inputSchema, properties: { ...properties, [name]: { ...properties[name], description } } } },
  };
}
