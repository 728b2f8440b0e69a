// node bench/replicas.mjs [TEXT of a row]: three processes of a generated server behind haproxy,
// with Valkey or Redis as their store, and the metrics of all of them in Prometheus. Prints what
// holds with a store and without. It needs haproxy and redis-server or valkey-server; without
// Prometheus, that line is skipped. Everything runs on this machine and ends with the script.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { inFlight } from "./load.mjs";
import { callTool, countOk, isOk, repeat } from "./replicas/calls.mjs";
import { connectUsers, countSignedIn, loadSignIn, signIn } from "./replicas/consents.mjs";
import {
  end,
  folder,
  isComplete,
  startStore,
  storeVariables,
  TOKENS,
  url,
  withReplicas,
} from "./replicas/lab.mjs";
import { freePort, has, start, until } from "./replicas/processes.mjs";
import { buildShop, ownScheme, startShop, tools } from "./replicas/shop.mjs";

if (!isComplete) {
  console.log("Skipped: install haproxy, and valkey-server or redis-server.");
  process.exit();
}

const shop = await startShop();
const server = buildShop(shop, ownScheme(shop), "--deploy", "compose");

/** Calls a tool as one of the callers. */
const call = (name, input, token = TOKENS[0]) =>
  callTool(url, name, input, { authorization: `Bearer ${token}` });

async function plainCalls() {
  const results = await repeat(30, () => call(tools.visits, {}));
  return `${countOk(results)} of 30`;
}

async function readTruncated() {
  const { structuredContent } = await call(tools.visits, {});
  const { resource } = structuredContent;
  const reads = await repeat(6, () => call("read_result", { resource }));
  return `${countOk(reads)} of 6`;
}

/** Calls are counted by minute of the clock. */
async function startOfMinute() {
  const leftMs = 60_000 - (Date.now() % 60_000);
  if (leftMs < 20_000) await delay(leftMs);
}

async function limitPerCaller() {
  await startOfMinute();
  const greedy = await repeat(30, () => call(tools.hours, {}));
  const other = await repeat(6, () => call(tools.hours, {}, TOKENS[1]));
  return `${countOk(greedy)} of 30 (limit 10), another caller ${countOk(other)} of 6`;
}

async function rotatingTokens() {
  const results = await repeat(12, async () => {
    const result = await call(tools.hours, {});
    await delay(400);
    return result;
  });
  return `${countOk(results)} of 12 calls, ${shop.refreshes} refreshes`;
}

/**
 * The durations of calls of one caller, while another has 500 calls in flight, as the client sees
 * them and as the servers log them. The first ones contain the waits of client, proxy and API for
 * a processor.
 */
async function callBesideSlowOnes({ processes }) {
  shop.milliseconds.report = 5000;
  const slow = Array.from({ length: 500 }, () => call(tools.report, {}));
  await delay(1000);
  const times = await repeat(6, async () => {
    const startedAt = performance.now();
    const result = await call(tools.hours, {}, TOKENS[1]);
    return isOk(result) ? performance.now() - startedAt : Infinity;
  });
  const answered = countOk(await Promise.all(slow));
  await delay(300);
  const logged = processes.flatMap(callsInLog).filter(({ tool }) => tool === tools.hours);
  const share = (all) => (Math.max(...all) / shop.milliseconds.report).toFixed(2);
  const inServer = `${share(logged.map(({ ms }) => ms))} in the server`;
  return `at most ${share(times)} times the duration of a slow one, ${inServer}, ${answered} of 500 slow ones answered`;
}

/** Requests that an API gets while it is down, and the time until calls are answered again. */
async function apiThatIsDown() {
  Object.assign(shop, { isDown: true, rejected: 0 });
  const calls = [];
  for (let i = 0; i < 120; i++) {
    calls.push(call(tools.hours, {}));
    await delay(50);
  }
  const results = await Promise.all(calls);
  shop.isDown = false;
  const startedAt = performance.now();
  const isBack = async () => countOk(await repeat(3, () => call(tools.hours, {}))) === 3;
  await until(isBack);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const unsent = results.filter(({ content }) => /not sent/.test(content?.[0]?.text)).length;
  return `${shop.rejected} requests of 120 calls, ${unsent} calls refused as not sent, all replicas answer ${seconds} s after it is back`;
}

/** The calls that a server has logged. */
function callsInLog({ printed }) {
  const lines = printed.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line)).filter(({ tool }) => tool !== undefined);
}

/** Orders under load, while `disturb` does something to the replicas. */
async function underLoad(disturb) {
  shop.orders.clear();
  shop.milliseconds.order = 100;
  const told = new Set();
  let failed = 0;
  let number = 0;
  const one = async () => {
    const mine = ++number;
    const result = await call(tools.order, { number: mine }).catch(({ message }) => message);
    if (isOk(result) && typeof result === "object") return told.add(mine);
    failed++;
    if (process.env.VERBOSE) console.log(mine, JSON.stringify(result).slice(0, 300));
  };
  const load = inFlight(one, 400, 12);
  await delay(500);
  await disturb();
  await load;
  shop.milliseconds.order = 5;
  const twice = [...shop.orders.values()].filter((times) => times > 1).length;
  const untold = [...shop.orders.keys()].filter((mine) => !told.has(mine)).length;
  return `${told.size} of 400 told, ${failed} failed, ${untold} created untold, ${twice} sent twice`;
}

