import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "../runtime/support/clinic.js";
import { reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { startServer, type TestServer } from "./in-process.js";

/** Operations of which one states no security, and one that it needs none. */
const responses = { "200": { description: "OK" } };
const keyed = (operationId: string) => ({ operationId, responses, security: [{ key: [] }] });
const document = {
  openapi: "3.0.3",
  info: { title: "Hub", version: "1" },
  paths: {
    "/rooms": { get: keyed("listRooms"), post: keyed("addRoom"), delete: keyed("deleteRooms") },
    "/lamps": { get: keyed("listLamps"), post: keyed("addLamp"), delete: keyed("deleteLamps") },
    "/users": { get: keyed("listUsers"), delete: keyed("deleteUsers") },
    "/terminal": {
      get: { operationId: "getTerminal", responses },
      post: { operationId: "resetTerminal", responses },
    },
    "/about": { get: { operationId: "getAbout", responses, security: [] } },
  },
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
};

let upstream: Upstream;
let server: TestServer;
let accepted: (key: string | undefined) => boolean = (key) => key !== undefined;
beforeAll(async () => {
  upstream = await startUpstream((response, request, count) => {
    const isAccepted = accepted(request.headers["x-key"] as string | undefined);
    reply(isAccepted ? 200 : 401, { ok: isAccepted })(response, request, count);
  });
  server = await startServer(document);
  server.useBaseUrl(upstream.url);
});
afterAll(() => upstream.close());

async function send(operationId: string, variables = {}) {
  const before = upstream.requests.length;
  const result = await server.call(server.toolOf(operationId), {}, variables);
  const sent = upstream.requests.slice(before).map(({ headers }) => headers["x-key"] !== undefined);
  return { sent, isError: result.isError ?? false, text: textOf(result) };
}

describe("a rejected call of an operation that states no security", () => {
  test.each(["getTerminal", "resetTerminal"])("%s has the usual credentials then", async (id) => {
    expect(await send(id)).toMatchObject({ sent: [false, true], isError: false });
  });

  test("has the credentials of the operations with its tag after 403", async () => {
    const tagged = (operationId: string, name?: string) => ({
      ...{ operationId, responses, tags: ["bans"] },
      ...(name !== undefined && { security: [{ [name]: [] }] }),
    });
    const { key } = document.components.securitySchemes;
    const { "/rooms": rooms, "/users": users } = document.paths;
    const bouncer = { type: "apiKey", in: "header", name: "X-Bouncer" };
    const other = await startServer({
      ...document,
      paths: {
        ...{ "/rooms": rooms, "/users": users },
        "/bans": { get: tagged("listBans"), head: tagged("checkBans", "bouncer") },
      },
      components: { securitySchemes: { key, bouncer } },
    });
    const forbidding = await startUpstream((response, request, count) =>
      reply(request.headers["x-bouncer"] ? 200 : 403, {})(response, request, count),
    );
    other.useBaseUrl(forbidding.url);
    const result = await other.call(other.toolOf("listBans"), {});
    const sent = forbidding.requests.map(({ headers }) => headers["x-bouncer"] !== undefined);
    expect(sent).toEqual([false, true]);
    expect(result.isError).toBeUndefined();
    await forbidding.close();
  });

  test("is made without them where the API takes that", async () => {
    accepted = () => true;
    expect((await send("getTerminal")).sent).toEqual([false]);
    accepted = (key) => key !== undefined;
  });

  test("is not repeated twice", async () => {
    accepted = () => false;
    const { sent, text } = await send("getTerminal");
    accepted = (key) => key !== undefined;
    expect(sent).toEqual([false, true]);
    expect(text).toContain("the API rejected the credentials. Tell the user to check HUB_API_KEY");
  });

  test("names the variable that is missing", async () => {
    const { sent, text } = await send("getTerminal", { API_KEY: "" });
    expect(sent).toEqual([false]);
    expect(text).toContain("none were sent. Tell the user to set HUB_API_KEY; do not retry.");
  });

  test("has none where the user wants none, or the document says so", async () => {
    expect((await send("getTerminal", { AUTH: "none" })).sent).toEqual([false]);
    expect((await send("getAbout")).sent).toEqual([false]);
  });
});
