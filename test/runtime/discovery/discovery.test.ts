import { describe, expect, test } from "vitest";
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { callTool, createServerContext, defineCustomTool } from "../../../src/runtime/index.js";
import type { AnyTool } from "../../../src/runtime/tools/definitions.js";
import { discoveryNames } from "../../../src/runtime/discovery/index.js";
import { describeToolsets } from "../../../src/runtime/tools/describe-toolsets.js";
import { createResultStore } from "../../../src/runtime/response/result-store.js";
import { validateInput } from "../../../src/runtime/tools/validate-input.js";
import { testNodePlatform } from "../support/by-node.js";
import { api, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream } from "../support/upstream.js";

const writes = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
const text = { type: "string" } as const;

const listPets = toolOf({
  name: "list_pets",
  title: "List pets",
  description: "List the pets of the clinic. Returns items with id and name.",
  toolset: "pets",
  properties: { species: text },
  outputSchema: { type: "object", properties: { items: { type: "array" } } },
});
const getPet = toolOf({
  name: "get_pet",
  title: "Get a pet",
  description: "Get a pet with its weight.",
  toolset: "pets",
  properties: { pet_id: text },
  required: ["pet_id"],
  producers: { pet_id: ["list_pets", "gone_tool"] },
});
const deleteOwner = toolOf({
  name: "delete_owner",
  title: "Delete an owner",
  description: "Delete an owner.",
  toolset: "owners",
  annotations: writes,
  properties: { owner_id: text },
  required: ["owner_id"],
});
const echo = defineCustomTool<{ words: string }, { said: string }>({
  name: "echo",
  title: "Echo",
  description: "Say something back.",
  annotations: writes,
  inputSchema: {
    type: "object",
    properties: { words: text },
    required: ["words"],
    additionalProperties: false,
  },
  outputSchema: { type: "object", properties: { said: text }, required: ["said"] },
  run: ({ words }) => ({ said: words }),
});

function serverOf(
  env: Record<string, string> = { CLINIC_MODE: "discovery" },
  more: Partial<Parameters<typeof createServerContext>[0]["api"]> = {},
  tools: readonly AnyTool[] = [listPets, getPet, deleteOwner],
  write?: (lines: string) => void,
) {
  const created = createServerContext({
    api: { ...api, instructions: "About pets.", ...more },
    tools,
    custom: { tools: [echo] },
    env: { LOG_LEVEL: "silent", CLINIC_READ_RESULTS: "false", ...env },
    ...(write && { write }),
  });
  if (!created.ok) throw new Error(created.problems.join(" "));
  const { context: app } = created;
  const call = (name: string, input: unknown = {}): Promise<CallToolResult> =>
    callTool(app, app.tools.find(name), input);
  return { app, call, listed: JSON.parse(app.tools.serializeList()) as Tool[] };
}

