/** HTML in place of the JSON of a document: the page of another server, unless the URL asks for it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, textOf, toolOf } from "../support/clinic.js";
import { startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream((response) => {
    response
      .writeHead(200, { "content-type": "text/html" })
      .end("<table><tr><td>1</td></tr></table>");
  });
});
afterAll(() => upstream.close());

test.each<readonly [format: string, isError: boolean]>([
  ["html", false],
  ["HTML", false],
  ["json", true],
  ["htmlx", true],
])("format=%s: an error %j", async (format, isError) => {
  const tool = toolOf({
    properties: { format: { type: "string" } },
    send: { path: "/data", query: { format: "format" } },
    outputSchema: { type: "object" },
  });
  const result = await call(tool, { format }, { env: { CLINIC_BASE_URL: upstream.url } });
  expect(result.isError ?? false).toBe(isError);
  expect(textOf(result).includes("<table>")).toBe(!isError);
});
