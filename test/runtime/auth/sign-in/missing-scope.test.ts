/** Calls of a local user whose sign-in has too few scopes. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundleServer, listen } from "./http-lab.js";
import { CLIENT_ID, consent, startProvider } from "./provider.js";

test("a refused call names the scope and the command to run", async () => {
  const work = mkdtempSync(join(tmpdir(), "mcp-gen-missing-scope-"));
  const provider = await startProvider();
  const api = createServer(({ method }, response) => {
    response.writeHead(method === "GET" ? 200 : 403, { "content-type": "application/json" });
    response.end("[]");
  });
  const server = await bundleServer(work);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: work,
    XDG_CONFIG_HOME: join(work, "config"),
    APPDATA: join(work, "config"),
    ISSUER: provider.issuer,
    CLINIC_BASE_URL: await listen(api),
    CLINIC_CLIENT_ID: CLIENT_ID,
    CLINIC_ENV_FILE: "",
  };
  onTestFinished(() => {
    api.close();
    provider.close();
    rmSync(work, { recursive: true, force: true });
  });

  // A read-only server asks for the scopes of its tools, which is `pets:read`.
  const login = spawn(process.execPath, [server, "login"], {
    env: { ...env, CLINIC_READ_ONLY: "1" },
  });
  const [address] = await new Promise<RegExpExecArray>((resolve) => {
    let text = "";
    login.stderr.on("data", (chunk) => {
      const found = /http:\S+\/auth\S+/.exec((text += chunk));
      if (found) resolve(found);
    });
  });
  await fetch(await consent(address));
  expect(await once(login, "close")).toEqual([0, null]);

  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [server], env, stderr: "ignore" }),
  );
  const read = await client.callTool({ name: "find_pets", arguments: {} });
  expect(read.isError ?? false).toBe(false);
  const { isError, content } = await client.callTool({ name: "add_pet", arguments: {} });
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toContain(
    "the user's sign-in does not have the scope pets:write. Tell the user to run " +
      "`node dist/server.js login` and to grant it; call add_pet again after that.",
  );
  await client.close();
});
