import { expect, test } from "vitest";
import { startMock } from "../../src/mock/index.js";
import type { MockApi, MockOperation } from "../../src/mock/types.js";

const report = {
  type: "object",
  properties: {
    id: { type: "string" },
    status: { type: "string", enum: ["queued", "running", "ready", "failed"] },
  },
};
const responses = (status: string) => [
  { status, contents: [{ mediaType: "application/json", schema: report }], headers: [] },
];
const operations: readonly MockOperation[] = [
  { method: "POST", path: "/reports", parameters: [], responses: responses("202") },
  { method: "GET", path: "/reports/r1", parameters: [], responses: responses("200") },
];
const api: MockApi = {
  operations,
  schemas: {},
  securitySchemes: {},
  states: {
    "POST /reports": { field: ["status"], values: ["queued"], starts: true },
    "GET /reports/r1": { field: ["status"], values: ["running", "ready"] },
  },
};

test("work that a write starts goes on, and is done at the second read", async () => {
  const mock = await startMock(api);
  const statusOf = async (path: string, method = "GET") => {
    const response = await fetch(mock.url + path, { method });
    expect(response.headers.get("retry-after")).toBe("0");
    return ((await response.json()) as { status: string }).status;
  };
  try {
    expect(await statusOf("/reports/r1")).toBe("ready");
    for (let round = 0; round < 2; round++) {
      expect(await statusOf("/reports", "POST")).toBe("queued");
      expect(await statusOf("/reports/r1")).toBe("running");
      expect(await statusOf("/reports/r1")).toBe("ready");
      expect(await statusOf("/reports/r1")).toBe("ready");
    }
  } finally {
    await mock.close();
  }
});
