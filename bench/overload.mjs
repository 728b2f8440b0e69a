// node bench/overload.mjs: 260 callers of a slow read and 60 callers who write, all at once, on one
// process that sends 32 requests at a time. It counts the orders that the API created, and the
// agents who were told so. Fails if they differ, or if a refused call does not say that it was not
// sent.
import { once } from "node:events";
import { callTool, isOk } from "./replicas/calls.mjs";
import { freePort, start, stop, until } from "./replicas/processes.mjs";
import { buildShop, ownScheme, startShop, tools } from "./replicas/shop.mjs";

const READERS = 260;
const WRITERS = 60;
const shop = await startShop();
Object.assign(shop.milliseconds, { report: 8000, order: 1000 });
const port = await freePort();
const server = start(
  process.execPath,
  [buildShop(shop, ownScheme(shop)), "--http", "--port", `${port}`],
  {
    SHOP_TOKEN: "a-token-of-the-shop-4821",
    SHOP_CALLER_HEADER: "X-Forwarded-User",
    LOG_LEVEL: "silent",
  },
);
await until(async () => (await fetch(`http://127.0.0.1:${port}/ready`)).ok);

/** The outcome of a call of a user: `told`, `not sent`, or the text of any other result. */
async function outcomeOf(user, name, input) {
  const headers = { "x-forwarded-user": user };
  const result = await callTool(`http://127.0.0.1:${port}/mcp`, name, input, headers);
  if (isOk(result)) return "told";
  const { text } = result.content[0];
  return /not (be )?sent/i.test(text) ? "not sent" : text;
}

let number = 0;
/** All callers in turn, so that a writer comes after four or five readers. */
async function wave() {
  shop.orders.clear();
  const [reads, writes] = [[], []];
  const hasWriterNext = () => (writes.length + 1) * READERS <= (reads.length + 1) * WRITERS;
  while (reads.length < READERS || writes.length < WRITERS)
    if (writes.length < WRITERS && hasWriterNext())
      writes.push(outcomeOf(`writer-${writes.length}`, tools.order, { number: ++number }));
    else reads.push(outcomeOf(`reader-${reads.length}`, tools.report, {}));
  const outcomes = { reads: await Promise.all(reads), writes: await Promise.all(writes) };
  return { ...outcomes, created: [...shop.orders.values()].reduce((sum, times) => sum + times, 0) };
}

const count = (outcomes, chosen) => outcomes.filter((outcome) => outcome === chosen).length;
const describe = (outcomes) => {
  const [told, unsent] = [count(outcomes, "told"), count(outcomes, "not sent")];
  return `${told} answered, ${unsent} refused as not sent, ${outcomes.length - told - unsent} others`;
};

let isHonest = true;
for (let i = 1; i <= 2; i++) {
  const startedAt = performance.now();
  const { reads, writes, created } = await wave();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const others = [...reads, ...writes].filter((outcome) => !["told", "not sent"].includes(outcome));
  isHonest &&= created === count(writes, "told") && others.length === 0;
  console.log(
    `wave ${i}, ${seconds} s: reads: ${describe(reads)}; orders: ${created} created, ${describe(writes)}`,
  );
  for (const text of new Set(others)) console.log(`  ${text}`);
}
server.kill();
await once(server, "close");
await stop();
shop.close();
process.exitCode = isHonest ? 0 : 1;
