import { expect, test } from "vitest";
import { chooseFrequentReads } from "../../../src/runtime/discovery/frequent-reads.js";

type Tool = Parameters<typeof chooseFrequentReads>[0][number];

const reads = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
const writes = { ...reads, readOnlyHint: false };

/** A tool whose inputs are provided by other tools. Required inputs end with `!`. */
function tool(
  name: string,
  inputs: Readonly<Record<string, string[]>> = {},
  annotations = /^(?:find|list|search)_/.test(name) ? reads : writes,
  description = `${name}.`,
): Tool {
  const ids = Object.keys(inputs).map((input) => input.replace("!", ""));
  return {
    name,
    description,
    annotations,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(ids.map((id) => [id, { type: "string" }])),
      required: ids.filter((id) => `${id}!` in inputs),
    },
    producers: Object.fromEntries(
      Object.entries(inputs).map(([input, names]) => [input.replace("!", ""), names]),
    ),
  } as Tool;
}

const consumers = (count: number, producer: string, noun: string): Tool[] =>
  Array.from({ length: count }, (_, i) => tool(`update_${noun}_${i}`, { "id!": [producer] }));

test("reads are chosen by the number of tools that need their results", () => {
  const tools = [
    tool("find_boats"),
    ...consumers(3, "find_boats", "boat"),
    tool("find_keys"),
    ...consumers(1, "find_keys", "key"),
  ];
  expect(chooseFrequentReads(tools)).toEqual(["find_boats"]);
});

test("a change of a thing that no tool provides counts for the list of such things", () => {
  const changes = ["update", "close", "archive"].map((verb) =>
    Object.assign(tool(`${verb}_boat`, { "id!": [] }), { effect: "changes" as const }),
  );
  const tools = [tool("find_boats"), tool("find_keys"), tool("create_key"), ...changes];
  expect(chooseFrequentReads(tools)).toEqual(["find_boats"]);
});

test("a read that is too long leaves its uses to the next producer", () => {
  const tools = [
    tool("search_boats", {}, reads, "word ".repeat(3_000)),
    tool("list_boats"),
    ...Array.from({ length: 3 }, (_, i) =>
      tool(`update_boat_${i}`, { "id!": ["search_boats", "list_boats"] }),
    ),
  ];
  expect(chooseFrequentReads(tools)).toEqual(["list_boats"]);
});

const kinds = ["ports", "piers", "crews", "keys", "logs", "maps", "fees", "cars", "bikes", "seats"];

test("a nested read counts less than reads that work starts with", () => {
  const read = tool("list_boat_parts", { "boat_id!": ["find_ports"] });
  const others = kinds.flatMap((kind) => [
    tool(`find_${kind}`),
    ...consumers(4, `find_${kind}`, kind),
  ]);
  const chosen = chooseFrequentReads([read, ...consumers(5, read.name, "part"), ...others]);
  expect(chosen).toEqual(kinds.map((kind) => `find_${kind}`));
});

test("the search by text for the most frequent thing is listed, although no tool needs it", () => {
  const tools = [
    tool("search_keys", { "query!": [] }),
    tool("search_boats", { "query!": [] }),
    tool("create_boat"),
  ];
  expect(chooseFrequentReads(tools)).toEqual(["search_boats"]);
});

test.each([
  ["of administrators", [tool("list_admin_boats"), ...consumers(3, "list_admin_boats", "boat")]],
  [
    "that fewer than one in a hundred tools need",
    [
      tool("list_boats"),
      ...consumers(3, "list_boats", "boat"),
      ...Array.from({ length: 400 }, (_, i) => tool(`create_key_${i}`)),
    ],
  ],
])("reads %s are not listed", (_, tools) => expect(chooseFrequentReads(tools)).toEqual([]));