describe("the listed tools", () => {
  const all = ["list_pets", "get_pet", "delete_owner", "echo"];
  const readers = ["search_tools", "describe_tools", "call_tool"];
  const discoveryTools = ["search_tools", "describe_tools", "call_read_tool", "call_tool"];
  const budget = (tools: number, tokens = 20_000, mode = "hybrid" as "hybrid" | "discovery") => ({
    listBudget: { tools, tokens, mode },
  });

  test.each<readonly [Record<string, string>, object, readonly string[]]>([
    [{}, {}, all],
    [{}, budget(2), discoveryTools],
    [{ CLINIC_MODE: "tools" }, budget(2), all],
    [{ CLINIC_MODE: "discovery" }, {}, discoveryTools],
    [{ CLINIC_MODE: "discovery" }, { listed: ["get_pet"] }, discoveryTools],
    [{}, { ...budget(2), listed: ["get_pet"] }, [...discoveryTools, "get_pet"]],
    [{}, { ...budget(2, 20_000, "discovery"), listed: ["get_pet"] }, discoveryTools],
    [{ CLINIC_MODE: "hybrid" }, { listed: ["get_pet"] }, [...discoveryTools, "get_pet"]],
    [
      { CLINIC_MODE: "discovery", CLINIC_RAW_REQUESTS: "true" },
      {},
      [...discoveryTools, "send_request"],
    ],
    [{ CLINIC_READ_ONLY: "1", CLINIC_RAW_REQUESTS: "true", CLINIC_MODE: "discovery" }, {}, readers],
    [
      { CLINIC_MODE: "hybrid", CLINIC_LISTED: "echo, get_pet" },
      { listed: ["list_pets"] },
      [...discoveryTools, "get_pet", "echo"],
    ],
    [{ CLINIC_READ_ONLY: "1", ...{ CLINIC_MODE: "discovery" } }, {}, readers],
    // The budget applies to the tools that remain after exclusions.
    [{ CLINIC_READ_ONLY: "true" }, budget(2), ["list_pets", "get_pet"]],
    [{ CLINIC_READ_ONLY: "true" }, budget(2, 50), readers],
    [{ CLINIC_TOOLSETS: "pets" }, budget(3), ["list_pets", "get_pet", "echo"]],
    [{ CLINIC_TOOLSETS: "pets" }, budget(2), discoveryTools],
    [{ CLINIC_TOOLSETS: "pets", CLINIC_MODE: "discovery" }, budget(3), discoveryTools],
    [
      { CLINIC_MODE: "discovery" },
      { namespace: "vet" },
      ["vet_search_tools", "vet_describe_tools", "vet_call_read_tool", "vet_call_tool"],
    ],
  ])("%j %j", (env, more, expected) =>
    expect(serverOf(env, more).listed.map(({ name }) => name)).toEqual(expected),
  );

  test("discovery tools avoid names of the API's tools", () => {
    expect(
      discoveryNames(
        undefined,
        (name) => ["search_tools", "call_tool", "call_api_tool"].includes(name),
        true,
      ),
    ).toEqual({
      search: "search_api_tools",
      describe: "describe_tools",
      callRead: "call_read_tool",
      call: "call_api_tool_2",
    });
    const clash = toolOf({ name: "search_tools" });
    expect(serverOf({ CLINIC_MODE: "discovery" }, {}, [clash]).listed[0]?.name).toBe(
      "search_api_tools",
    );
  });

  test("the instructions name the discovery tools", () => {
    expect(serverOf().app.instructions).toBe(
      "About pets. Toolsets: pets (list, get), owners (delete). This server has 4 tools, which are not in the list: find them with search_tools (one query may name several steps), call tools that only read with call_read_tool, and the others with call_tool, and read more about their inputs with describe_tools where needed.",
    );
    expect(serverOf({}).app.instructions).toBe(
      "About pets. Toolsets: pets (list, get), owners (delete).",
    );
    expect(
      serverOf({ CLINIC_MODE: "hybrid", CLINIC_LISTED: "get_pet" }).app.instructions,
    ).toContain(
      "This server has 4 tools, of which 1 is in the list. Find the others with search_tools",
    );
  });

  test.each([
    [["list_pets", "find_pets_by_status", "get_pet"], "pets (list, find, get)"],
    // Nothing creates pets.
    [["list_pets", "create_pet_token", "delete_pet_photo"], "pets (list, …)"],
    [["get_token", "refresh_token"], "pets (get, refresh)"],
    [
      ["list_pets", "get_pet", "add_pet", "set_pet", "stop_pet", "end_pet"],
      "pets (list, get, add, set, stop, …)",
    ],
  ])("the toolset of %j", (names, want) => {
    const tools = names.map((name) => ({ name, toolset: "pets" }));
    const text = describeToolsets([...tools, { name: "get_owner", toolset: "owners" }], undefined);
    expect(text.replace(/^Toolsets: |, owners \(get\)\.$/g, "")).toBe(want);
  });

  test("annotations combine those of the callable tools", () => {
    const hints = (env: Record<string, string>) =>
      serverOf({ CLINIC_MODE: "discovery", ...env }).listed.map(({ annotations }) => [
        annotations?.readOnlyHint,
        annotations?.destructiveHint,
        annotations?.openWorldHint,
      ]);
    expect(hints({})).toEqual([
      [true, false, false],
      [true, false, false],
      [true, false, true],
      [false, true, true],
    ]);
    expect(hints({ CLINIC_READ_ONLY: "1" })[2]).toEqual([true, false, true]);
  });
});

