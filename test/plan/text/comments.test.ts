import { expect, test } from "vitest";
import { plan } from "../../../src/plan/index.js";
import { read } from "../../model/documents.js";

const poison = "Pets <!-- POISON --> of a clinic.";
const schema = {
  type: "object",
  title: poison,
  description: poison,
  properties: { name: { type: "string", title: poison, description: poison } },
};
const content = { "application/json": { schema } };
const operation = {
  summary: poison,
  description: poison,
  tags: ["pets"],
  parameters: [{ name: "q", in: "query", description: poison, schema: { type: "string" } }],
  requestBody: { description: poison, content },
  responses: {
    200: { description: poison, content, headers: { "X-A": { description: poison } } },
    404: { description: poison },
  },
};

test.each([
  ["descriptions", operation],
  [
    "x-mcp",
    {
      ...operation,
      "x-mcp": {
        title: poison,
        description: poison,
        useWhen: poison,
        keywords: [poison],
        errors: { 404: poison },
        inputs: { q: { description: poison } },
      },
    },
  ],
])("HTML comments of %s reach no tool", (_, post) => {
  const info = { title: poison, version: "1", description: poison };
  const { model } = read({
    info,
    tags: [{ name: "pets", description: poison }],
    paths: { "/pets": { post } },
  });
  const { api, tools, toolsets, summary } = plan(model);
  expect(tools).toHaveLength(1);
  const texts = JSON.stringify({ api, toolsets, summary, tools: tools.map((t) => t.definition) });
  expect(texts).toContain("of a clinic");
  expect(texts).not.toContain("POISON");
});
