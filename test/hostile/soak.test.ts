import { expect, test } from "vitest";
import { callTool } from "../../src/runtime/index.js";
import { createTestContext, toolOf } from "../runtime/support/clinic.js";
import { startUpstream } from "../runtime/support/upstream.js";
import { type ResourceUsage, soak } from "./support/soak.js";

// `npm run soak` runs the long version: 40,000 calls, eleven hours of traffic at one call a second.
// The name of the npm script selects it, because not every shell can set a variable for one
// command.
const isLong = process.env["npm_lifecycle_event"] === "soak";
const calls = isLong ? 40_000 : 3000;

test(`${calls} calls of mixed faulty traffic are all answered and leak no resources`, async () => {
  const samples: ResourceUsage[] = [];
  const result = await soak({
    calls,
    inFlight: 64,
    sample: (completed, usage) => {
      samples.push(usage);
      if (isLong)
        console.log(
          `${completed} calls: ${Math.round(usage.rss / 1e6)} MB, ${usage.openFiles} open files`,
        );
    },
  });
  const [first, last] = [samples[1]!, samples.at(-1)!];
  expect(result.answers + result.cancelled).toBeGreaterThanOrEqual(calls);
  expect(result.errors).toBeGreaterThan(calls / 4);
  expect(last.rss - first.rss).toBeLessThan(50_000_000);
  expect(last.openFiles - first.openFiles).toBeLessThanOrEqual(32);
}, 1_500_000);

test("1,000 cancelled calls leave no timer, no listener and no request", async () => {
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
    const clients = Array.from({ length: 100 }, () => new AbortController());
    const results = clients.map(({ signal }) => callTool(app, tool, {}, { signal }));
    await expect.poll(() => upstream.open(), { interval: 5, timeout: 20_000 }).toBe(100);
    for (const client of clients) client.abort();
    expect((await Promise.all(results)).every(({ isError }) => isError)).toBe(true);
    await expect.poll(() => upstream.open(), { interval: 5, timeout: 20_000 }).toBe(0);
  }
  // A few timers of kept-alive connections may remain, independent of the number of calls.
  await expect.poll(() => timers() - before).toBeLessThan(10);
  await upstream.close();
});