describe("search_tools", () => {
  test("returns declarations, and the tools that return IDs", async () => {
    const { structuredContent, content } = await serverOf().call("search_tools", {
      query: "weight of a pet",
    });
    expect(structuredContent).toEqual({
      tools: [
        {
          name: "get_pet",
          title: "Get a pet",
          toolset: "pets",
          effect: "read",
          typescript: "/** Get a pet with its weight. */\nget_pet({\n  pet_id: string;\n});",
          lookups: { pet_id: ["list_pets"] },
        },
        {
          name: "list_pets",
          title: "List pets",
          toolset: "pets",
          effect: "read",
          typescript:
            "/** List the pets of the clinic. Returns items with id and name. */\n" +
            "list_pets({\n  species?: string;\n});",
        },
      ],
    });
    expect(content).toEqual([{ type: "text", text: JSON.stringify(structuredContent) }]);
  });
  test("names the producers of every match, unless its declaration names one", async () => {
    const id = (description: string) => ({ id: { ...text, description } });
    const tools = [
      { name: "delete_tag", producers: { id: ["find_tags"] }, properties: id("Its ID.") },
      {
        name: "delete_user",
        producers: { id: ["find_users"] },
        properties: id("From find_users."),
      },
      { name: "find_tags", properties: {} },
      { name: "find_users", properties: {} },
    ].map((one) => toolOf({ ...one, required: ["id"].filter((key) => key in one.properties) }));
    const server = serverOf({ CLINIC_MODE: "discovery" }, {}, tools);
    const { structuredContent } = await server.call("search_tools", {
      query: "delete a tag; delete a user",
    });
    const found = (structuredContent as { tools: { name: string; lookups?: object }[] }).tools;
    expect(Object.fromEntries(found.map(({ name, lookups }) => [name, lookups]))).toMatchObject({
      delete_tag: { id: ["find_tags"] },
      delete_user: undefined,
    });
  });
  test("returns signatures where declarations would be too long", async () => {
    const described = { ...text, description: "Text about a note. ".repeat(40).trim() };
    const tools = ["add", "list", "read", "send", "undo", "view", "wipe"].map((verb) =>
      toolOf({
        name: `${verb}_note`,
        description: `${verb} a note.`,
        properties: { a: described, ...Object.fromEntries([...verb].map((one) => [one, text])) },
      }),
    );
    const server = serverOf({ CLINIC_MODE: "discovery" }, {}, tools);
    const { structuredContent } = await server.call("search_tools", { query: "note" });
    const found = (structuredContent as { tools: { typescript?: string; call?: string }[] }).tools;
    const size = found.reduce((sum, one) => sum + JSON.stringify(one).length, 0);
    expect(found.filter(({ typescript }) => typescript !== undefined).length).toBeGreaterThan(1);
    expect(found.filter(({ call }) => call !== undefined).length).toBeGreaterThan(1);
    expect(size).toBeLessThan(4_600);
  });
  test("declares the best match of every step of a task", async () => {
    const described = { ...text, description: "Text about a note. ".repeat(40).trim() };
    const tools = ["add", "list", "read", "send", "undo", "wipe"].map((verb) =>
      toolOf({
        name: `${verb}_note`,
        title: `${verb} a note`,
        description: `${verb} a note.`,
        properties: { a: described, b: described, c: described },
      }),
    );
    const server = serverOf({ CLINIC_MODE: "discovery" }, {}, tools);
    const { structuredContent } = await server.call("search_tools", {
      query: "add a note; send a note; undo a note; wipe a note",
    });
    const found = (structuredContent as { tools: { name: string; typescript?: string }[] }).tools;
    expect(
      found.filter(({ typescript }) => typescript?.includes("c?: string")).map(({ name }) => name),
    ).toEqual(expect.arrayContaining(["add_note", "send_note", "undo_note", "wipe_note"]));
  });
  test.each<readonly [object, readonly string[]]>([
    [{ query: "list of pets", limit: 1 }, ["list_pets"]],
    [{ query: "delete", toolset: "pets" }, []],
    [{ query: "delete", toolset: "owners" }, ["delete_owner"]],
    [{ query: "say something" }, ["echo"]],
  ])("%j", async (input, want) => {
    const { structuredContent } = await serverOf().call("search_tools", input);
    expect(
      (structuredContent as { tools: { name: string }[] }).tools.map(({ name }) => name),
    ).toEqual(want);
  });
  test.each([
    "delete_owner, get_pet: pets of the list",
    "the list of owners (deleteOwner), getPet",
  ])("finds tools by their names first, in their order: %s", async (query) => {
    const { structuredContent } = await serverOf().call("search_tools", { query });
    expect(
      (structuredContent as { tools: { name: string }[] }).tools
        .map(({ name }) => name)
        .slice(0, 2),
    ).toEqual(["delete_owner", "get_pet"]);
  });
  test("names the tool for what no tool does", async () => {
    const server = serverOf({ CLINIC_MODE: "discovery", CLINIC_RAW_REQUESTS: "true" });
    const { structuredContent } = await server.call("search_tools", { query: "zeppelin" });
    expect(structuredContent).toHaveProperty(
      "note",
      expect.stringContaining("For what no tool does, call send_request."),
    );
  });
  test("gives advice when no tool matches", async () => {
    const { structuredContent, isError } = await serverOf().call("search_tools", {
      query: "zeppelin",
    });
    expect([isError, structuredContent]).toEqual([
      undefined,
      {
        tools: [],
        note: "No tool matches. Search again with other words for the resource or the action, one step of the task at a time. The tools are about: pets, owners.",
      },
    ]);
  });
  test("names the toolsets when no match is close", async () => {
    const { structuredContent } = await serverOf().call("search_tools", {
      query: "zeppelin airship propeller hangar pet",
    });
    expect(structuredContent).toMatchObject({
      tools: [{ name: "get_pet" }, { name: "list_pets" }],
      note: expect.stringMatching(/^No tool matches closely\..* pets, owners\.$/) as string,
    });
  });
  test("names the APIs that fit equally also when no match is close", async () => {
    const ofApi = (name: string) => ({ ...listPets, name: `${name}_list_pets`, api: name });
    const { call } = serverOf(undefined, {}, [ofApi("zoo"), ofApi("shop")]);
    const query = "zeppelin airship propeller hangar pet";
    const { structuredContent } = await call("search_tools", { query });
    expect(structuredContent).toMatchObject({
      apis: [
        { api: "zoo", tools: [{ name: "zoo_list_pets" }] },
        { api: "shop", tools: [{ name: "shop_list_pets" }] },
      ],
      note: expect.stringMatching(
        /^No tool matches closely\..* zoo and shop fit about equally\..* that the task means, .* with its api\.$/,
      ) as string,
    });
  });
  test("cuts a long prompt instead of refusing it", async () => {
    const { structuredContent, isError } = await serverOf().call("search_tools", {
      query: `delete an owner ${"and so on ".repeat(5000)}`,
      limit: 1,
    });
    expect([isError, structuredContent]).toMatchObject([
      undefined,
      { tools: [{ name: "delete_owner" }] },
    ]);
  });
  test("does not find excluded tools", async () => {
    const { structuredContent } = await serverOf({
      CLINIC_MODE: "discovery",
      CLINIC_READ_ONLY: "1",
    }).call("search_tools", { query: "delete an owner" });
    expect(structuredContent).toMatchObject({ tools: [] });
  });
  test.each<readonly [object, string]>([
    [{}, "- query: is required"],
    [{ query: "" }, "- query:"],
    [
      { query: "x", toolset: "pet" },
      '- toolset: "pet" is not one of "pets", "owners"; did you mean "pets"?',
    ],
    [{ query: "x", limit: 0 }, "- limit: 0 is below the minimum of 1"],
  ])("%j is an input error", async (input, want) => {
    const result = await serverOf().call("search_tools", input);
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining(want)]);
  });
});

