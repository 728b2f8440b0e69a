import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { startServer, type TestServer } from "./in-process.js";

const pet = {
  type: "object",
  properties: { id: { type: "string" }, name: { type: "string" }, species: { type: "string" } },
};
const json = (schema: object) => ({
  "200": { description: "ok", content: { "application/json": { schema } } },
});
const envelope = {
  type: "object",
  properties: {
    pets: { type: "array", items: { $ref: "#/components/schemas/Pet" } },
    meta: { type: "object", properties: { next_cursor: { type: "string" } } },
    total: { type: "integer" },
  },
};
const query = (name: string, required = false) => ({
  name,
  in: "query",
  required,
  schema: { type: "string" },
});
const path = (name: string) => ({ name, in: "path", required: true, schema: { type: "string" } });

const document = {
  openapi: "3.1.0",
  info: { title: "Clinic", version: "1" },
  servers: [{ url: "https://clinic.example" }],
  paths: {
    "/owners": {
      get: {
        operationId: "listOwners",
        responses: json({ type: "array", items: { $ref: "#/components/schemas/Owner" } }),
      },
    },
    "/owners/{ownerId}/pets": {
      get: {
        operationId: "listPets",
        parameters: [path("ownerId"), query("species"), query("cursor")],
        responses: json(envelope),
      },
    },
    "/owners/{ownerId}/pets/search": {
      get: {
        operationId: "searchPets",
        parameters: [path("ownerId"), query("q", true)],
        responses: json({ type: "array", items: { $ref: "#/components/schemas/Pet" } }),
      },
    },
    "/owners/{ownerId}/pets/{petId}": {
      get: {
        operationId: "getPet",
        parameters: [path("ownerId"), path("petId")],
        responses: json({
          type: "object",
          properties: { pet: { $ref: "#/components/schemas/Pet" } },
        }),
      },
      delete: {
        operationId: "deletePet",
        parameters: [path("ownerId"), path("petId")],
        responses: { "204": { description: "gone" } },
      },
    },
  },
  components: {
    schemas: {
      Pet: pet,
      Owner: { type: "object", properties: { id: { type: "string" }, name: { type: "string" } } },
    },
  },
};

const REX = { id: "p1", name: "Rex", species: "dog" };
const TOM = { id: "p2", name: "Tom", species: "cat" };
const ANSWERS: Readonly<Record<string, unknown>> = {
  "/owners/o1/pets": { pets: [REX, TOM], meta: { next_cursor: "c2" }, total: 3 },
  "/owners/o1/pets?species=cat": { pets: [TOM], meta: { next_cursor: null }, total: 1 },
  "/owners/o1/pets?cursor=c2": { pets: [], total: 3 },
  "/owners/o1/pets/search?q=rex": [REX],
  "/owners/o1/pets/p1": { pet: REX },
};

/** One tool for list, search and get, on the real runtime against an HTTP server. */
describe("find_pets", () => {
  let upstream: Upstream;
  let server: TestServer;

  beforeAll(async () => {
    upstream = await startUpstream((response, request, count) => {
      const answer = ANSWERS[request.url];
      reply(answer === undefined ? 404 : 200, answer ?? { message: "no such pet" })(
        response,
        request,
        count,
      );
    });
    server = await startServer(document);
    server.useBaseUrl(upstream.url);
  });
  afterAll(() => upstream.close());

  const call = async (input: Record<string, unknown>, name = "find_pets") => {
    const tool = server.tools.find((one) => one.name === name) ?? expect.fail(`no ${name}`);
    const before = upstream.requests.length;
    const { structuredContent, content, isError } = await server.call(tool, input);
    return {
      requests: upstream.requests.slice(before).map(({ method, url }) => `${method} ${url}`),
      result: structuredContent,
      error: isError
        ? content.map((block) => (block.type === "text" ? block.text : "")).join("\n")
        : undefined,
    };
  };

  test("are the expected tools", () =>
    expect(server.tools.map(({ name }) => name)).toEqual([
      "list_owners",
      "find_pets",
      "delete_pet",
    ]));

  test.each<readonly [string, Record<string, unknown>, string, unknown]>([
    ["by ID", { ownerId: "o1", petId: "p1" }, "GET /owners/o1/pets/p1", { items: [REX] }],
    ["by words", { ownerId: "o1", q: "rex" }, "GET /owners/o1/pets/search?q=rex", { items: [REX] }],
    [
      "by a filter, on the last page",
      { ownerId: "o1", species: "cat" },
      "GET /owners/o1/pets?species=cat",
      { items: [TOM], total: 1 },
    ],
    [
      "all, as far as the API has pages",
      { ownerId: "o1" },
      "GET /owners/o1/pets + GET /owners/o1/pets?cursor=c2",
      {
        items: [REX, TOM],
        total: 3,
        notes: ["These are the first 2 of 3 results, from 2 pages. The API names no further page."],
      },
    ],
    [
      "the next page",
      { ownerId: "o1", cursor: "c2" },
      "GET /owners/o1/pets?cursor=c2",
      { items: [], total: 3 },
    ],
    [
      "with null for unused inputs",
      { ownerId: "o1", q: "rex" },
      "GET /owners/o1/pets/search?q=rex",
      { items: [REX] },
    ],
  ])("%s", async (_, input, request, result) => {
    const { meta: _meta, ...got } = await call(input).then((one) => ({ ...one, meta: undefined }));
    expect(got).toEqual({ requests: request.split(" + "), result, error: undefined });
  });

  test.each<readonly [string, Record<string, unknown>, string]>([
    [
      "the ID and a filter",
      { ownerId: "o1", petId: "p1", species: "cat" },
      "species: cannot be combined with petId; omit one of them",
    ],
    [
      "the ID and words",
      { ownerId: "o1", petId: "p1", q: "rex" },
      "q: cannot be combined with petId; omit one of them",
    ],
    ["without the owner", { petId: "p1" }, "ownerId"],
  ])("%s is an explained error without a request", async (_, input, want) => {
    const { requests, error } = await call(input);
    expect(requests).toEqual([]);
    expect(error).toContain(want);
  });

  test("an ID that does not exist", async () => {
    const { error } = await call({ ownerId: "o1", petId: "p9" });
    expect(error).toContain(
      'Next: the API finds nothing with petId "p9". Call find_pets without petId to get a valid one; if the user',
    );
  });

  test("another tool refers to the source of its IDs", async () => {
    const { error } = await call({ ownerId: "o1", petId: "p9" }, "delete_pet");
    expect(error).toContain(
      'Next: the API finds nothing with petId "p9". Get a valid petId from find_pets; if the user',
    );
  });
});
