import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callTool, createServerContext } from "../../../src/runtime/index.js";
import type { AnyTool } from "../../../src/runtime/index.js";
import { fillReferences } from "../../../src/runtime/tools/step-references.js";
import { connect, optionsOf } from "../approvals/asking.js";
import { blocksOf } from "../../docs/snippets.js";
import { api, textOf, toolOf } from "../support/clinic.js";
import { testNodePlatform } from "../support/by-node.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

const text = { type: "string" } as const;
const pet = { type: "object", properties: { id: text, name: text } } as const;
const changes = { readOnlyHint: false, idempotentHint: false, openWorldHint: true };
const findPets = toolOf({
  name: "find_pets",
  properties: { name: text },
  send: { path: "/pets", query: { name: "name" } },
  read: { items: "" },
  outputSchema: { type: "object", properties: { items: { type: "array", items: pet } } },
});
const getPet = toolOf({
  properties: { petId: text },
  required: ["petId"],
  send: { path: "/pets/{petId}", pathParams: { petId: "petId" } },
  outputSchema: pet,
});
const createVisit = toolOf({
  name: "create_visit",
  annotations: { ...changes, destructiveHint: false },
  properties: { petId: text, reason: text },
  required: ["petId", "reason"],
  send: {
    method: "POST",
    path: "/visits",
    body: { contentType: "application/json", fields: { petId: "petId", reason: "reason" } },
  },
  outputSchema: { type: "object", properties: { id: text } },
});
const deletePet = toolOf({
  name: "delete_pet",
  annotations: { ...changes, destructiveHint: true },
  properties: { petId: text },
  required: ["petId"],
  send: { method: "DELETE", path: "/pets/{petId}", pathParams: { petId: "petId" } },
});
const tools: readonly AnyTool[] = [findPets, getPet, createVisit, deletePet];
const rex = { id: "p1", name: "Rex" };
const pets = [rex, { id: "p2", name: "Tom" }, { id: "p3", name: "Tom" }];

let upstream: Upstream;
/** Requests that the upstream is answering, and the most of them at one time. */
let atOnce = { now: 0, most: 0 };
beforeAll(async () => {
  upstream = await startUpstream(async (response, request, count) => {
    if (request.url.includes("/pets/slow")) await delay(3000);
    atOnce.now += 1;
    atOnce.most = Math.max(atOnce.most, atOnce.now);
    if (request.url.includes("/pets/wait-")) await delay(200);
    atOnce.now -= 1;
    const [path = ""] = request.url.replace("/v1", "").split("?");
    const [, waiting] = /^\/pets\/(wait-.+)/.exec(path) ?? [];
    if (path === "/photo")
      return response.writeHead(200, { "content-type": "application/octet-stream" }).end("a\0b");
    const own = waiting ? { id: waiting } : pets.find(({ id }) => path === `/pets/${id}`);
    const answer = path === "/pets" ? pets : own;
    const body = request.method === "POST" ? { id: "v1" } : (answer ?? { message: "no such pet" });
    reply(request.method === "POST" || answer ? 200 : 404, body)(response, request, count);
  });
});
afterAll(() => upstream.close());
let before = 0;
beforeEach(() => void (before = upstream.requests.length));

const sent = (): readonly string[] =>
  upstream.requests
    .slice(before)
    .map(({ method, url, body }) => `${method} ${url.replace("/v1", "")}${body && ` ${body}`}`);

function serverWith(variables: Record<string, string> = {}, served = tools) {
  const created = createServerContext({
    api,
    tools: served,
    platform: testNodePlatform,
    env: {
      LOG_LEVEL: "silent",
      CLINIC_BASE_URL: `${upstream.url}/v1`,
      CLINIC_RUN_STEPS: "true",
      ...variables,
    },
  });
  if (!created.ok) throw new Error(created.problems.join(" "));
  return created.context;
}

async function run(steps: unknown, server = serverWith()) {
  const result = await callTool(server, server.tools.find("run_steps"), { steps });
  return { ...result, text: textOf(result) };
}

const find = { tool: "find_pets" };
const visit = {
  tool: "create_visit",
  arguments: { petId: "{{1.items[name=Rex].id}}", reason: "{{1.items[0].name}} limps" },
};

