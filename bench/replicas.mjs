// node bench/replicas.mjs [TEXT of a row]: three processes of a generated server behind haproxy, with Valkey or Redis
// as their store, and the metrics of all of them in Prometheus. Prints what holds with a store and
// without. It needs haproxy and redis-server or valkey-server; without Prometheus, that line is
// skipped. Everything runs on this machine and ends with the script.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { inFlight } from "./load.mjs";
import { buildOurs } from "./servers.mjs";

const has = (program) => spawnSync("which", [program]).status === 0;
const storeProgram = ["valkey-server", "redis-server"].find(has);
if (!has("haproxy") || !storeProgram) {
  console.log("Skipped: install haproxy, and valkey-server or redis-server.");
  process.exit();
}

const folder = mkdtempSync(path.join(tmpdir(), "mcp-gen-replicas-"));
const children = new Set();
const REPLICAS = 3;
const TOKENS = ["caller-one-5f0c9d1e7b3a", "caller-two-8a44e0b6c2d9"];

function start(program, args, env = {}) {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  child.printed = "";
  child.stderr.on("data", (text) => (child.printed += text));
  children.add(child);
  child.ended = new Promise((done) =>
    child.on("close", (code) => {
      children.delete(child);
      done(code);
    }),
  );
  return child;
}

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** Waits until a check returns a value, for 30 s at most. */
async function until(check) {
  for (let tries = 0; tries < 600; tries++) {
    const value = await check().catch(() => undefined);
    if (value) return value;
    await delay(50);
  }
  throw new Error(`waited in vain for ${check}`);
}

const accepts = (port) =>
  new Promise((done, fail) => {
    const socket = connect(port, "127.0.0.1", () => done(socket.destroy()));
    socket.on("error", fail);
  }).then(() => true);

/** The API: orders by number, a token endpoint whose refresh tokens can be used once. */
const orders = new Map();
let refreshToken = "";
let refreshes = 0;
let series = 0;
let isSlow = false;
const visits = Array.from({ length: 2000 }, (_, id) => ({ id, note: "in the morning" }));
const api = http.createServer((request, response) => {
  let body = "";
  request.on("data", (text) => (body += text));
  request.on("end", async () => {
    const send = (status, value) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (request.url === "/token") {
      if (new URLSearchParams(body).get("refresh_token") !== refreshToken) {
        refreshToken = "";
        return send(400, { error: "invalid_grant" });
      }
      refreshToken = `refresh-${series}-${++refreshes}`;
      const token = { access_token: `access-${refreshes}`, token_type: "Bearer", expires_in: 5 };
      return send(200, { ...token, refresh_token: refreshToken });
    }
    if (request.url === "/visits") return send(200, visits);
    const { number } = JSON.parse(body);
    orders.set(number, (orders.get(number) ?? 0) + 1);
    await delay(isSlow ? 100 : 5);
    return send(201, { number });
  });
});
await new Promise((done) => api.listen(0, "127.0.0.1", done));
const apiUrl = `http://127.0.0.1:${api.address().port}`;

const json = (schema) => ({ content: { "application/json": { schema } } });
const order = { type: "object", required: ["number"], properties: { number: { type: "integer" } } };
const visit = { type: "object", properties: { id: { type: "integer" }, note: { type: "string" } } };
const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: apiUrl }],
  security: [{ account: ["shop"] }],
  components: {
    securitySchemes: {
      account: {
        type: "oauth2",
        flows: {
          authorizationCode: {
            authorizationUrl: `${apiUrl}/authorize`,
            tokenUrl: `${apiUrl}/token`,
            scopes: { shop: "Everything" },
          },
        },
      },
    },
  },
  paths: {
    "/visits": {
      get: {
        operationId: "listVisits",
        summary: "List visits",
        responses: { 200: { description: "Visits", ...json({ type: "array", items: visit }) } },
      },
    },
    "/orders": {
      post: {
        operationId: "createOrder",
        summary: "Create an order",
        requestBody: { required: true, ...json(order) },
        responses: { 201: { description: "The order", ...json(order) } },
      },
    },
  },
};
writeFileSync(path.join(folder, "shop.json"), JSON.stringify(document));
const server = buildOurs(path.join(folder, "shop.json"), "--deploy", "compose");
const tools = { visits: "list_visits", orders: "create_order" };