describe("describe_tools", () => {
  const { name, title, description, annotations, inputSchema, outputSchema } = listPets;

  test("describes inputs as TypeScript, and the result on request", async () => {
    const { call } = serverOf();
    const typescript = async (input: object): Promise<unknown> => {
      const { structuredContent } = await call("describe_tools", { names: ["echo"], ...input });
      return (structuredContent as { tools: unknown }).tools;
    };
    const inputs = "/** Say something back. */\necho({\n  words: string;\n})";
    const identity = { name: "echo", title: "Echo", effect: "destructive" };
    expect(await typescript({})).toEqual([{ ...identity, typescript: `${inputs};` }]);
    expect(await typescript({ result: true })).toEqual([
      { ...identity, typescript: `${inputs}: {said: string};` },
    ]);
  });
  test("returns the definitions of tools/list as JSON Schema", async () => {
    const { structuredContent } = await serverOf().call("describe_tools", {
      names: ["echo", "list_pets", "echo"],
      format: "json_schema",
    });
    const listed = serverOf({}).listed.map(({ _meta: _, ...definition }) => definition);
    expect(structuredContent).toEqual({
      tools: [
        { ...listed.find((tool) => tool.name === "echo"), effect: "destructive" },
        { ...listed.find((tool) => tool.name === "list_pets"), effect: "read", toolset: "pets" },
      ],
    });
    expect(structuredContent).toMatchObject({
      tools: [{}, { name, title, description, annotations, inputSchema, outputSchema }],
    });
  });
  test("suggests names for unknown tools and describes the others", async () => {
    const result = await serverOf().call("describe_tools", {
      names: ["list_pet", "get_pet", "nothing"],
    });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toBeUndefined();
    const [first, second] = result.content.map((block) =>
      block.type === "text" ? block.text : "",
    );
    expect(first).toBe(
      'Unknown tool "list_pet". Did you mean list_pets?\nUnknown tool "nothing". Find tools with search_tools.\nThe definitions of the other tools follow.',
    );
    expect(JSON.parse(second ?? "")).toMatchObject({ tools: [{ name: "get_pet" }] });
  });
  test("explains why a tool is excluded", async () => {
    const result = await serverOf({ CLINIC_MODE: "discovery", CLINIC_READ_ONLY: "1" }).call(
      "describe_tools",
      { names: ["delete_owner"] },
    );
    expect(textOf(result)).toBe(
      "delete_owner is not available: this server was started read-only, and it can change something.",
    );
  });
  test("omits output schemas for size, then whole tools", async () => {
    const large = (suffix: string) =>
      toolOf({
        name: `get_${suffix}`,
        outputSchema: { type: "object", description: "x".repeat(300) },
      });
    const { call } = serverOf({ CLINIC_MODE: "discovery", CLINIC_MAX_RESULT_TOKENS: "175" }, {}, [
      large("a"),
      large("b"),
      large("c"),
    ]);
    const { structuredContent } = await call("describe_tools", {
      names: ["get_a", "get_b", "get_c"],
      format: "json_schema",
    });
    const { tools, note } = structuredContent as {
      tools: { name: string; outputSchema?: object }[];
      note: string;
    };
    expect(tools.map((tool) => [tool.name, tool.outputSchema !== undefined])).toEqual([
      ["get_a", false],
      ["get_b", false],
    ]);
    expect(note).toBe(
      "Left out for size: the result of get_a, get_b; get_c. Call describe_tools again with fewer names.",
    );
    const small = serverOf({ CLINIC_MODE: "discovery", CLINIC_MAX_RESULT_TOKENS: "100" }, {}, [
      large("a"),
    ]);
    expect(
      (await small.call("describe_tools", { names: ["get_a"], format: "json_schema" }))
        .structuredContent,
    ).toMatchObject({
      tools: [{ name: "get_a" }],
      note: "Left out for size: the result of get_a.",
    });
  });
});

