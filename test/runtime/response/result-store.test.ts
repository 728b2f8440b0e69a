import { describe, expect, onTestFinished, test } from "vitest";
import { createServerContext, callTool, type ServerContext } from "../../../src/runtime/index.js";
import { createResultStore } from "../../../src/runtime/response/result-store.js";
import type { FullResult } from "../../../src/runtime/response/redact.js";
import { api, textOf, toolOf, type ToolSketch } from "../support/clinic.js";
import { type Answer, reply, startUpstream } from "../support/upstream.js";

const text = (length: number): FullResult => ({ mimeType: "text/plain", text: "x".repeat(length) });

describe("stored results", () => {
  const uriOf = (store: ReturnType<typeof createResultStore>, fullResult: FullResult): string =>
    store.store("find_pets", fullResult)?.uri ?? "";

  test("are available until they expire", () => {
    let now = 0;
    const store = createResultStore(1000, () => now);
    const uri = uriOf(store, text(10));
    expect(uri).toMatch(/^result:\/\/find_pets\/[0-9a-f-]{36}$/);
    now = 599_999;
    expect(store.read(uri)).toEqual({ uri, mimeType: "text/plain", text: "xxxxxxxxxx" });
    now = 600_000;
    expect(store.read(uri)).toBeUndefined();
  });

  test("are evicted for new ones, the oldest first", () => {
    const store = createResultStore(1000);
    const uris = [200, 200, 200].map((length) => uriOf(store, text(length)));
    expect(uris.map((uri) => store.read(uri) !== undefined)).toEqual([false, true, true]);
  });

  test("are available only to their caller", () => {
    const store = createResultStore(1000);
    const [firstCaller, secondCaller] = [store.forCaller("one"), store.forCaller("two")];
    const uri = uriOf(firstCaller, text(10));
    expect([firstCaller, secondCaller, store].map((each) => each.read(uri) !== undefined)).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("are unchanged, bytes too", () => {
    const store = createResultStore(1000);
    const uri = uriOf(store, { mimeType: "application/pdf", bytes: Uint8Array.of(0, 255, 128) });
    expect(store.read(uri)).toEqual({ uri, mimeType: "application/pdf", blob: "AP+A" });
  });

  test("larger than the capacity are not stored", () => {
    const store = createResultStore(100);
    const small = uriOf(store, text(10));
    expect(store.store("find_pets", text(51))).toBeUndefined();
    expect(store.read(small)).toBeDefined();
  });

  test("never exceed the capacity", () => {
    const store = createResultStore(10_000);
    const uris = Array.from({ length: 1000 }, (_, i) => uriOf(store, text(i % 100)));
    expect(
      uris
        .filter((uri) => store.read(uri))
        .reduce((sum, uri) => sum + 2 * (store.read(uri) as { text: string }).text.length, 0),
    ).toBeLessThanOrEqual(10_000);
  });
});

describe("a stored result", () => {
  const visits = {
    note: "sesame-open",
    visits: Array.from({ length: 400 }, (_, visit) => ({ visit, token: "hunter2hunter2" })),
  };
  const pdf = Buffer.alloc(30_000, 1);

  async function answered(
    answer: Answer,
    sketch: ToolSketch = {},
    env: Record<string, string> = {},
    custom = {},
  ): Promise<{
    readonly app: ServerContext;
    readonly result: Awaited<ReturnType<typeof callTool>>;
    readonly whole: unknown;
  }> {
    const upstream = await startUpstream(answer);
    const tool = toolOf({ send: { security: [{ token: [] }, {}] }, ...sketch });
    const created = createServerContext({
      api,
      tools: [tool],
      custom,
      storeResults: true,
      env: {
        LOG_LEVEL: "silent",
        CLINIC_TOKEN: "hunter2hunter2",
        CLINIC_MAX_RESULT_TOKENS: "500",
        CLINIC_BASE_URL: upstream.url,
        ...env,
      },
    });
    if (!created.ok) throw new Error(created.problems.join(" "));
    const result = await callTool(created.context, tool, {});
    await upstream.close();
    const link = result.content.find((block) => block.type === "resource_link");
    return {
      app: created.context,
      result,
      whole: link && created.context.resultStore?.read(link.uri),
    };
  }

  test("is complete, without secrets", async () => {
    const { whole } = await answered(reply(200, visits));
    expect(JSON.parse((whole as { text: string }).text)).toEqual({
      ...visits,
      visits: visits.visits.map((visit) => ({ ...visit, token: "[redacted]" })),
    });
  });

  test("is the projected result", async () => {
    const { whole } = await answered(reply(200, visits), {
      read: { projection: { drop: ["note"] } },
    });
    expect((whole as { text: string }).text).not.toContain("sesame");
  });

  test("can be a large file or a long text", async () => {
    const { result, whole } = await answered(
      reply(200, pdf, { "content-type": "application/pdf" }),
    );
    expect(textOf(result)).toMatch(
      /^A file of 30000 bytes \(application\/pdf\)\.\nNote: The full result \(30000 bytes\) is available for 10 minutes as the resource result:/,
    );
    expect(whole).toMatchObject({ mimeType: "application/pdf", blob: pdf.toString("base64") });
    expect(
      (
        await answered(
          reply(200, Buffer.from("x".repeat(10_000)), { "content-type": "text/plain" }),
        )
      ).whole,
    ).toMatchObject({ mimeType: "text/plain", text: "x".repeat(10_000) });
  });

  test("is absent if all is shown, the store is disabled or a hook changes results", async () => {
    expect((await answered(reply(200, { id: 1 }))).whole).toBeUndefined();
    expect(
      (await answered(reply(200, pdf.subarray(0, 100), { "content-type": "image/png" }))).whole,
    ).toBeUndefined();
    const { app, result } = await answered(
      reply(200, visits),
      {},
      { CLINIC_KEPT_RESULT_BYTES: "0", CLINIC_READ_RESULTS: "false" },
    );
    expect(app.resultStore).toBeUndefined();
    expect(textOf(result)).toMatch(
      /Note: The result was too large\. Omitted: \d+ of 400 items of visits\.\nNote: Hidden by this server: \d+ values with its credentials \(visits\[\]\.token\)\. They are shown as \[redacted\]\.$/,
    );
    expect(
      (await answered(reply(200, visits), {}, {}, { afterResponse: (same: unknown) => same }))
        .whole,
    ).toBeUndefined();
  });
});

describe("a result without a store", () => {
  const visits = Array.from({ length: 300 }, (_, visit) => ({ visit, note: "in the morning" }));
  const properties = {
    day: { type: "string" },
    rooms: { type: "array", items: { type: "integer" } },
    late: { type: "boolean" },
  };
  const queries = { day: "day", rooms: "rooms", late: "late" };

  /** Another process of the server for each call, as behind a load balancer. */
  async function replicas(answer: Answer, sketch: ToolSketch = {}, env = {}) {
    const upstream = await startUpstream(answer);
    onTestFinished(() => upstream.close());
    const tool = toolOf({ properties, send: { query: queries }, ...sketch });
    const start = (): ServerContext => {
      const variables = {
        LOG_LEVEL: "silent",
        CLINIC_MAX_RESULT_TOKENS: "500",
        CLINIC_BASE_URL: upstream.url,
        CLINIC_KEPT_RESULT_BYTES: "0",
        ...env,
      };
      const created = createServerContext({
        api,
        tools: [tool],
        storeResults: true,
        env: variables,
      });
      if (!created.ok) throw new Error(created.problems.join(" "));
      return created.context;
    };
    const call = async (name: string, input: object) => {
      const app = start();
      return callTool(app, app.tools.find(name), input);
    };
    return { call, requests: upstream.requests };
  }

  const resourceOf = ({ content }: Awaited<ReturnType<typeof callTool>>): string =>
    content.flatMap((block) => (block.type === "resource_link" ? [block.uri] : []))[0] ?? "";

  async function readAll(
    call: Awaited<ReturnType<typeof replicas>>["call"],
    resource: string,
  ): Promise<{ readonly text: string; readonly notes: readonly string[] }> {
    let text = "";
    const notes: string[] = [];
    let next: object | undefined = { resource };
    while (next) {
      const { structuredContent } = await call("read_result", next);
      const part = structuredContent as { text: string; next?: object; notes: string[] };
      text += part.text;
      notes.push(...part.notes.slice(1));
      next = part.next;
    }
    return { text, notes };
  }

  test.each([
    ["no inputs", {}],
    ["a text that reads like a number", { day: "0012" }],
    ["a text that is a number", { day: "12" }],
    ["a text that is JSON", { day: '{"a": 1}' }],
    ["signs of a query", { day: "a&b=c d+e#f?g%20é" }],
    ["other types", { rooms: [1, 20], late: false }],
  ])("is read in parts by any process: %s", async (_, input) => {
    const { call, requests } = await replicas(reply(200, visits));
    const first = await call("get_pet", input);
    const { text, notes } = await readAll(call, resourceOf(first));
    expect(JSON.parse(text)).toEqual({ items: visits });
    expect(new Set(notes)).toEqual(new Set(["get_pet was called again for it."]));
    expect(new Set(requests.map(({ url }) => url))).toEqual(new Set([requests[0]!.url]));
  });

  test("states how it is read", async () => {
    const { call } = await replicas(reply(200, visits));
    const result = await call("get_pet", { day: "today" });
    const uri = resourceOf(result);
    expect(uri).toMatch(/^result:\/\/get_pet\?day=today#[0-9a-f]{8}$/);
    expect(textOf(result)).toContain(
      `Note: The full result (11301 bytes) is available as the resource ${uri}, for which get_pet is called again. read_result reads it in parts, or some fields of it with pick ["items.visit","items.note"].`,
    );
  });

  test("tells that it has changed", async () => {
    const { call } = await replicas((response, request, count) =>
      reply(200, count === 1 ? visits.slice(1) : visits)(response, request, count),
    );
    const read = await call("read_result", { resource: resourceOf(await call("get_pet", {})) });
    const { notes } = read.structuredContent as { notes: string[] };
    expect(notes[1]).toBe(
      "get_pet was called again for it, and its result has changed since then.",
    );
  });

  test("is that of the failure if the repeated call fails", async () => {
    const { call } = await replicas((response, request, count) =>
      (count === 0 ? reply(200, visits) : reply(403, { message: "The shift is over." }))(
        response,
        request,
        count,
      ),
    );
    const read = await call("read_result", { resource: resourceOf(await call("get_pet", {})) });
    expect(read.isError).toBe(true);
    expect(textOf(read)).toContain("The shift is over.");
  });

  const write: ToolSketch = {
    annotations: { ...toolOf({}).annotations, readOnlyHint: false },
    send: { method: "POST" },
  };

  test("of a write is never requested again", async () => {
    const { call, requests } = await replicas(reply(201, visits), write);
    const result = await call("get_pet", {});
    expect(resourceOf(result)).toBe("");
    expect(textOf(result)).toContain(
      "Note: The full result is not stored. Do not call get_pet again to see it: that would send it again.",
    );
    const read = await call("read_result", { resource: "result://get_pet?#00000000" });
    expect(textOf(read)).toMatch(/^There is no stored result/);
    expect(requests).toHaveLength(1);
  });

  test.each([
    ["the inputs are long", { day: "x".repeat(600) }, {}],
    ["an input is a credential", { day: "hunter2hunter2" }, { CLINIC_TOKEN: "hunter2hunter2" }],
    ["full results are not read", {}, { CLINIC_READ_RESULTS: "false" }],
  ])("has no URI if %s", async (_, input, env) => {
    const { call } = await replicas(reply(200, visits), {}, env);
    expect(resourceOf(await call("get_pet", input))).toBe("");
  });
});
