/** Validates every message of a generated server against the JSON Schema of each protocol revision. */
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateProject, type Project, startHttp } from "../e2e/project.js";
import { send } from "../hostile/support/http.js";
import { startProcess, type StdioProcess } from "../runtime/support/fixture.js";
import { type Answer, reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";

const modern = "2026-07-28";
const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", modern];

interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: { readonly progress?: number };
  readonly result?: {
    readonly content?: readonly { readonly type: string; readonly uri?: string }[];
    readonly isError?: boolean;
  };
  readonly error?: { readonly code: number };
}

/** Lists the violations of a value of a type of the revision. */
type Validate = (type: string, value: unknown) => readonly string[];

function validatorOf(revision: string): Validate {
  const schema = JSON.parse(
    readFileSync(new URL(`schema/${revision}.json`, import.meta.url), "utf8"),
  ) as { $schema: string; $defs?: object; definitions?: object };
  const options = {
    strict: false,
    allErrors: true,
    formats: {
      "uri-template": /^/,
      uri: (text: string) => URL.canParse(text),
      byte: /^[\w+/]*={0,2}$/,
    },
  };
  const ajv = schema.$defs ? new Ajv2020(options) : new Ajv(options);
  ajv.addSchema(schema, "mcp");
  const names = Object.keys(schema.$defs ?? schema.definitions ?? {});
  return (type, value) => {
    // Names before 2025-11-25.
    const name = names.includes(type)
      ? type
      : type.replace("ResultResponse", "Response").replace("ErrorResponse", "Error");
    const check = ajv.getSchema(`mcp#/${schema.$defs ? "$defs" : "definitions"}/${name}`);
    if (!check) return [`${revision} has no ${type}`];
    return check(value)
      ? []
      : (check.errors ?? []).map(
          ({ instancePath, message }) => `${type}${instancePath} ${message}`,
        );
  };
}

const notifications = new Map([
  ["notifications/progress", "ProgressNotification"],
  ["notifications/subscriptions/acknowledged", "SubscriptionsAcknowledgedNotification"],
]);

function problemsOf(message: Message, resultType: string, validate: Validate): readonly string[] {
  if (message.method !== undefined)
    return validate(notifications.get(message.method) ?? `notification ${message.method}`, message);
  if (message.error) return validate("JSONRPCErrorResponse", message);
  return [...validate("JSONRPCResultResponse", message), ...validate(resultType, message.result)];
}

/** Request, with the type and the expected outcome of its result. */
interface Exchange {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly type: string;
  /** Error code, `isError` of a tool call, or the content types for a client of the revision. */
  readonly expected?: number | boolean | ((revision: string) => readonly string[]);
}

const call = (
  name: string,
  input: object,
  expected?: Exchange["expected"],
  meta?: object,
): Exchange => ({
  method: "tools/call",
  params: { name, arguments: input, ...(meta && { _meta: meta }) },
  type: "CallToolResult",
  expected,
});
const document = { documentId: "doc_5TR2WQ" };

const exchanges: readonly Exchange[] = [
  { method: "tools/list", type: "ListToolsResult" },
  { method: "tools/list", params: { cursor: "x" }, type: "ListToolsResult", expected: -32602 },
  call("find_owners", {}, false),
  call("find_owners", { unheard_of: 1 }, true),
  call("find_owners", { ownerId: "own_404404" }, true),
  call("find_owners", { ownerId: "own_503503" }, false, { progressToken: "token" }),
  call("find_pets", {}, (revision) => [
    "text",
    ...(revision >= "2025-06-18" ? ["resource_link"] : []),
  ]),
  call("get_pet_photo", { petId: "pet_9TX3QA" }, () => ["image"]),
  call("download_document", { documentId: "doc_SOUND1" }, (revision) => [
    revision >= "2025-03-26" ? "audio" : "resource",
  ]),
  call("download_document", document, () => ["resource", "text"]),
  call("unheard_of", {}, -32602),
  { method: "tools/call", params: {}, type: "CallToolResult", expected: -32602 },
  { method: "resources/list", type: "ListResourcesResult" },
  { method: "resources/list", params: { cursor: "" }, type: "ListResourcesResult" },
  { method: "resources/templates/list", type: "ListResourceTemplatesResult" },
  {
    method: "resources/list",
    params: { cursor: "x" },
    type: "ListResourcesResult",
    expected: -32602,
  },
  {
    method: "resources/read",
    params: { uri: "result://find_pets/gone" },
    type: "ReadResourceResult",
    expected: -32602,
  },
  { method: "resources/read", params: {}, type: "ReadResourceResult", expected: -32602 },
  { method: "prompts/list", type: "ListPromptsResult", expected: -32601 },
  { method: "logging/setLevel", params: { level: "debug" }, type: "EmptyResult", expected: -32601 },
];