test("later steps take values of earlier results, and each result is returned", async () => {
  const { structuredContent, isError } = await run([find, visit]);
  expect(isError).toBeFalsy();
  expect(sent()).toEqual(["GET /pets", 'POST /visits {"petId":"p1","reason":"Rex limps"}']);
  expect(structuredContent).toEqual({
    steps: [
      { step: 1, tool: "find_pets", result: { items: pets } },
      { step: 2, tool: "create_visit", result: { id: "v1" } },
    ],
  });
});

test("the example of docs/server.md", async () => {
  const [example = ""] = blocksOf("docs/server.md", "json");
  const { structuredContent } = await run(JSON.parse(example).steps);
  expect(sent()).toEqual(["GET /pets?name=Rex", 'POST /visits {"petId":"p1","reason":"check-up"}']);
  expect(structuredContent).toEqual({
    steps: [{ step: 2, tool: "create_visit", result: { id: "v1" } }],
  });
});

test("a quiet step leaves its result out", async () => {
  const { structuredContent, text } = await run([{ ...find, quiet: true }, visit]);
  expect(structuredContent).toEqual({
    steps: [{ step: 2, tool: "create_visit", result: { id: "v1" } }],
  });
  expect(JSON.parse(text)).toEqual(structuredContent);
});

describe("nothing is called", () => {
  test.each<readonly [string, readonly object[], string]>([
    ["an unknown tool", [find, { tool: "get_pets" }], 'Step 2: Unknown tool "get_pets".'],
    [
      "the tool itself",
      [find, { tool: "run_steps" }],
      "Step 2: run_steps is a tool of this server: call it by itself",
    ],
    [
      "a tool that destroys as the first step",
      [{ tool: "delete_pet", arguments: { petId: "p1" } }, find],
      "Step 1: delete_pet may destroy something. Call it alone, then run the other steps.",
    ],
    ["an invalid input", [find, { tool: "get_pet" }], "petId: is required"],
    [
      "a result of a later step",
      [{ tool: "get_pet", arguments: { petId: "{{2.id}}" } }, find],
      "Step 1 refers to the result of step 2, which is not before it.",
    ],
  ])("for %s", async (_, steps, problem) => {
    const { isError, text: message } = await run(steps);
    expect(isError).toBe(true);
    expect(message).toContain("Nothing was called. Step ");
    expect(message).toContain(problem);
    expect(sent()).toEqual([]);
  });
});

test("a step takes what the API has demanded against its document", async () => {
  const server = serverWith();
  const visits = [{ tool: "create_visit", arguments: { petId: "p1", reason: ["limps"], room: 3 } }];
  expect((await run(visits, server)).text).toContain("reason: expected a string");
  const { request } = createVisit.operations[0]!;
  const demands = { types: [["reason", "array"]], fields: ["room"] } as const;
  server.corrections.add(createVisit, request, demands);
  expect((await run(visits, server)).isError).toBeFalsy();
  expect(sent()).toEqual(['POST /visits {"petId":"p1","reason":["limps"],"room":3}']);
});

test("a value that only the document excludes is sent by the same run again", async () => {
  const byId = toolOf({
    name: "get_pet",
    properties: { petId: { type: "string", pattern: "^p[0-9]$" } },
    required: ["petId"],
    send: { path: "/pets/{petId}", pathParams: { petId: "petId" } },
  });
  const server = serverWith({}, [findPets, byId]);
  const steps = [find, { tool: "get_pet", arguments: { petId: "p-1" } }];
  const first = await run(steps, server);
  expect(first.text).toContain("call get_pet again with the same input: it is then sent as given.");
  const second = await run(steps, server);
  expect(sent().at(-1)).toBe("GET /pets/p-1");
  expect(second.text).toContain("no such pet");
});

