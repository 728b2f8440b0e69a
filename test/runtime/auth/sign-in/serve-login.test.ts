/** `mcp-gen serve`: a call without a token says what to run, and what it says works. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cli, mcpGen } from "../../../cli/built.js";
import { listen } from "./http-lab.js";
import { CLIENT_ID, consent, startProvider, type TestProvider } from "./provider.js";

const root = mkdtempSync(join(tmpdir(), "mcp-gen-serve-login-"));
const document = join(root, "pets.yaml");
let provider: TestProvider;
const api = createServer(async ({ headers }, response) => {
  const token = headers.authorization?.replace(/^Bearer /, "") ?? "";
  const user = (await provider.verify(token))?.user;
  response.writeHead(user ? 200 : 401, { "content-type": "application/json" });
  response.end(JSON.stringify({ name: user ?? "nobody" }));
});

beforeAll(async () => {
  provider = await startProvider();
  writeFileSync(
    document,
    `openapi: 3.1.0
info: {title: Pets, version: '1'}
servers: [{url: '${await listen(api)}'}]
components:
  securitySchemes:
    account: {type: openIdConnect, openIdConnectUrl: '${provider.issuer}/.well-known/openid-configuration'}
security: [{account: ['pets:read']}]
paths:
  /me:
    get:
      operationId: getMe
      responses: {'200': {description: Me, content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}}
`,
  );
});
afterAll(() => {
  provider.close();
  api.close();
  rmSync(root, { recursive: true, force: true });
});

const env = {
  PATH: process.env["PATH"] ?? "",
  HOME: root,
  XDG_CONFIG_HOME: join(root, "config"),
  APPDATA: join(root, "config"),
  PETS_CLIENT_ID: CLIENT_ID,
};

/** Passes the client ID of the environment on to the server. */
const named = ["--env", "PETS_CLIENT_ID"];

/** Does in the page what the user does in a browser, and follows its redirect. */
async function openInBrowser(address: string): Promise<void> {
  await fetch(await consent(address));
}

/** Runs the command that a text names, with the program of this repository. */
async function logIn(command: string): Promise<number> {
  const child = spawn(process.execPath, [cli, ...command.split(" ").slice(2)], { cwd: root, env });
  let text = "";
  child.stderr.on("data", (chunk) => {
    text += chunk;
    const [address] = /http:\S+\/auth\S+(?=\n)/.exec(text) ?? [];
    if (address === undefined) return;
    text = "";
    void openInBrowser(address);
  });
  const [code] = await once(child, "close");
  return Number(code);
}

test("from the first text to the first call, status and logout", async () => {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [cli, "serve", document, ...named],
      env,
      stderr: "ignore",
    }),
  );
  const call = async () => client.callTool({ name: "get_me", arguments: {} });
  const [, command = ""] = /run `([^`]+)`/.exec(JSON.stringify(await call())) ?? [];
  expect(command).toBe(`npx mcp-gen serve ${document} --env PETS_CLIENT_ID --login`);
  expect(await logIn(command)).toBe(0);
  expect((await call()).structuredContent).toEqual({ name: "ann" });
  await client.close();
  const status = await mcpGen(["serve", document, ...named, "--status"], root, "", env);
  expect(status.out).toMatch(/account: signed in[^]*scopes   pets:read/);
  const logout = await mcpGen(["serve", document, ...named, "--logout"], root, "", env);
  expect(logout.out).toContain("the tokens are revoked");
});

test("generated texts name the sign-in", async () => {
  mkdirSync(join(root, "out"));
  const { out } = await mcpGen([document, "-o", "out/server"], root);
  expect(out).toContain("needed: one of PETS_TOKEN, or PETS_CLIENT_ID (then login)");
  expect(out).toContain("node dist/server.js login");
  for (const file of ["README.md", ".env.example"])
    expect(readFileSync(join(root, "out/server", file), "utf8"), file).toContain(
      "node dist/server.js login",
    );
});
