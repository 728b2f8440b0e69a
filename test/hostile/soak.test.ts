import { expect, test } from "vitest";
import { callTool } from "../../src/runtime/index.js";
import { createTestContext, toolOf } from "../runtime/support/clinic.js";
import { startUpstream } from "../runtime/support/upstream.js";
import { type Held, soak } from "./support/soak.js";

// `npm run soak` runs the long version: 40,000 calls, which at a call a second would be eleven
// hours. It is told by its name, for not every system's shell can set a variable for one command.
const isLong = process.env["npm_lifecycle_event"] === "soak";
const calls = isLong ? 40_000 : 3000;

test(`${calls} calls of mixed faulty traffic are all answered, and leave nothing behind`, async () => {
  const samples: Held[] = [];
  const result = await soak({
    calls,
    inFlight: 64,
    sample: (done, held) => {
      samples.push(held);
      if (isLong)
        console.log(
          `${done} calls: ${Math.round(held.rss / 1e6)} MB, ${held.openFiles} open files`,
        );
    },
  });
  const [first, last] = [samples[1]!, samples.at(-1)!];
  expect(result.answers + result.cancelled).toBeGreaterThanOrEqual(calls);
  expect(result.errors).toBeGreaterThan(calls / 4);
  expect(last.rss - first.rss).toBeLessThan(50_000_000);
  expect(last.openFiles - first.openFiles).toBeLessThanOrEqual(32);
}, 1_500_000);

test("1,000 calls that are taken back leave no timer, no listener and no request", async () => {
  const upstream = await startUpstream(() => {});
  const tool = toolOf({});
  const app = createTestContext([tool], {
    CLINIC_BASE_URL: upstream.url,
    CLINIC_MAX_CONCURRENCY: "100",
  });
  const timers = (): number =>
    process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = timers();
  for (let round = 0; round < 10; round++) {
    const client = new AbortController();
    const results = Array.from({ length: 100 }, () =>
      callTool(app, tool, {}, { signal: client.signal }),
    );
    await expect.poll(() => upstream.open(), { interval: 5, timeout: 20_000 }).toBe(100);
    client.abort();
    expect((await Promise.all(results)).every(({ isError }) => isError)).toBe(true);
    await expect.poll(() => upstream.open(), { interval: 5, timeout: 20_000 }).toBe(0);
  }
  // Those of kept-alive connections may be left: a few, whatever the number of calls.
  await expect.poll(() => timers() - before).toBeLessThan(10);
  await upstream.close();
});
