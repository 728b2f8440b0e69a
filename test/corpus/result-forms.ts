/**
 * Results of the tools of published documents, in the forms in which hosts show them. The API
 * answers with what the output schema declares, and with what it does not.
 */
import { Validator } from "@cfworker/json-schema";
import type { PlannedTool } from "../../src/index.js";
import { sample } from "../../src/mock/sample.js";
import { SchemaSet } from "../../src/mock/schema-set.js";
import { createToolResult } from "../../src/runtime/response/tool-result.js";
import type { DecodedContent } from "../../src/runtime/response/decode.js";
import type { ToolDefinition } from "../../src/runtime/types.js";
import { contentForm, leavesOf, lostFacts, structureForm } from "../runtime/support/host-forms.js";

/** Tools and results that were compared. */
export const hostFormCounts = { tools: 0, results: 0 };

/** Replaces scalars by values that occur only once, of their type or of another one. */
function marked(value: unknown, changesTypes: boolean): unknown {
  let count = 10_000;
  const mark = (part: unknown, inList: boolean): unknown => {
    if (Array.isArray(part)) {
      const items = part.map((item) => mark(item, true));
      return changesTypes && !inList && ++count % 3 === 0 ? { list: items } : items;
    }
    if (typeof part === "object" && part !== null) {
      const copy = Object.fromEntries(
        Object.entries(part).map(([key, member]) => [key, mark(member, false)]),
      );
      return changesTypes && ++count % 5 === 0 ? [copy, copy] : copy;
    }
    count++;
    if (typeof part === "string") return changesTypes && count % 2 === 0 ? count : `m${count}`;
    if (typeof part === "number") return changesTypes && count % 2 === 0 ? `m${count}` : count;
    return changesTypes ? `m${count}` : part;
  };
  return mark(value, false);
}

/** A body that the response mapping of a tool turns into a value of its output schema. */
function bodyOf({ outputSchema = {}, operations }: ToolDefinition): unknown {
  const output = sample(outputSchema, new SchemaSet({}, "response")) as Record<string, unknown>;
  const { wrap, items, item } = operations[0]?.response ?? {};
  if (wrap !== undefined) return output[wrap];
  const pointer = items ?? item;
  if (pointer === undefined) return output;
  const inner = items === undefined ? ([output["items"]].flat()[0] ?? {}) : output["items"];
  const keys = pointer.split("/").slice(1).toReversed();
  return keys.reduce<unknown>((body, key) => ({ [key.replaceAll("~1", "/")]: body }), inner);
}

interface Answer {
  readonly name: string;
  readonly content: Exclude<DecodedContent, { kind: "malformed" }>;
  readonly status?: number;
  readonly maxCharacters?: number;
  /** Texts that both forms contain. */
  readonly facts: readonly string[];
}

const json = (name: string, value: unknown): Answer => ({
  name,
  content: { kind: "json", value: structuredClone(value), isPlainAscii: false },
  facts: leavesOf(value),
});

/** Answers of an API to a tool: as declared, of other types, and of another form. */
function answersTo(tool: ToolDefinition): readonly Answer[] {
  const body = bodyOf(tool);
  const list = tool.operations[0]?.response.wrap === "items" && Array.isArray(body);
  const long = Array.from({ length: 500 }, (_, i) => (list ? (body[0] ?? i) : `m${i}`));
  return [
    json("as declared", marked(body, false)),
    json("values of other types", marked(body, true)),
    json("a list of anything", [{ m: "m1" }, "m2", 3, null]),
    json("an object of anything", { m1: { m2: ["m3", 4, true] }, notes: "m5", next: "m6" }),
    json("a text", "m1"),
    json("a number", 17),
    {
      ...json("more than a result shows", list ? long : { long }),
      maxCharacters: 1000,
      facts: ["The result was too large", "of 500 items"],
    },
    {
      name: "nothing, after a creation",
      content: { kind: "empty" },
      status: 201,
      facts: ["201", "/created/7"],
    },
    { name: "nothing", content: { kind: "empty" }, status: 204, facts: ["204"] },
    { name: "text", content: { kind: "text", text: "m1 m2", note: "m3" }, facts: ["m1 m2", "m3"] },
    {
      name: "a file",
      content: { kind: "binary", mimeType: "image/png", bytes: Uint8Array.of(1, 2) },
      facts: ["image/png"],
    },
  ];
}

/** Facts that a result lost, and violations of its output schema. */
function faultsOf(
  tool: ToolDefinition,
  answer: Answer,
  validator: Validator,
  createResult: typeof createToolResult,
): readonly string[] {
  const { content, status = 200, maxCharacters = 1_000_000 } = answer;
  const mapping = tool.operations[0]?.response ?? {};
  const headers = new Headers(status === 201 ? { location: "/created/7" } : {});
  const options = { tool, mapping, maxCharacters, url: "", status, headers };
  const built = createResult(content, options);
  const label = `${tool.name}, ${answer.name}`;
  if (!built.ok) return [`${label}: became an error, because ${built.reason}`];
  const { result } = built;
  hostFormCounts.results++;
  const missing = (form: string): readonly string[] => {
    const shown = form.replaceAll("\\", "");
    return answer.facts.filter((fact) => !shown.includes(fact));
  };
  const facts = {
    "lost without the text": missing(structureForm(result)),
    "lost without the structure": missing(contentForm(result)),
    "only in one form": lostFacts(result, tool.outputSchema),
    invalid: tool.outputSchema
      ? validator.validate(result.structuredContent).errors.map(({ error }) => error)
      : [],
  };
  return Object.entries(facts).flatMap(([kind, all]) =>
    all.length > 0 ? [`${label}: ${kind}: ${all.slice(0, 3).join(", ")}`] : [],
  );
}

/** Selects what a projection or a mapping keeps: the other fields of a body are left out on purpose. */
const isWholeBody = ({ operations }: ToolDefinition): boolean =>
  operations.every(
    ({ response: { items, item, projection } }) =>
      items === undefined && item === undefined && !projection,
  );

/**
 * Lists what the results of a tool lose in a form that hosts show.
 * @param createResult another function than the one under test, which loses something on purpose
 */
export function hostFormFaults(
  { definition }: Pick<PlannedTool, "definition">,
  createResult = createToolResult,
): string[] {
  if (definition.operations.length === 0) return [];
  hostFormCounts.tools++;
  const validator = new Validator((definition.outputSchema ?? {}) as object, "2020-12");
  return answersTo(definition)
    .filter(({ content: { kind } }) => kind !== "json" || isWholeBody(definition))
    .flatMap((answer) => faultsOf(definition, answer, validator, createResult));
}
