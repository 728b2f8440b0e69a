import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { generate } from "../../src/generate.js";
import { documentInputs, SchemaSet, schemasOf, startMock } from "../../src/mock/index.js";
import { serverOf } from "./in-process.js";

/**
 * Runs the contract test of a generated project for whole documents. Every tool is called with all
 * inputs that its document provides. Each request must be valid by the document, and each result by
 * the output schema.
 */
const corpus = join(process.env["MCP_GEN_SHARED"] ?? "../shared", "corpus");
const real = [
  "museum/openapi.yaml",
  "train-travel/openapi.yaml",
  "petstore-2.0/petstore.json",
  "petstore-3.0/openapi.yaml",
  "uber-2.0/uber.json",
  "star-trek/star-trek.json",
  "open-meteo/forecast.yml",
  "spotify/official-spotify-open-api.yml",
  "figma/openapi.yaml",
  "docker-engine/swagger.yaml",
  "dify-zh/openapi_service.json",
  "discord/openapi.json",
];
const documents = [
  "samples/clinic/openapi.yaml",
  "samples/legacy-orders/swagger.yaml",
  ...real.map((path) => join(corpus, path)).filter(existsSync),
];

describe.each(documents)("%s", (document) => {
  test("every tool conforms to the document", async () => {
    const { plan, diagnostics } = await generate(document, undefined, { planOnly: true });
    if (!plan) throw new Error(diagnostics.map((d) => d.message).join("; "));
    const server = serverOf(plan);
    const mock = await startMock(plan.mock, { basePath: "/contract" });
    server.useBaseUrl(mock.url);
    const sent = new SchemaSet(plan.mock.schemas, "request");
    for (const tool of server.tools) {
      for (const { input } of documentInputs(tool, plan.mock, sent).filter(
        (made) => made.problem === undefined,
      )) {
        // The links of sampled pages are examples of the document, which may not match it.
        const { isError, content, structuredContent } = await server.call(tool, input, {
          FOLLOW_PAGES: "false",
        });
        const faults =
          tool.outputSchema && !isError
            ? schemasOf(tool.outputSchema, "response").check(
                structuredContent,
                tool.outputSchema,
                "",
              )
            : [];
        expect({ tool: tool.name, input, said: isError ? content : "", faults }).toEqual({
          tool: tool.name,
          input,
          said: "",
          faults: [],
        });
      }
    }
    expect(
      mock.requests
        .filter((r) => r.violations.length > 0)
        .map((r) => [r.method, r.url, r.violations]),
    ).toEqual([]);
    expect(mock.requests.length).toBeGreaterThanOrEqual(server.tools.length);
    await mock.close();
  });
});
