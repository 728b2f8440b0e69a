/** Prompts and resources of user code, as a client of the SDK sees them. */
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import {
  createMcpServer,
  createServerContext,
  customPromptsFor,
  customResourcesFor,
  type Hooks,
  ToolError,
} from "../../../src/runtime/index.js";
import { matchUri } from "../../../src/runtime/tools/custom-content.js";
import { testNodePlatform } from "../support/by-node.js";
import { api, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

interface Tools {
  find_books: {
    readonly input: { readonly author?: string };
    readonly output: { readonly items: readonly { readonly title: string }[] };
  };
}

const tools = [
  toolOf({
    name: "find_books",
    properties: { author: { type: "string" } },
    outputSchema: { type: "object", properties: { items: { type: "array" } } },
    send: { path: "/books", query: { author: "author" } },
  }),
];

const custom: Hooks = {
  prompts: [
    customPromptsFor<Tools>()({
      name: "plan_evening",
      description: "Plan an evening.",
      inputSchema: {
        type: "object",
        properties: {
          author: { type: "string", description: "An author." },
          seats: { type: "integer" },
        },
        required: ["author"],
      },
      run: async ({ author, seats }, call) => {
        expectTypeOf(author).toEqualTypeOf<string>();
        expectTypeOf(seats).toEqualTypeOf<number | undefined>();
        if (author === "nobody") throw new ToolError("Nobody reads that.");
        const { items } = await call.tools.find_books({ author });
        return `Read ${items[0]?.title} with ${typeof seats} ${seats}. s3cret-token`;
      },
    }),
    customPromptsFor<Tools>()({
      name: "greet",
      run: () => [{ role: "assistant", content: { type: "text", text: "Hello." } }],
    }),
  ],
  resources: [
    customResourcesFor<Tools>()({
      uri: "library://hours",
      name: "hours",
      mimeType: "text/markdown",
      run: () => "# Nine to five",
    }),
    customResourcesFor<Tools>()({
      uri: "library://books/{author}",
      name: "books",
      run: ({ author }, call) => {
        expectTypeOf(author).toEqualTypeOf<string>();
        return call.tools.find_books({ author });
      },
    }),
  ],
};

let upstream: Upstream;
let client: Client;
beforeAll(async () => {
  upstream = await startUpstream(reply(200, { items: [{ title: "Dune" }] }));
  const env = { CLINIC_BASE_URL: upstream.url, CLINIC_TOKEN: "s3cret-token", LOG_LEVEL: "silent" };
  const created = createServerContext({ api, tools, custom, platform: testNodePlatform, env });
  if (!created.ok) throw new Error(created.problems.join(" "));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  client = new Client({ name: "test", version: "1" });
  await createMcpServer(created.context).connect(theirs);
  await client.connect(ours);
});
afterAll(async () => {
  await client.close();
  await upstream.close();
});

describe("prompts", () => {
  test("are listed with their inputs as arguments", async () => {
    expect((await client.listPrompts()).prompts).toEqual([
      {
        name: "plan_evening",
        description: "Plan an evening.",
        arguments: [
          { name: "author", description: "An author.", required: true },
          { name: "seats", required: false },
        ],
      },
      { name: "greet" },
    ]);
  });

  test("call tools, get their inputs in the types of the schema, and contain no secret", async () => {
    const { messages } = await client.getPrompt({
      name: "plan_evening",
      arguments: { author: "Herbert", seats: "4" },
    });
    expect(messages).toEqual([
      {
        role: "user",
        content: {
          type: "text",
          text: expect.stringMatching(/^Read Dune with number 4\. (?!s3cret)/),
        },
      },
    ]);
    expect(upstream.requests.at(-1)?.url).toBe("/books?author=Herbert");
    const { messages: own } = await client.getPrompt({ name: "greet" });
    expect(own).toEqual([{ role: "assistant", content: { type: "text", text: "Hello." } }]);
  });

  test.each([
    ["a missing input", { name: "plan_evening" }, /author: is required/],
    ["a ToolError", { name: "plan_evening", arguments: { author: "nobody" } }, /Nobody reads that/],
    ["an unknown name", { name: "plan_evenin" }, /Did you mean plan_evening\?/],
  ])("%s is an error that says so", async (_, params, want) => {
    await expect(client.getPrompt(params)).rejects.toThrow(want);
  });
});

describe("resources", () => {
  test("are listed, and templates apart", async () => {
    expect((await client.listResources()).resources).toEqual([
      { uri: "library://hours", name: "hours", mimeType: "text/markdown" },
    ]);
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([
      { uriTemplate: "library://books/{author}", name: "books" },
    ]);
  });

  test.each([
    ["library://hours", { mimeType: "text/markdown", text: "# Nine to five" }],
    [
      "library://books/Le%20Guin",
      { mimeType: "application/json", text: '{"items":[{"title":"Dune"}]}' },
    ],
  ])("%s is read", async (uri, want) => {
    expect((await client.readResource({ uri })).contents).toEqual([{ uri, ...want }]);
  });

  test("an unknown one is not found", async () => {
    await expect(client.readResource({ uri: "library://none" })).rejects.toThrow(/not found/i);
  });
});

test.each([
  ["a://{x}/b", "a://1/b", { x: "1" }],
  ["a://{x}/b", "a://1/2/b", undefined],
  ["a://x.y", "a://xzy", undefined],
  ["a://{x}", "a://%zz", undefined],
  ["a://{x}/{y}", "a://1%2F2/3", { x: "1/2", y: "3" }],
])("%s read from %s", (template, uri, want) => {
  expect(matchUri(template, uri)).toEqual(want);
});

test.each<[string, Hooks, RegExp]>([
  [
    "two prompts of one name",
    { prompts: [custom.prompts![1]!, custom.prompts![1]!] },
    /two prompts greet/,
  ],
  [
    "a URI without a scheme",
    { resources: [{ ...custom.resources![0]!, uri: "hours" }] },
    /"hours".*scheme/,
  ],
])("%s prevents the start", (_, hooks, want) => {
  const created = createServerContext({
    api,
    tools,
    custom: hooks,
    platform: testNodePlatform,
    env: {},
  });
  expect(created).toMatchObject({ ok: false, problems: [expect.stringMatching(want)] });
});