test("a field of a body that the document lacks is sent, as by a call of the tool alone", async () => {
  const feed = toolOf({
    name: "feed_pet",
    annotations: { ...changes, destructiveHint: false },
    properties: { petId: text },
    required: ["petId"],
    send: { method: "POST", path: "/pets/{petId}/feed", pathParams: { petId: "petId" } },
  });
  const steps = [{ tool: "feed_pet", arguments: { petId: "p1", food: "fish" } }, find];
  await run(steps, serverWith({}, [feed, ...tools]));
  expect(sent()[0]).toBe('POST /pets/p1/feed {"food":"fish"}');
});

describe("a failure stops the run, and says what was done", () => {
  const missing = { tool: "get_pet", arguments: { petId: "p9" } };

  test("of the first step, without further reads", async () => {
    const { isError, text: message } = await run([missing, visit]);
    expect(isError).toBe(true);
    expect(message).toMatch(/^Step 1 failed\. Step 2 was not run\.\nStep 1 \(get_pet\): /);
    expect(message).toContain("no such pet");
    expect(sent()).toEqual(["GET /pets/p9"]);
  });

  test("of a later one: writes are not made, nor reads that need it", async () => {
    const needy = { tool: "get_pet", arguments: { petId: "{{2.id}}" } };
    const { structuredContent, isError } = await run([find, missing, visit, needy, find]);
    expect(isError).toBeFalsy();
    expect(structuredContent).toEqual({
      steps: [
        { step: 1, tool: "find_pets", result: { items: pets } },
        { step: 2, tool: "get_pet", error: expect.stringContaining("no such pet") },
        { step: 5, tool: "find_pets", result: { items: pets } },
      ],
      incomplete: "Step 2 failed. Steps 3 and 4 were not run. Steps 1 and 5 were.",
    });
    expect(sent()).toEqual(["GET /pets", "GET /pets/p9", "GET /pets"]);
  });

  test("but no write that goes on without it", async () => {
    const server = serverWith();
    const needy = { tool: "get_pet", arguments: { petId: "{{2.id}}" } };
    const wrong = { tool: "create_visit", arguments: { petId: "p1" } };
    const other = { tool: "create_visit", arguments: { petId: "p1", reason: "limps" } };
    const input = { steps: [missing, wrong, other, needy], goOn: true };
    const result = await callTool(server, server.tools.find("run_steps"), input);
    expect(result.structuredContent).toMatchObject({
      steps: [{ step: 1 }, { step: 2 }, { step: 3, result: { id: "v1" } }],
      incomplete: "Steps 1 and 2 failed. Step 4 was not run. Step 3 was.",
    });
    expect(sent()).toHaveLength(2);
  });

  test("of a reference", async () => {
    const tom = { tool: "get_pet", arguments: { petId: "{{1.items[name=Tom].id}}" } };
    const { structuredContent } = await run([find, tom]);
    expect(structuredContent).toMatchObject({
      steps: [
        { step: 1 },
        {
          step: 2,
          error:
            "It was not called. {{1.items[name=Tom].id}}: items of the result of step 1 has 2 " +
            'items whose name is "Tom".',
        },
      ],
      incomplete: "Step 2 failed. Step 1 was run.",
    });
    expect(sent()).toEqual(["GET /pets"]);
  });

  test("a tool that destroys stops the run before it", async () => {
    const removal = { tool: "delete_pet", arguments: { petId: "{{1.items[0].id}}" } };
    const { structuredContent } = await run([find, removal, find]);
    expect(structuredContent).toEqual({
      steps: [{ step: 1, tool: "find_pets", result: { items: pets } }],
      incomplete:
        "Steps 2 and 3 were not run. Step 1 was. " +
        "delete_pet may destroy something: call it alone.",
    });
    expect(sent()).toEqual(["GET /pets"]);
  });
});