describe("describe_tools of shortened inputs", () => {
  const whole = `Begins. ${"Goes on. ".repeat(30)}Ends.`;
  const note = {
    ...toolOf({ name: "add_note", properties: { a: { ...text, description: "Begins. …" } } }),
    fullInputDescriptions: { "/properties/a": whole },
  };
  const describeAt = async (maxTokens: string, format: string) => {
    const env = { CLINIC_MODE: "discovery", CLINIC_MAX_RESULT_TOKENS: maxTokens };
    const server = serverOf(env, {}, [note]);
    const result = await server.call("describe_tools", { names: ["add_note"], format });
    return JSON.stringify(result.structuredContent);
  };

  test.each(["typescript", "json_schema"])("has the whole texts as %s", async (format) => {
    const described = await describeAt("1000", format);
    expect(described).toContain(whole);
    expect(described).not.toContain("Left out");
  });

  test.each(["typescript", "json_schema"])("states that texts are cut as %s", async (format) => {
    const described = await describeAt("100", format);
    expect(described).toContain("Begins. …");
    expect(described).toContain("Left out for size: the ends of long texts of add_note.");
  });
});

describe("a list of all tools", () => {
  const note = {
    ...toolOf({ name: "add_note", description: "Add a note. …", properties: { a: text } }),
    fullDescription: "Add a note.\n\n| a |\n|---|\n| red |",
  };

  test("has describe_tools where a text is shortened", async () => {
    const server = serverOf({}, {}, [listPets, note]);
    expect(server.listed.map(({ name }) => name)).toContain("describe_tools");
    const result = await server.call("describe_tools", { names: ["add_note"] });
    expect(JSON.stringify(result.structuredContent)).toContain("| red |");
  });

  test.each([
    ["no text is shortened", [listPets]],
    ["the instructions have the rest", [{ ...listPets, fullDescription: "List pets. Of all." }]],
  ])("has no describe_tools where %s", (_, tools) => {
    expect(serverOf({}, {}, tools).listed.map(({ name }) => name)).not.toContain("describe_tools");
  });
});

