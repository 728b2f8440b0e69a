import { expect, test } from "vitest";
import type { ApiDefinition } from "../../../src/runtime/api-definition.js";
import { callTool, createServerContext } from "../../../src/runtime/index.js";
import { testNodePlatform } from "../support/by-node.js";
import { api, call, textOf, toolOf, type CallSketch, type ToolSketch } from "../support/clinic.js";
import { reply, startUpstream } from "../support/upstream.js";

const secured: ToolSketch = { send: { security: [{ token: [] }, { key: [] }] } };
const optional: ToolSketch = { send: { security: [{ token: [] }, {}] } };
const login: ToolSketch = {
  name: "sign_in",
  properties: { email: { type: "string" }, password: { type: "string" } },
  send: {
    method: "POST",
    body: { contentType: "application/json", fields: { email: "email", password: "password" } },
  },
};
const create: ToolSketch = {
  name: "create_pet",
  properties: { name: { type: "string" }, owner_id: { type: "string" } },
  send: {
    method: "POST",
    body: { contentType: "application/json", fields: { name: "name", owner_id: "owner_id" } },
  },
};
const raw: CallSketch["schemes"] = {
  token: { kind: "apiKey", in: "header", name: "Authorization", env: "CLINIC_TOKEN" },
};
const header = { from: "authorization", name: "Authorization", value: "Bearer x" };
const pet: ToolSketch = {
  properties: { pet_id: { type: "string" } },
  send: { ...secured.send, path: "/{petId}", pathParams: { petId: "pet_id" } },
  producers: { pet_id: ["find_pets"] },
};
const token = { CLINIC_TOKEN: "hunter22" };

