import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  bundleFixture,
  type Fixture,
  initialize,
  listening,
  startProcess,
  type StdioProcess,
} from "../support/fixture.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

/** As much of a client as is used here, whichever SDK it is of. */
interface AnyClient {
  listTools(params?: object): Promise<{
    tools: { name: string; title?: string }[];
    nextCursor?: string;
    ttlMs?: number;
    cacheScope?: string;
  }>;
  listResources(): Promise<{ resources: unknown[] }>;
  readResource(params: {
    uri: string;
  }): Promise<{ contents: { uri: string; mimeType?: string; text?: string }[] }>;
  /** Options are the third parameter in SDK 1, the second in SDK 2. */
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    ...options: readonly ({ onprogress(progress: { message?: string }): void } | undefined)[]
  ): Promise<{ isError?: boolean; content: unknown; structuredContent?: unknown }>;
  getInstructions(): string | undefined;
  getServerVersion(): { name: string; version: string; title?: string } | undefined;
  close(): Promise<void>;
}

let fixture: Fixture;
let upstream: Upstream;
let http: StdioProcess;
let url: URL;
const env = (): Record<string, string> => ({
  CLINIC_BASE_URL: upstream.url,
  MANY_TOOLS: "510",
  CLINIC_MAX_RESULT_TOKENS: "100",
  LOG_LEVEL: "info",
});

beforeAll(async () => {
  fixture = await bundleFixture();
  upstream = await startUpstream((response, request, count) => {
    const id = Number(request.url.split("/").at(-1));
    (id === 404
      ? reply(404, { message: "pet not found" })
      : reply(200, { id: id === 5 ? "five" : id, ...(id === 6 && large) }))(
      response,
      request,
      count,
    );
  });
  http = startProcess(fixture.file, env(), ["--http", "--port", "0"]);
  url = await listening(http);
});
afterAll(async () => {
  http.child.kill("SIGKILL");
  await Promise.all([fixture.remove(), upstream.close()]);
});

/** More than may be shown. */
const large = { visits: Array.from({ length: 200 }, (_, visit) => ({ visit })) };

const info = { name: "test", version: "1" };
const command = (): {
  command: string;
  args: string[];
  env: Record<string, string>;
  stderr: "ignore";
} => ({ command: process.execPath, args: [fixture.file], env: env(), stderr: "ignore" });

async function old(transport: OldStdio | OldHttp): Promise<AnyClient> {
  const client = new OldClient(info);
  await client.connect(transport);
  return client as unknown as AnyClient;
}

