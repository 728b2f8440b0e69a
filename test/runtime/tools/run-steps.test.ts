import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callTool, createServerContext } from "../../../src/runtime/index.js";
import type { AnyTool } from "../../../src/runtime/index.js";
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
beforeAll(async () => {
  upstream = await startUpstream((response, request, count) => {
    const [path = ""] = request.url.replace("/v1", "").split("?");
    const answer = path === "/pets" ? pets : pets.find(({ id }) => path === `/pets/${id}`);
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
    ["the tool itself", [find, { tool: "run_steps" }], 'Step 2: Unknown tool "run_steps".'],
    [
      "a tool that destroys",
      [find, { tool: "delete_pet", arguments: { petId: "{{1.items[0].id}}" } }],
      "Step 2: delete_pet may destroy something. Run the steps before it, then call it alone.",
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

describe("a failure stops the run, and says what was done", () => {
  const missing = { tool: "get_pet", arguments: { petId: "p9" } };

  test("of the first step", async () => {
    const { isError, text: message } = await run([missing, find, find]);
    expect(isError).toBe(true);
    expect(message).toMatch(/^Step 1 \(get_pet\) failed\. Steps 2 to 3 were not run\.\n/);
    expect(message).toContain("no such pet");
    expect(sent()).toEqual(["GET /pets/p9"]);
  });

  test("of a later one", async () => {
    const { structuredContent, isError } = await run([find, missing, visit]);
    expect(isError).toBeFalsy();
    expect(structuredContent).toMatchObject({
      steps: [{ step: 1, result: { items: pets } }],
      stopped: expect.stringMatching(
        /^Step 2 \(get_pet\) failed\. Step 3 was not run\. Step 1 was\.\n[^]*no such pet/,
      ),
    });
    expect(sent()).toEqual(["GET /pets", "GET /pets/p9"]);
  });

  test("of a reference", async () => {
    const tom = { tool: "get_pet", arguments: { petId: "{{1.items[name=Tom].id}}" } };
    const { structuredContent } = await run([find, tom]);
    expect(structuredContent).toMatchObject({
      stopped:
        "Step 2 (get_pet) failed.\nIt was not called. {{1.items[name=Tom].id}}: items of the " +
        'result of step 1 has 2 items whose name is "Tom".',
    });
    expect(sent()).toEqual(["GET /pets"]);
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