describe("reads that do not need each other are made at once", () => {
  const pet = (petId: string) => ({ tool: "get_pet", arguments: { petId } });
  const waitFor = (index: number) => pet(`wait-{{1.items[${index}].id}}`);

  test.each<readonly [string, readonly object[], number]>([
    ["three reads", [pet("wait-1"), pet("wait-2"), pet("wait-3")], 3],
    ["no more than five", ["1", "2", "3", "4", "5", "6"].map((id) => pet(`wait-${id}`)), 5],
    ["reads that need the same earlier one", [find, waitFor(0), waitFor(1)], 2],
    ["no read beside the one that it needs", [pet("wait-1"), pet("wait-{{1.id}}")], 1],
    ["no read beside a write", [pet("wait-1"), visit, pet("wait-2")], 1],
  ])("%s", async (_, steps, most) => {
    atOnce = { now: 0, most: 0 };
    await run(steps);
    expect(atOnce.most).toBe(most);
  });

  test("each result stands in its place, also when a later one is there first", async () => {
    const { structuredContent } = await run([pet("wait-1"), pet("p9"), pet("p1")]);
    expect(structuredContent).toMatchObject({
      steps: [
        { step: 1, result: { id: "wait-1" } },
        { step: 2, error: expect.stringContaining("no such pet") },
        { step: 3, result: rex },
      ],
    });
  });
});

test("at the deadline, what was done is the result", async () => {
  const slow = { tool: "get_pet", arguments: { petId: "slow" } };
  const server = serverWith({ CLINIC_TIMEOUT_MS: "1500" });
  const { structuredContent, isError } = await run([find, visit, slow, visit], server);
  expect(isError).toBeFalsy();
  expect(structuredContent).toMatchObject({
    steps: [
      { step: 1, result: { items: pets } },
      { step: 2, result: { id: "v1" } },
      { step: 3, error: "It had not ended when the time was up." },
    ],
    incomplete:
      "Step 3 failed. Step 4 was not run. Steps 1 and 2 were. " +
      "The time was up: run the other steps in a call of their own.",
  });
});

test.each<readonly [string, unknown]>([
  ["{{1.items[*].id}}", ["p1", "p2", "p3"]],
  ["{{1.items[*]}}", pets],
  ["{{1.items[1].id}}", "p2"],
])("%s is the value of a list", (reference, value) => {
  expect(fillReferences({ ids: reference }, [{ items: pets }])).toEqual({
    ok: true,
    value: { ids: value },
  });
});

test("a field that an item lacks is a problem", () => {
  expect(fillReferences("{{1.items[*].id}}", [{ items: [rex, { name: "Tom" }] }])).toEqual({
    ok: false,
    problem: "{{1.items[*].id}}: item 1 of items of the result of step 1 has no id; it has name",
  });
});

describe("the description", () => {
  const description = (served: readonly AnyTool[]): string =>
    serverWith({}, served).tools.find("run_steps").description;
  const ofVisit = (fields: object): AnyTool =>
    toolOf({
      name: "confirm_visit",
      annotations: { ...changes, destructiveHint: false },
      properties: { visitId: text },
      required: ["visitId"],
      producers: { visitId: ["list_visits"] },
      send: { method: "PUT", path: "/visits/{visitId}", pathParams: { visitId: "visitId" } },
      ...fields,
    });
  const example = (path: string, rest = ""): string =>
    'Example: [{"tool": "create_visit", "arguments": {…}}, {"tool": "confirm_visit", ' +
    `"arguments": {"visitId": "{{1.${path}}}"${rest}}}].`;

  test("has an example of the server's own tools", () => {
    expect(description([...tools, ofVisit({})])).toContain(example("id"));
  });

  test("finds the ID inside the result", () => {
    const nested = {
      type: "object",
      properties: { status: text, visit: { type: "object", properties: { visitId: text } } },
    };
    const created = { ...createVisit, outputSchema: nested };
    const confirm = ofVisit({
      properties: { visitId: text, by: text },
      required: ["visitId", "by"],
    });
    expect(description([created, confirm])).toContain(example("visit.visitId", ", …"));
  });

  test.each<readonly [string, readonly AnyTool[]]>([
    ["no schema of the created thing", [{ ...createVisit, outputSchema: undefined }, ofVisit({})]],
    ["another thing", [createVisit, ofVisit({ name: "confirm_payment" })]],
    ["an input that no tool produces", [createVisit, ofVisit({ producers: {} })]],
    [
      "a change that destroys",
      [createVisit, findPets, ofVisit({ annotations: { ...changes, destructiveHint: true } })],
    ],
  ])("has none for %s", (_, served) => {
    expect(description(served)).not.toContain("Example:");
  });

  test("names the tools that are called alone", () => {
    expect(description(tools)).toContain(
      "Tools that may destroy something are called alone: delete_pet.",
    );
    const others = ["delete_visit", "ban_owner"].map((name) => ({ ...deletePet, name }));
    expect(description([...tools, ...others])).toContain(
      "Tools that may destroy something are called alone, such as delete_pet, ban_owner.",
    );
    expect(description([findPets, getPet])).not.toContain("destroy");
  });
});

