import type { CallToolResult } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { createResultStore } from "../../../src/runtime/response/result-store.js";
import { createReadResult, readResultName } from "../../../src/runtime/tools/read-result.js";

const store = createResultStore(1_000_000);
const lines = Array.from({ length: 40 }, (_, i) => `Rule ${i}: keep the room tidy.\n`).join("");
const text = `${lines}Deputy: Noor. 😀 Ende`;
const stored = store.store("get_text", { mimeType: "text/plain", text })!;
const file = store.store("get_file", { mimeType: "image/png", bytes: new Uint8Array(3) })!;
interface Part {
  readonly text: string;
  readonly next?: { readonly offset: number };
}

const tool = createReadResult("read_result", 100, true);

const read = async (input: Record<string, unknown>) =>
  (await tool.handle({ resource: stored.uri, ...input }, { resultStore: store })).result;

const structureOf = (result: CallToolResult) => result.structuredContent as Record<string, unknown>;

describe("parts", () => {
  it.each([
    { offset: 0, from: 0, to: 100, next: 100 },
    { offset: 100, from: 100, to: 200, next: 200 },
    { offset: text.length - 10, from: text.length - 10, to: text.length, next: undefined },
    { offset: text.length + 10, from: text.length, to: text.length, next: undefined },
  ])("from $offset", async ({ offset, from, to, next }) => {
    const { structuredContent, content } = await read({ offset });
    const range = `These are the characters ${from} to ${to} of ${text.length}.`;
    const more =
      next === undefined ? "" : ` Call read_result with offset ${next} for the next part.`;
    expect(structuredContent).toEqual({
      text: text.slice(from, to),
      total: text.length,
      ...(next !== undefined && { next: { resource: stored.uri, offset: next } }),
      notes: [range + more],
    });
    expect(JSON.parse((content[0] as { text: string }).text)).toEqual(structuredContent);
  });

  it("are the whole text together, and split no character", async () => {
    let all = "";
    let next: Part["next"] = { offset: text.indexOf("😀") - 99 };
    const start = next.offset;
    while (next) {
      const result: CallToolResult = await read(next);
      const { text: part, next: following } = result.structuredContent as unknown as Part;
      expect(encodeURIComponent(part)).not.toBe("");
      all += part;
      next = following;
    }
    expect(all).toBe(text.slice(start));
  });
});

describe("places of a text", () => {
  it.each([
    { find: "deputy:", count: 1, next: undefined },
    { find: "keep the room", count: 20, next: expect.objectContaining({ find: "keep the room" }) },
    { find: "a.c", count: 0, next: undefined },
  ])("$find", async ({ find, count, next }) => {
    const structuredContent = structureOf(await read({ find }));
    expect(structuredContent["places"]).toHaveLength(count);
    expect(structuredContent["next"]).toEqual(next);
  });

  it("are counted, also those that are not shown", async () => {
    expect(structureOf(await read({ find: "keep the room" }))).toMatchObject({
      count: 40,
      notes: [
        `20 of 40 places in ${text.length} characters. Call read_result with offset ` +
          "551 for the next ones.",
      ],
    });
    expect(structureOf(await read({ find: "Deputy" }))).toMatchObject({
      count: 1,
      notes: [`1 place in ${text.length} characters.`],
    });
  });

  it.each([
    ["a tab", "www\tIN"],
    ["a tab as JSON has it", "www\\tIN"],
    ["quotes", 'said "yes"'],
  ])("in JSON may have %s", async (_, find) => {
    const zone = { zone: 'www\tIN\tA\nhe said "yes"' };
    const json = store.store("get_zone", {
      mimeType: "application/json",
      text: JSON.stringify(zone),
    })!;
    expect(structureOf(await read({ resource: json.uri, find }))).toMatchObject({ count: 1 });
  });

  it("have their surroundings, and continue after an offset", async () => {
    const offset = text.indexOf("Deputy");
    const structuredContent = structureOf(await read({ find: "DEPUTY", offset: offset - 5 }));
    expect(structuredContent["places"]).toEqual([{ offset, text: text.slice(offset - 150) }]);
    expect((await read({ find: "DEPUTY", offset: offset + 1 })).structuredContent).toMatchObject({
      places: [],
    });
  });
});

describe("errors", () => {
  it.each([
    { resource: "result://get_text/unknown", says: /There is no stored result .* 10 minutes/ },
    { resource: file.uri, says: /is a file \(image\/png\), not text/ },
  ])("$says", async ({ resource, says }) => {
    const { isError, content } = await read({ resource });
    expect(isError).toBe(true);
    expect((content[0] as { text: string }).text).toMatch(says);
  });

  it("a result of another caller is not found", async () => {
    const other = store.forCaller("other");
    const { result } = await tool.handle({ resource: stored.uri }, { resultStore: other });
    expect(result.isError).toBe(true);
  });
});

it.each([
  { taken: [], namespace: undefined, want: "read_result" },
  { taken: ["read_result"], namespace: undefined, want: "read_stored_result" },
  { taken: [], namespace: "shop", want: "shop_read_result" },
])("is called $want", ({ taken, namespace, want }) => {
  expect(readResultName(namespace, (name) => (taken as string[]).includes(name))).toBe(want);
});

describe("picked fields", () => {
  const items = Array.from({ length: 30 }, (_, i) => ({ id: i, name: `Pet ${i}`, text: "long" }));
  const json = (value: unknown): string =>
    store.store("list_pets", { mimeType: "application/json", text: JSON.stringify(value) })!.uri;

  it("are shown as JSON", async () => {
    const resource = json({ items: items.slice(0, 3), next: { page: 2 } });
    expect(structureOf(await read({ resource, pick: ["items.id"] }))).toEqual({
      result: { items: [{ id: 0 }, { id: 1 }, { id: 2 }], next: { page: 2 } },
    });
  });

  it("are read in parts where they are large, and searched", async () => {
    const pick = ["items.name"];
    const resource = json({ items });
    const picked = JSON.stringify({ items: items.map(({ name }) => ({ name })) });
    expect(structureOf(await read({ resource, pick }))).toMatchObject({
      text: picked.slice(0, 100),
      total: picked.length,
      next: { resource, offset: 100, pick },
    });
    expect(structureOf(await read({ resource, pick, offset: 100 }))).toMatchObject({
      text: picked.slice(100, 200),
    });
    expect(structureOf(await read({ resource, pick, find: "Pet 29" }))).toMatchObject({
      count: 1,
      total: picked.length,
    });
  });

  it("leave the whole result where there are none, or text", async () => {
    const resource = json({ items });
    const { notes, ...part } = structureOf(await read({ resource, pick: ["items.age"] }));
    const { notes: ownNotes, ...whole } = structureOf(await read({ resource }));
    expect(part).toEqual(whole);
    expect(notes).toEqual([
      ...(ownNotes as string[]),
      'pick "items.age" matches nothing: items has id, name, text. The whole result is shown.',
    ]);
    expect(structureOf(await read({ pick: ["a"] }))["notes"]).toContain(
      "pick has no effect: the result is not JSON.",
    );
  });
});
