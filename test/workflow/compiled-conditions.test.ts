import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { generate } from "../../src/generate.js";
import { typeErrors } from "./type-check.js";

const temp = mkdtempSync(join(tmpdir(), "mcp-gen-conditions-"));
afterAll(() => rmSync(temp, { recursive: true, force: true }));

test("an action may test another status than the success criteria", async () => {
  const api = {
    openapi: "3.1.0",
    info: { title: "Orders", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: { "/orders": { post: { operationId: "addOrder", responses: { "201": {} } } } },
  };
  const workflows = {
    arazzo: "1.0.1",
    info: { title: "Orders", version: "1" },
    sourceDescriptions: [{ name: "orders", url: "./api.json", type: "openapi" }],
    workflows: [
      {
        workflowId: "buy",
        successActions: [
          { name: "known", type: "end", criteria: [{ condition: "$statusCode == 200" }] },
        ],
        steps: [
          {
            stepId: "add",
            operationId: "addOrder",
            successCriteria: [{ condition: "$statusCode == 201 || $statusCode == 202" }],
          },
          { stepId: "again", operationId: "addOrder" },
        ],
      },
    ],
  };
  writeFileSync(join(temp, "api.json"), JSON.stringify(api));
  writeFileSync(join(temp, "workflows.json"), JSON.stringify(workflows));
  const { files = [] } = await generate(join(temp, "api.json"), undefined, {
    workflows: [join(temp, "workflows.json")],
  });
  const code = files.find(({ path }) => path === "src/workflows/buy.ts")?.content;
  expect(code).toMatch(/esult\.status === 200/);
  expect(await typeErrors(join(temp, "all"), [files])).toBe("");
});
