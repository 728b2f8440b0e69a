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

interface ContractOptions {
  /** API that the mock serves: `operations`, `schemas` and `securitySchemes`. */
  readonly api: MockApi;
  /** Tools of the server, with the mapping of their inputs to requests. */
  readonly tools: readonly ContractTool[];
  /** Path of the built server, `dist/server.js`. */
  readonly server: string;
  /** Prefix of its environment variables without the underscore, `CLINIC`. */
  readonly envPrefix: string;
  /** Prefix of the server's own variables, if the API is one of several. */
  readonly serverPrefix?: string;
  /** Test credentials, by environment variable: `{ CLINIC_TOKEN: "test-token" }`. */
  readonly credentials?: Readonly<Record<string, string>>;
  /**
   * Paths of the other APIs that the server calls, by the prefix of their variables: `{ CLINIC_LAB:
   * "/~lab" }`.
   */
  readonly otherApis?: Readonly<Record<string, string>>;
  /** Additional environment variables of the server. */
  readonly env?: Readonly<Record<string, string>>;
  /** Additional arguments of the server. */
  readonly args?: readonly string[];
  /** Maximum number of concurrent calls. Default: 16. */
  readonly concurrency?: number;
}

/** Base path of the mock. It shows whether requests keep the base path of the server URL. */
const BASE_PATH = "/contract/v1";

/**
 * Registers the contract tests of a generated server with `node:test`. They start a mock of the API
 * and the server over stdio, with `<PREFIX>_BASE_URL` set to the mock. Every tool is called with
 * the minimal and the full input. A call passes when the tool accepts the input, the document
 * allows the request, and the structured result is valid against the output schema.
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
      "every tool sends requests that the document allows",
      { concurrency: options.concurrency ?? 16 },
      async (t) => {
        await Promise.all(
          tools.map((tool) =>
            t.test(tool.name, (each) => testTool(client, tool, options, sent, each)),
          ),
        );
      },
    );
    test("the mock received no invalid request", () => {
      const refused = mock.requests.filter((r) => r.violations.length > 0);
      assert.deepEqual(
        refused.map((r) => ({ request: `${r.method} ${r.url}`, violations: r.violations })),
        [],
      );
    });
  });
}

/**
 * Disables the output validation of the client. `checkOutput` validates results instead, without
 * compiling every schema.
 */
const noOutputValidation: ClientOptions["jsonSchemaValidator"] = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

async function connect(options: ContractOptions, url: string): Promise<Client> {
  const client = new Client(
    { name: "contract-test", version: "1.0.0" },
    { listMaxPages: 0, jsonSchemaValidator: noOutputValidation },
  );
  const { serverPrefix = options.envPrefix } = options;
  const others = Object.entries(options.otherApis ?? {}).map(([prefix, path]) => [
    `${prefix}_BASE_URL`,
    url + path,
  ]);
  const env = {
    ...Object.fromEntries(others),
    ...getDefaultEnvironment(),
    LOG_LEVEL: "error",
    [`${serverPrefix}_ENV_FILE`]: "",
    ...options.env,
    ...options.credentials,
    [`${options.envPrefix}_BASE_URL`]: url,
    // Lists every tool, also when the server would list the discovery tools.
    [`${serverPrefix}_MODE`]: "tools",
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

/** Calls a tool with every sampled input. Custom tools are not in the document and are skipped. */
async function testTool(
  client: Client,
  tool: Tool,
  options: ContractOptions,
  sent: SchemaSet,
  t: TestContext,
): Promise<void> {
  const tested = options.tools.find(({ name }) => name === tool.name);
  if (tested && tested.operations === undefined) return await testWorkflow(client, tool, t);
  for (const { input, problem } of tested ? documentInputs(tested, options.api, sent) : []) {
    // The server cannot be tested with an input that could not be sampled. The report mentions it.
    if (problem !== undefined) t.diagnostic(problem);
    else await testCall(client, tool, input);
  }
}

/**
 * Calls a workflow. The sampled responses of the mock may not meet the criteria of its steps. The
 * tool must then report the step at which it stopped, and the test is skipped instead of passed.
 */
async function testWorkflow(client: Client, tool: Tool, t: TestContext): Promise<void> {
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
    stops.push(`${textOf(result).split("\n", 1)[0]} ${unmetCriteria}`);
  }
  const [stop] = stops;
  if (stop === undefined) return;
  if (stops.length === 2) t.skip(stop);
  else t.diagnostic(stop);
}

const unmetCriteria = "The mock's sampled responses do not meet the criteria of its steps.";

/** Text of a result without credentials. Client certificates cannot be sampled. */
const missingCredentialsText = "asks for credentials";
/** Text of a result when a sampled ID is not a name of a sampled resource. */
const UNKNOWN_NAME = /^Not sent: (?:no result of|\d+ resources have) /;

async function testCall(client: Client, tool: Tool, input: Record<string, unknown>): Promise<void> {
  const result = await client.callTool({ name: tool.name, arguments: input });
  if (
    result.isError &&
    (textOf(result).includes(missingCredentialsText) || UNKNOWN_NAME.test(textOf(result)))
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