const storePort = await freePort();
function startStore() {
  const args = ["--port", String(storePort), "--bind", "127.0.0.1", "--save", "", "--dir", folder];
  return start(storeProgram, args);
}

const replicaPorts = await Promise.all(Array.from({ length: REPLICAS }, freePort));
const metricsPorts = await Promise.all(Array.from({ length: REPLICAS }, freePort));
const proxyPort = await freePort();
const url = `http://127.0.0.1:${proxyPort}/mcp`;

function startReplica(i, env) {
  return start(process.execPath, [server, "--http", "--port", String(replicaPorts[i])], {
    SHOP_CLIENT_ID: "shop-client",
    SHOP_HTTP_TOKEN: TOKENS.join(","),
    SHOP_METRICS_PORT: String(metricsPorts[i]),
    SHOP_KEPT_RESULT_BYTES: "0",
    LOG_LEVEL: "warn",
    ...env,
  });
}

const isReady = async (port) => (await fetch(`http://127.0.0.1:${port}/ready`)).status === 200;

writeFileSync(
  path.join(folder, "haproxy.cfg"),
  `defaults
  mode http
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  option redispatch
  retries 3
frontend clients
  bind 127.0.0.1:${proxyPort}
  default_backend replicas
backend replicas
  balance roundrobin
  option httpchk GET /ready
  timeout check 2s
  default-server check inter 200ms fall 1 rise 1
${replicaPorts.map((port, i) => `  server replica${i} 127.0.0.1:${port}`).join("\n")}
`,
);

/** Runs a part of the study with new replicas. */
async function withReplicas(env, run) {
  const replicas = replicaPorts.map((_, i) => startReplica(i, env));
  await until(async () => (await Promise.all(replicaPorts.map(isReady))).every(Boolean));
  const proxy = start("haproxy", ["-f", path.join(folder, "haproxy.cfg"), "-db"]);
  await until(async () => (await fetch(url, { method: "OPTIONS" })).status !== 503);
  await delay(500);
  const found = await run(replicas);
  for (const child of [proxy, ...replicas]) child.kill("SIGKILL");
  await Promise.all([proxy, ...replicas].map(({ ended }) => ended));
  return found;
}

let lastId = 0;
/** Calls a tool; throws without a result. Each call has a connection of its own to haproxy. */
async function call(name, input, token = TOKENS[0]) {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      connection: "close",
      "mcp-protocol-version": "2025-06-18",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: ++lastId,
      method: "tools/call",
      params: { name, arguments: input },
    }),
  });
  const text = await response.text();
  const { result } = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text);
  if (!result) throw new Error(text.slice(0, 200));
  return result;
}

const isOk = ({ isError = false }) => !isError;
const repeat = async (count, run) => {
  const results = [];
  for (let i = 0; i < count; i++) results.push(await run(i));
  return results;
};

async function readTruncated() {
  const { structuredContent } = await call(tools.visits, {});
  const { resource } = structuredContent;
  const reads = await repeat(6, () => call("read_result", { resource }));
  return `${reads.filter(isOk).length} of 6`;
}

/** Calls are counted by minute of the clock. */
async function limitPerCaller() {
  const leftMs = 60_000 - (Date.now() % 60_000);
  if (leftMs < 20_000) await delay(leftMs);
  const greedy = await repeat(30, () => call(tools.visits, {}));
  const other = await repeat(6, () => call(tools.visits, {}, TOKENS[1]));
  const count = (results) => results.filter(isOk).length;
  return `${count(greedy)} of 30 (limit 10), another caller ${count(other)} of 6`;
}

async function rotatingTokens() {
  const results = await repeat(12, async () => {
    const result = await call(tools.visits, {});
    await delay(400);
    return result;
  });
  return `${results.filter(isOk).length} of 12 calls, ${refreshes} refreshes`;
}