/** Users sign in, and stay signed in whatever happens to the processes. */
async function consents(count, store) {
  const library = await loadSignIn();
  const provider = await library.startProvider({
    resource: url,
    redirects: ["user", "callback"].map((name) => url.replace("mcp", `oauth/${name}`)),
  });
  const { issuer } = provider;
  const openIdConnectUrl = `${issuer}/.well-known/openid-configuration`;
  const scheme = { type: "openIdConnect", openIdConnectUrl };
  const consentServer = buildShop(shop, scheme, "--deploy", "compose");
  const env = {
    ...storeVariables,
    ...(!store && { SHOP_STORE: "" }),
    SHOP_HTTP_TOKEN: "",
    SHOP_HTTP_OAUTH_ISSUER: issuer,
    SHOP_HTTP_PUBLIC_URL: url,
    SHOP_HTTP_SIGN_IN_CLIENT_ID: library.CLIENT_ID,
    SHOP_CLIENT_ID: library.CLIENT_ID,
  };
  const run = async ({ processes, roll }) => {
    const users = await connectUsers(library, issuer, url);
    let completed = 0;
    for (const user of users) if (await signIn(library, user)) completed++;
    const signedIn = () => countSignedIn(users, shop, count);
    const found = [`${completed} of ${users.length} sign-ins completed, ${await signedIn()} hold`];
    await roll();
    found.push(`after a rolling restart ${await signedIn()}`);
    processes[0].kill("SIGKILL");
    await delay(500);
    found.push(`one replica killed ${await signedIn()}`);
    if (!store) return found.join(", ");
    await restartStore();
    await delay(1000);
    return [...found, `store killed and back ${await signedIn()}`].join(", ");
  };
  const found = await withReplicas(consentServer, env, run, count);
  provider.close();
  return found;
}

let database = await startStore();
async function restartStore() {
  database.kill("SIGKILL");
  await database.ended;
  await delay(1500);
  database = await startStore();
}

/** Scrapes the replicas with Prometheus, and asks it for the sum of calls. */
async function scrape({ metricsPorts }) {
  if (!has("prometheus")) return "skipped: no Prometheus";
  const port = await freePort();
  const targets = metricsPorts.map((one) => `"127.0.0.1:${one}"`).join(", ");
  const file = path.join(folder, "prometheus.yml");
  writeFileSync(
    file,
    `global: {scrape_interval: 1s}
scrape_configs:
  - job_name: shop
    static_configs: [{targets: [${targets}]}]
`,
  );
  const text = await (await fetch(`http://127.0.0.1:${metricsPorts[0]}/metrics`)).text();
  const lint = execFileSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
  mkdirSync(path.join(folder, "tsdb"), { recursive: true });
  const args = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${path.join(folder, "tsdb")}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const prometheus = start("prometheus", args);
  const made = (await repeat(30, () => call(tools.visits, {}))).length;
  const query = encodeURIComponent(`sum(mcp_tool_calls_total{tool="${tools.visits}"})`);
  const counted = await until(async () => {
    const answer = await (
      await fetch(`http://127.0.0.1:${port}/api/v1/query?query=${query}`)
    ).json();
    const value = Number(answer.data.result[0]?.value[1] ?? 0);
    return value >= made && value;
  });
  prometheus.kill();
  return `${counted} of ${made} calls counted, promtool: ${lint.trim() || "no problem"}`;
}

const [only = ""] = process.argv.slice(2);
const token = { SHOP_TOKEN: "a-token-of-the-shop-4821" };
const rotating = () => ({ SHOP_REFRESH_TOKEN: shop.issueRefreshToken() });
const limited = () => ({ ...token, SHOP_CALLS_PER_MINUTE_PER_CALLER: "10" });
const patient = () => ({ ...token, SHOP_TIMEOUT_MS: "120000", LOG_LEVEL: "info" });
const withToken = () => token;

/** Prints a line: without a store and with one. */
async function row(name, run) {
  if (name.includes(only)) console.log([name, await run(), await run(storeVariables)].join(" | "));
}
/** Prints a line of a study that needs a store, or that does not use one. */
async function rowWithStore(name, run) {
  if (name.includes(only)) console.log([name, "–", await run(storeVariables)].join(" | "));
}
const replicas = (env, run) => (store) => withReplicas(server, { ...env(), ...store }, run);

try {
  console.log("three replicas behind haproxy | without a store | with a store");
  await row("plain calls", replicas(withToken, plainCalls));
  await row("consents, two replicas", (store) => consents(2, store));
  await row("consents, three replicas", (store) => consents(3, store));
  await row("truncated result", replicas(withToken, readTruncated));
  await row("calls per minute and caller", replicas(limited, limitPerCaller));
  await row("refresh token that can be used once", replicas(rotating, rotatingTokens));
  await row("call beside slow ones of another caller", replicas(patient, callBesideSlowOnes));
  await rowWithStore("API that is down for six seconds", replicas(withToken, apiThatIsDown));
  const disturbed = (env, disturb) => replicas(env, (lab) => underLoad(() => disturb(lab)));
  await rowWithStore(
    "one replica killed",
    disturbed(withToken, async ({ processes }) => void processes[1].kill("SIGKILL")),
  );
  await rowWithStore(
    "rolling restart",
    disturbed(withToken, ({ roll }) => roll()),
  );
  await rowWithStore(
    "rolling restart, rotating refresh token",
    disturbed(rotating, ({ roll }) => roll()),
  );
  await rowWithStore("store killed and back", disturbed(withToken, restartStore));
  await rowWithStore(
    "store killed and back, replicas that are not ready without it",
    disturbed(() => ({ ...token, SHOP_READY_NEEDS_STORE: "true" }), restartStore),
  );
  await rowWithStore("Prometheus", replicas(withToken, scrape));
} finally {
  shop.close();
  await end();
}