describe("call_tool", () => {
  test.each<readonly [string, unknown]>([
    ["valid arguments", { words: "hello" }],
    ["valid arguments as text", '{"words":"hello"}'],
  ])("with %s returns the result of the tool", async (_, input) => {
    const { call } = serverOf();
    expect(await call("call_tool", { name: "echo", arguments: input })).toEqual(
      await call("echo", input),
    );
  });
  test.each<readonly [string, unknown]>([
    ["invalid arguments", { word: "hello" }],
    ["no arguments", undefined],
    ["null for arguments", null],
  ])("with %s answers with the signature", async (_, input) => {
    const { call } = serverOf();
    const direct = textOf(await call("echo", input));
    const result = await call("call_tool", { name: "echo", arguments: input });
    expect([result.isError, textOf(result)]).toEqual([
      true,
      `${direct}\nSignature: echo(words: string)`,
    ]);
  });
  test("accepts arguments as JSON text", async () => {
    expect(
      await serverOf().call("call_tool", { name: "echo", arguments: '{"words":"hello"}' }),
    ).toMatchObject({ structuredContent: { said: "hello" } });
  });
  test.each<readonly [object, string]>([
    [{ name: "ecco" }, 'Not called. Unknown tool "ecco". Did you mean echo?'],
    [
      { name: "call_tool", arguments: { name: "echo" } },
      "Not called. call_tool is a tool of this server: call it by itself",
    ],
    [{}, "Not sent: 1 problem with the input of call_tool.\n- name: is required"],
    [{ name: "echo", words: "hello" }, "- words:"],
  ])("%j is an input error", async (input, want) => {
    const result = await serverOf().call("call_tool", input);
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining(want)]);
  });
  test("excluded tools cannot be called, by call_tool or directly", async () => {
    const { call } = serverOf({ CLINIC_MODE: "discovery", CLINIC_READ_ONLY: "1" });
    expect(textOf(await call("call_tool", { name: "echo", arguments: { words: "hello" } }))).toBe(
      "Not called. echo is not available: this server was started read-only, and it can change something.",
    );
    await expect(async () => call("echo", { words: "hello" })).rejects.toThrow(
      expect.objectContaining({
        code: -32602,
        message: expect.stringContaining("read-only") as string,
      }),
    );
  });
});

describe("call_read_tool", () => {
  test("refuses tools that do more than read", async () => {
    const { call } = serverOf();
    const input = { name: "echo", arguments: { words: "hello" } };
    const result = await call("call_read_tool", input);
    expect([result.isError, textOf(result)]).toEqual([
      true,
      "Not called: echo can change something, so call it with call_tool.",
    ]);
    expect(await call("call_tool", input)).toMatchObject({ structuredContent: { said: "hello" } });
  });
  test("calls a tool that only reads", async () => {
    const upstream = await startUpstream(reply(200, { items: [{ id: 1 }] }));
    const { call } = serverOf({ CLINIC_MODE: "discovery", CLINIC_BASE_URL: upstream.url });
    const result = await call("call_read_tool", { name: "list_pets" });
    expect(result).toEqual(await call("list_pets"));
    expect(result).toMatchObject({ structuredContent: { items: [{ id: 1 }] } });
    await upstream.close();
  });
  test("suggests names for an unknown one", async () => {
    expect(textOf(await serverOf().call("call_read_tool", { name: "list_pet" }))).toBe(
      'Not called. Unknown tool "list_pet". Did you mean list_pets?',
    );
  });
});

describe("hybrid", () => {
  const read = (name: string, producers?: Record<string, string[]>) =>
    toolOf({
      name,
      title: name,
      description: `Does ${name}.`,
      properties: { id: text },
      ...(producers && { producers, required: ["id"] }),
    });
  const shop = [
    read("list_orders"),
    read("list_parcels"),
    read("get_order", { id: ["list_orders"] }),
    read("get_receipt", { id: ["list_orders", "list_parcels"] }),
    read("get_parcel", { id: ["list_parcels"] }),
  ];

  test("lists reads that several tools need, and all can be called by either way", async () => {
    const { listed } = serverOf({ CLINIC_MODE: "hybrid" }, {}, shop);
    expect(listed.map(({ name }) => name).slice(4)).toEqual(["list_orders"]);
  });
  test("names an unknown tool of --listed", () => {
    expect(() => serverOf({ CLINIC_LISTED: "get_ordr" }, {}, shop)).toThrow(
      '--listed (CLINIC_LISTED) names no tool: "get_ordr"; did you mean get_order?',
    );
  });
  test("asks hosts that defer tools to show those of the list", async () => {
    const page = async (env: Record<string, string>) =>
      (await serverOf(env, {}, shop).app.tools.listPage(undefined)).tools
        .filter(({ _meta }) => _meta?.["anthropic/alwaysLoad"])
        .map(({ name }) => name);
    const discoveryTools = ["search_tools", "describe_tools", "call_read_tool", "call_tool"];
    expect(await page({ CLINIC_MODE: "hybrid" })).toEqual([...discoveryTools, "list_orders"]);
    expect(await page({ CLINIC_MODE: "discovery" })).toEqual(discoveryTools);
    expect(await page({ CLINIC_MODE: "tools" })).toEqual([]);
    expect(await page({ CLINIC_LISTED: "get_order" })).toEqual(["get_order"]);
  });
});

