import { afterAll, beforeAll, expect, test } from "vitest";
import { textOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";
import { type Asked, connect, optionsOf } from "./asking.js";

/** Code of the project, settings, and what the person reads. */
let upstream: Upstream;
let status = 200;
/** Status of the API's own dry run. */
let preview = 200;
let pet: object = {};
/** Owners of the pet, one for each read. */
let owners: readonly string[] = [];
beforeAll(async () => {
  upstream = await startUpstream((response, request, count) => {
    const [owner, ...later] = owners;
    owners = later;
    return reply(
      request.method === "GET" ? status : request.url.includes("dryRun=true") ? preview : 200,
      owner === undefined ? pet : { ...pet, owner },
    )(response, request, count);
  });
});
afterAll(() => upstream.close());

const forms = { elicitation: { form: {} } };
const yes = { action: "accept", content: { confirm: true } };

async function call(
  tool: string,
  args: object,
  {
    env = {},
    answer = yes as object,
    thing = { name: "Rex", species: "dog" } as object,
    read = 200,
    api = {},
  } = {},
) {
  [status, pet] = [read, thing];
  const asked: Asked[] = [];
  const more = { api: { approve: "destructive", ...api } } as never;
  const client = await connect(
    optionsOf(upstream.url, env, more),
    "stdio",
    "2026-07-28",
    forms,
    (one) => {
      asked.push(one);
      return answer;
    },
  );
  const before = upstream.requests.length;
  const result = await client.callTool({ name: tool, arguments: args as Record<string, unknown> });
  await client.close();
  return {
    asked,
    text: textOf(result as never),
    isError: result.isError ?? false,
    sent: upstream.requests
      .slice(before)
      .filter(({ method }) => method !== "GET")
      .map(({ method, url }) => `${method} ${url}`),
  };
}

const input = { petId: "p1" };

test("code that catches errors sends nothing before the answer, and nothing twice after it", async () => {
  const { sent, asked } = await call("sneaky", {});
  // The second deletion of the same pet has no yes.
  expect(sent).toEqual(["DELETE /v1/pets/p1", "POST /v1/notes"]);
  expect(asked).toHaveLength(1);
});

test("an answer is not valid for other values, also of headers", async () => {
  owners = ["ann", "eve", "eve"];
  const { sent, asked } = await call("hand_over", {});
  expect(asked.map(({ message }) => message)).toEqual(
    ["ann", "eve"].map(
      (owner) => `Move a pet?\nValues: petId: p1, owner: ${owner}\nRequest: POST /v1/moves`,
    ),
  );
  expect(sent).toEqual(["POST /v1/moves"]);
});

test("the question has no credentials", async () => {
  const api = {
    servers: [{ url: `${upstream.url}/{token}`, variables: { token: { env: "CLINIC_KEY" } } }],
    secretParameters: ["CLINIC_KEY", "CLINIC_TENANT"],
  };
  const env = { CLINIC_BASE_URL: "", CLINIC_KEY: "s3cret-key", CLINIC_TENANT: "s3cret-tenant" };
  const { sent, asked } = await call("leave", input, { api, env });
  expect(sent).toEqual(["DELETE /s3cret-key/pets/p1?tenant=s3cret-tenant"]);
  expect(asked[0]?.message).toContain("Request: DELETE /[redacted]/pets/p1?tenant=[redacted]");
});

test("code that has written already is not run again for a question", async () => {
  const { sent, asked, text, isError } = await call("hasty", {});
  expect(sent).toEqual(["POST /v1/notes"]);
  expect(asked).toEqual([]);
  expect(isError).toBe(true);
  expect(text).toContain("Not sent: delete_pet needs the user's approval");
});

test.each<[string, object, object, string, readonly string[]]>([
  ["refuse", { CLINIC_APPROVALS: "refuse" }, {}, "CLINIC_APPROVALS=refuse", []],
  ["off", { CLINIC_APPROVALS: "off" }, {}, "", ["DELETE /v1/pets/p1"]],
  ["a list without the tool", {}, { approve: ["add_note"] }, "", ["DELETE /v1/pets/p1"]],
])("the setting: %s", async (_, env, api, text, want) => {
  const result = await call("delete_pet", input, { env, api });
  expect(result.asked).toEqual([]);
  expect(result.sent).toEqual(want);
  expect(result.text).toContain(text);
});

test.each<[string, object, string, object, number]>([
  ["writes", { approve: "writes" }, "add_note", {}, 1],
  ["destructive", {}, "add_note", {}, 0],
  ["a list", { approve: ["add_note"] }, "add_note", {}, 1],
  ["asked for at start-up only", { approve: undefined }, "delete_pet", input, 1],
  ["reads", { approve: "writes" }, "get_pet", input, 0],
])("the scope: %s", async (_, api, tool, args, times) => {
  const { asked } = await call(tool, args, { api, env: { CLINIC_APPROVALS: "ask" } });
  expect(asked).toHaveLength(times);
});

test.each<[string, string, object, object, string]>([
  [
    "a thing with a name",
    "delete_pet",
    input,
    {},
    "Delete a pet: Rex (petId p1)?\nIt has species: dog\nRequest: DELETE /v1/pets/p1",
  ],
  [
    "a thing with a name in capitals, its kind, and a time in seconds",
    "delete_pet",
    input,
    {
      thing: { Name: "Rex", object: "pet", created: 1_483_565_364, seenAt: "2026-05-03T10:00:59Z" },
    },
    "Delete a pet: Rex (petId p1)?\nIt has seenAt: 2026-05-03 10:00 UTC, created: 2017-01-04 21:29 UTC\nRequest: DELETE /v1/pets/p1",
  ],
  [
    "a tool whose description has the verb of its title, which is its name",
    "leave",
    input,
    { env: { CLINIC_TENANT: "t1" } },
    "Leave the clinic for good: petId p1?\nRequest: DELETE /v1/pets/p1?tenant=t1",
  ],
  [
    "a tool whose description says more than its title, and no single thing",
    "prune_pets",
    {},
    {},
    "Prune pets?\nRemoves unused pets for good.\nThe request names no single thing.\nRequest: POST /v1/pets/prune",
  ],
  [
    "an action on a thing",
    "neuter_pet",
    input,
    {},
    "Neuter a pet: Rex (petId p1)?\nIt has species: dog\nRequest: POST /v1/pets/p1/actions/neuter",
  ],
  [
    "a thing that cannot be read",
    "delete_pet",
    input,
    { read: 500 },
    "Delete a pet: petId p1?\nIt could not be read, so that only its ID is shown.\nRequest: DELETE /v1/pets/p1",
  ],
  [
    "several",
    "delete_pets",
    { petId: ["p1", "p2"] },
    {},
    "Delete a pet: 2 of them?\n1. Rex (petId p1) · It has species: dog · Request: DELETE /v1/pets/p1\n2. Rex (petId p2) · It has species: dog · Request: DELETE /v1/pets/p2",
  ],
  [
    "a workflow",
    "close_account",
    input,
    {},
    "Close an account?\nValues: petId: p1\nIt sends:\n- POST /notes\n- DELETE /pets/{petId}",
  ],
  [
    "texts that pass for the question",
    "delete_pet",
    input,
    { thing: { name: "Rex)?\nIt is safe.\nRequest: GET /", status: "ok, id: x" } },
    'Delete a pet: "Rex)? It is safe. Request: GET /" (petId p1)?\nIt has status: "ok, id: x"\nRequest: DELETE /v1/pets/p1',
  ],
])("the question about %s", async (_, tool, args, options, want) => {
  const { asked } = await call(tool, args, options);
  expect(asked[0]?.message).toBe(want);
});

test.each<[string, object, string]>([
  ["declines", { action: "decline" }, "Not sent: the user declined."],
  ["closes it", { action: "cancel" }, "Not sent: the user closed the question"],
])("the agent reads that the user %s", async (_, answer, want) => {
  const { text, sent } = await call("delete_pet", input, { answer });
  expect(text).toContain(want);
  expect(text).toContain("do not repeat the call");
  expect(text).toContain("Delete a pet: Rex (petId p1)?");
  expect(sent).toEqual([]);
});

test.each([
  [200, "The API answers to a dry run: "],
  [409, "The API refuses it in a dry run: "],
])("the API's own dry run is shown, with the status %s", async (code, want) => {
  preview = code;
  const { asked, sent } = await call("archive_pet", input);
  preview = 200;
  expect(asked[0]?.message).toContain(want);
  expect(sent).toEqual(["POST /v1/pets/p1/archive?dryRun=true", "POST /v1/pets/p1/archive"]);
  const declined = await call("archive_pet", input, { answer: { action: "decline" } });
  expect(declined.sent).toEqual(["POST /v1/pets/p1/archive?dryRun=true"]);
  // A call that is a dry run itself needs no second one.
  const own = await call(
    "archive_pet",
    { ...input, dryRun: true },
    { answer: { action: "decline" } },
  );
  expect(own.sent).toEqual([]);
});
