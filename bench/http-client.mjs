// A minimal MCP client over HTTP without sessions: one POST per request over kept connections, so
// that the server dominates the measurement.
import { spawn } from "node:child_process";
import http from "node:http";

/** Starts a server with `--http`. Returns `request(method, params)`, `pid` and `close()`. */
export async function startHttpServer(args, env = {}) {
  const child = spawn(process.execPath, [...args, "--http", "--port", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...env },
  });
  const url = await printedUrl(child);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });
  let nextId = 1;
  return {
    pid: child.pid,
    request: (method, params) => post(url, agent, { id: nextId++, method, params }),
    close: () =>
      new Promise((done) => {
        agent.destroy();
        child.on("close", done);
        child.kill();
      }),
  };
}

/** The first URL that ends in `/mcp` and that the server prints. */
function printedUrl(child) {
  let printed = "";
  return new Promise((resolve, reject) => {
    child.on("close", () => reject(new Error(`the server ended: ${printed.slice(-500)}`)));
    child.stderr.on("data", (chunk) => {
      printed += chunk;
      const [url] = /http:\/\/\S+\/mcp\b/.exec(printed) ?? [];
      if (url) resolve(new URL(url));
    });
  });
}

function post(url, agent, message) {
  const version = message.params?._meta?.["io.modelcontextprotocol/protocolVersion"];
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": version ?? "2025-06-18",
    ...(version && { "mcp-method": message.method }),
    ...(version && message.params.name && { "mcp-name": message.params.name }),
  };
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
      response.on("end", () => {
        const { result, error } = readAnswer(text);
        if (result) resolve(result);
        else
          reject(
            new Error(`${response.statusCode} ${JSON.stringify(error)} ${text.slice(0, 200)}`),
          );
      });
    });
    request.on("error", reject).end(JSON.stringify({ jsonrpc: "2.0", ...message }));
  });
}

/** The response in a JSON body, or in the last event of a stream. */
function readAnswer(text) {
  const [last] = [...text.matchAll(/^data: (.+)$/gm)].slice(-1);
  return JSON.parse(last?.[1] ?? text);
}
