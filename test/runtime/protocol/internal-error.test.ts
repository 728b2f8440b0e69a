import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { createMcpServer, createServerContext } from "../../../src/runtime/index.js";
import { api, toolOf } from "../support/clinic.js";

test("an error of the server is in the log, and not in the response", async () => {
  const lines: string[] = [];
  const write = (text: string): void => void lines.push(text);
  const created = createServerContext({ api, tools: [toolOf({})], env: {}, write });
  if (!created.ok) throw new Error(created.problems.join(" "));
  const listPage = (): never => {
    throw new Error("no such page in memory");
  };
  const { context } = created;
  const server = createMcpServer({ ...context, tools: { ...context.tools, listPage } });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  await expect(client.listTools()).rejects.toThrow(/Internal error$/);
  expect(lines.join("")).toContain("no such page in memory");
  await client.close();
});