describe("a call through call_tool", () => {
  test("is logged under the name of the called tool", async () => {
    const lines: string[] = [];
    const { call } = serverOf(
      { CLINIC_MODE: "discovery", LOG_LEVEL: "info" },
      {},
      [listPets],
      (text) => lines.push(text),
    );
    await call("call_tool", { name: "echo", arguments: { words: "hello" } });
    await call("call_tool", { name: "echo" });
    await call("call_tool", { name: "ecco" });
    await call("search_tools", { query: "pets" });
    const logged = lines.map((line) => JSON.parse(line) as { tool: string; outcome: string });
    expect(logged.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ["echo", "ok"],
      ["echo", "invalid"],
      ["call_tool", "invalid"],
      ["search_tools", "ok"],
    ]);
  });

  test("sends progress notifications", async () => {
    const upstream = await startUpstream((response, request, count) =>
      (count === 0 ? reply(503, "", { "retry-after": "0" }) : reply(200, { items: [] }))(
        response,
        request,
        count,
      ),
    );
    const messages: string[] = [];
    const { app } = serverOf({ CLINIC_MODE: "discovery", CLINIC_BASE_URL: upstream.url });
    const result = await callTool(
      app,
      app.tools.find("call_tool"),
      { name: "list_pets" },
      { progress: (message) => messages.push(message) },
    );
    await upstream.close();
    expect([result.structuredContent, messages]).toEqual([
      { items: [] },
      [expect.stringContaining("Retrying")],
    ]);
  });

  test("counts once for the rate limit", async () => {
    const { call } = serverOf({ CLINIC_MODE: "discovery", CLINIC_CALLS_PER_MINUTE: "2" });
    const results = [];
    for (const words of ["a", "b", "c"])
      results.push(await call("call_tool", { name: "echo", arguments: { words } }));
    expect(results.map(({ isError = false }) => isError)).toEqual([false, false, true]);
  });
});

test("the discovery tools have complete definitions", () => {
  for (const { name, title, description, inputSchema, outputSchema, annotations } of serverOf()
    .listed) {
    expect([name, title, description].every((part) => (part ?? "").length > 0)).toBe(true);
    expect(description?.length).toBeLessThanOrEqual(1000);
    expect(Object.values(annotations ?? {}).every((hint) => typeof hint === "boolean")).toBe(true);
    expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    for (const [input, schema] of Object.entries(inputSchema.properties ?? {}))
      expect([input, schema]).toEqual([
        input,
        expect.objectContaining({ description: expect.any(String) as string }),
      ]);
    if (!name.startsWith("call_")) expect(outputSchema).toMatchObject({ type: "object" });
    expect(validateInput(inputSchema, "no object").ok).toBe(false);
  }
});

describe("a hidden tool", () => {
  const hiddenPets = { ...listPets, hidden: true } as const;

  test.each([
    ["tools", ["get_pet", "delete_owner", "echo"]],
    ["discovery", ["search_tools", "describe_tools", "call_read_tool", "call_tool"]],
  ])("is not in the list of the mode %s", (mode, names) => {
    const { listed, app } = serverOf({ CLINIC_MODE: mode }, {}, [hiddenPets, getPet, deleteOwner]);
    expect(listed.map(({ name }) => name)).toEqual(names);
    expect(app.offeredTools.map(({ name }) => name)).not.toContain("list_pets");
  });

  test("is neither found, described nor called by name, and no text names it", async () => {
    const { app, call } = serverOf({ CLINIC_MODE: "discovery" }, {}, [hiddenPets, getPet]);
    expect(() => app.tools.find("list_pets")).toThrow(/Unknown tool "list_pets"/);
    expect(textOf(await call("search_tools", { query: "list pets" }))).not.toContain("list_pets");
    for (const [name, input] of [
      ["describe_tools", { names: ["list_pets"] }],
      ["call_tool", { name: "list_pets", arguments: {} }],
    ] as const)
      expect(textOf(await call(name, input))).toContain('Unknown tool "list_pets"');
    expect(app.tools.get("get_pet")?.producers).toEqual({ pet_id: [] });
  });
});

