/** Advice that says how to request less of a result that was too large. */
import { expect, test } from "vitest";
import { truncationNote } from "../../../src/runtime/response/notes.js";

const text = { type: "string" };
const inputSchema = {
  type: "object",
  properties: {
    rev: text,
    id: text,
    revision_id: text,
    status: text,
    kind: { type: "string", description: "Returns only rrsets of this type." },
    archived: { type: "boolean", description: "List only archived pads." },
    excludeDrafts: { type: "boolean" },
    verbose: { type: "boolean", description: "Show more of each pad." },
  },
};
const narrowing = Object.keys(inputSchema.properties);
const omitted = { omitted: 60, total: 100 };

test.each<readonly [string, Parameters<typeof truncationNote>[0], string]>([
  [
    "no input selects a part of a text",
    [{ path: ["text"], kind: "characters", ...omitted }],
    "The result was too large. Omitted: 60 of 100 characters of text.",
  ],
  [
    "no input selects fields of an object",
    [{ path: ["meta"], kind: "fields", ...omitted }],
    "The result was too large. Omitted: 60 of 100 fields of meta.",
  ],
  [
    "filters select items of a list, an ID or a revision does not",
    [{ path: ["items"], kind: "items", ...omitted }],
    "The result was too large. Omitted: 60 of 100 items. To see them, narrow the call with status, kind, archived, excludeDrafts.",
  ],
  [
    "a list inside of an item has inputs whose text names it",
    [{ path: ["items", 0, "rrsets"], kind: "items", ...omitted }],
    "The result was too large. Omitted: 60 of 100 items of items[0].rrsets. To see them, narrow the call with kind.",
  ],
  [
    "a list inside of an item has no others",
    [{ path: ["items", 0, "tags"], kind: "items", ...omitted }],
    "The result was too large. Omitted: 60 of 100 items of items[0].tags.",
  ],
])("%s", (_, omissions, want) => {
  expect(truncationNote(omissions, { name: "get_pad", inputSchema }, { narrowing })).toBe(want);
});