test.each<readonly [string, number, ToolSketch, object, CallSketch, string]>([
  [
    "the credentials that were sent",
    401,
    secured,
    {},
    { env: { CLINIC_API_KEY: "hunter22" } },
    "the API rejected the credentials. Tell the user to check CLINIC_API_KEY; do not retry.",
  ],
  [
    "the prefix of a whole Authorization header",
    401,
    secured,
    {},
    { env: token, schemes: raw },
    "the API rejected the credentials. Tell the user to check CLINIC_TOKEN; do not retry. CLINIC_TOKEN is the whole Authorization header: the API may expect a prefix such as Bearer in it.",
  ],
  [
    "the client's header",
    401,
    secured,
    {},
    { context: { forwarded: [header] } },
    "the API rejected the credentials in the header authorization of its client. Tell the user to check the header authorization of its client; do not retry.",
  ],
  [
    "credentials that are optional and not set",
    401,
    optional,
    {},
    {},
    "the API requires credentials, and none were sent. Tell the user to set CLINIC_TOKEN; do not retry.",
  ],
  [
    "the input of a login",
    401,
    login,
    { email: "a@b.c", password: "x" },
    {},
    "the API rejected email and password; no other credentials were sent. Correct email and password, or ask the user for the right values, then call sign_in again.",
  ],
  [
    "an object of a login, with a password in it",
    401,
    {
      name: "sign_in",
      properties: { identity: { type: "object" } },
      send: {
        method: "POST",
        body: { contentType: "application/json", fields: { identity: "identity" } },
      },
    },
    { identity: { methods: ["password"], password: { user: { name: "a", password: "x" } } } },
    {},
    "the API rejected identity; no other credentials were sent. Correct identity, or ask the user for the right values, then call sign_in again.",
  ],
  [
    "the input of a login, and the credentials beside it",
    401,
    { ...login, send: { ...login.send, ...secured.send } },
    { email: "a@b.c", password: "x" },
    { env: token },
    "the API rejected email and password, or the credentials. Correct email and password, or ask the user for the right values, then call sign_in again. If they are right, tell the user to check CLINIC_TOKEN.",
  ],
  [
    "the credentials alone beside the password of a new user",
    401,
    { ...login, name: "create_user", send: { ...login.send, ...secured.send } },
    { email: "a@b.c", password: "x" },
    { env: token },
    "the API rejected the credentials. Tell the user to check CLINIC_TOKEN; do not retry.",
  ],
  [
    "no other input of a login",
    401,
    { ...login, properties: { ...login.properties, language: { type: "string" } } },
    { language: "en", email: "a@b.c", password: "x" },
    {},
    "the API rejected email and password; no other credentials were sent. Correct email and password, or ask the user for the right values, then call sign_in again.",
  ],
  [
    "permissions of the credentials that were sent",
    403,
    secured,
    {},
    { env: token },
    "these credentials lack permission. Tell the user to check the permissions of CLINIC_TOKEN; do not retry.",
  ],
  [
    "an ID, which servers that hide absent items answer with 403",
    403,
    pet,
    { pet_id: "42" },
    { env: token },
    'these credentials lack permission, or there is no such ID: pet_id "42". Do not call get_pet again with the same input; if the value is right, tell the user to check the permissions of CLINIC_TOKEN.',
  ],
  [
    "something in a body as well as permissions",
    403,
    { ...create, send: { ...create.send, ...secured.send } },
    { name: "Rex" },
    { env: token },
    "these credentials lack permission, or the API refuses something in the input. If the input is right, tell the user to check the permissions of CLINIC_TOKEN.",
  ],
  [
    "permissions alone where no input of the body was sent",
    403,
    { ...create, send: { ...create.send, ...secured.send } },
    {},
    { env: token },
    "these credentials lack permission. Tell the user to check the permissions of CLINIC_TOKEN; do not retry.",
  ],
  [
    "something in a body, permissions and an ID",
    403,
    { ...create, send: { ...create.send, ...secured.send } },
    { name: "Rex", owner_id: "o1" },
    { env: token },
    'these credentials lack permission, or the API refuses something in the input, or there is no such ID: owner_id "o1". Do not call create_pet again with the same input; if the value is right, tell the user to check the permissions of CLINIC_TOKEN.',
  ],
  [
    "the prefix, for 403 too",
    403,
    secured,
    {},
    { env: token, schemes: raw },
    "these credentials lack permission. Tell the user to check the permissions of CLINIC_TOKEN; do not retry. CLINIC_TOKEN is the whole Authorization header: the API may expect a prefix such as Bearer in it.",
  ],
  [
    "no prefix for a header that has one",
    401,
    secured,
    {},
    { env: { CLINIC_TOKEN: "Token hunter22" }, schemes: raw },
    "the API rejected the credentials. Tell the user to check CLINIC_TOKEN; do not retry.",
  ],
  [
    "no credentials where none were sent",
    403,
    optional,
    {},
    {},
    "the API refuses this call, and no credentials were sent with it. Tell the user to set CLINIC_TOKEN; do not retry.",
  ],
  [
    "a wrong password in a body without other credentials",
    403,
    create,
    { name: "Rex" },
    {},
    "the API refuses this call, and no credentials were sent with it. If the input is right, tell the user.",
  ],
])("%s: %d", async (_, status, tool, input, sketch, want) => {
  const upstream = await startUpstream(reply(status, { message: "no" }));
  const env = { CLINIC_BASE_URL: upstream.url, ...sketch.env };
  const result = await call(toolOf(tool), input, { ...sketch, env });
  expect(textOf(result).split("\nNext: ")[1]).toBe(want);
  await upstream.close();
});

const withHeader = { Authorization: { env: "CLINIC_AUTHORIZATION" } };
const withTeam = { "X-Team": { env: "CLINIC_TEAM" } };
const byHeader =
  "Tell the user that `server.headers` in mcp-gen.yaml can send a header such as Authorization; do not retry.";

