import { describe, expect, it, test } from "vitest";
import {
  type FindPurpose,
  purposeOnly,
  renameTextInput,
  type ToolText,
  withoutInput,
} from "../../../src/plan/text/parts.js";
import { MAX_DESCRIPTION_LENGTH, printText } from "../../../src/plan/descriptions/print.js";

const find: FindPurpose = {
  verb: "Find",
  noun: "pets",
  ids: [{ input: "pet_id", phrase: "ID" }],
  filters: [
    { input: "status", phrase: "status" },
    { input: "q", phrase: "words" },
    { input: "filter_name", phrase: "name" },
    { input: "user_ids", phrase: "user IDs" },
    { input: "sold_at", phrase: "sold" },
  ],
};
const text = (parts: Partial<ToolText>): ToolText => ({ ...purposeOnly("Send a pet."), ...parts });

describe("a description is printed from parts", () => {
  test.each([
    ["a purpose", text({}), "Send a pet."],
    [
      "IDs and four filters",
      text({ purpose: find }),
      "Find pets by ID, or by status, words, name or user IDs.",
    ],
    ["IDs alone", text({ purpose: { ...find, filters: [] } }), "Find pets: one by ID, or all."],
    [
      "a name of one word",
      text({ purpose: { verb: "Search", noun: "", ids: [], filters: [] } }),
      "Search.",
    ],
    [
      "all parts in order",
      text({
        details: [{ text: "it runs" }, { text: "Fast.", condition: { given: ["a"], omitted: [] } }],
        useWhen: "Use when it rains.",
        limits: ["No more.", { atLeast: 1, inputs: ["a", "b"] }, { oneOf: [["a", "b"], ["c"]] }],
        result: ["id"],
        errors: "Error codes: lost.",
        effects: ["replacesAll", "isIrreversible"],
        isDeprecated: true,
        alternatives: [
          { tool: "send_cat", when: { word: "With", inputs: ["cat"] } },
          { tool: "send_dogs", when: "For dogs" },
        ],
        collectedItems: 30,
      }),
      "Send a pet. It runs. With a: Fast. Use when it rains. No more. Needs at least 1 of a, b. " +
        "Needs a and b, or c. Returns id. Error codes: lost. Replaces all of it; omitted fields " +
        "are lost. Cannot be undone. Deprecated. With cat use send_cat. For dogs use send_dogs. " +
        "Collects up to 30 items, from several pages where needed.",
    ],
    [
      "an effect that the text states",
      text({ details: [{ text: "This is irreversible." }], effects: ["isIrreversible"] }),
      "Send a pet. This is irreversible.",
    ],
    [
      "conditions of omitted inputs",
      text({
        details: [
          { text: "One.", condition: { given: ["id"], omitted: [] } },
          { text: "All.", condition: { given: [], omitted: ["id", "key"] } },
          { text: "Others.", condition: { given: [], omitted: [] } },
        ],
      }),
      "Send a pet. With id: One. Without id or key: All. Otherwise: Others.",
    ],
    [
      "a result beside a text about it",
      text({ purpose: "Make a pet.", details: [{ text: "Returns the new pet." }], result: ["id"] }),
      "Make a pet. Returns the new pet. The result has id.",
    ],
    [
      "a plain value beside a text about it",
      text({
        purpose: "Count pets.",
        details: [{ text: "Returns the count." }],
        result: ["a number"],
      }),
      "Count pets. Returns the count.",
    ],
  ])("%s", (_, parts, expected) => {
    expect(printText(parts)).toBe(expected);
  });

  it("shortens the document's text only, and marks the cut", () => {
    const long = text({
      details: [{ text: "It goes away. ".repeat(200) }, { text: "It comes back. ".repeat(200) }],
      result: ["id"],
      effects: ["isIrreversible"],
    });
    const printed = printText(long);
    expect(printed.length).toBeLessThanOrEqual(MAX_DESCRIPTION_LENGTH);
    expect(printed).toMatch(
      /^Send a pet\. It goes away\. .*…\[truncated\] It comes back\. .*…\[truncated\] Returns id\. Cannot be undone\.$/,
    );
  });

  it.each([
    "All copies will be overwritten.",
    "The account is deleted at once.",
    "This cannot be undone.",
    "Your card is charged.",
  ])("keeps a warning that the cut would remove: %s", (warning) => {
    const printed = printText(
      text({ details: [{ text: `${"It goes away. ".repeat(90)}${warning}` }] }),
    );
    expect(printed.length).toBeLessThanOrEqual(MAX_DESCRIPTION_LENGTH);
    expect(printed).toMatch(/^Send a pet\. It goes away\./);
    expect(printed.endsWith(`…[truncated] ${warning}`)).toBe(true);
  });

  it("gives a long text the room that a short one leaves", () => {
    const short = { text: "It barks.", condition: { given: ["id"], omitted: [] } };
    const printed = printText(text({ details: [{ text: "It goes away. ".repeat(90) }, short] }));
    expect(printed.length).toBeGreaterThan(950);
    expect(printed).toMatch(/…\[truncated\] With id: It barks\.$/);
  });

  it("keeps the facts after a purpose that is too long", () => {
    const printed = printText(text({ purpose: "words and ".repeat(200), result: ["id"] }));
    expect(printed.length).toBeLessThanOrEqual(MAX_DESCRIPTION_LENGTH);
    expect(printed).toMatch(/^words and .*…\[truncated\] Returns id\.$/);
  });
});

describe("inputs in a text", () => {
  const parts = text({
    purpose: find,
    limits: [{ atLeast: 1, inputs: ["status", "name"] }, { oneOf: [["status"], ["key"]] }],
    alternatives: [{ tool: "send_cat", when: { word: "Without", inputs: ["status"] } }],
  });

  it("are renamed wherever they are named", () => {
    expect(printText(renameTextInput(parts, "status", "state", "state"))).toBe(
      "Find pets by ID, or by state, words, name or user IDs. Needs at least 1 of state, name. " +
        "Needs state, or key. Without state use send_cat.",
    );
  });

  test.each([
    ["user_ids", "Find pets by ID, or by status, words, name or sold."],
    ["q", "Find pets by ID, or by status, name, user IDs or sold."],
    ["filter_name", "Find pets by ID, or by status, words, user IDs or sold."],
    ["pet_id", "Find pets by status, words, name or user IDs."],
    ["other", "Find pets by ID, or by status, words, name or user IDs."],
  ])("are removed: %s", (name, expected) => {
    expect(printText(withoutInput(text({ purpose: find }), name))).toBe(expected);
  });

  it("that are not needed any more lift the limit", () => {
    expect(printText(withoutInput(parts, "status"))).toContain("Needs at least 1 of name.");
    expect(printText(withoutInput(parts, "status"))).not.toContain("or key");
  });
});
