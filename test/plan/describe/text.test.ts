import { describe, expect, it } from "vitest";
import { flatten } from "../../../src/plan/describe/markdown.js";
import { opening } from "../../../src/plan/describe/opening.js";
import { fit, splitSentence } from "../../../src/plan/describe/sentences.js";

describe("Markdown and HTML become sentences", () => {
  it.each([
    { given: "Plain text.", want: "Plain text." },
    { given: "See [the docs](https://x.y/z_(a)) now", want: "See the docs now" },
    { given: "A [ref][1] and ![img](a.png)", want: "A ref and" },
    { given: "**bold**, __bold__, *it*, _it_ and `code`", want: "bold, bold, it, it and code" },
    { given: "snake_case_names and 2 * 3 * 4 stay", want: "snake_case_names and 2 * 3 * 4 stay" },
    { given: "# Title\n\nFirst line\nwraps here.\n\nSecond", want: "Title. First line wraps here. Second" },
    { given: "Steps:\n- one\n- two\n\nDone", want: "Steps: one. two. Done" },
    { given: "1. one\n2. two", want: "one. two" },
    { given: "Before\n```json\n{\"a\": 1}\n```\nAfter", want: "Before. After" },
    { given: "| a | b |\n|---|---|\n| 1 | 2 |\nAfter", want: "After" },
    { given: "<p>One<br/>two</p><ul><li>x</li></ul>", want: "One two. x." },
    { given: "a < b and <name> stay, <b>tags</b> go", want: "a < b and <name> stay, tags go" },
    { given: "<!-- hidden -->Shown", want: "Shown" },
    { given: "<script>alert(1)</script>Text", want: "Text" },
    { given: "&lt;a&gt; &amp; &#39;b&#39;&nbsp;c", want: "<a> & 'b' c" },
    { given: "> [!NOTE]\n> Careful", want: "Careful" },
    { given: "escaped \\_under\\_", want: "escaped _under_" },
    { given: "hidden\u200b\u202e\u{e0041}\u001b[2J text", want: "hidden[2J text" },
    { given: "  spaced   out  ", want: "spaced out" },
    { given: "", want: "" },
  ])("$given", ({ given, want }) => {
    expect(flatten(given)).toBe(want);
  });

  it.each(["**a ", "[a](", "![a](", "<b ", "`", "_a ", "\\", "<!--", "```", "&#39", "| "])("is quick about %s without end", (piece) => {
    expect(flatten(piece.repeat(100_000)).length).toBeLessThanOrEqual(6000);
  });
});

describe("sentences", () => {
  it.each([
    { given: "One. Two.", want: ["One.", "Two."] },
    { given: "Use e.g. a cat. Two", want: ["Use e.g. a cat.", "Two"] },
    { given: "Version 1.5 is old. Two", want: ["Version 1.5 is old.", "Two"] },
    { given: "第一句。第二句。", want: ["第一句。", "第二句。"] },
    { given: "No end", want: ["No end", ""] },
  ])("$given", ({ given, want }) => {
    expect(splitSentence(given)).toEqual(want);
  });

  it.each([
    { given: "Short.", max: 20, want: "Short." },
    { given: "First one. Second one is long.", max: 25, want: "First one. …[truncated]" },
    { given: "word ".repeat(10), max: 30, want: "word word word …[truncated]" },
    { given: "x".repeat(40), max: 20, want: "xxxxxxx …[truncated]" },
  ])("$given in $max", ({ given, max, want }) => {
    expect(fit(given, max)).toBe(want);
    expect(want.length).toBeLessThanOrEqual(max);
  });

  it("never cuts a character in half", () => {
    for (let max = 14; max < 30; max++) expect(fit("😀".repeat(40), max)).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
  });
});

describe("the opening sentence", () => {
  it.each([
    { summary: "List pets", description: "", want: "List pets.", rest: "" },
    { summary: "Lists pets.", description: "", want: "List pets.", rest: "" },
    { summary: "Pet details", description: "", want: "Get pet: Pet details.", rest: "" },
    { summary: "", description: "Returns a pet. More.", want: "Return a pet.", rest: "More." },
    { summary: "", description: "", want: "Get pet.", rest: "" },
    { summary: "", description: "This endpoint allows you to fetch a pet.", want: "Fetch a pet.", rest: "" },
    { summary: "", description: "Use this endpoint to delete a pet.", want: "Delete a pet.", rest: "" },
    { summary: "", description: "A list of pets by name.", want: "Return a list of pets by name.", rest: "" },
    { summary: "", description: "Presents a payment method.", want: "Present a payment method.", rest: "" },
    { summary: "", description: "Users with access may see it.", want: "Get pet: Users with access may see it.", rest: "" },
    { summary: "Delete pet", description: "Deletes a pet. It is gone.", want: "Delete a pet.", rest: "It is gone." },
    { summary: "Get a pet", description: "Get a pet by its ID", want: "Get a pet by its ID.", rest: "" },
    { summary: "Get a pet", description: "Only owners may.", want: "Get a pet.", rest: "Only owners may." },
    { summary: "获取宠物", description: "", want: "获取宠物.", rest: "" },
  ])("$summary | $description", ({ summary, description, want, rest }) => {
    expect(opening("get_pet", summary, description)).toEqual({ first: want, rest });
  });

  it("is short, and says the long one behind", () => {
    const long = `Get a pet, ${"with all that belongs to it, ".repeat(8)}at once`;
    const { first, rest } = opening("get_pet", long, "");
    expect(first.length).toBeLessThanOrEqual(121);
    expect(rest).toBe(`${long}.`);
  });
});
