/** Estimates of the durations of requests. */
import { expect, test } from "vitest";
import { createDurations } from "../../../src/runtime/client/durations.js";

test("one slow request does not make reads wait for its time, and keeps writes careful", () => {
  const durations = createDurations(32);
  for (let i = 0; i < 20; i++) durations.add("find_pets", 50);
  durations.add("find_pets", 7000);
  expect(durations.usual("find_pets", true)).toBeLessThan(2000);
  expect(durations.usual("find_pets", false)).toBeGreaterThan(7000);
});

test("a round of requests that a pause made slow is not taken for the speed of the API", () => {
  const durations = createDurations(32);
  for (let i = 0; i < 32; i++) durations.addPermitTime(5000);
  expect(durations.meanPermitTime()).toBeGreaterThan(4900);
  expect(durations.quickPermitTime()).toBeLessThan(700);
  for (let i = 0; i < 1500; i++) durations.addPermitTime(5000);
  expect(durations.quickPermitTime()).toBeGreaterThan(4900);
  durations.addPermitTime(60);
  expect(durations.quickPermitTime()).toBe(60);
});
