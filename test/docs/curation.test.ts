import { expect, test } from "vitest";
import { configuredPlan, diagnostics } from "../plan/configuration/fixtures.js";
import { api, ok, operation } from "../plan/fixtures.js";
import { blocksOf } from "./snippets.js";

const METADATA = {
  type: "object",
  properties: { name: { type: "string" }, namespace: { type: "string" } },
} as const;

test("docs/curation.md lifts names out of metadata", () => {
  const block = blocksOf("docs/curation.md", "yaml").find((text) => text.includes("listPods"));
  const pods = api([
    operation("GET /pods", {
      operationId: "listPods",
      responses: [
        ok({
          type: "object",
          properties: {
            kind: { type: "string" },
            metadata: { type: "object", properties: { resourceVersion: { type: "string" } } },
            items: {
              type: "array",
              items: {
                type: "object",
                properties: {
                  metadata: METADATA,
                  spec: { type: "object" },
                  status: { type: "object", properties: { phase: { type: "string" } } },
                },
              },
            },
          },
        }),
      ],
    }),
  ]);
  const made = configuredPlan((block ?? "").replace("version: 1\n", ""), {}, pods);
  expect(diagnostics(made)).toEqual([]);
  expect(made.tools[0]?.definition.outputSchema).toMatchObject({
    properties: {
      items: {
        items: {
          properties: {
            status: { properties: { phase: { type: "string" } } },
            name: { type: "string" },
            namespace: { type: "string" },
          },
        },
      },
    },
  });
});