let hasFailed: boolean;
/** Clinic API with a response of every kind. Owner 503503 is available at the second attempt. */
const answer: Answer = (response, request, count) => {
  const fails = request.url.includes("503503") && !hasFailed;
  hasFailed ||= fails;
  const [, configured] = answers.find(([path]) => request.url.includes(path)) ?? [];
  (
    configured ??
    (fails
      ? reply(503, "", { "retry-after": "0" })
      : reply(200, { data: [{ id: "own_4F7K2M" }], id: "own_503503" }))
  )(response, request, count);
};
const answers: readonly (readonly [string, Answer])[] = [
  ["404404", reply(404, { title: "Not found" })],
  ["/photo", reply(200, Buffer.from("89504e47", "hex"), { "content-type": "image/png" })],
  ["doc_SOUND1", reply(200, Buffer.from("52494646", "hex"), { "content-type": "audio/wav" })],
  ["/documents/", reply(200, "%PDF-1.4", { "content-type": "application/pdf" })],
  [
    "/pets",
    reply(200, { data: Array.from({ length: 200 }, (_, i) => ({ id: `pet_${i}`, name: "Rex" })) }),
  ],
];

let project: Project;
let upstream: Upstream;
let http: Awaited<ReturnType<typeof startHttp>>;
beforeAll(async () => {
  [project, upstream] = await Promise.all([
    generateProject("samples/clinic/openapi.yaml"),
    startUpstream((...request) => answer(...request)),
  ]);
  await project.run("bundle");
  http = await startHttp(project.server, environment());
});
afterAll(async () => {
  http.child.kill("SIGKILL");
  await Promise.all([project.remove(), upstream.close()]);
});

const environment = (): Record<string, string> => ({
  MAPLEWOOD_CLINIC_BASE_URL: upstream.url,
  MAPLEWOOD_CLINIC_TOKEN: "t",
  MAPLEWOOD_CLINIC_MAX_RESULT_TOKENS: "200",
});

const client = { name: "test", version: "1" };
const meta = {
  "io.modelcontextprotocol/protocolVersion": modern,
  "io.modelcontextprotocol/clientInfo": client,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Sends a request and returns all messages up to its response. */
type SendRequest = (request: {
  readonly id: number;
  readonly method: string;
  readonly params: object;
}) => Promise<readonly Message[]>;

/** Sends all requests, the opening request of the revision first, and validates the responses. */
async function runExchanges(revision: string, sendRequest: SendRequest): Promise<void> {
  const validate = validatorOf(revision);
  const opening: Exchange =
    revision === modern
      ? { method: "server/discover", type: "DiscoverResult" }
      : {
          method: "initialize",
          params: { protocolVersion: revision, capabilities: {}, clientInfo: client },
          type: "InitializeResult",
        };
  const storedResults: string[] = [];
  const runExchange = async (
    { method, params = {}, type, expected }: Exchange,
    id: number,
  ): Promise<void> => {
    const revisionParams =
      revision === modern
        ? { ...params, _meta: { ...meta, ...(params["_meta"] as object | undefined) } }
        : params;
    const messages = await sendRequest({ id, method, params: revisionParams });
    const last = messages.at(-1)!;
    expect([
      method,
      params,
      messages.flatMap((message) => problemsOf(message, type, validate)),
    ]).toEqual([method, params, []]);
    expect(last.id).toBe(id);
    expect(messages.slice(0, -1).map((message) => message.params?.progress)).toEqual(
      "_meta" in params ? [1] : [],
    );
    if (typeof expected === "number") expect(last.error?.code).toBe(expected);
    else if (typeof expected === "boolean") expect(last.result?.isError ?? false).toBe(expected);
    else if (expected)
      expect([...new Set(last.result?.content?.map((block) => block.type))]).toEqual(
        expected(revision),
      );
    storedResults.push(
      ...(last.result?.content ?? []).flatMap((block) =>
        block.type === "resource_link" ? (block.uri ?? []) : [],
      ),
    );
  };
  for (const [i, exchange] of [opening, ...exchanges].entries()) await runExchange(exchange, i);
  for (const uri of storedResults)
    await runExchange(
      { method: "resources/read", params: { uri }, type: "ReadResourceResult" },
      1000,
    );
  expect(storedResults).toHaveLength(revision >= "2025-06-18" ? 1 : 0);
}

describe("all messages match the schema", () => {
  test.each(revisions)("of %s, over stdio", async (revision) => {
    hasFailed = false;
    const server: StdioProcess = startProcess(project.server, environment());
    try {
      await runExchanges(revision, async (request) => {
        const before = server.lines.length;
        server.write({ jsonrpc: "2.0", ...request });
        await server.message(({ id }) => id === request.id);
        return server.lines.slice(before).map((line) => JSON.parse(line) as Message);
      });
    } finally {
      server.child.kill("SIGKILL");
    }
  });

  // 2024-11-05 has another HTTP transport.
  test.each(revisions.slice(1))("of %s, over HTTP", async (revision) => {
    hasFailed = false;
    const version = revision >= "2025-06-18" ? { "mcp-protocol-version": revision } : undefined;
    await runExchanges(revision, async (request) => {
      const { name, uri } = request.params as { readonly name?: string; readonly uri?: string };
      const mirroredHeaders = revision === modern && {
        "mcp-method": request.method,
        ...((name ?? uri) !== undefined && { "mcp-name": name ?? uri }),
      };
      const { headers, body } = await send(http.url, {
        body: { jsonrpc: "2.0", ...request },
        headers: { ...(request.method !== "initialize" && version), ...mirroredHeaders } as Record<
          string,
          string
        >,
      });
      const texts = String(headers["content-type"]).startsWith("text/event-stream")
        ? [...body.matchAll(/^data: (.+)$/gm)].map(([, data]) => data!)
        : [body];
      return texts.map((text) => JSON.parse(text) as Message);
    });
  });
});
