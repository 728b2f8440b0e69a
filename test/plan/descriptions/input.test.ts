/** Texts of inputs: what a document says about one, within the room that an input has. */
import { expect, test } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import { describeInput } from "../../../src/plan/descriptions/input.js";
import { WholeTexts } from "../../../src/plan/text/whole-texts.js";

const describe = (text: string, schema: JsonSchema = {}): string =>
  describeInput(
    { wireName: "filters", text, schema, required: false, deprecated: false, notes: [] },
    new WholeTexts(),
  );

const filters = (...items: readonly string[]): string =>
  `Filters to process on the list, as JSON.\n\nAvailable filters:\n\n${items.map((item) => `- ${item}`).join("\n")}\n`;

const meaning = "selects things that match the given value exactly, in the order of their creation";

test.each([
  ["a short list", filters("`until=<time>` before it", "`label` with it", "`all`"), "`all`"],
  [
    "the names of a long list",
    filters(...["until=<time>", "label", "status=", "all"].map((name) => `\`${name}\` ${meaning}`)),
    "Available filters: until=<time>, label, status=, all. …",
  ],
  [
    "the names of two long items",
    filters(
      `\`until=<time>\` ${meaning} ${meaning}`,
      `\`label\` (\`label=a\`) ${meaning} ${meaning}`,
    ),
    "Available filters: until=<time>, label. …",
  ],
  [
    "names before a colon",
    filters(...["until", "label", "status", "all"].map((name) => `${name}: ${meaning}`)),
    "Available filters: until, label, status, all. …",
  ],
  [
    "items of two lines",
    filters(...["until", "label", "all"].map((name) => `**${name}**\n  ${meaning} ${meaning}`)),
    "Available filters: until, label, all. …",
  ],
  ["a text without lists", `${meaning}. `.repeat(8), "…"],
])("has %s", (_, text, want) => {
  const description = describe(text);
  expect(description).toContain(want.replaceAll("`", ""));
  expect(description.length).toBeLessThanOrEqual(400);
});

test.each([
  ["a pattern", "Must match `/?[a-z0-9][a-z0-9_.-]+`.", "Must match /?[a-z0-9][a-z0-9_.-]+."],
  ["marks", "One of `a-z`, `[`, `,` or `_`.", "One of a-z, `[`, `,` or `_`."],
  ["a tag in code", "Starts with `<b>`.", "Starts with <b>."],
  ["code in a link", "As in [`list`](https://a.example/x).", "As in list."],
  ["a power", "In units of 10<sup>-9</sup> seconds.", "In units of 10^-9 seconds."],
  ["a short block", 'In the form:\n\n```\n{"a": 1}\n```\n', 'In the form: {"a": 1}.'],
])("keeps %s", (_, text, want) => {
  expect(describe(text)).toBe(want);
});

test("a format that says nothing is left out", () => {
  expect(describe("The user.", { format: "identifier" })).toBe("The user.");
  expect(describe("The user.", { format: "ulid" })).toBe("The user. Format: ulid.");
});
