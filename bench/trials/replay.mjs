#!/usr/bin/env node
/**
 * Plays the calls of a log again at a live server in its first state, and prints how many requests
 * they sent to the API, and which features that save calls acted in them.
 *
 * node bench/trials/start.mjs SERVER tools FOLDER -- node bench/trials/replay.mjs SERVER VARIANT
 *
 * Values that the live server made up in the logged run, such as IDs, are other ones in this run.
 * Calls that then end otherwise are counted.
 */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { variantsOf } from "./logs.mjs";

const COUNT = "dev.mcp-gen/requestCount";
const LIST = "dev.mcp-gen/requests";

const [server, variant, command, ...args] = process.argv.slice(2);
const { calls } = variantsOf(server).find((one) => one.variant === variant);
const client = new Client({ name: "replay", version: "1.0.0" });
await client.connect(
  new StdioClientTransport({ command, args, env: process.env, stderr: "ignore" }),
);

/** Features by what stands in a result or in the arguments of a call in which they acted. */
const FEATURES = {
  "names in place of IDs": ({ text }) => / is the name of /.test(text),
  "a write read back": ({ result }) => result.structuredContent?.current !== undefined,
  "several IDs": ({ result, args: input }) =>
    Object.values(input).some(Array.isArray) && sentRequests(result) > 1 && !input.steps,
  "parts of a thing": ({ args: input }) => input.include !== undefined,
  "pages followed": ({ text }) => /from \d+ pages/.test(text),
};

function sentRequests({ _meta: meta = {} }) {
  return meta[COUNT] ?? meta[LIST]?.length ?? 0;
}

let requests = 0;
let steps = 0;
let others = 0;
const acted = Object.fromEntries(Object.keys(FEATURES).map((name) => [name, 0]));
for (const { name, args: input = {}, isError } of calls) {
  // A tool of that version may have another name now.
  const result = await client
    .callTool({ name, arguments: input })
    .catch(() => ({ content: [], isError: true }));
  const text = JSON.stringify([result.content, result.structuredContent]);
  requests += sentRequests(result);
  steps += Math.max(0, (input.steps?.length ?? 1) - 1);
  if (Boolean(result.isError) !== Boolean(isError)) others += 1;
  for (const [feature, test] of Object.entries(FEATURES))
    if (test({ result, text, args: input })) acted[feature] += 1;
}
console.log(
  [
    `${calls.length} calls, ${requests} requests; ${others} calls ended otherwise than in the log`,
    `steps beyond the first of a call: ${steps}`,
    ...Object.entries(acted).map(([feature, count]) => `calls with ${feature}: ${count}`),
  ].join("\n"),
);
await client.close();
process.exit(0);
