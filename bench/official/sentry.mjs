/** Results of @sentry/mcp-server, and of the server here, for the examples of Sentry's document. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";

/** A server on loopback that returns the examples of a document. */
function serveExamples(file) {
  const { paths } = JSON.parse(readFileSync(file, "utf8"));
  const routes = Object.entries(paths).flatMap(([template, { get }]) =>
    get ? [{ test: new RegExp(`^${template.replace(/\{[^}]+\}/g, "[^/]+")}$`), get }] : [],
  );
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const found = routes.find(({ test }) => test.test(pathname));
    const content = found?.get.responses["200"]?.content?.["application/json"];
    const body = content?.example ?? Object.values(content?.examples ?? {})[0]?.value;
    response
      .writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" })
      .end(JSON.stringify(body ?? { detail: "Not found" }));
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}

/**
 * Serves the examples, and calls tools of both servers.
 * @param folder folder with `node_modules/@sentry/mcp-server`
 */
export async function sentryCalls(folder, document, configuration) {
  const upstream = await serveExamples(document);
  const host = `localhost:${upstream.address().port}`;
  const client = await startTheirs(folder, host);
  return {
    theirs: async (name, input) => {
      const { isError, content } = await client.callTool({ name, arguments: input });
      if (isError) throw new Error(`${name}: ${content[0].text}`);
      return content.map(({ text }) => text).join("\n");
    },
    ours: (name, input) =>
      callOurs([document, "-c", configuration, "--base-url", `http://${host}`], name, input),
    close: async () => {
      await client.close();
      upstream.close();
    },
  };
}

async function startTheirs(folder, host) {
  const require = createRequire(path.join(folder, "package.json"));
  const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
  const main = path.join(folder, "node_modules/@sentry/mcp-server/dist/index.js");
  const options = [
    "--access-token=none",
    `--host=${host}`,
    "--insecure-http",
    `--organization-slug=${ORGANIZATION}`,
  ];
  const client = new Client({ name: "compare", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, ...options],
    stderr: "ignore",
  });
  await client.connect(transport);
  return client;
}

const ORGANIZATION = "the-interstellar-jurisdiction";
const cli = path.resolve(import.meta.dirname, "../../dist/cli.cjs");

function callOurs(options, name, input) {
  const variables = ["--env", `SENTRY_ORG=${ORGANIZATION}`, "--env", "SENTRY_MCP_AUTH=none"];
  const args = [
    cli,
    "serve",
    ...options,
    ...variables,
    "--call",
    name,
    "--input",
    JSON.stringify(input),
  ];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (error, text) =>
      error ? reject(error) : resolve(text.trimEnd()),
    );
  });
}
