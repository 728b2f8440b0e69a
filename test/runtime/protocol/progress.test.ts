import type { ServerContext } from "@modelcontextprotocol/server";
import { afterEach, expect, test, vi } from "vitest";
import { createProgress, type Progress } from "../../../src/runtime/protocol/mcp-server.js";

type Asked = Pick<ServerContext["mcpReq"], "_meta" | "signal">;

/** Progress notifications that a client with these options receives. */
function notificationsFor(
  asked: Asked,
  act: (progress: Progress) => void,
  http?: ServerContext["http"],
): readonly unknown[] {
  const notifications: unknown[] = [];
  const progress = createProgress({
    mcpReq: {
      ...asked,
      notify: async ({ params }: { params?: unknown }) => void notifications.push(params),
    } as unknown as ServerContext["mcpReq"],
    http,
  });
  if (progress) act(progress);
  return notifications;
}

const { signal } = new AbortController();

test.each(["token", 0, ""])("the token %j comes back with numbers that grow", (progressToken) => {
  expect(
    notificationsFor({ _meta: { progressToken }, signal }, ({ report }) =>
      ["a", "b"].forEach(report),
    ),
  ).toEqual([
    { progressToken, progress: 1, message: "a" },
    { progressToken, progress: 2, message: "b" },
  ]);
});

test("a client without a progress token receives no progress", () => {
  expect(
    createProgress({ mcpReq: { _meta: {}, signal } as ServerContext["mcpReq"] }),
  ).toBeUndefined();
});

test("no progress is sent after the result or a cancellation", () => {
  const taken = new AbortController();
  const late = ({ report, end }: Progress, stop: () => unknown): void => {
    report("in time");
    void stop();
    report("too late");
    void end();
  };
  const _meta = { progressToken: "t" };
  expect(
    notificationsFor({ _meta, signal }, (progress) => late(progress, progress.end)),
  ).toHaveLength(1);
  expect(
    notificationsFor({ _meta, signal: taken.signal }, (progress) =>
      late(progress, () => taken.abort()),
    ),
  ).toHaveLength(1);
});

test.each<readonly [string, ServerContext["http"], number, boolean]>([
  ["keeps its distance over stdio", undefined, 0, false],
  ["comes at once when nothing was told of late", undefined, 3, true],
  ["comes at once over HTTP, where messages are read one by one", {}, 0, true],
])("the answer %s", async (_, http, later, isAtOnce) => {
  vi.useFakeTimers();
  let isFree = false;
  let freed: Promise<void> | undefined;
  const meanwhile = ({ report, end }: Progress): void => {
    report("nearly done");
    vi.advanceTimersByTime(later);
    freed = end().then(() => void (isFree = true));
  };
  notificationsFor({ _meta: { progressToken: "t" }, signal }, meanwhile, http);
  for (let turns = 0; turns < 3; turns++) await Promise.resolve();
  expect(isFree).toBe(isAtOnce);
  vi.runAllTimers();
  await freed;
  expect(isFree).toBe(true);
});
afterEach(() => void vi.useRealTimers());
