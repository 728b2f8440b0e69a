import assert from "node:assert/strict";
import { after, before, describe, test, type TestContext } from "node:test";
import {
  type CallToolResult,
  Client,
  type ClientOptions,
  type Tool,
} from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { SchemaSet } from "./schema-set.js";
import { startMock } from "./server.js";
import { documentInputs, sampleInput, schemasOf } from "./tool-inputs.js";
import type { ContractTool, Mock, MockApi, Schema } from "./types.js";

export interface ContractOptions {
  /** What the mock serves: `operations`, `schemas` and `securitySchemes` of the API. */
  readonly api: MockApi;
  /** The catalogue of the server: says which input of a tool goes where. */
  readonly tools: readonly ContractTool[];
  /** Path of the built server: `dist/server.js`. */
  readonly server: string;
  /** Prefix of its environment variables, without the underscore: `CLINIC`. */
  readonly envPrefix: string;
  /** Made-up credentials, by environment variable: `{ CLINIC_TOKEN: "test-token" }`. */
  readonly credentials?: Readonly<Record<string, string>>;
  /**
   * Where the mock serves other APIs that the server calls, by the prefix of their variables: `{
   * CLINIC_LAB: "/~lab" }`.
   */
  readonly otherApis?: Readonly<Record<string, string>>;
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
 * Registers the contract tests of a generated server with `node:test`: starts a mock of the API,
 * starts the server over stdio with `<PREFIX>_BASE_URL` set to it, lists every tool, and calls each
 * one with the fewest and with all inputs that the document has for it. A call passes when the tool
 * took the input, the request was one that the document allows, and the structured result satisfies
 * the output schema of the tool.
 *
 * ```ts
 * import { readFileSync } from "node:fs";
 * import { tools } from "../src/tools/index.js";
 * import { contractTests } from "./mock.js";
 *
 * contractTests({
 *   api: JSON.parse(readFileSync("test/api.json", "utf8")),
 *   tools,
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
    const sent = new SchemaSet(options.api.schemas, "request");

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
    test(
      "every tool does what the document says",
      { concurrency: options.concurrency ?? 16 },
      async (t) => {
        await Promise.all(
          tools.map((tool) =>
            t.test(tool.name, (each) => callEach(client, tool, options, sent, each)),
          ),
        );
      },
    );
    test("no request but those that the document allows", () => {
      const refused = mock.requests.filter((r) => r.violations.length > 0);
      assert.deepEqual(
        refused.map((r) => ({ request: `${r.method} ${r.url}`, violations: r.violations })),
        [],
      );
    });
  });
}

/**
 * Results are checked here, by `checkOutput`; the client would compile every output schema to do
 * the same.
 */
const trusting: ClientOptions["jsonSchemaValidator"] = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

async function connect(options: ContractOptions, url: string): Promise<Client> {
  const client = new Client(
    { name: "contract-test", version: "1.0.0" },
    { listMaxPages: 0, jsonSchemaValidator: trusting },
  );
  // Every tool is tested, also where the server lists three that stand for all.
  const others = Object.entries(options.otherApis ?? {}).map(([prefix, path]) => [
    `${prefix}_BASE_URL`,
    url + path,
  ]);
  const env = {
    ...Object.fromEntries(others),
    ...getDefaultEnvironment(),
    LOG_LEVEL: "error",
    ...options.env,
    ...options.credentials,
    [`${options.envPrefix}_BASE_URL`]: url,
    [`${options.envPrefix}_MODE`]: "tools",
  };
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [options.server, ...(options.args ?? [])],
      env,
      stderr: "inherit",
    }),
  );
  return client;
}

/**
 * Calls a tool with every input that the document has for it. A tool that its owner wrote has none.
 */
async function callEach(
  client: Client,
  tool: Tool,
  options: ContractOptions,
  sent: SchemaSet,
  t: TestContext,
): Promise<void> {
  const tested = options.tools.find(({ name }) => name === tool.name);
  if (tested && tested.operations === undefined) return await callWorkflow(client, tool, t);
  for (const { input, problem } of tested ? documentInputs(tested, options.api, sent) : []) {
    // What no value could be made up for says nothing about the server; the report says that it was
    // not tried.
    if (problem !== undefined) t.diagnostic(problem);
    else await call(client, tool, input);
  }
}

/**
 * Calls a tool of several requests. What the mock makes up need not be what its steps ask for; then
 * the tool says at which step it stopped, nothing of ours may have broken, and the test says that
 * it was not done to the end: it is skipped, not passed.
 */
async function callWorkflow(client: Client, tool: Tool, t: TestContext): Promise<void> {
  const { minimal, full } = sampleInput(tool.inputSchema as Schema);
  const stops: string[] = [];
  for (const input of [minimal, full]) {
    const result = await client.callTool({ name: tool.name, arguments: input });
    if (!result.isError) {
      checkOutput(tool, result);
      continue;
    }
    assert.match(
      textOf(result),
      new RegExp(`^(?:Not sent|${tool.name} (?:stopped at step|completed all steps))`),
      `${tool.name} ${JSON.stringify(input)} failed`,
    );
    stops.push(
      `${textOf(result).split("\n", 1)[0] as string} The mock's sampled responses do not meet the criteria of its steps.`,
    );
  }
  const [stop] = stops;
  if (stop === undefined) return;
  if (stops.length === 2) t.skip(stop);
  else t.diagnostic(stop);
}

/** Said when a credential is not set: all but client certificates can be made up. */
const noCertificate = "needs credentials";
/** Said of a made-up ID where names are looked up too: the mock's things have made-up names. */
const noSuchName = "Not sent: nothing that ";

async function call(client: Client, tool: Tool, input: Record<string, unknown>): Promise<void> {
  const result = await client.callTool({ name: tool.name, arguments: input });
  if (
    result.isError &&
    (textOf(result).includes(noCertificate) || textOf(result).startsWith(noSuchName))
  )
    return;
  assert.ok(!result.isError, `${tool.name} ${JSON.stringify(input)} failed:\n${textOf(result)}`);
  checkOutput(tool, result);
}

function checkOutput(tool: Tool, result: CallToolResult): void {
  if (tool.outputSchema === undefined) return;
  assert.ok(
    result.structuredContent !== undefined,
    `${tool.name} declares an output schema, but returned no structured content`,
  );
  const faults = schemasOf(tool.outputSchema, "response").check(
    result.structuredContent,
    tool.outputSchema,
    "",
  );
  assert.deepEqual(faults, [], `the result of ${tool.name} does not satisfy its output schema`);
}

function textOf(result: CallToolResult): string {
  return result.content
    .map((block) => (block.type === "text" ? block.text : `[${block.type}]`))
    .join("\n");
}