/** Orders under load, while `disturb` does something to the replicas. */
async function underLoad(disturb) {
  orders.clear();
  isSlow = true;
  const told = new Set();
  let failed = 0;
  let number = 0;
  const one = async () => {
    const mine = ++number;
    const result = await call(tools.orders, { number: mine }).catch(({ message }) => message);
    if (isOk(result) && typeof result === "object") return told.add(mine);
    failed++;
    if (process.env.VERBOSE) console.log(mine, JSON.stringify(result).slice(0, 300));
  };
  const load = inFlight(one, 400, 12);
  await delay(500);
  await disturb();
  await load;
  isSlow = false;
  const twice = [...orders.values()].filter((times) => times > 1).length;
  const untold = [...orders.keys()].filter((mine) => !told.has(mine)).length;
  return `${told.size} of 400 told, ${failed} failed, ${untold} created untold, ${twice} sent twice`;
}

async function rollingRestart(replicas, env) {
  for (let i = 0; i < REPLICAS; i++) {
    replicas[i].kill("SIGTERM");
    await replicas[i].ended;
    replicas[i] = startReplica(i, env);
    await until(() => isReady(replicaPorts[i]));
    await delay(300);
  }
}

/** Scrapes the replicas with Prometheus, and asks it for the sum of calls. */
async function scrape() {
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

const rows = [];
const [only = ""] = process.argv.slice(2);
const row = async (name, without, withStore) => {
  if (!name.includes(only)) return;
  rows.push([name, await without(), await withStore()]);
  console.log(rows.at(-1).join(" | "));
};
const skip = async () => "–";
const store = {
  SHOP_STORE: `redis://127.0.0.1:${storePort}`,
  SHOP_STORE_KEY: "a key of a store, with many random characters",
};
const token = { SHOP_TOKEN: "a-token-of-the-shop-4821" };
const rotating = () => {
  refreshToken = `refresh-${++series}-0`;
  refreshes = 0;
  return { SHOP_REFRESH_TOKEN: refreshToken };
};
const limited = { SHOP_CALLS_PER_MINUTE_PER_CALLER: "10" };

try {
  let database = startStore();
  await until(() => accepts(storePort));
  console.log("three replicas behind haproxy | without a store | with a store");
  await row(
    "truncated result",
    () => withReplicas(token, readTruncated),
    () => withReplicas({ ...token, ...store }, readTruncated),
  );
  await row(
    "calls per minute and caller",
    () => withReplicas({ ...token, ...limited }, limitPerCaller),
    () => withReplicas({ ...token, ...limited, ...store }, limitPerCaller),
  );
  await row(
    "refresh token that can be used once",
    () => withReplicas(rotating(), rotatingTokens),
    () => withReplicas({ ...rotating(), ...store }, rotatingTokens),
  );
  await row("one replica killed", skip, () =>
    withReplicas({ ...token, ...store }, (replicas) =>
      underLoad(async () => void replicas[1].kill("SIGKILL")),
    ),
  );
  await row("rolling restart", skip, () => {
    const env = { ...token, ...store };
    return withReplicas(env, (replicas) => underLoad(() => rollingRestart(replicas, env)));
  });
  await row("rolling restart, rotating refresh token", skip, () => {
    const env = { ...rotating(), ...store };
    return withReplicas(env, (replicas) => underLoad(() => rollingRestart(replicas, env)));
  });
  await row("store killed and back", skip, () =>
    withReplicas({ ...token, ...store }, () =>
      underLoad(async () => {
        database.kill("SIGKILL");
        await database.ended;
        await delay(1500);
        database = startStore();
        await until(() => accepts(storePort));
      }),
    ),
  );
  await row("Prometheus", skip, () => withReplicas({ ...token, ...store }, scrape));
} finally {
  for (const child of children) child.kill("SIGKILL");
  api.closeAllConnections();
  api.close();
  await Promise.all([...children].map(({ ended }) => ended));
  rmSync(folder, { recursive: true, force: true });
}
