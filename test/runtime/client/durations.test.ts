/** Estimates of the durations of requests. */
import { expect, test } from "vitest";
import { createDurations } from "../../../src/runtime/client/durations.js";

test("one slow request does not make reads wait for its time, and keeps writes careful", () => {
  const durations = createDurations();
  for (let i = 0; i < 20; i++) durations.add("find_pets", 50);
  durations.add("find_pets", 7000);
  expect(durations.usual("find_pets", true)).toBeLessThan(2000);
  expect(durations.usual("find_pets", false)).toBeGreaterThan(7000);
});
