import { expect, test } from "vitest";
import {
  createResponder,
  findRequestProblems,
  parseRequestPattern,
} from "../../src/eval/mock-state.js";
import type { RecordedRequest } from "../../src/mock/index.js";

function request(text: string, operation: string, value?: unknown): RecordedRequest {
  const [method = "", url = ""] = text.split(" ");
  return {
    method,
    url: `/api${url}`,
    path: url.split("?")[0] as string,
    headers: {},
    body: new Uint8Array(),
    parameters: new Map(),
    violations: [],
    operation,
    value,
    status: 200,
  };
}

const pet = request("GET /pets/pet%5F1?full=true", "GET /pets/{petId}");

test.each([
  ["GET /pets/pet_1", true],
  ["get /pets/{petId}", true],
  ["GET /pets/*", true],
  ["GET /pets/{petId}?full=true", true],
  ["GET /pets/{petId}?full=false", false],
  ["GET /pets/pet_2", false],
  ["GET /pets", false],
  ["DELETE /pets/pet_1", false],
  ["pets", false],
])("a request fits %s: %j", (pattern, fits) => {
  expect(createResponder([{ request: pattern, body: 1 }])(pet)).toEqual(
    fits ? { status: 200, body: 1 } : undefined,
  );
});

test("a response for some requests gives way to the next", () => {
  const respond = createResponder([
    { request: "GET /pets/pet_1", status: 503, times: 1 },
    { request: "GET /pets/pet_1", body: { id: "pet_1" } },
  ]);
  expect([respond(pet), respond(pet), respond(pet)]).toEqual([
    { status: 503 },
    { status: 200, body: { id: "pet_1" } },
    { status: 200, body: { id: "pet_1" } },
  ]);
});

test("expected requests are counted", () => {
  const made = [
    request("POST /visits", "POST /visits", { petId: "p1", reason: "x" }),
    request("POST /visits", "POST /visits", { petId: "p2" }),
  ];
  expect(
    findRequestProblems(
      [
        { request: "POST /visits" },
        { request: "POST /visits", body: { petId: "p1" }, times: 1 },
        { request: "POST /visits", body: { petId: "p3" } },
        { request: "POST /visits", times: 0 },
        { request: "DELETE /*", times: 0 },
      ],
      made,
    ),
  ).toEqual([
    'The API got no request POST /visits with {"petId":"p3"}',
    "The API got POST /visits 2 times, not 0",
  ]);
});

test("a request is a method and a path", () => {
  expect(parseRequestPattern("GET /pets?limit=5")?.query.get("limit")).toBe("5");
  expect(parseRequestPattern("/pets")).toBeUndefined();
  expect(parseRequestPattern("GET pets")).toBeUndefined();
});
