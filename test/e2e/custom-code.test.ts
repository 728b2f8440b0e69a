/**
 * Custom tools, prompts and resources of an installed project: as the compiler, clients of the SDK,
 * the generated files and `mcp-gen diff` see them.
 */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mcpGen } from "../cli/built.js";
import { type Answer, reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { plant, scratch } from "../write/tree.js";
import { type AnyClient, clients } from "./clients.js";

const PRELUDE = `import { customPromptsFor, customResourcesFor, customToolsFor, type Hooks, ToolError } from "../runtime/index.js";
import type { Tools } from "../tools/index.js";
`;

/** The code that the documents show, with each kind of failure. */
const CUSTOM = `${PRELUDE}
const author = { type: "object", properties: { author: { type: "string" } }, required: ["author"] } as const;

const lendFirst = customToolsFor<Tools>()({
  name: "lend_first",
  title: "Lend the first book of an author",
  description: "Lend the first available book of an author to a member.",
  inputSchema: {
    type: "object",
    properties: { author: { type: "string" }, member: { type: "string" }, days: { type: "integer" } },
    required: ["author", "member"],
  },
  run: async (input, call) => {
    const { items } = await call.tools.find_books({ author: input.author });
    const book = items.find(({ available }) => available);
    if (!book) throw new ToolError(\`No book of \${input.author} is available.\\nNext: offer another author.\`);
    call.log.info(\`lends for \${call.caller.id ? "a caller" : "nobody"}\`);
    const { due } = await call.tools.create_loan({ bookId: book.id, member: input.member });
    return \`\${book.title} until \${due}\`;
  },
});

const tellHours = customToolsFor<Tools>()({
  name: "tell_hours",
  title: "Tell the hours",
  description: "Tell the opening hours of weekdays.",
  inputSchema: { type: "object" },
  annotations: { readOnlyHint: true },
  run: async (_, call) => {
    const { from } = await call.tools.get_opening_hours({ day: "weekday" });
    return \`from \${from}\`;
  },
});

const breakDown = customToolsFor<Tools>()({
  name: "break_down",
  title: "Break down",
  description: "Fail without a text for agents.",
  inputSchema: { type: "object" },
  run: () => {
    throw new Error("the private reason");
  },
});

const hooks: Hooks<Tools> = {
  tools: [lendFirst, tellHours, breakDown],
  prompts: [
    customPromptsFor<Tools>()({
      name: "plan_evening",
      description: "Plan a reading evening.",
      inputSchema: author,
      run: async (input, call) => {
        const { items } = await call.tools.find_books({ author: input.author });
        if (items.length === 0) throw new ToolError("Nobody knows this author.");
        return \`Plan an evening with \${items.map(({ title }) => title).join(", ")}.\`;
      },
    }),
  ],
  resources: [
    customResourcesFor<Tools>()({
      uri: "library://books/{id}",
      name: "book",
      run: ({ id }, call) => call.tools.find_books({ bookId: id }),
    }),
    customResourcesFor<Tools>()({ uri: "library://rules", name: "rules", run: () => "Be quiet." }),
  ],
  on: {
    find_books: {
      afterResponse: (result, { input }) => {
        if (input.author === "forbidden") throw new ToolError("This author is on loan to the archive.");
        return result;
      },
    },
  },
};
export default hooks;
`;

/** Code that must not compile, and the word that the compiler's message has. */
const WRONG: readonly (readonly [name: string, code: string, word: string])[] = [
  ["a tool that does not exist", toolWith("return call.tools.find_book({});"), "find_book"],
  [
    "an input that does not exist",
    toolWith('return call.tools.find_books({ autor: "a" });'),
    "autor",
  ],
  ["an input of another type", toolWith('return call.tools.find_books({ limit: "3" });'), "string"],
  ["a missing input", toolWith('return call.tools.create_loan({ bookId: "b" });'), "member"],
  [
    "a field that the result lacks",
    toolWith("const { items } = await call.tools.find_books({});\nreturn items[0]?.titel;"),
    "titel",
  ],
  ["a field that the own input lacks", toolWith("return input.autor;"), "autor"],
  ["an own input of another type", toolWith("return input.author * 2;"), "arithmetic"],
  ["a part of the call that does not exist", toolWith("return call.user;"), "user"],
  [
    "a result that contradicts the output schema",
    tool(
      'outputSchema: { type: "object", properties: { title: { type: "string" } }, required: ["title"] }, run: () => ({ title: 1 })',
    ),
    "number",
  ],
  [
    "a prompt with a wrong input",
    'export const one = customPromptsFor<Tools>()({ name: "p", inputSchema: { type: "object", properties: { author: { type: "string" } } }, run: ({ autor }) => autor });',
    "autor",
  ],
  [
    "a resource with a variable that its URI lacks",
    'export const one = customResourcesFor<Tools>()({ uri: "library://books/{id}", name: "b", run: ({ di }) => di });',
    "di",
  ],
  [
    "a resource that calls a tool that does not exist",
    'export const one = customResourcesFor<Tools>()({ uri: "library://x", name: "b", run: (_, call) => call.tools.find_book({}) });',
    "find_book",
  ],
];

function tool(rest: string): string {
  return `export const one = customToolsFor<Tools>()({ name: "one", title: "One", description: "One.", inputSchema: { type: "object", properties: { author: { type: "string" } }, required: ["author"] }, ${rest} });`;
}

function toolWith(statements: string): string {
  return tool(`run: async (input, call) => {\n${statements}\n}`);
}

const CONFIGURATION = `version: 1
features: [prompts]
spec: ./openapi.yaml
output: ./server
tools:
  get_opening_hours: {operation: getOpeningHours, hidden: true}
`;

const folder = scratch();
const server = join(folder, "server");
const read = (path: string): string => readFileSync(join(server, path), "utf8");
const KEPT = "Find what our readers may take home.";
let before = "";
let upstream: Upstream;

/** Books by author: of one, the only book is lent; another one loses it to somebody else. */
const answer: Answer = (response, request, count) => {
  const { pathname, searchParams } = new URL(request.url, "http://upstream");
  const book = (author: string, available: boolean): object => ({
    id: author.toLowerCase(),
    title: `Book of ${author}`,
    author,
    available,
  });
  if (pathname === "/opening-hours") {
    reply(200, { open: true, from: "09:00" })(response, request, count);
  } else if (request.method === "POST") {
    const { bookId } = JSON.parse(request.body) as { bookId: string };
    const taken = bookId === "slow";
    reply(
      taken ? 409 : 201,
      taken ? { message: "lent a minute ago" } : { id: "l1", bookId, due: "2026-12-01" },
    )(response, request, count);
  } else if (pathname.startsWith("/books/")) {
    reply(200, book("Ursula", true))(response, request, count);
  } else {
    const author = searchParams.get("author") ?? "Ursula";
    const found = author === "Unknown" ? [] : [book(author, author !== "Lent")];
    reply(200, found)(response, request, count);
  }
};

async function run(command: string, ...args: readonly string[]): Promise<string> {
  const options = { cwd: server, maxBuffer: 2 ** 26 };
  try {
    return (await promisify(execFile)(command, args, options)).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(" ")}:\n${stdout}\n${stderr}`, { cause: error });
  }
}

async function regenerate(): Promise<void> {
  const { code, err } = await mcpGen([], folder);
  if (code !== 0) throw new Error(err);
}

const environment = (): Record<string, string> => ({
  RIVERSIDE_LIBRARY_BASE_URL: upstream.url,
  RIVERSIDE_LIBRARY_TOKEN: "token",
});

beforeAll(async () => {
  plant(folder, {
    "openapi.yaml": readFileSync("samples/library/openapi.yaml", "utf8"),
    "mcp-gen.yaml": CONFIGURATION,
  });
  upstream = await startUpstream(answer);
  await regenerate();
  before = read("mcp-gen.lock.json");
  writeFileSync(join(server, "src/custom/index.ts"), CUSTOM);
  const path = "src/tools/books/find_books.ts";
  const kept = read(path)
    .replace("export const findBooks", "/** @keep */\nexport const findBooks")
    .replace(/description: "Find books by ID[^"]*"/, `description: "${KEPT}"`);
  writeFileSync(join(server, path), kept);
  await regenerate();
  await run("npm", "ci", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts");
  await run("npm", "run", "--silent", "build");
});
afterAll(() => upstream?.close());

/** Functions of the clients of both versions of the SDK that the tests of content use. */
interface ContentClient extends AnyClient {
  listPrompts(): Promise<{ readonly prompts: readonly { readonly name: string }[] }>;
  getPrompt(params: {
    name: string;
    arguments?: Record<string, string>;
  }): Promise<{ readonly messages: readonly { readonly content: { readonly text?: string } }[] }>;
  listResources(): Promise<{ readonly resources: readonly { readonly uri: string }[] }>;
  listResourceTemplates(): Promise<{
    readonly resourceTemplates: readonly { readonly uriTemplate: string }[];
  }>;
  readResource(params: {
    uri: string;
  }): Promise<{ readonly contents: readonly { readonly text?: string }[] }>;
}

describe.each(clients)("the started server, to %s", (_, connect) => {
  let client: ContentClient;
  beforeAll(async () => {
    const env = { ...environment(), LOG_LEVEL: "silent" };
    const args = [join(server, "dist/server.js")];
    client = (await connect({ command: process.execPath, args, env })) as ContentClient;
  });
  afterAll(() => client?.close());

  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { isError = false, content } = await client.callTool({ name, arguments: input });
    const texts = (content as readonly { readonly text?: string }[]).map(({ text }) => text);
    return [isError, texts.join("\n")];
  };

  test("lists the custom tools and the kept description, and no hidden tool", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "find_books",
      "create_loan",
      "lend_first",
      "tell_hours",
      "break_down",
      "read_result",
    ]);
    expect(tools[0]).toMatchObject({ description: KEPT });
  });

  const lend = (author: string): ReturnType<typeof call> =>
    call("lend_first", { author, member: "M1234" });

  test("a custom tool calls others", async () => {
    expect(await lend("Ursula")).toEqual([false, "Book of Ursula until 2026-12-01"]);
  });

  test("the text of a ToolError is all that the agent reads", async () => {
    expect(await lend("Lent")).toEqual([
      true,
      "No book of Lent is available.\nNext: offer another author.",
    ]);
    expect(await call("find_books", { author: "forbidden" })).toEqual([
      true,
      "This author is on loan to the archive.",
    ]);
  });

  test("the failure of a called tool is what the agent reads, with the API's words", async () => {
    const [isError, text] = await lend("Slow");
    expect(isError).toBe(true);
    expect(text).toMatch(/^create_loan failed: 409 Conflict/);
    expect(text).toContain("lent a minute ago");
  });

  test("another exception is an internal error without its text", async () => {
    const [isError, text] = await call("break_down");
    expect([isError, String(text).includes("private")]).toEqual([true, false]);
  });

  test("an input is checked against the schema of the custom tool", async () => {
    const [isError, text] = await call("lend_first", { author: "Ursula", days: "many" });
    expect(isError).toBe(true);
    expect(text).toContain("- member: is required");
    expect(text).toContain("- days: ");
  });

  test("a hidden tool is called by custom tools only", async () => {
    expect(await call("tell_hours")).toEqual([false, "from 09:00"]);
    await expect(
      client.callTool({ name: "get_opening_hours", arguments: { day: "weekday" } }),
    ).rejects.toThrow(/get_opening_hours/);
  });

  test("a prompt is listed, got, and fails with the text of a ToolError", async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain("plan_evening");
    const get = (author: string) =>
      client.getPrompt({ name: "plan_evening", arguments: { author } });
    const { messages } = await get("Ursula");
    expect(messages.map(({ content }) => content.text)).toEqual([
      "Plan an evening with Book of Ursula.",
    ]);
    await expect(get("Unknown")).rejects.toThrow("Nobody knows this author.");
  });

  test("resources are listed and read", async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain("library://rules");
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
      "library://books/{id}",
    );
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0]?.text;
    expect(await read("library://rules")).toBe("Be quiet.");
    expect(await read("library://books/ursula")).toContain("Book of Ursula");
    expect(upstream.requests.at(-1)?.url).toBe("/books/ursula");
  });
});

test("the caller and the log are given over HTTP", async () => {
  const child = spawn(process.execPath, [join(server, "dist/server.js"), "--http", "--port", "0"], {
    env: { PATH: process.env["PATH"], ...environment(), LOG_LEVEL: "info" },
  });
  const lines: string[] = [];
  const url = await addressOf(child, lines);
  const client = await clients[1]![1](url);
  await client.callTool({ name: "lend_first", arguments: { author: "Ursula", member: "M1234" } });
  await client.close();
  await expect.poll(() => lines.join("\n")).toContain('"message":"lend_first: lends for a caller"');
  child.kill();
});

/** The address that a started server prints; its lines are collected. */
function addressOf(child: ChildProcess, lines: string[]): Promise<URL> {
  return new Promise((done, fail) => {
    child.on("close", () => fail(new Error(lines.join("\n"))));
    createInterface({ input: child.stderr! }).on("line", (line) => {
      lines.push(line);
      const url = /http:\/\/[^\s"]+/u.exec(line)?.[0];
      if (url !== undefined) done(new URL(url));
    });
  });
}

test("wrong names and fields do not compile", async () => {
  const wrong = join(server, "src/custom/wrong");
  mkdirSync(wrong);
  const prelude = PRELUDE.replaceAll('"../', '"../../');
  for (const [i, [, code]] of WRONG.entries())
    writeFileSync(join(wrong, `${i}.ts`), `${prelude}${code}\nvoid ToolError;\n`);
  const compiler = join(server, "node_modules/typescript/bin/tsc");
  const said = await new Promise<string>((done) => {
    const args = [compiler, "--noEmit", "-p", server];
    execFile(process.execPath, args, (_, stdout) => done(stdout));
  });
  const problems = said.split(/\n(?=\S)/);
  for (const [i, [name, , word]] of WRONG.entries()) {
    const own = problems.filter((problem) => problem.includes(`wrong/${i}.ts`)).join("\n");
    expect([name, own]).toEqual([name, expect.stringContaining(word)]);
  }
  const others = problems.filter((one) => one.trim() !== "" && !one.includes("custom/wrong/"));
  expect(others).toEqual([]);
});

describe("the generated files and commands", () => {
  const CUSTOM_TOOLS = ["lend_first", "tell_hours", "break_down"];

  test("the lock has the custom tools and the kept description", () => {
    const { tools } = JSON.parse(read("mcp-gen.lock.json")) as {
      tools: readonly { name: string; description: string; custom?: boolean }[];
    };
    expect(tools.filter(({ custom }) => custom).map(({ name }) => name)).toEqual(
      CUSTOM_TOOLS.toSorted(),
    );
    expect(tools.find(({ name }) => name === "find_books")?.description).toBe(KEPT);
  });

  test.each(["README.md", "manifest.json"])("%s describes them", (file) => {
    const text = read(file);
    for (const said of [...CUSTOM_TOOLS, "Lend the first available book", KEPT])
      expect(text).toContain(said);
  });

  test("the report describes them", async () => {
    const { code, out, err } = await mcpGen(["report"], folder);
    expect([code, err]).toEqual([0, ""]);
    for (const said of [...CUSTOM_TOOLS, KEPT]) expect(out).toContain(said);
  });

  test("the budget counts them", async () => {
    const tokens = async (): Promise<number> => {
      const { out } = await mcpGen(["plan", "--json"], folder);
      return (JSON.parse(out) as { budget: { listTokens: number } }).budget.listTokens;
    };
    const counted = await tokens();
    const path = join(server, "src/custom/index.ts");
    writeFileSync(path, CUSTOM.replace("Tell the opening hours of", "Tell when it is open on all"));
    expect(await tokens()).toBeGreaterThan(counted);
    writeFileSync(path, CUSTOM);
  });

  test("diff states what was added and changed", async () => {
    writeFileSync(join(folder, "before.json"), before);
    const { out } = await mcpGen(["diff", "before.json", "server", "--format", "json"], folder);
    const { changes } = JSON.parse(out) as {
      changes: readonly { tool: string; class: string; message: string }[];
    };
    expect(
      changes.filter(({ tool: name }) => CUSTOM_TOOLS.includes(name)).map((one) => one.message),
    ).toEqual(CUSTOM_TOOLS.map(() => "Added in `src/custom`."));
    expect(changes.some(({ tool: name }) => name === "find_books")).toBe(true);
  });
});
