import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import {
  type CallContext,
  type CallInfo,
  customToolsFor,
  type Hooks,
  ToolError,
} from "../../../src/runtime/index.js";
import { callTool, createServerContext } from "../../../src/runtime/index.js";
import { testNodePlatform } from "../support/by-node.js";
import { api, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

/** Types of the tools below, as `src/tools` of a project has them. */
interface Tools {
  find_books: {
    readonly input: { readonly author?: string };
    readonly output: { readonly items: readonly { readonly title: string }[] };
  };
  reserve: { readonly input: { readonly id: string }; readonly output: object };
}

const books = Array.from({ length: 3000 }, (_, i) => ({ title: `Book ${i}` }));
let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream((response, request, count) =>
    (request.url.startsWith("/books")
      ? reply(200, { items: books })
      : reply(409, { message: "Somebody has it" }))(response, request, count),
  );
});
afterAll(() => upstream.close());

const tools = [
  toolOf({
    name: "find_books",
    properties: { author: { type: "string" } },
    outputSchema: { type: "object", properties: { items: { type: "array" } } },
    send: { path: "/books" },
  }),
  toolOf({
    name: "reserve",
    properties: { id: { type: "string" } },
    required: ["id"],
    send: { method: "POST", path: "/reservations", body: { contentType: "application/json" } },
  }),
];

const hiddenTool = {
  ...toolOf({ name: "count_books", send: { path: "/books" } }),
  hidden: true as const,
};

const defineTool = customToolsFor<Tools>();
const parts = {
  name: "suggest_book",
  title: "Suggest a book",
  description: "Suggest a book.",
  annotations: { readOnlyHint: true },
} as const;

/** Calls a custom tool beside the other tools. */
const callCustom = (
  run: (input: unknown, info: CallInfo<unknown, Tools>) => unknown,
  context: CallContext = {},
  write: (lines: string) => void = () => {},
) => {
  const tool = defineTool({ ...parts, inputSchema: { type: "object" }, run: run as never });
  const created = createServerContext({
    api,
    tools: [...tools, hiddenTool],
    custom: { tools: [tool] },
    platform: testNodePlatform,
    env: { CLINIC_BASE_URL: upstream.url },
    write,
  });
  if (!created.ok) throw new Error(created.problems.join(" "));
  return callTool(created.context, created.context.tools.find("suggest_book"), {}, context);
};

describe("call.tools", () => {
  test("returns the structured result, however large it is", async () => {
    const result = await callCustom(async (_, { tools: { find_books } }) => {
      const { items } = await find_books({ author: "Le Guin" });
      return `${items.length} books, the last is ${items.at(-1)?.title}`;
    });
    expect(textOf(result)).toBe("3000 books, the last is Book 2999");
  });

  test("throws a failure with the text for the agent, which the agent gets if nobody catches it", async () => {
    const uncaught = await callCustom((_, { tools: others }) => others.reserve({ id: "b1" }));
    expect(uncaught.isError).toBe(true);
    expect(textOf(uncaught)).toMatch(/^reserve failed: 409 Conflict.*Somebody has it/s);
    const caught = await callCustom(async (_, { tools: others }) => {
      try {
        return await others.reserve({ id: "b1" });
      } catch (error) {
        return error instanceof ToolError && error.message.includes("409")
          ? "offer another book"
          : "unexpected";
      }
    });
    expect(textOf(caught)).toBe("offer another book");
  });

  test("calls a hidden tool", async () => {
    const result = await callCustom(async (_, info) => {
      const { isError = false } = await info.callTool("count_books", {});
      return String(isError);
    });
    expect(textOf(result)).toBe("false");
  });

  test("throws the problems of an input, and suggests names of tools", async () => {
    const invalid = await callCustom((_, info) => info.tools.reserve({} as never));
    expect(textOf(invalid)).toContain("- id: is required");
  });
});

test("the agent reads a ToolError, without secrets, and no other exception", async () => {
  const told = await callCustom(() => {
    throw new ToolError("No book fits.\nNext: ask for another author.");
  });
  expect(told).toEqual({
    isError: true,
    content: [{ type: "text", text: "No book fits.\nNext: ask for another author." }],
  });
  const internal = await callCustom(() => {
    throw new Error("at secret place");
  });
  expect(textOf(internal)).not.toContain("secret place");
});

test("the caller and the log are given", async () => {
  const log: string[] = [];
  const result = await callCustom(
    (_, { caller, log: write }) => {
      write.info(`for ${caller.user}`);
      return `${caller.id} ${caller.scopes?.join()}`;
    },
    { caller: "c1", callerInfo: { user: "ada", scopes: ["read"] } },
    (lines) => void log.push(lines),
  );
  expect(textOf(result)).toBe("c1 read");
  expect(log.join("")).toContain('"message":"suggest_book: for ada"');
});

test("types of inputs, results and other tools", () => {
  defineTool({
    ...parts,
    inputSchema: {
      type: "object",
      properties: {
        author: { type: "string" },
        kind: { enum: ["novel", "essay"] },
        years: { type: "array", items: { type: "integer" } },
      },
      required: ["author"],
    },
    outputSchema: { type: "object", properties: { title: { type: "string" } } },
    run: async ({ author, kind, years }, { tools: others }) => {
      expectTypeOf(author).toEqualTypeOf<string>();
      expectTypeOf(kind).toEqualTypeOf<"novel" | "essay" | undefined>();
      expectTypeOf(years).toEqualTypeOf<readonly number[] | undefined>();
      const { items } = await others.find_books({ author });
      // @ts-expect-error: there is no such tool
      void others.find_bokks;
      // @ts-expect-error: the tool has no such input
      void others.find_books({ autor: author });
      return { title: items[0]?.title ?? "none" };
    },
  });
  const wrongResult = defineTool({
    ...parts,
    inputSchema: { type: "object" },
    outputSchema: { type: "object", properties: { title: { type: "string" } } },
    // @ts-expect-error: the title is a string
    run: () => ({ title: 1 }),
  });
  const hooks: Hooks<Tools> = {
    tools: [wrongResult],
    on: { find_books: { run: async (_, info) => info.tools.find_books({ author: "x" }) } },
  };
  expect(hooks.tools).toHaveLength(1);
});