describe("picked fields of a called tool", () => {
  const pets = Array.from({ length: 40 }, (_, i) => ({
    ...{ id: i, name: `Pet ${i}`, weights: [{ kg: i, by: "Noor" }] },
    text: "long ".repeat(20),
  }));
  const readPets = toolOf({
    name: "list_pets",
    properties: { species: text },
    send: { path: "/pets" },
    read: { items: "" },
    outputSchema: { type: "object", properties: { items: { type: "array" } } },
  });

  async function call(input: object) {
    const upstream = await startUpstream(reply(200, pets));
    const created = createServerContext({
      api,
      tools: [readPets, getPet, deleteOwner],
      platform: testNodePlatform,
      env: {
        ...{ LOG_LEVEL: "silent", CLINIC_MODE: "discovery", CLINIC_MAX_RESULT_TOKENS: "500" },
        CLINIC_BASE_URL: upstream.url,
      },
    });
    if (!created.ok) throw new Error(created.problems.join(" "));
    const app = { ...created.context, resultStore: createResultStore(1_000_000) };
    const run = (name: string, given: object): Promise<CallToolResult> =>
      callTool(app, app.tools.find(name), given);
    const result = await run("call_read_tool", { name: "list_pets", ...input });
    const link = result.content.find(({ type }) => type === "resource_link") as { uri: string };
    const rest = link && (await run("read_result", { resource: link.uri, pick: ["items.id"] }));
    await upstream.close();
    return { ...result, text: textOf(result), rest };
  }

  test("are the result, which is not too large then", async () => {
    const { structuredContent, content, text } = await call({ pick: ["items.id"] });
    expect(structuredContent).toMatchObject({ items: pets.map(({ id }) => ({ id })) });
    expect(text).not.toContain("too large");
    expect(JSON.parse((content[0] as { text: string }).text)).toEqual(structuredContent);
  });

  test("are those of a thing that is read back after a write", async () => {
    const pet = { id: "p1", name: "Rex", weights: [{ kg: 3 }] };
    const upstream = await startUpstream((response, request, count) =>
      reply(request.method === "GET" ? 200 : 204, pet)(response, request, count),
    );
    const pathParams = { petId: "pet_id" };
    const read = toolOf({ ...getPet, send: { path: "/pets/{petId}", pathParams } });
    const adopt = toolOf({
      name: "adopt_pet",
      properties: { pet_id: text },
      outputSchema: { type: "object" },
      send: { method: "POST", path: "/pets/{petId}/adopt", pathParams },
    });
    const readBack = { tool: "get_pet", inputs: { pet_id: "pet_id" } };
    const operations = adopt.operations.map((one) => ({ ...one, readBack }));
    const created = createServerContext({
      api,
      tools: [{ ...adopt, operations }, read],
      platform: testNodePlatform,
      env: { LOG_LEVEL: "silent", CLINIC_MODE: "discovery", CLINIC_BASE_URL: upstream.url },
    });
    if (!created.ok) throw new Error(created.problems.join(" "));
    const { context } = created;
    const given = { name: "adopt_pet", arguments: { pet_id: "p1" }, pick: ["current.name"] };
    const result = await callTool(context, context.tools.find("call_tool"), given);
    await upstream.close();
    expect(result.structuredContent).toMatchObject({ current: { name: "Rex" } });
    expect(textOf(result)).toContain('"current":{"name":"Rex"}');
    expect(textOf(result)).not.toContain("weights");
  });

  test("may be too large, too", async () => {
    const { text, rest } = await call({ pick: ["items.id", "items.text"] });
    expect(text).toContain("The result was too large. Omitted:");
    expect(text).toContain('with pick ["items.id","items.text"]');
    expect(rest?.structuredContent).toMatchObject({
      result: { items: pets.map(({ id }) => ({ id })) },
    });
  });

  test("that are missing leave the result as it is", async () => {
    const { text, isError } = await call({ pick: ["items.age"] });
    expect(isError).toBeFalsy();
    expect(text).toContain("items has id, name, weights, text. The whole result is shown.");
    expect(text).toContain("The result was too large.");
    expect(text.length).toBeLessThan(4000);
  });

  test("the note about a large result names two of its paths", async () => {
    const { text, rest } = await call({});
    expect(text).toContain(
      'read_result reads it in parts, or some fields of it with pick ["items.id","items.name"].',
    );
    expect(rest?.structuredContent).toMatchObject({
      result: { items: pets.map(({ id }) => ({ id })) },
    });
  });
});
