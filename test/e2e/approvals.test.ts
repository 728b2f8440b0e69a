import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { textOf } from "../runtime/support/clinic.js";
import { reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { configured } from "./in-process.js";
import { generateProject, type Project, startHttp } from "./project.js";

/** A generated, bundled server that asks: as a process, called by the SDK's client of each era. */
const CONFIGURATION = `
approve: destructive
tools:
  delete_pet: {approve: {type: name}}
  book_visit: {inputs: {reason: {ask: true}}}
`;
const pet = { id: "pet_7YQX2M", name: "Rex", species: "dog", ownerId: "own_3K8T5N" };
const visit = { id: "vis_6C0R9E", status: "booked", petId: pet.id, reason: "checkup" };
let project: Project;
let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream((response, request, count) => {
    const [status, body] =
      request.method === "DELETE" ? [204, ""] : [200, request.url.includes("/pets/") ? pet : visit];
    reply(status as number, body)(response, request, count);
  });
  project = await generateProject("samples/clinic/openapi.yaml", {
    ...configured(CONFIGURATION),
    features: ["dry-run"],
  });
  await project.run("bundle");
});
afterAll(() => Promise.all([project.remove(), upstream.close()]));
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Answers = (asked: { readonly message: string }) => object;

async function connect(
  kind: "stdio" | "http",
  revision: string,
  answer: Answers | undefined,
  env: Record<string, string> = {},
): Promise<Client> {
  const mode = revision === "2026-07-28" ? { pin: revision } : ("legacy" as const);
  const client = new Client(
    { name: "e2e", version: "1" },
    { versionNegotiation: { mode }, capabilities: answer ? { elicitation: { form: {} } } : {} },
  );
  if (answer)
    client.setRequestHandler("elicitation/create", (async ({
      params,
    }: {
      params: { message: string };
    }) => answer(params)) as never);
  const variables = {
    PATH: process.env["PATH"] ?? "",
    MAPLEWOOD_CLINIC_BASE_URL: upstream.url,
    MAPLEWOOD_CLINIC_API_KEY: "k-hunter2hunter2",
    MAPLEWOOD_CLINIC_AUTH: "none",
    LOG_LEVEL: "silent",
    ...env,
  };
  if (kind === "http") {
    const server = await startHttp(project.server, variables);
    closers.push(async () => server.child.kill());
    await client.connect(new StreamableHTTPClientTransport(server.url));
  } else {
    const start = { command: process.execPath, args: [project.server], env: variables };
    await client.connect(new StdioClientTransport({ ...start, stderr: "ignore" }));
  }
  closers.push(() => client.close());
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>) {
  const before = upstream.requests.length;
  const result = await client.callTool({ name, arguments: args });
  const requests = upstream.requests.slice(before);
  return {
    text: textOf(result as never),
    isError: result.isError ?? false,
    writes: requests
      .filter(({ method }) => method !== "GET")
      .map(({ method, url }) => `${method} ${url}`),
    bodies: requests.filter(({ body }) => body !== "").map(({ body }) => body),
  };
}

const ways = [
  ["stdio", "2025-11-25"],
  ["stdio", "2026-07-28"],
  ["http", "2025-11-25"],
  ["http", "2026-07-28"],
] as const;

test.each(ways)("over %s, %s: the name, a yes, a value", async (kind, revision) => {
  const asked: string[] = [];
  const answers: Record<string, unknown>[] = [
    { confirm: "rex" },
    { confirm: "Max" },
    { confirm: true },
    { reason: "injury" },
  ];
  const client = await connect(kind, revision, ({ message }) => {
    asked.push(message);
    return { action: "accept", content: answers[asked.length - 1] };
  });
  const { tools } = await client.listTools();
  const descriptions = Object.fromEntries(
    tools.map(({ name, description }) => [name, description]),
  );
  expect(descriptions["delete_pet"]).toContain("Asks the user before it is sent.");
  expect(descriptions["book_visit"]).not.toContain("Asks the user");
  const typed = await call(client, "delete_pet", { petId: pet.id });
  expect(typed.writes, typed.text).toEqual([`DELETE /pets/${pet.id}`]);
  expect((await call(client, "delete_pet", { petId: pet.id })).writes).toEqual([]);
  const cancelled = await call(client, "cancel_visit", { visitId: visit.id });
  expect(cancelled.writes, cancelled.text).toEqual([`POST /visits/${visit.id}/cancel`]);
  const startsAt = "2026-05-04T10:00:00Z";
  const booked = await call(client, "book_visit", { petId: pet.id, startsAt });
  expect(JSON.parse(booked.bodies[0] ?? "{}"), booked.text).toMatchObject({ reason: "injury" });
  expect(asked[0]).toMatch(/^Delete a pet: Rex \(petId pet_7YQX2M\)\?\n[^]*To confirm, type: Rex$/);
  expect(asked[2]).toMatch(
    /^Cancel a visit: checkup \(visitId vis_6C0R9E\)\?\nCancel a booked visit and tell the owner\.\nIt has status: booked/,
  );
  expect(asked[3]).toMatch(/^Book a visit needs reason\.\nValues of the call: /);
});

test.each([
  ["http", "2025-11-25", false],
  ["stdio", "2025-11-25", false],
] as const)("over %s, %s, forms: %s: nothing is sent", async (kind, revision, hasForms) => {
  const client = await connect(kind, revision, hasForms ? () => ({ action: "accept" }) : undefined);
  const { writes, text, isError } = await call(client, "delete_pet", { petId: pet.id });
  expect([writes, isError]).toEqual([[], true]);
  expect(text).toContain("start the server with MAPLEWOOD_CLINIC_APPROVALS=off");
});

test("a dry run shows the request, and passes the SDK's check of results", async () => {
  const client = await connect("stdio", "2026-07-28", undefined, {
    MAPLEWOOD_CLINIC_DRY_RUN: "true",
    MAPLEWOOD_CLINIC_AUTH: "",
  });
  await client.listTools();
  const { writes, text, isError } = await call(client, "delete_pet", { petId: pet.id });
  expect([writes, isError]).toEqual([[], false]);
  expect(text).toContain(`DELETE ${upstream.url}/pets/${pet.id}`);
  expect(text).not.toContain("hunter2");
});
