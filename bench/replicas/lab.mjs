// Processes of a generated server behind haproxy, and the store that they share.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { accepts, freePort, freePorts, has, start, stop, until } from "./processes.mjs";

const storeProgram = ["valkey-server", "redis-server"].find(has);

/** True if this machine has a proxy and a store. */
export const isComplete = has("haproxy") && storeProgram !== undefined;

/** Bearer tokens of two callers. */
export const TOKENS = ["caller-one-5f0c9d1e7b3a", "caller-two-8a44e0b6c2d9"];

export const folder = mkdtempSync(path.join(tmpdir(), "mcp-gen-replicas-"));
const storePort = await freePort();
const ports = await freePorts(3);
const metricsPorts = await freePorts(3);
const proxyPort = await freePort();

/** Address of the server at the proxy. */
export const url = `http://127.0.0.1:${proxyPort}/mcp`;

/** Variables of a server with the store. */
export const storeVariables = {
  SHOP_STORE: `redis://127.0.0.1:${storePort}`,
  SHOP_STORE_KEY: "a key of a store, with many random characters",
};

/** Starts the store, which writes a log of its values, as that of the deployment files does. */
export async function startStore() {
  const directory = path.join(folder, "store");
  mkdirSync(directory, { recursive: true });
  const options = ["--save", "", "--appendonly", "yes", "--dir", directory];
  const store = start(storeProgram, ["--port", `${storePort}`, "--bind", "127.0.0.1", ...options]);
  await until(() => accepts(storePort));
  return store;
}

function proxyConfiguration(count) {
  const replicas = ports.slice(0, count).map((port, i) => `  server replica${i} 127.0.0.1:${port}`);
  return `defaults
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
${replicas.join("\n")}
`;
}

function startReplica(server, i, env) {
  return start(process.execPath, [server, "--http", "--port", String(ports[i])], {
    SHOP_CLIENT_ID: "shop-client",
    SHOP_HTTP_TOKEN: TOKENS.join(","),
    SHOP_METRICS_PORT: String(metricsPorts[i]),
    SHOP_KEPT_RESULT_BYTES: "0",
    LOG_LEVEL: "warn",
    ...env,
  });
}

const isReady = async (i) => (await fetch(`http://127.0.0.1:${ports[i]}/ready`)).status === 200;

/**
 * Runs a part of a study with new replicas of a server.
 * @param run gets the processes, the ports of their metrics, and a function that replaces one after
 *   the other, as a new version does
 */
export async function withReplicas(server, env, run, count = 3) {
  const processes = Array.from({ length: count }, (_, i) => startReplica(server, i, env));
  await until(async () => (await Promise.all(processes.map((_, i) => isReady(i)))).every(Boolean));
  const configuration = path.join(folder, "haproxy.cfg");
  writeFileSync(configuration, proxyConfiguration(count));
  const proxy = start("haproxy", ["-f", configuration, "-db"]);
  await until(async () => (await fetch(url, { method: "OPTIONS" })).status !== 503);
  await delay(500);
  const roll = async () => {
    for (let i = 0; i < count; i++) {
      processes[i].kill("SIGTERM");
      await processes[i].ended;
      processes[i] = startReplica(server, i, env);
      await until(() => isReady(i));
      await delay(300);
    }
  };
  const found = await run({ processes, metricsPorts: metricsPorts.slice(0, count), roll });
  await stop(proxy, ...processes);
  return found;
}

/** Ends everything that was started here. */
export async function end() {
  await stop();
  rmSync(folder, { recursive: true, force: true });
}
