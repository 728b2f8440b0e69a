/** A server that asks for approvals, its clients of every revision and transport, and its tools. */
import type { AddressInfo } from "node:net";
import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import {
  type AnyTool,
  createMcpServer,
  createServerContext,
  defineCustomTool,
  fetchHandler,
} from "../../../src/runtime/index.js";
import type { ServerContextOptions } from "../../../src/runtime/index.js";
import {
  defineSteps,
  defineWorkflow,
  defineWorkflowTool,
} from "../../../src/runtime/workflow/index.js";
import { createPolicy } from "../../../src/runtime/transport/http/guard.js";
import { OpenExchanges } from "../../../src/runtime/transport/http/open-exchanges.js";
import { createNodeServer } from "../../../src/runtime/transport/http/serve-http.js";
import { testNodePlatform } from "../support/by-node.js";
import { api, toolOf } from "../support/clinic.js";

const text = { type: "string" } as const;
const writes = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
const petId = { petId: text };
const pathParams = { petId: "petId" };
const readBack = { tool: "get_pet", inputs: pathParams };

export const getPet = toolOf({
  send: { path: "/pets/{petId}", pathParams },
  properties: petId,
  required: ["petId"],
  outputSchema: { type: "object" },
});
const remove = toolOf({
  name: "delete_pet",
  title: "Delete a pet",
  description: "Delete a pet.",
  annotations: writes,
  properties: petId,
  required: ["petId"],
  send: { method: "DELETE", path: "/pets/{petId}", pathParams },
});
export const deletePet: AnyTool = {
  ...remove,
  operations: remove.operations.map((one) => ({
    ...one,
    readBack: { ...readBack, isRemoval: true },
  })),
};
const deletePets: AnyTool = {
  ...deletePet,
  name: "delete_pets",
  inputSchema: {
    type: "object",
    properties: { petId: { anyOf: [text, { type: "array", items: text }] } },
    required: ["petId"],
  },
  operations: deletePet.operations.map((one) => ({
    ...one,
    severalIds: { input: "petId", isWrite: true },
  })),
};
const purge = toolOf({
  name: "archive_pet",
  title: "Archive a pet",
  description: "Archive a pet.",
  annotations: writes,
  properties: { ...petId, dryRun: { type: "boolean" } },
  required: ["petId"],
  send: {
    method: "POST",
    path: "/pets/{petId}/archive",
    pathParams,
    query: { dryRun: "dryRun" },
  },
});
/** An operation with a dry run of its own. */
const archivePet: AnyTool = {
  ...purge,
  operations: purge.operations.map((one) => ({
    ...one,
    preview: { input: "dryRun", value: true },
  })),
};
const addNote = toolOf({
  name: "add_note",
  title: "Add a note",
  annotations: { ...writes, destructiveHint: false },
  send: { method: "POST", path: "/notes" },
});
const move = toolOf({
  name: "move_pet",
  title: "Move a pet",
  description: "Move a pet.",
  annotations: writes,
  properties: { ...petId, owner: text },
  send: {
    method: "POST",
    path: "/moves",
    headers: { "X-Owner": "owner" },
    body: { contentType: "application/json", fields: { petId: "petId" } },
  },
});
const neuter = toolOf({
  name: "neuter_pet",
  title: "Neuter a pet",
  description: "Neuter a pet.",
  annotations: writes,
  properties: petId,
  required: ["petId"],
  send: { method: "POST", path: "/pets/{petId}/actions/neuter", pathParams },
});
/** An action on a thing. */
const neuterPet: AnyTool = {
  ...neuter,
  operations: neuter.operations.map((one) => ({ ...one, shows: readBack })),
};
/** A write with a secret value of the environment. */
const leave = toolOf({
  name: "leave",
  title: "Leave",
  description: "Leave the clinic for good. Nobody is told.",
  annotations: writes,
  properties: petId,
  send: {
    method: "DELETE",
    path: "/pets/{petId}",
    pathParams,
    query: { tenant: { env: "CLINIC_TENANT" } },
  },
});
/** A write of no single thing, whose title the document has. */
const prune = toolOf({
  name: "prune_pets",
  title: "Prune pets",
  description: "Removes unused pets for good. Nobody is told.",
  annotations: writes,
  send: { method: "POST", path: "/pets/prune" },
});
const getReport = toolOf({
  name: "get_report",
  send: { path: "/reports/{reportId}", pathParams: { reportId: "reportId" } },
  properties: { reportId: text },
  required: ["reportId"],
  outputSchema: { type: "object" },
});
const start = toolOf({
  name: "rebuild_report",
  title: "Rebuild a report",
  annotations: writes,
  send: { method: "POST", path: "/reports" },
  outputSchema: { type: "object" },
});
/** A write whose work goes on, and is followed. */
const startReport: AnyTool = {
  ...start,
  operations: start.operations.map((one) => ({
    ...one,
    job: {
      started: ["status"],
      state: ["status"],
      running: ["queued"],
      done: ["done"],
      follow: { tool: "get_report", inputs: {}, fields: { reportId: ["id"] } },
    },
  })),
};
const steps = defineSteps({
  note: { id: "note", target: "POST /notes", request: { method: "POST", path: "/notes" } },
  remove: {
    id: "remove",
    target: "DELETE /pets/{petId}",
    request: { method: "DELETE", path: "/pets/{petId}", pathParams },
  },
});
const workflow = defineWorkflowTool({
  ...toolOf({
    name: "close_account",
    title: "Close an account",
    annotations: writes,
    properties: petId,
    required: ["petId"],
  }),
  sends: ["POST /notes", "DELETE /pets/{petId}"],
  execute: defineWorkflow("close", async (input: { petId: string }, run) => {
    await run.send(steps.note, {});
    await run.send(steps.remove, { petId: input.petId });
    return {};
  }),
}) as AnyTool;
const customTool = (
  name: string,
  annotations: object,
  run: (call: Parameters<Parameters<typeof defineCustomTool>[0]["run"]>[1]) => Promise<unknown>,
): AnyTool =>
  defineCustomTool({
    name,
    title: `Run ${name}`,
    description: name,
    annotations,
    inputSchema: { type: "object", properties: petId },
    run: async (_: never, call) => ((await run(call)) ?? "Done.") as string,
  }) as AnyTool;
