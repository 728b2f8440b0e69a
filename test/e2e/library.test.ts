/** The library sample: custom code in `src/custom`, compiled and called. */
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compareLocks, readLock, readToolList } from "../../src/diff/index.js";
import { type Answer, reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { type AnyClient, clients } from "./clients.js";
import { compile } from "../compiler.js";
import { generateProject, type Project } from "./project.js";

const books = [
  { id: "b1", title: "Dune", author: "Herbert", available: false, shelfmark: "SF 1" },
  {
    id: "b2",
    title: "The Dosadi Experiment",
    author: "Herbert",
    available: true,
    shelfmark: "SF 2",
  },
];

const answer: Answer = (response, request, count) => {
  if (request.method === "GET") return reply(200, books)(response, request, count);
  const { bookId } = JSON.parse(request.body) as { bookId: string };
  if (bookId === "b1") return reply(409, { message: "lent" })(response, request, count);
  if (bookId === "b0") return reply(500, { message: "broken" })(response, request, count);
  return reply(201, { id: "l1", bookId, due: "2026-12-01" })(response, request, count);
};

let project: Project;
let upstream: Upstream;
let client: AnyClient;

beforeAll(async () => {
  [project, upstream] = await Promise.all([
    generateProject("samples/library/openapi.yaml"),
    startUpstream(answer),
  ]);
  await cp("samples/library/server/src/custom", join(project.folder, "src/custom"), {
    recursive: true,
  });
  await project.run("build");
  const env = {
    RIVERSIDE_LIBRARY_BASE_URL: upstream.url,
    RIVERSIDE_LIBRARY_TOKEN: "token",
    LIBRARY_SIGNING_KEY: "key",
    LOG_LEVEL: "silent",
  };
  client = await clients[2]![1]({ command: process.execPath, args: [project.server], env });
});
afterAll(async () => {
  await client?.close();
  await Promise.all([project.remove(), upstream.close()]);
});

const call = (
  name: string,
  input: Record<string, unknown> = {},
): ReturnType<AnyClient["callTool"]> => client.callTool({ name, arguments: input });
const textOf = ({ content }: Awaited<ReturnType<AnyClient["callTool"]>>): string =>
  (content as { text?: string }[]).map(({ text }) => text).join("\n");

describe("hooks at work", () => {
  test("the committed lock has the tools that the server lists, with the custom one", async () => {
    const lock = readLock(readFileSync("samples/library/server/mcp-gen.lock.json", "utf8"));
    const list = readToolList(JSON.stringify(await client.listTools()));
    if (typeof lock !== "object" || typeof list !== "object") throw new Error(`${lock} ${list}`);
    expect(compareLocks(lock, list)).toEqual([]);
    expect(lock.tools.map(({ name }) => name)).toContain("suggest_book");
  });

  test("a custom tool is listed with the others", async () => {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      "find_books",
      "get_opening_hours",
      "create_loan",
      "suggest_book",
      "read_result",
    ]);
    expect((await call("suggest_book", { author: "Herbert" })).structuredContent).toEqual({
      suggestion: "The Dosadi Experiment by Herbert is in the house.",
    });
  });

  test("run returns a result without a request", async () => {
    const before = upstream.requests.length;
    expect((await call("get_opening_hours", { day: "sunday" })).structuredContent).toEqual({
      open: false,
    });
    expect(upstream.requests.length).toBe(before);
    expect(textOf(await call("get_opening_hours", { day: "monday" }))).toContain(
      "Not sent: 1 problem with the input of get_opening_hours.",
    );
  });

  test("afterResponse changes the result and its text", async () => {
    const result = await call("find_books");
    expect(result.structuredContent).toEqual({
      items: [books[1], books[0]].map((book) => ({ ...book, shelfmark: undefined })),
    });
    expect(textOf(result)).not.toContain("SF 1");
    expect(textOf(result)).toContain('"id":"b2"');
  });

  test("beforeRequest of the tool runs before the global one", async () => {
    const result = await call("create_loan", { bookId: "b2", member: "M1234" });
    const { headers, body } = upstream.requests.at(-1)!;
    expect(headers).toMatchObject({
      authorization: "Bearer token",
      "x-signature": createHmac("sha256", "key").update(body).digest("hex"),
      "x-desk": "mcp",
    });
    expect(textOf(result)).toContain("The desk has been told.");
  });

  test.each([
    [
      "b1",
      "Somebody else has b1.\nNext: offer the member another book; find_books with author shows which are available.\nThe desk can help: extension 12.",
    ],
    [
      "b0",
      expect.stringMatching(
        /^create_loan failed: 500[^]*The desk can help: extension 12\.$/,
      ) as string,
    ],
  ])("mapError: %s", async (bookId, want) => {
    const result = await call("create_loan", { bookId, member: "M1234" });
    expect([result.isError, textOf(result)]).toEqual([true, want]);
  });
});

describe("invalid hooks do not compile", () => {
  const wrong: readonly (readonly [string, string, string])[] = [
    ["an unknown tool", "on: { find_book: {} }", "find_book"],
    ["an unknown input", "on: { find_books: { run: ({ title }) => ({ items: [] }) } }", "title"],
    [
      "an input of another type",
      "on: { create_loan: { beforeRequest: (request, { input }) => ({ ...request, body: input.member * 2 }) } }",
      "arithmetic",
    ],
    [
      "a parameter of another type",
      "on: { create_loan: { mapError: (text, failure, call: { input: { member: number } }) => text } }",
      "number",
    ],
    [
      "a result without a required property",
      "on: { find_books: { afterResponse: () => ({}) } }",
      "FindBooksOutput",
    ],
    [
      "a result of another type",
      'on: { get_opening_hours: { run: () => ({ open: "yes" }) } }',
      "boolean",
    ],
    ["an invalid request", 'beforeRequest: () => "GET /"', "BoundRequest"],
    [
      "an unknown hook",
      "on: { find_books: { beforeResponse: () => ({ items: [] }) } }",
      "beforeResponse",
    ],
    [
      "an unknown kind of failure",
      'on: { find_books: { mapError: (text, failure) => (failure.kind === "bored" ? "" : text) } }',
      "bored",
    ],
  ];

  test("each of them", async () => {
    const folder = join(project.folder, "src/custom/wrong");
    await mkdir(folder);
    const prelude =
      'import type { Hooks } from "../../runtime/index.js";\nimport type { Tools } from "../../tools/index.js";\n';
    await Promise.all(
      wrong.map(([, hooks], i) =>
        writeFile(
          join(folder, `${i}.ts`),
          `${prelude}export const hooks: Hooks<Tools> = { ${hooks} };\n`,
        ),
      ),
    );
    const said = await compile(project.folder, "--noEmit");
    const problems = said.split(/\n(?=\S)/);
    for (const [i, [name, , word]] of wrong.entries())
      expect([
        name,
        problems.filter((problem) => problem.includes(`wrong/${i}.ts`)).join("\n"),
      ]).toEqual([name, expect.stringContaining(word)]);
    expect(
      problems.filter((problem) => problem.trim() !== "" && !problem.includes("custom/wrong/")),
    ).toEqual([]);
  });
});