describe("the tool is listed", () => {
  test.each<readonly [string, Record<string, string>, readonly AnyTool[], boolean]>([
    ["if the settings have it", {}, tools, true],
    ["beside the search", { CLINIC_MODE: "discovery" }, tools, true],
    ["not by default", { CLINIC_RUN_STEPS: "" }, tools, false],
    ["not for a single tool that destroys nothing", {}, [getPet, deletePet], false],
  ])("%s", (_, variables, served, isListed) => {
    const { tools: registry } = serverWith(variables, served);
    expect(registry.lookUp("run_steps") !== undefined).toBe(isListed);
    expect(registry.serializeList().includes('"run_steps"')).toBe(isListed);
  });

  test.each([
    ["all tools read", { CLINIC_READ_ONLY: "true" }, tools],
    ["the tools that it takes read", {}, [findPets, getPet, deletePet]],
  ])("as a read where %s", (_, variables, served) => {
    const { tools: registry } = serverWith(variables, served);
    expect(registry.find("run_steps").annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    });
  });
});

describe("run_reads", () => {
  const server = (served = tools) => serverWith({ CLINIC_RUN_STEPS: "reads" }, served);
  const runReads = async (steps: unknown) => {
    const own = server();
    const result = await callTool(own, own.tools.find("run_reads"), { steps });
    return { ...result, text: textOf(result) };
  };
  const description = (served: readonly AnyTool[]): string =>
    server(served).tools.find("run_reads").description;

  test("runs reads that take values of earlier ones", async () => {
    const get = { tool: "get_pet", arguments: { petId: "{{1.items[name=Rex].id}}" } };
    const { structuredContent } = await runReads([{ ...find, quiet: true }, get]);
    expect(structuredContent).toEqual({ steps: [{ step: 2, tool: "get_pet", result: rex }] });
    expect(sent()).toEqual(["GET /pets", "GET /pets/p1"]);
  });

  test("says that read_result is called alone, where results are stored", async () => {
    expect(description(tools)).toContain(
      "Tools that write are called alone, and so are this server's own, such as read_result.",
    );
    const steps = [find, { tool: "read_result", arguments: { resource: "result://find_pets/1" } }];
    expect((await runReads(steps)).text).toContain(
      "read_result is a tool of this server: call it by itself.",
    );
  });

  test.each<readonly [string, object, string]>([
    ["with an invalid input", { tool: "get_pet" }, "petId: is required"],
    ["of an unknown tool", { tool: "get_pets" }, 'Unknown tool "get_pets".'],
  ])("makes the reads beside one %s", async (_, wrong, problem) => {
    const needing = { tool: "get_pet", arguments: { petId: "{{2.id}}" } };
    const { isError, structuredContent } = await runReads([find, wrong, needing]);
    expect(isError).toBeFalsy();
    expect(structuredContent).toEqual({
      steps: [
        { step: 1, tool: "find_pets", result: { items: pets } },
        { step: 2, tool: (wrong as { tool: string }).tool, error: expect.any(String) },
      ],
      incomplete: "Step 2 failed. Step 3 was not run. Step 1 was.",
    });
    expect(
      (structuredContent as { steps: readonly { error?: string }[] }).steps[1]!.error,
    ).toContain(problem);
    expect(sent()).toEqual(["GET /pets"]);
  });

  test("calls nothing where all steps are wrong", async () => {
    const { isError, text: message } = await runReads([{ tool: "get_pet" }, { tool: "get_pets" }]);
    expect(isError).toBe(true);
    expect(message).toMatch(/^Nothing was called\. Step 1: .*\nStep 2: Unknown tool/s);
  });

  test("says how to get a file, which a step does not show", async () => {
    const getPhoto = toolOf({ name: "get_photo", send: { path: "/photo" } });
    const own = server([...tools, getPhoto]);
    const steps = [find, { tool: "get_photo" }];
    const result = await callTool(own, own.tools.find("run_reads"), { steps });
    expect(textOf(result)).toContain(
      '"A file of 3 bytes (application/octet-stream). The content is left out here: call get_photo alone to get it."',
    );
  });

  test("refuses a write as the first step", async () => {
    const { isError, text: message } = await runReads([{ ...visit, arguments: {} }, find]);
    expect(isError).toBe(true);
    expect(message).toBe(
      "Nothing was called. Step 1: create_visit writes. Call it alone, then run the other steps.",
    );
    expect(sent()).toEqual([]);
  });

  test("stops before a write", async () => {
    const { structuredContent } = await runReads([find, visit]);
    expect(structuredContent).toEqual({
      steps: [{ step: 1, tool: "find_pets", result: { items: pets } }],
      incomplete: "Step 2 was not run. Step 1 was. create_visit writes: call it alone.",
    });
    expect(sent()).toEqual(["GET /pets"]);
  });

  test("names run_steps for writes where the server has it", async () => {
    const own = serverWith({ CLINIC_RUN_STEPS: "byMode", CLINIC_MODE: "discovery" }, tools);
    const runner = own.tools.find("run_reads");
    const [refused, stopped] = await Promise.all([
      callTool(own, runner, { steps: [visit, find] }),
      callTool(own, runner, { steps: [find, visit] }),
    ]);
    expect(textOf(refused)).toBe(
      "Nothing was called. Step 1: create_visit writes. Make these calls with run_steps.",
    );
    expect(textOf(stopped)).toContain(
      "Step 2 was not run. Step 1 was. create_visit writes: make it and the steps after it with run_steps.",
    );
  });

  test("only reads, whatever the server can do", () => {
    const { annotations, title } = server().tools.find("run_reads");
    expect(title).toBe("Run several reads");
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(server().tools.lookUp("run_steps")).toBeUndefined();
  });

  test("run_steps sends objects in place of text, as a call alone does", async () => {
    const own = serverWith({ CLINIC_RUN_STEPS: "true" }, tools);
    const given = { ...visit, arguments: { petId: "p1", reason: { code: 5 } } };
    const result = await callTool(own, own.tools.find("run_steps"), { steps: [find, given] });
    expect(result.isError).toBeFalsy();
    expect(sent().map((one) => one.split(" ")[1])).toEqual(["/pets", "/visits"]);
  });

  test.each<readonly [string, readonly string[], readonly AnyTool[]]>([
    ["tools", ["run_reads"], tools],
    ["hybrid", ["run_reads", "run_steps"], tools],
    ["discovery", ["run_reads", "run_steps"], tools],
    ["discovery", ["run_reads"], [findPets, getPet, deletePet]],
  ])("is alone or beside run_steps by the mode (%s: %j)", (mode, names, served) => {
    const own = serverWith({ CLINIC_RUN_STEPS: "byMode", CLINIC_MODE: mode }, served);
    const both = ["run_reads", "run_steps"];
    expect(both.filter((name) => own.tools.lookUp(name) !== undefined)).toEqual(names);
    expect(both.filter((name) => own.instructions?.includes(name))).toEqual(names);
    const { description: text = "" } = own.tools.lookUp("run_steps") ?? {};
    expect(text.includes("For reads alone, use run_reads.")).toBe(names.length > 1);
  });

  test("is left out beside a single read", () => {
    expect(server([getPet, createVisit, deletePet]).tools.lookUp("run_reads")).toBeUndefined();
  });

  test("has an example of a list and the read of its first item", () => {
    const get = { ...getPet, producers: { petId: ["create_pet", "find_pets"] } };
    expect(description([findPets, get, createVisit])).toContain(
      'Example: [{"tool": "find_pets"}, {"tool": "get_pet", "arguments": ' +
        '{"petId": "{{1.items[0].id}}"}}].',
    );
  });

  const listOf = (properties: Readonly<Record<string, object>>): AnyTool => ({
    ...findPets,
    outputSchema: {
      type: "object",
      properties: { items: { type: "array", items: { type: "object", properties } } },
    },
  });
  const owner = { type: "object", properties: { id: text } };
  test.each<readonly [string, Readonly<Record<string, object>>]>([
    ["pet_id", { pet_id: text, owner }],
    ["pet.id", { owner, pet: { type: "object", properties: { id: text } } }],
  ])("the ID is %s of the item, and not that of another thing", (path, properties) => {
    const get = { ...getPet, producers: { petId: ["find_pets"] } };
    expect(description([listOf(properties), get])).toContain(`"{{1.items[0].${path}}}"`);
    expect(description([listOf({ owner }), get])).not.toContain("Example:");
  });

  test.each<readonly [string, readonly AnyTool[]]>([
    ["no list produces the ID", [findPets, getPet]],
    [
      "the list needs an input",
      [
        { ...findPets, inputSchema: { ...findPets.inputSchema, required: ["name"] } },
        { ...getPet, producers: { petId: ["find_pets"] } },
      ],
    ],
    [
      "the items have no such ID",
      [
        { ...findPets, outputSchema: undefined },
        { ...getPet, producers: { petId: ["find_pets"] } },
      ],
    ],
    [
      "the items are other things, which contain it",
      [
        findPets,
        {
          ...getPet,
          name: "get_toy",
          inputSchema: { type: "object", properties: { id: text }, required: ["id"] },
          producers: { id: ["find_pets"] },
        },
      ],
    ],
  ])("has none where %s", (_, served) => {
    expect(description(served)).not.toContain("Example:");
  });
});

