import { expect, test } from "vitest";
import type { DocumentationSection } from "../../../src/runtime/api-definition.js";
import { createReadDocumentation } from "../../../src/runtime/tools/read-documentation.js";
import { api } from "../support/clinic.js";

const filters = { heading: "Filters", text: "`status==open`" };
const sorting = { heading: "Sorting", text: "By `-name`." };
const documentation = [filters, sorting];

/** The tool of the given definition, with results of at most `max` characters. */
function toolOf(definition: object, max = 1000, isTaken = (_: string) => false) {
  const tools = [{ api: "a" }, {}];
  return createReadDocumentation({ ...api, ...definition }, tools, isTaken, max);
}

/** Result of a call, with its text. */
async function call(input: Record<string, unknown>, sections = documentation, max?: number) {
  const [tool] = toolOf({ documentation: sections }, max);
  const { result } = await (tool ?? expect.fail("no tool")).handle(input, {});
  const [content] = result.content;
  return { ...result, text: content?.type === "text" ? content.text : "" };
}

test("there is none without a documentation", () => {
  expect(toolOf({})).toEqual([]);
});

test("its description has the headings, and its name is free", () => {
  const [tool] = toolOf({ documentation, namespace: "vet" }, 1000, (name) => /read_doc/.test(name));
  expect(tool?.name).toBe("vet_read_api_documentation");
  expect(tool?.description).toMatch(/Sections: Filters, Sorting\.$/);
});

test("a long list of headings is cut", () => {
  const many = Array.from({ length: 60 }, (_, i) => ({ heading: `Section ${i}`, text: "x" }));
  const [tool] = toolOf({ documentation: many });
  expect(tool?.description).toMatch(/Section 0, .*Section \d+ and \d+ more\.$/);
  expect(tool?.description.length).toBeLessThan(600);
});

test.each<readonly [string, object, readonly DocumentationSection[]]>([
  ["all sections", {}, documentation],
  ["a section by its heading in any case", { heading: "FILTERS" }, [filters]],
  ["sections by a part of the heading", { heading: "sort" }, [sorting]],
])("returns %s", async (_, input, sections) => {
  const result = await call({ ...input });
  expect(result.structuredContent).toEqual({ sections });
  for (const { heading, text } of sections)
    expect(result.text).toContain(`# ${heading}\n\n${text}`);
});

test("names the sections that do not fit", async () => {
  const result = await call({}, documentation, 25);
  expect(result.structuredContent).toEqual({ sections: [filters], omitted: ["Sorting"] });
  expect(result.text).toMatch(/Omitted, to be read by heading: Sorting$/);
});

test("an unknown heading is an error that names the nearest", async () => {
  const { isError, text } = await call({ heading: "Sortings" });
  expect(isError).toBe(true);
  expect(text).toContain('one of "Sorting"');
});

test("of several APIs, it has the sections of those with tools", async () => {
  const member = { ...api, documentation };
  const [tool] = toolOf({ apis: { a: member, b: member } });
  expect(tool?.description).toMatch(/Sections: a: Filters, a: Sorting\.$/);
});
