import assert from "node:assert/strict";
import { after, before, describe, test, type TestContext } from "node:test";
import { type CallToolResult, Client, type Tool } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { sampleInput, schemasOf } from "./input.js";
import { startMock, wholeOnlyTitle } from "./server.js";
import type { Mock, MockApi } from "./types.js";

export interface ContractOptions {
  /** What the mock serves: `operations`, `schemas` and `securitySchemes` of the API. */
  readonly api: MockApi;
  /** Path of the built server: `dist/server.js`. */
  readonly server: string;
  /** Prefix of its environment variables, without the underscore: `CLINIC`. */
  readonly envPrefix: string;
  /** Made-up credentials, by environment variable: `{ CLINIC_TOKEN: "test-token" }`. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Further environment variables of the server. */
  readonly env?: Readonly<Record<string, string>>;
  /** Further arguments of the server. */
  readonly args?: readonly string[];
  /** Calls in flight. Default 16. */
  readonly concurrency?: number;
}

/** Where the mock puts the API, to see that the base path of the server URL is kept. */
const BASE_PATH = "/contract/v1";

/**
 * Registers the contract tests of a generated server with `node:test`: starts a mock of the API, starts the server over
 * stdio with `<PREFIX>_BASE_URL` set to it, lists every tool, and calls each one twice, with the fewest and with all
 * inputs. A call passes when the request was one that the document allows, and the structured result satisfies the
 * output schema of the tool.
 *
 * ```ts
 * import { readFileSync } from "node:fs";
 * import { contractTests } from "./mock/contract.js";
 *
 * contractTests({
 *   api: JSON.parse(readFileSync(new URL("./api.json", import.meta.url), "utf8")),
 *   server: "dist/server.js",
 *   envPrefix: "CLINIC",
 *   credentials: { CLINIC_TOKEN: "test-token" },
 * });
 * ```
 */
export function contractTests(options: ContractOptions): void {
  describe("contract", { concurrency: false }, () => {
    let mock: Mock;
    let client: Client;
    let tools: readonly Tool[] = [];

    before(async () => {
      mock = await startMock(options.api, { basePath: BASE_PATH });
      client = await connect(options, mock.url);
      tools = (await client.listTools()).tools;
    });
    after(async () => {
      await client?.close();
      await mock?.close();
    });

    test("tools/list has distinct tools", () => {
      assert.ok(tools.length > 0, "the server lists no tool");
      assert.equal(new Set(tools.map((t) => t.name)).size, tools.length, "two tools have one name");
    });
    test("every tool does what the document says", { concurrency: options.concurrency ?? 16 }, async (t) => {
      await Promise.all(tools.map((tool) => t.test(tool.name, (each) => callTwice(client, tool, each))));
    });
    test("no request but those that the document allows", () => {
      const refused = mock.requests.filter((r) => r.violations.some((v) => !v.wholeOnly));
      assert.deepEqual(refused.map((r) => ({ request: `${r.method} ${r.url}`, violations: r.violations })), []);
    });
  });
}

async function connect(options: ContractOptions, url: string): Promise<Client> {
  const client = new Client({ name: "contract-test", version: "1.0.0" }, { listMaxPages: 0 });
  const env = { ...getDefaultEnvironment(), LOG_LEVEL: "error", ...options.env, ...options.credentials, [`${options.envPrefix}_BASE_URL`]: url };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [options.server, ...(options.args ?? [])], env, stderr: "inherit" }));
  return client;
}

async function callTwice(client: Client, tool: Tool, t: TestContext): Promise<void> {
  const { minimal, full, problems } = sampleInput(tool.inputSchema);
  // A schema that no value could be made up for says nothing about the server; the report says that it was not tried.
  for (const problem of problems) t.diagnostic(`no valid input made up: ${problem}`);
  const inputs = [minimal, full].filter((_, index) => !problems.some((p) => p.startsWith(index === 0 ? "minimal" : "full")));
  const refusals: string[] = [];
  for (const input of inputs) {
    const refusal = await call(client, tool, input);
    if (refusal !== undefined) refusals.push(refusal);
  }
  for (const refusal of refusals) t.diagnostic(refusal);
  const excused = refusals.some((refusal) => refusal.includes(noCertificate));
  assert.ok(refusals.length === 0 || refusals.length < inputs.length || excused, refusals.join("\n"));
}

/** Said when a credential is not set; all but client certificates were made up. */
const noCertificate = "needs credentials";

/**
 * @returns what was said, when the call failed for a reason that one input may fail for: "at least one of these fields"
 * is a rule of the document that the inputs of a tool cannot always state, and client certificates cannot be made up
 */
async function call(client: Client, tool: Tool, input: Record<string, unknown>): Promise<string | undefined> {
  const result = await client.callTool({ name: tool.name, arguments: input });
  const failure = `${tool.name} ${JSON.stringify(input)} failed:\n${textOf(result)}`;
  if (result.isError && [wholeOnlyTitle, noCertificate].some((reason) => failure.includes(reason))) return failure;
  assert.ok(!result.isError, failure);
  checkOutput(tool, result);
  return undefined;
}

function checkOutput(tool: Tool, result: CallToolResult): void {
  if (tool.outputSchema === undefined) return;
  assert.ok(result.structuredContent !== undefined, `${tool.name} declares an output schema, but returned no structured content`);
  const faults = schemasOf(tool.outputSchema, "response").check(result.structuredContent, tool.outputSchema, "");
  assert.deepEqual(faults, [], `the result of ${tool.name} does not satisfy its output schema`);
}

function textOf(result: CallToolResult): string {
  return result.content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n");
}