describe("writes that the user must approve", () => {
  const ask = async (answer: string) => {
    const asked: string[] = [];
    const options = optionsOf(
      upstream.url,
      { CLINIC_RUN_STEPS: "true" },
      { api: { ...api, approve: "writes" }, tools },
    );
    const person = ({ message }: { readonly message: string }) => {
      asked.push(message);
      return { action: answer, ...(answer === "accept" && { content: { confirm: true } }) };
    };
    const client = await connect(options, "stdio", "2025-11-25", { elicitation: {} }, person);
    const result = await client.callTool({
      name: "run_steps",
      arguments: { steps: [find, visit] },
    });
    await client.close();
    return { asked, result: JSON.stringify(result), sent: sent() };
  };
  const isVisit = (line: string): boolean => line.startsWith("POST /visits");

  test("are asked about one by one, and sent after a yes", async () => {
    const { asked, sent: requests } = await ask("accept");
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain("Rex limps");
    expect(requests.filter(isVisit)).toHaveLength(1);
  });

  test("are not sent after a no", async () => {
    const { asked, result, sent: requests } = await ask("decline");
    expect(asked).toHaveLength(1);
    expect(result).toContain("declined");
    expect(requests.filter(isVisit)).toHaveLength(0);
  });
});

describe("picked fields", () => {
  test("are shown, and later steps have all fields", async () => {
    const { structuredContent } = await run([{ ...find, pick: ["items.name"] }, visit]);
    expect(sent()).toEqual(["GET /pets", 'POST /visits {"petId":"p1","reason":"Rex limps"}']);
    expect(structuredContent).toEqual({
      steps: [
        {
          ...{ step: 1, tool: "find_pets" },
          result: { items: [{ name: "Rex" }, { name: "Tom" }, { name: "Tom" }] },
        },
        { step: 2, tool: "create_visit", result: { id: "v1" } },
      ],
    });
  });

  test.each([
    {
      pick: ["items.id", "items.age"],
      result: { items: pets.map(({ id }) => ({ id })) },
      note: 'pick "items.age" matches nothing: items has id, name.',
    },
    {
      pick: ["items.age"],
      result: { items: pets },
      note: 'pick "items.age" matches nothing: items has id, name. The whole result is shown.',
    },
    { pick: [], result: { items: pets }, note: undefined },
  ])("that are missing are named: $pick", async ({ pick, result, note }) => {
    const { structuredContent } = await run([{ ...find, pick }]);
    expect(structuredContent).toEqual({
      steps: [{ step: 1, tool: "find_pets", result, ...(note !== undefined && { note }) }],
    });
  });
});