test.each<readonly [string, number, ApiDefinition["headers"], Record<string, string>, string]>([
  [
    "without one",
    403,
    undefined,
    {},
    `the API refuses this call, and no credentials were sent with it. ${byHeader}`,
  ],
  [
    "without one",
    401,
    withTeam,
    { CLINIC_TEAM: "blue" },
    `the API requires credentials, and none were sent: its description declares none for this operation. ${byHeader}`,
  ],
  [
    "whose variable is not set",
    401,
    withHeader,
    {},
    "the API requires credentials, and none were sent. Tell the user to set CLINIC_AUTHORIZATION; do not retry.",
  ],
  [
    "with a wrong value",
    401,
    withHeader,
    { CLINIC_AUTHORIZATION: "token x" },
    "the API rejected the credentials. Tell the user to check CLINIC_AUTHORIZATION; do not retry.",
  ],
  [
    "without permission",
    403,
    withHeader,
    { CLINIC_AUTHORIZATION: "token x" },
    "these credentials lack permission. Tell the user to check the permissions of CLINIC_AUTHORIZATION; do not retry.",
  ],
])("a configured header %s: %d", async (_, status, headers, variables, want) => {
  const upstream = await startUpstream(reply(status, { message: "no" }));
  const env = { LOG_LEVEL: "silent", CLINIC_BASE_URL: upstream.url, ...variables };
  const tool = toolOf({ send: { path: "/status" } });
  const created = createServerContext({
    api: { ...api, securitySchemes: {}, headers },
    tools: [tool],
    platform: testNodePlatform,
    env,
  });
  if (!created.ok) throw new Error(created.problems.join(" "));
  const result = await callTool(created.context, tool, {});
  expect(textOf(result).split("\nNext: ")[1]).toBe(want);
  await upstream.close();
});

test.each([
  ["Invalid API Key", "the API rejected the credentials. Tell the user to check CLINIC_TOKEN"],
  ["Not authenticated", "the API rejected the credentials. Tell the user to check CLINIC_TOKEN"],
  ["The access token is expired", "the API rejected the credentials."],
  ["Your key may not delete pets", "these credentials lack permission."],
])("a 403 with %j", async (message, want) => {
  const upstream = await startUpstream(reply(403, { message }));
  const env = { CLINIC_BASE_URL: upstream.url, ...token };
  expect(textOf(await call(toolOf(secured), {}, { env }))).toContain(`Next: ${want}`);
  await upstream.close();
});

test("a reason of its own, which another body may not have", async () => {
  const upstream = await startUpstream(reply(403, { message: "Groups have no status field" }));
  const env = { CLINIC_BASE_URL: upstream.url, ...token };
  const tool = toolOf({ ...create, send: { ...create.send, ...secured.send } });
  expect(textOf(await call(tool, { name: "Rex" }, { env }))).toContain(
    "Next: the API refuses this call for the reason that it gives; the same input fails again.",
  );
  await upstream.close();
});

test("a 403 that may mean a missing resource names its producer", async () => {
  const message = "You lack permission, or the item does not exist.";
  const upstream = await startUpstream(reply(403, { message }));
  const env = { CLINIC_BASE_URL: upstream.url, ...token };
  const others = [toolOf({ name: "find_pets" })];
  expect(textOf(await call(toolOf(pet), { pet_id: "42" }, { env, others }))).toContain(
    'or there is no such ID: pet_id "42". Get a valid pet_id from find_pets. Do not call get_pet again with the same input',
  );
  await upstream.close();
});

test("a 403 about a collection calls no condition of a filter an ID", async () => {
  const message = 'You don\'t have permission to access collection "pets" or it does not exist.';
  const upstream = await startUpstream(reply(403, { message }));
  const env = { CLINIC_BASE_URL: upstream.url, ...token };
  const find = toolOf({
    name: "find_pets",
    properties: { filter: { type: "object" } },
    send: { ...secured.send, path: "/pets", query: { filter: "filter" } },
  });
  const filter = { status: { _eq: "sold" } };
  expect(textOf(await call(find, { filter }, { env })).split("\nNext: ")[1]).toBe(
    "these credentials lack permission. Tell the user to check the permissions of CLINIC_TOKEN; do not retry.",
  );
  await upstream.close();
});
