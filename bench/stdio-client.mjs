// A minimal MCP client over stdio: it writes JSON lines and matches responses by ID, so that the
// server dominates the measurement.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Starts a server. Returns `request(method, params)`, `notify(method)`, `pid` and `close()`. */
export function startServer(args, env = {}) {
  const child = spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, ...env },
  });
  const waiting = new Map();
  let nextId = 1;
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  const send = (message) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    pid: child.pid,
    request: (method, params) =>
      new Promise((resolve, reject) => {
        const id = nextId++;
        waiting.set(id, (message) =>
          message.error
            ? reject(new Error(JSON.stringify(message.error)))
            : resolve(message.result),
        );
        send({ id, method, params });
      }),
    notify: (method) => send({ method }),
    close: () =>
      new Promise(
        (done) => (
          child.on("close", done),
          child.stdin.end(),
          setTimeout(() => child.kill(), 3000).unref()
        ),
      ),
  };
}

/** Opens a session of revision 2025-06-18, which every compared server supports. */
export async function initialize(server) {
  const result = await server.request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1.0.0" },
  });
  server.notify("notifications/initialized");
  return result;
}

/** All tools, from all pages. */
export async function listTools(server) {
  const tools = [];
  let cursor;
  do {
    const page = await server.request("tools/list", cursor === undefined ? {} : { cursor });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}
