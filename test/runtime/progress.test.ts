import type { ServerContext } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { progressOf } from "../../src/runtime/progress.js";

type Asked = Pick<ServerContext["mcpReq"], "_meta" | "signal">;

/** What a client is told that asks in this way. */
function toldTo(asked: Asked, tell: (progress: NonNullable<ReturnType<typeof progressOf>>) => void): readonly unknown[] {
  const told: unknown[] = [];
  const progress = progressOf({ ...asked, notify: async ({ params }: { params?: unknown }) => void told.push(params) } as unknown as ServerContext["mcpReq"]);
  if (progress) tell(progress);
  return told;
}

const { signal } = new AbortController();

test.each(["token", 0, ""])("the token %j comes back with numbers that grow", (progressToken) => {
  expect(toldTo({ _meta: { progressToken }, signal }, ({ tell }) => ["a", "b"].forEach(tell))).toEqual([
    { progressToken, progress: 1, message: "a" },
    { progressToken, progress: 2, message: "b" },
  ]);
});

test("who did not ask is not told", () => {
  expect(progressOf({ _meta: {}, signal } as ServerContext["mcpReq"])).toBeUndefined();
});

test("nothing is told when the call has its answer, or was taken back", () => {
  const taken = new AbortController();
  const late = ({ tell, end }: { tell(message: string): void; end(): void }, stop: () => void): void => {
    tell("in time");
    stop();
    tell("too late");
    end();
  };
  const _meta = { progressToken: "t" };
  expect(toldTo({ _meta, signal }, (progress) => late(progress, progress.end))).toHaveLength(1);
  expect(toldTo({ _meta, signal: taken.signal }, (progress) => late(progress, () => taken.abort()))).toHaveLength(1);
});
