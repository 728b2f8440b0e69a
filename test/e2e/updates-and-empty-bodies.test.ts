import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "../runtime/support/clinic.js";
import { reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { startServer, type TestServer } from "./in-process.js";

const post = {
  type: "object",
  required: ["title", "kind", "state"],
  properties: {
    title: { type: "string" },
    text: { type: "string" },
    kind: { const: "post" },
    state: { type: "string", default: "draft" },
  },
};
const json = (schema: object, mediaType = "application/json") => ({
  required: true,
  content: { [mediaType]: { schema } },
});
const fields = (required: readonly string[], optional: readonly string[]) =>
  json({
    type: "object",
    required,
    properties: Object.fromEntries(
      [...required, ...optional].map((name) => [name, { type: "string" }]),
    ),
  });
const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
const responses = { "204": { description: "done" } };
const operation = (operationId: string, requestBody: object, rest: object = {}) => ({
  operationId,
  requestBody,
  responses,
  ...rest,
});
const at = (method: string, one: object) => ({ parameters: [id], [method]: one });

const document = {
  openapi: "3.1.0",
  info: { title: "Blog", version: "1" },
  components: { schemas: { Post: post } },
  paths: {
    "/posts": { post: operation("createPost", json({ $ref: "#/components/schemas/Post" })) },
    "/posts/{id}": {
      ...at("patch", operation("changePost", json({ $ref: "#/components/schemas/Post" }))),
      post: operation("editPost", json({ $ref: "#/components/schemas/Post" }), {
        summary: "Update a post",
      }),
    },
    "/tags": { patch: operation("renameTag", fields(["tag_id", "name"], ["color"])) },
    "/labels/{id}": at("patch", operation("renameLabel", fields(["label", "name"], []))),
    "/refs/{id}": at("patch", operation("moveRef", fields(["sha"], ["force"]))),
    "/users/{id}": at("patch", operation("changeUser", fields(["username"], ["avatar"]))),
    "/pages/{id}": at(
      "put",
      operation("changePage", json({ allOf: [{ $ref: "#/components/schemas/Post" }] }), {
        description: "Updates a page. Any fields not provided will be left unchanged.",
      }),
    ),
    "/notes/{id}": at(
      "put",
      operation("replaceNote", json({ $ref: "#/components/schemas/Post" }), {
        description: "Replaces a note.",
      }),
    ),
    "/maps/{id}": at(
      "patch",
      operation("changeMap", json({ ...post, additionalProperties: { type: "string" } })),
    ),
    "/names/{id}": at(
      "patch",
      operation(
        "renameIt",
        json({ type: "object", required: ["name"], properties: { name: { type: "string" } } }),
      ),
    ),
    "/steps/{id}": at(
      "patch",
      operation(
        "patchSteps",
        json(
          {
            type: "array",
            items: {
              type: "object",
              required: ["op", "path"],
              properties: { op: { type: "string" }, path: { type: "string" } },
            },
          },
          "application/json-patch+json",
        ),
      ),
    ),
    "/enable": { post: operation("enableAuth", json({ type: "object", properties: {} })) },
    "/compact": { post: operation("compactStore", json({ type: "object" })) },
    "/closed": {
      post: operation(
        "startClosed",
        json({ type: "object", properties: {}, additionalProperties: false }),
      ),
    },
    "/settings": { put: operation("replaceSettings", json({ type: "object" })) },
  },
};

let upstream: Upstream;
let server: TestServer;
beforeAll(async () => {
  upstream = await startUpstream(reply(204));
  server = await startServer(document, { granularity: "operation" });
  server.useBaseUrl(upstream.url);
});
afterAll(() => upstream.close());

async function send(name: string, input: Record<string, unknown>) {
  const before = upstream.requests.length;
  const text = textOf(await server.call(server.toolOf(name), input));
  const { body, headers } = upstream.requests[before] ?? {};
  return { text, body, type: headers?.["content-type"] };
}

describe("an update that changes only what is sent", () => {
  test.each([
    ["changePost", { text: "new" }, { text: "new", kind: "post" }],
    ["editPost", { text: "new" }, { text: "new", kind: "post" }],
    ["changePage", { text: "new" }, { text: "new", kind: "post" }],
    ["changeUser", { avatar: "new" }, { avatar: "new" }],
    ["renameLabel", { label: "old" }, { label: "old" }],
    ["moveRef", { force: "yes" }, { force: "yes" }],
    ["changeMap", { body: { text: "new" } }, { text: "new" }],
  ])("requires none of its fields and sends no default: %s", async (name, input, body) => {
    const sent = await send(name, { id: "1", ...input });
    expect(JSON.parse(sent.body ?? "null"), sent.text).toEqual(body);
  });

  test.each([
    ["createPost", {}, "title: is required"],
    ["replaceNote", { id: "1", text: "new" }, "title: is required"],
    ["renameIt", { id: "1" }, "name: is required"],
    ["renameTag", { name: "new" }, "tag_id: is required"],
    ["patchSteps", { id: "1", body: [{ op: "remove" }] }, "body[0].path: is required"],
  ])("leaves other requirements: %s", async (name, input, problem) => {
    const sent = await send(name, input);
    expect(sent.text).toContain(problem);
    expect(sent.body).toBeUndefined();
  });

  test("is reported", () => {
    const messages = server.plan.diagnostics
      .filter(({ code }) => code === "plan-update-required")
      .map(({ message }) => message);
    const rest = ". The tool does not require them.";
    expect(messages).toEqual([
      `PATCH changes only the fields that are sent, but its body requires "title", "state"${rest}`,
      `POST updates with the body of a creation, which requires "title", "state"${rest}`,
      `PATCH changes only the fields that are sent, but its body requires "name"${rest}`,
      `PATCH changes only the fields that are sent, but its body requires "label", "name"${rest}`,
      `PATCH changes only the fields that are sent, but its body requires "sha"${rest}`,
      `PATCH changes only the fields that are sent, but its body requires "username"${rest}`,
      `PUT changes only the fields that are sent, but its body requires "title", "state"${rest}`,
    ]);
  });

  test.each([
    ["changePost", true],
    ["editPost", true],
    ["changeUser", true],
    ["changeMap", true],
    ["changePage", false],
  ])("says what the document requires, unless it says that others stay: %s", (id, isSaid) => {
    const { properties } = server.toolOf(id).inputSchema as Record<string, object>;
    expect(JSON.stringify(properties).includes("Documented as required.")).toBe(isSaid);
  });

  test("requires nothing in the mock", () => {
    const bodies = server.plan.mock.operations.flatMap(({ operationId, body }) =>
      operationId === "changePost" ? (body?.contents ?? []) : [],
    );
    expect(bodies.map(({ schema }) => [schema?.required, schema?.properties])).toEqual([
      [undefined, post.properties],
    ]);
  });
});

describe("a required body without fields", () => {
  test.each([
    ["enableAuth", {}, "{}"],
    ["compactStore", {}, "{}"],
    ["compactStore", { body: { revision: 3 } }, '{"revision":3}'],
    ["startClosed", {}, "{}"],
    ["enableAuth", { force: true }, '{"force":true}'],
  ])("%s %j is sent as %s", async (name, input, body) => {
    expect(await send(name, input)).toMatchObject({ body, type: "application/json" });
  });

  test.each([
    ["replaceSettings", {}, "body: is required"],
    ["startClosed", { force: true }, "force: unknown input"],
  ])("%s %j is refused", async (name, input, problem) => {
    const sent = await send(name, input);
    expect(sent.text).toContain(problem);
    expect(sent.body).toBeUndefined();
  });
});