const input = { petId: "p1" };
const custom = [
  // Destructive as a whole: asked before it runs.
  customTool("purge", {}, async ({ tools }) => {
    await tools["add_note"]!({});
    await tools["delete_pet"]!(input);
  }),
  // Asked at the nested call.
  customTool("tidy", { destructiveHint: false }, async ({ tools }) => {
    await tools["get_pet"]!(input);
    await tools["delete_pet"]!(input);
  }),
  // Passes on what it has read.
  customTool("hand_over", { destructiveHint: false }, async ({ tools }) => {
    const { owner } = (await tools["get_pet"]!(input)) as { owner: string };
    await tools["move_pet"]!({ ...input, owner });
  }),
  // Catches every error, and goes on.
  customTool("sneaky", { destructiveHint: false }, async ({ tools, callTool }) => {
    await tools["delete_pet"]!(input).catch(() => {});
    await callTool("delete_pet", input).catch(() => {});
    await tools["add_note"]!({}).catch(() => {});
  }),
  // Writes before the question, which a second run would repeat.
  customTool("hasty", { destructiveHint: false }, async ({ tools }) => {
    await tools["add_note"]!({});
    await tools["delete_pet"]!(input);
  }),
];

export const tools: readonly AnyTool[] = [
  getPet,
  deletePet,
  deletePets,
  archivePet,
  move,
  leave,
  prune,
  neuterPet,
  getReport,
  startReport,
  addNote,
  workflow,
  ...custom,
];

export type Env = Readonly<Record<string, string>>;

export interface Asked {
  readonly message: string;
  readonly requestedSchema?: unknown;
}
/** An answer of the person behind a client; an error for a client that breaks. */
export type Person = (asked: Asked) => object | Promise<object>;

/** Options of a server for these tests. */
export function optionsOf(
  url: string,
  env: Env = {},
  more: Partial<ServerContextOptions> = {},
): ServerContextOptions {
  return {
    api: { ...api, approve: "destructive", ...more.api },
    tools,
    platform: testNodePlatform,
    write: () => {},
    env: {
      LOG_LEVEL: "silent",
      CLINIC_BASE_URL: `${url}/v1`,
      CLINIC_RAW_REQUESTS: "true",
      CLINIC_ALLOW_UNAUTHENTICATED: "1",
      ...env,
    },
    ...more,
    ...(more.api && { api: { ...api, ...more.api } }),
  };
}

/** Connects a client in this process. */
export async function connect(
  options: ServerContextOptions,
  transport: "stdio" | "http" | "worker",
  revision: string,
  capabilities: object,
  person: Person,
): Promise<Client> {
  const isModern = revision >= "2026-07-28";
  const client = new Client(
    { name: "test", version: "1" },
    {
      capabilities: capabilities as never,
      versionNegotiation: { mode: isModern ? { pin: revision } : "legacy" },
    },
  );
  if ("elicitation" in capabilities)
    client.setRequestHandler("elicitation/create", (async ({ params }: { params: Asked }) =>
      person(params)) as never);
  if (transport === "http") {
    const { url, close } = await serve(options);
    client.onclose = close;
    await client.connect(new StreamableHTTPClientTransport(url));
    return client;
  }
  if (transport === "worker") {
    const handler = fetchHandler(options);
    const fetch = (url: unknown, init: RequestInit) => handler(new Request(String(url), init));
    await client.connect(
      new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch: fetch as never }),
    );
    return client;
  }
  const created = createServerContext(options);
  if (!created.ok) throw new Error(created.problems.join(" "));
  const [here, there] = InMemoryTransport.createLinkedPair();
  serveStdio(() => createMcpServer(created.context), { transport: there as never });
  await client.connect(here);
  return client;
}

/** Serves by HTTP in this process, as `node dist/server.js --http` does. */
export async function serve(
  options: ServerContextOptions,
): Promise<{ readonly url: URL; close(): void }> {
  const created = createServerContext(options);
  if (!created.ok) throw new Error(created.problems.join(" "));
  const exposure = { isLocal: true, allowUnauthenticated: false, optIn: "" };
  const policy = createPolicy(created.context, exposure);
  if (!policy.ok) throw new Error(policy.problems.join(" "));
  const withSessions = { ...policy.policy, exchanges: new OpenExchanges() };
  const { server } = await createNodeServer(created.context, withSessions);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`), close };
}
