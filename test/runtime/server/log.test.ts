import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { createLog } from "../../../src/runtime/server/telemetry.js";

afterEach(() => void vi.restoreAllMocks());

test.each([
  [0, 1],
  [2_000_000, 0],
])("with %d unread bytes on stderr, a line is written %d times", async (unread, times) => {
  vi.spyOn(process.stderr, "writableLength", "get").mockReturnValue(unread);
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  createLog("info", (text) => text).info("Listening");
  await nextTurn();
  expect(write).toHaveBeenCalledTimes(times);
});
