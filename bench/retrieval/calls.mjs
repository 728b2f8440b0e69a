// Tool calls per task, with and without names in place of IDs.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { ourCli, scratchFolder } from "../servers.mjs";

/**
 * Prints tool calls against one call per operation. An inferred tool sends one request per call and
 * saves none. With `resolve`, an ID can be given by name, which saves the call that searches for
 * it.
 */
export function reportCalls({ file, tasks }, tools) {
  const rules = namesForIds(tools.map(({ definition }) => definition));
  generateWith(file, curationOf(rules));
  const toolOf = new Map(
    tools.flatMap(({ definition, operations }) => operations.map((one) => [one, definition.name])),
  );
  const steps = tasks.flatMap(({ calls }) =>
    calls.map((call, i) => ({ tool: toolOf.get(call), before: toolOf.get(calls[i - 1]) })),
  );
  const saved = steps.filter(
    ({ tool, before }) => before !== undefined && rules.get(tool)?.via === before,
  ).length;
  const share = Math.round((100 * saved) / steps.length);
  console.log(
    `Calls: ${steps.length} for one per operation, as many with the tools as inferred; ${saved} fewer (${share} %) when mcp-gen.yaml lets ${rules.size} tools take a name for an ID.`,
  );
}

/** For each tool whose ID comes from a search tool: the configuration by which it accepts a name. */
function namesForIds(definitions) {
  const rules = new Map();
  for (const { name, inputSchema } of definitions) {
    for (const [input, { description = "" }] of Object.entries(inputSchema.properties ?? {})) {
      const via = /Get it from (\w+)/.exec(description)?.[1];
      const match = nameField(definitions.find((tool) => tool.name === via));
      if (match && !rules.has(name)) rules.set(name, { input, via, match });
    }
  }
  return rules;
}

/** The field that names the items of a search; undefined if the tool does not search by words. */
function nameField(tool) {
  const takesWords = Object.keys(tool?.inputSchema.properties ?? {}).some((input) =>
    /^(q|query|search|text|name)$/.test(input),
  );
  const lists = Object.values(tool?.outputSchema?.properties ?? {}).filter(
    ({ items }) => items?.properties,
  );
  return takesWords
    ? ["name", "title"].find((field) => lists[0]?.items.properties[field])
    : undefined;
}

function curationOf(rules) {
  const lines = [...rules].map(
    ([tool, { input, via, match }]) =>
      `  ${tool}: {inputs: {${input}: {resolve: {via: ${via}, match: ${match}}}}}`,
  );
  return ["version: 1", "tools:", ...lines, ""].join("\n");
}

/** Generates the server, which fails if the generator does not accept the configuration. */
function generateWith(file, curation) {
  const scratch = scratchFolder();
  const config = path.join(scratch, "mcp-gen.yaml");
  writeFileSync(config, curation);
  execFileSync(
    process.execPath,
    [ourCli, file, "-o", path.join(scratch, "server"), "--config", config],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
}
