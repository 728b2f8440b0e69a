import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { createLog } from "../../../src/runtime/server/telemetry.js";

afterEach(() => void vi.restoreAllMocks());

test("a line has no characters that a terminal interprets or hides", () => {
  const lines: string[] = [];
  const message = "a\u009b31m\u202e\u200b\u{e0041}\u2028\u0007b\nc";
  createLog(
    "info",
    (text) => text,
    (line) => lines.push(line),
  ).warn(message);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^[\x20-\x7e]+\n$/);
  expect(JSON.parse(lines[0]!)).toMatchObject({ message });
});

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
