/** Examples in docs/errors.md match the texts that agents of the sample server read. */
import { readFileSync } from "node:fs";
import { beforeAll, afterAll, expect, test } from "vitest";
import { generate } from "../../src/generate.js";
import { type ServerContext, callTool, createServerContext } from "../../src/runtime/index.js";
import { textOf } from "../runtime/support/clinic.js";
import { type Answer, reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";

const documentation = readFileSync("docs/errors.md", "utf8");
const problem = {
  title: "The visit cannot be booked",
  status: 422,
  errors: [
    { detail: "is outside of opening hours", pointer: "#/startsAt" },
    { detail: "no such pet", pointer: "#/petId" },
  ],
};
const visits = {
  data: Array.from({ length: 100 }, (_, i) => ({
    id: `vis_${i}`,
    petId: "pet_9TX3QA",
    reason: "Check-up ".repeat(40),
    status: "booked",
  })),
  nextCursor: "c2",
};

const responses: Readonly<Record<string, Answer>> = {
  "POST /v1/visits": (response, request, count) =>
    request.body.includes("late")
      ? undefined
      : reply(422, problem, { "content-type": "application/problem+json" })(
          response,
          request,
          count,
        ),
  "GET /v1/visits": reply(200, visits),
};

let upstream: Upstream;
let app: ServerContext;
/** Times out after one second. */
let shortTimeoutApp: ServerContext;

beforeAll(async () => {
  upstream = await startUpstream((response, request, count) =>
    (responses[`${request.method} ${request.url.split("?")[0]}`] ?? reply(404))(
      response,
      request,
      count,
    ),
  );
  const { plan } = await generate("samples/clinic/openapi.yaml", undefined);
  const env = {
    LOG_LEVEL: "silent",
    MAPLEWOOD_CLINIC_BASE_URL: `${upstream.url}/v1`,
    MAPLEWOOD_CLINIC_API_KEY: "k",
    MAPLEWOOD_CLINIC_TOKEN: "t",
  };
  [app, shortTimeoutApp] = [env, { ...env, MAPLEWOOD_CLINIC_TIMEOUT_MS: "1000" }].map(
    (variables) => {
      const created = createServerContext({
        api: plan!.api,
        tools: plan!.tools.map(({ definition }) => definition),
        storeResults: true,
        env: variables,
      });
      return created.ok ? created.context : expect.fail(created.problems.join(" "));
    },
  ) as [ServerContext, ServerContext];
});
afterAll(() => upstream.close());

test.each<readonly [string, object]>([
  ["create_pet", { name: "Rex", species: "dogs", birthDate: 2021 }],
  ["book_visit", { petId: "pet_9TX3QA", reason: "injury", startsAt: "2026-03-01T03:00:00Z" }],
  [
    "book_visit",
    { petId: "pet_9TX3QA", reason: "injury", notes: "late", startsAt: "2026-03-01T10:00:00Z" },
  ],
  ["find_visits", { petId: "pet_9TX3QA", limit: 100 }],
])("%s %j", async (tool, input) => {
  const context = "notes" in input ? shortTimeoutApp : app;
  const text = textOf(await callTool(context, context.tools.find(tool), input));
  const normalizedText = text
    .replaceAll(upstream.url, "https://main.api.maplewood.example")
    .replace(/^\{.*\}$/m, "{…}")
    .replace(/visits\/[0-9a-f-]{36}/, "visits/…")
    .replace("\n[resource_link]", "")
    .replace("after 1 s", "after 30 s");
  expect(documentation).toContain(`\`\`\`\n${normalizedText}\n\`\`\``);
});
