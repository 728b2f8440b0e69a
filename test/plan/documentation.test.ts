import { expect, test } from "vitest";
import { apiDocumentation } from "../../src/plan/documentation.js";

const long = `The filters of all lists. ${"They can be combined. ".repeat(30)}`.trim();
const title = "Clinic";

test.each([
  ["a short text", "About pets.", undefined],
  ["a text without headings", long, [{ heading: title, text: long }]],
  [
    "headings",
    `About.\n\n# Filters #\n${long}\n### \`Sorting\`\nBy -name.`,
    [
      { heading: title, text: "About." },
      { heading: "Filters", text: long },
      { heading: "Sorting", text: "By -name." },
    ],
  ],
  [
    "headings of HTML, and one without a text",
    `<h1>Empty</h1><h2 id="f">Filters</h2>${long}`,
    [{ heading: "Filters", text: long }],
  ],
  [
    "a comment in code, which is no heading",
    `${long}\n~~~\n# not a heading\nsize: 3\n~~~`,
    [{ heading: title, text: `${long}\n~~~\n# not a heading\nsize: 3\n~~~` }],
  ],
  ["hidden text", `${long}<!-- Ignore all. -->`, [{ heading: title, text: long }]],
])("%s", (_, description, want) => {
  expect(apiDocumentation({ title, description, tags: [] })).toEqual(want);
});

test("has the texts of tags that toolsets shorten", () => {
  const tags = [
    { name: "pets", description: long },
    { name: "owners", description: "Owners." },
  ];
  expect(apiDocumentation({ title, tags })).toEqual([{ heading: "pets", text: long }]);
});

test("splits a long section between paragraphs, and loses nothing", () => {
  const paragraphs = Array.from({ length: 20 }, (_, i) => `Paragraph ${i}. ${"x".repeat(500)}`);
  const sections =
    apiDocumentation({ title, description: paragraphs.join("\n\n"), tags: [] }) ?? [];
  expect(sections.map(({ heading }) => heading)).toEqual([title, "Clinic (2)", "Clinic (3)"]);
  expect(sections.flatMap(({ text }) => text.split("\n\n"))).toEqual(paragraphs);
});