async function modern(
  transport: ModernStdio | ModernHttp,
  mode: "legacy" | { pin: string },
): Promise<AnyClient> {
  const client = new ModernClient(info, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client as unknown as AnyClient;
}

const pinned = { pin: "2026-07-28" };

describe.each<readonly [string, boolean, () => Promise<AnyClient>]>([
  ["SDK 1 over stdio", false, () => old(new OldStdio(command()))],
  ["SDK 1 over HTTP", false, () => old(new OldHttp(url))],
  ["SDK 2 before 2026 over stdio", false, () => modern(new ModernStdio(command()), "legacy")],
  ["SDK 2 before 2026 over HTTP", false, () => modern(new ModernHttp(url), "legacy")],
  ["SDK 2 of 2026-07-28 over stdio", true, () => modern(new ModernStdio(command()), pinned)],
  ["SDK 2 of 2026-07-28 over HTTP", true, () => modern(new ModernHttp(url), pinned)],
])("%s", (name, isModern, connect) => {
  let client: AnyClient;
  beforeAll(async () => (client = await connect()));
  afterAll(() => client.close());

  test("reads the name and version of the server", () => {
    expect(client.getServerVersion()).toMatchObject({
      name: "clinic",
      title: "Clinic",
      version: "1.2.3",
    });
    expect(client.getInstructions()).toBe("Pets and their owners.");
  });

  test("lists all tools, in pages", async () => {
    // The client of SDK 2 walks the pages itself.
    const first = await client.listTools();
    const rest =
      first.nextCursor === undefined
        ? []
        : (await client.listTools({ cursor: first.nextCursor })).tools;
    const names = [...first.tools, ...rest].map(({ name }) => name);
    expect(names).toHaveLength(514);
    expect(names.at(-1)).toBe("read_result");
    expect(names[0]).toBe("get_pet");
    expect(first.tools[0]?.title).toBe("Get a pet");
    expect("ttlMs" in first).toBe(isModern);
  });

  test("receives valid results", async () => {
    expect(await client.callTool({ name: "get_pet", arguments: { pet_id: "7" } })).toMatchObject({
      content: [{ type: "text", text: '{"id":7}' }],
      structuredContent: { id: 7 },
    });
  });

  test("receives valid results when the API deviates from its description", async () => {
    expect(await client.callTool({ name: "get_pet", arguments: { pet_id: "5" } })).toMatchObject({
      content: [{ text: '{"id":"five"}' }, {}],
      structuredContent: { unexpected: [{ path: "id", value: "five" }] },
    });
  });

  test("reads the full result behind a resource link", async () => {
    const { content } = (await client.callTool({
      name: "get_pet",
      arguments: { pet_id: "6" },
    })) as { content: { type: string; text?: string; uri?: string; size?: number }[] };
    const whole = JSON.stringify({ id: 6, ...large });
    expect(content.map(({ type }) => type)).toEqual(["text", "text", "text", "resource_link"]);
    const { uri = "", size } = content[3]!;
    expect(size).toBe(whole.length);
    const note = `Note: The full result (${whole.length} bytes) is available for 10 minutes as the resource ${uri}`;
    expect(content[2]!.text?.slice(0, note.length)).toBe(note);
    expect(content[2]!.text).toContain("read_result");
    expect(await client.readResource({ uri })).toMatchObject({
      contents: [{ uri, mimeType: "application/json", text: whole }],
    });
    expect((await client.listResources()).resources).toEqual([]);
    const [stored = ""] = uri.split("?");
    await expect(client.readResource({ uri: stored.replace(/.$/, "x") })).rejects.toThrow(
      /stored for 10 minutes, and only in the process that produced them/,
    );
    // Another process repeats the call.
    const elsewhere = uri.replace(/[^/]*\?/, "?");
    expect(await client.readResource({ uri: elsewhere })).toMatchObject({
      contents: [{ uri: elsewhere, mimeType: "application/json", text: whole }],
    });
  });

  test("receives progress before the result", async () => {
    const messages: unknown[] = [];
    const options = {
      onprogress: ({ message }: { message?: string }): void => void messages.push(message),
    };
    // On a busy machine, what was sent apart can be read together now and then.
    for (let tries = 0; messages.length === 0 && tries < 50; tries++)
      await client.callTool(
        { name: "be_quick" },
        ...(name.startsWith("SDK 1") ? [undefined, options] : [options]),
      );
    expect(messages).toEqual(["Nearly done."]);
  });

  test("receives errors as tool results", async () => {
    expect(await client.callTool({ name: "get_pet", arguments: { pet_id: "404" } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('The API says: "pet not found"') as string }],
    });
    expect(await client.callTool({ name: "get_pet", arguments: {} })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("- pet_id: is required") as string }],
    });
    expect(await client.callTool({ name: "get_pet" })).toMatchObject({ isError: true });
  });

  test("receives an error for an unknown tool", async () => {
    await expect(client.callTool({ name: "get_pets", arguments: {} })).rejects.toThrow(
      expect.objectContaining({ code: -32602 }),
    );
  });

  test("receives each result of concurrent calls under its own id", async () => {
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        client.callTool({ name: "get_pet", arguments: { pet_id: String(1000 + i) } }),
      ),
    );
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual(
      Array.from({ length: 50 }, (_, i) => ({ id: 1000 + i })),
    );
  });
});

describe("a client without support for resource links", () => {
  const wholeOf6 = { name: "get_pet", arguments: { pet_id: "6" } };

  test.each([
    ["2024-11-05", false],
    ["2025-03-26", false],
    ["2025-06-18", true],
  ])("of %s over stdio", async (revision, hasLink) => {
    const server = startProcess(fixture.file, env());
    await initialize(server, revision);
    const { result } = await server.request("tools/call", wholeOf6);
    server.child.kill("SIGKILL");
    expect(JSON.stringify(result)).toContain("as the resource result://get_pet/");
    expect(JSON.stringify(result).includes("resource_link")).toBe(hasLink);
  });

  test.each<readonly [Record<string, string>, boolean]>([
    [{}, false],
    [{ "mcp-protocol-version": "2025-06-18" }, true],
  ])("over HTTP with %j", async (headers, hasLink) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: wholeOf6 });
    const response = await fetch(url, {
      method: "POST",
      body,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
    });
    expect((await response.text()).includes("resource_link")).toBe(hasLink);
  });
});
