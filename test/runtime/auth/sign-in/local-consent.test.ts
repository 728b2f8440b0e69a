/** A local user without a sign-in, whose client opens addresses. */
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitationCompleteNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ToolClient } from "./http-clients.js";
import { bundleServer, listen } from "./http-lab.js";
import { browse, CLIENT_ID, startProvider, type TestProvider } from "./provider.js";

const work = mkdtempSync(join(tmpdir(), "mcp-gen-local-consent-"));
const received: string[] = [];
const api = createServer(({ headers }, response) => {
  received.push(headers.authorization ?? "");
  response.setHeader("content-type", "application/json").end("[]");
});
let provider: TestProvider;
let server: string;
let baseUrl: string;
let home: string;

beforeAll(async () => {
  provider = await startProvider();
  server = await bundleServer(work);
  baseUrl = await listen(api);
}, 60_000);
afterAll(() => {
  api.close();
  provider.close();
  rmSync(work, { recursive: true, force: true });
});
beforeEach(() => void (home = mkdtempSync(join(work, "home-"))));

const info = { name: "test", version: "1" };
const urlCapability = { capabilities: { elicitation: { url: {} } } };
const find = { name: "find_pets", arguments: {} };

function serverProcess() {
  return {
    command: process.execPath,
    args: [server],
    stderr: "ignore" as const,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      XDG_CONFIG_HOME: join(home, "config"),
      APPDATA: join(home, "config"),
      ISSUER: provider.issuer,
      CLINIC_BASE_URL: baseUrl,
      CLINIC_CLIENT_ID: CLIENT_ID,
      CLINIC_ENV_FILE: "",
    },
  };
}

/** Signs in through the listener of the server. */
const signIn = async (url: string): Promise<string> => (await browse(url)).text;

/** Stored sessions, without locks and files that are being written. */
function sessionFiles(): readonly string[] {
  const folder = join(home, "config/mcp-gen-sign-in");
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
}

async function expectCall(client: ToolClient): Promise<void> {
  const result = await client.callTool(find);
  expect(result.isError ?? false, JSON.stringify(result.content)).toBe(false);
  expect(received.at(-1)).toMatch(/^Bearer \S+$/);
  expect(sessionFiles()).toHaveLength(1);
}

interface ElicitationError {
  readonly data: { readonly elicitations: readonly { url: string; elicitationId: string }[] };
}

test("2025-11-25: the call fails with the address, and can be repeated", async () => {
  const client = new OldClient(info, urlCapability);
  await client.connect(new OldStdio(serverProcess()));
  const error: unknown = await client.callTool(find).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: -32042 });
  const { elicitations } = (error as ElicitationError).data;
  const completed = new Promise<string>((resolve) =>
    client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) =>
      resolve(params.elicitationId),
    ),
  );
  expect(new URL(elicitations[0]!.url).origin).toBe(provider.issuer);
  expect(await signIn(elicitations[0]!.url)).toContain("You can close this page.");
  expect(await completed).toBe(elicitations[0]!.elicitationId);
  await expectCall(client as unknown as ToolClient);
  await client.close();
});

test("2026-07-28: the call goes on after the user has signed in", async () => {
  const client = new ModernClient(info, {
    ...urlCapability,
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    void signIn((params as { readonly url: string }).url);
    return { action: "accept" };
  });
  await client.connect(new ModernStdio(serverProcess()));
  await expectCall(client as unknown as ToolClient);
  await client.close();
});

test("without elicitation, the text has the link and the command", async () => {
  const client = new ModernClient(info);
  await client.connect(new ModernStdio(serverProcess()));
  const { content } = await client.callTool(find);
  const text = JSON.stringify(content);
  const [, link = ""] = /on this machine: (\S+) \(valid for 10 minutes\)/.exec(text) ?? [];
  expect(text).toContain("`node dist/server.js login`");
  await signIn(link);
  await expect.poll(sessionFiles).toHaveLength(1);
  await expectCall(client as unknown as ToolClient);
  await client.close();
});
