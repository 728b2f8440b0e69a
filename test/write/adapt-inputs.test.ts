import { describe, expect, test } from "vitest";
import { adaptInputs } from "../../src/write/keep/adapt-inputs.js";
import { readSource } from "../../src/write/keep/statements.js";

/** A module of a tool with a type and a definition. */
const moduleOf = (members: string, definition: string): string => `interface FindInput {${members}}

/** @keep */
export const find = defineTool<FindInput, void>(${definition});
`;

const definitionOf = (properties: string, query: string, required = '["id"]'): string => `{
  title: "Mine",
  inputSchema: { type: "object", properties: ${properties}, required: ${required} },
  operations: [{ request: { method: "GET", path: "/a", query: ${query} } }],
}`;

const ID = definitionOf('{ id: { type: "string" } }', '{ id: "id" }');
const BOTH = definitionOf(
  '{ id: { type: "string" }, "max-n": { type: "integer" } }',
  '{ id: "id", n: { from: "max-n", style: "form" } }',
  '["id", "max-n"]',
);

function adapt(edited: string, generated: string) {
  const source = readSource("find.ts", edited);
  const kept = source.statements.filter(({ hasKeepMark }) => hasKeepMark);
  const adapted = adaptInputs(source, kept, readSource("find.ts", generated));
  const tools = adapted.tools.map(({ added, removed }) => ({ added, removed }));
  return { text: adapted.source.text, tools };
}

describe("a kept tool", () => {
  test.each<readonly [name: string, kept: string, generated: string, want: string]>([
    ["gets a new input", ID, BOTH, BOTH],
    ["loses a removed input", BOTH, ID, ID],
    [
      "loses a removed input in the middle of lines with a comma at the end",
      definitionOf(
        "{\n  a: {},\n  // The ID.\n  id: {},\n  c: {}, // last\n}",
        '{ a: "a", id: "id", c: "c" }',
      ),
      definitionOf("{ a: {}, c: {} }", '{ a: "a", c: "c" }', "[]"),
      definitionOf("{\n  a: {},\n  c: {}, // last\n}", '{ a: "a", c: "c" }', "[]"),
    ],
    [
      "gets an input on a line of its own",
      definitionOf("{\n  id: {},\n}", '{\n  id: "id",\n}'),
      definitionOf("{ id: {}, b: {} }", '{ id: "id", b: "b" }'),
      definitionOf("{\n  id: {},\n  b: {},\n}", '{\n  id: "id",\n  b: "b",\n}'),
    ],
    [
      "loses what it says of a removed input",
      `{ inputSchema: { properties: { id: {}, b: {} } }, operations: [{ request: {}, lookUps: { b: {} } }], producers: { id: [], b: [] } }`,
      `{ inputSchema: { properties: { id: {} } }, operations: [] }`,
      `{ inputSchema: { properties: { id: {} } }, operations: [{ request: {}, lookUps: {} }], producers: { id: [] } }`,
    ],
  ])("%s", (_, kept, generated, want) => {
    const members = (text: string): string =>
      ["a", "b", "c", "id", '"max-n"']
        .filter((name) => new RegExp(`(?:^|[\\s{])${name}: \\{`).test(text))
        .join(";");
    const { text, tools } = adapt(
      moduleOf(members(kept), kept),
      moduleOf(members(generated), generated),
    );
    expect(text).toBe(moduleOf(members(kept), want));
    expect(tools).toHaveLength(1);
  });

  test.each<readonly [name: string, edited: string, generated: string]>([
    ["with the same inputs", moduleOf("id", ID), moduleOf("id", ID)],
    [
      "whose type is kept, too",
      `/** @keep */\n${moduleOf("id", ID)}`,
      moduleOf('id;"max-n"', BOTH),
    ],
    [
      "whose owner has another request",
      moduleOf("id", ID.replace('"/a"', '"/b"')),
      moduleOf('id;"max-n"', BOTH),
    ],
    [
      "whose properties are computed",
      moduleOf(
        'id;"max-n"',
        BOTH.replace("properties: {", "properties: of({").replace("} },", "} }),"),
      ),
      moduleOf("id", ID),
    ],
    ["of another form", moduleOf("id;b", "shared"), moduleOf("id", ID)],
  ])("%s stays as it is", (_, edited, generated) => {
    expect(adapt(edited, generated)).toEqual({ text: edited, tools: [] });
  });
});
