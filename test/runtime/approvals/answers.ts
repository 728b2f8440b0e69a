/** Answers of users as any client can write them, and the ways to abuse them. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { fetchHandler } from "../../../src/runtime/index.js";
import type { ServerContextOptions } from "../../../src/runtime/index.js";
import { createMemoryStore } from "../../../src/runtime/store/memory.js";

export type Handle = ReturnType<typeof fetchHandler>;

/** Callers, by the tokens that the servers of these tests accept. */
export const tokens = { one: "kX93mQ7zLp2vRt8wYb4n", other: "Zu6hGd1sJc5fNe0aTq9x" };

/** Environment of a server that accepts them. */
export const callersOf = (prefix: string): Record<string, string> => ({
  [`${prefix}_HTTP_TOKEN`]: Object.values(tokens).join(),
  [`${prefix}_ALLOWED_HOSTS`]: "mcp.test",
});

export interface Reply {
  readonly resultType?: string;
  readonly requestState: string;
  readonly isError?: boolean;
  readonly content?: readonly { readonly text: string }[];
}

/** Sends one call of 2026-07-28. */
export async function sendCall(
  handle: Handle,
  params: Readonly<Record<string, unknown>>,
  caller: keyof typeof tokens = "one",
  extensions: object = {},
): Promise<Reply> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} }, extensions },
  };
  const response = await handle(
    new Request("http://mcp.test/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${tokens[caller]}`,
        host: "mcp.test",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": String(params["name"]),
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { ...params, _meta: meta },
      }),
    }),
  );
  const text = await response.text();
  const json = JSON.parse(text.replace(/^[^]*?data: /, "")) as { result?: Reply };
  if (!json.result) throw new Error(text);
  return json.result;
}

export const accept = { action: "accept", content: { confirm: true } };

/** The parameters of a call that repeats another one with a yes. */
export const yes = (requestState: string): Record<string, unknown> => ({
  requestState,
  inputResponses: { approval: accept },
});

/** Name of a tool, arguments, and the writes that are sent after a yes. */
export type Way = readonly [tool: string, args: object, writes: readonly string[]];

/**
 * Declares tests: for each way to call, in one process and on two that share a store, an answer is
 * used once, and only for the call, the caller and the five minutes that it was given for.
 * @param countWrites starts to count the writes that the APIs receive, and returns their list
 */
export function testAnswers(
  options: (more: Partial<ServerContextOptions>) => ServerContextOptions,
  ways: readonly Way[],
  countWrites: () => () => readonly string[],
): void {
  afterEach(() => vi.useRealTimers());
  describe.each([
    ["in one process", false],
    ["on replicas with a store", true],
  ])("%s", (_, isShared) => {
    /** The server that asks, and the one that gets the answer. */
    function serve(): readonly [Handle, Handle] {
      if (!isShared) {
        const handle = fetchHandler(options({}));
        return [handle, handle];
      }
      const more = { store: createMemoryStore() };
      return [fetchHandler(options(more)), fetchHandler(options(more))];
    }

    describe.each(ways)("%s", (name, args, writes) => {
      async function ask() {
        const [one, other] = serve();
        const call = { name, arguments: args };
        const { resultType, requestState } = await sendCall(one, call);
        expect(resultType).toBe("input_required");
        return { one, other, requestState, call: { ...call, ...yes(requestState) } };
      }

      test("a yes is used once, at whatever server it comes", async () => {
        const sent = countWrites();
        const { one, other, call } = await ask();
        const replies = await Promise.all([sendCall(other, call), sendCall(one, call)]);
        expect(replies.filter(({ isError }) => !isError)).toHaveLength(1);
        expect(sent()).toEqual(writes);
        expect((await sendCall(other, call)).isError).toBe(true);
        expect(sent()).toEqual(writes);
      });

      test.each<[string, object, keyof typeof tokens]>([
        ["changed arguments", { arguments: changed(args) }, "one"],
        ["another tool", { name: name === ways[0]![0] ? ways[1]![0] : ways[0]![0] }, "one"],
        ["another caller", {}, "other"],
      ])("a yes is not valid for %s", async (__, change, caller) => {
        const sent = countWrites();
        const { other, call } = await ask();
        const { isError, content } = await sendCall(other, { ...call, ...change }, caller);
        expect([isError, content?.[0]?.text]).toEqual([true, expect.stringContaining("Not sent")]);
        expect(sent()).toEqual([]);
      });

      test("a yes is not valid after five minutes, or with another end of them", async () => {
        const sent = countWrites();
        const { other, call, requestState } = await ask();
        const forged = { ...call, requestState: `${requestState.slice(0, -4)}AAAA` };
        expect((await sendCall(other, forged)).isError).toBe(true);
        vi.useFakeTimers({ now: Date.now() + 301_000, toFake: ["Date"] });
        expect((await sendCall(other, call)).isError).toBe(true);
        expect(sent()).toEqual([]);
      });
    });
  });
}

/** Other arguments of the same form: each text is another one. */
function changed(args: object): object {
  const entries = Object.entries(args).map(([name, value]) => {
    if (name === "name" || name === "method") return [name, value];
    if (typeof value === "string") return [name, `${value}x`];
    if (Array.isArray(value)) return [name, value.toReversed()];
    return [name, changed(value as object)];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : { other: "x" };
}
