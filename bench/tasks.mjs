// npm run bench:tasks [name…]: tools, merges and tokens for the operations of well-known APIs. It
// measures no times, so that the output is the same on every machine.
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { generate } from "../dist/index.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const corpus = path.join(process.env.MCP_GEN_SHARED ?? path.join(root, "..", "shared"), "corpus");

const documents = {
  GitHub: path.join(root, "node_modules/@octokit/openapi/generated/api.github.com.json"),
  Stripe: path.join(corpus, "stripe/spec3.json"),
  PagerDuty: path.join(corpus, "pagerduty/openapiv3.json"),
  Discord: path.join(corpus, "discord/openapi.json"),
  Box: path.join(corpus, "box/openapi.json"),
  Docker: path.join(corpus, "docker-engine/swagger.yaml"),
  Slack: path.join(corpus, "slack-web-api/slack_web_openapi_v2.json"),
  Twilio: path.join(corpus, "twilio-api-v2010/twilio_api_v2010.json"),
};

/**
 * One row of the table. `tokens` is the estimate for `tools/list`, `single` the same with one tool
 * per operation.
 */
async function measure(name, file) {
  const { plan } = await generate(file, undefined);
  const { plan: single } = await generate(file, undefined, { granularity: "operation" });
  const tools = plan.tools;
  const operations = tools.flatMap((tool) => tool.operations).length;
  const inputs = tools.flatMap((tool) => tool.inputs);
  return {
    API: name,
    operations,
    tools: tools.length,
    merges: tools.filter((tool) => tool.operations.length > 1).length,
    "hidden inputs": tools
      .flatMap((tool) => tool.reasons)
      .filter((reason) => reason.includes(" is no input: ")).length,
    "named producers": inputs.filter(({ description }) => description.includes("Get it from "))
      .length,
    "qualified names": tools
      .flatMap((tool) => tool.reasons)
      .filter((reason) => reason.includes("has the shorter name")).length,
    hashes: tools
      .flatMap((tool) => tool.reasons)
      .filter((reason) => reason.includes("a hash of method and path")).length,
    "list tokens": plan.budget.listTokens,
    "one per operation": single.budget.listTokens,
    ratio: (plan.budget.listTokens / single.budget.listTokens).toFixed(2),
  };
}

function table(rows) {
  const heads = Object.keys(rows[0] ?? {});
  const lines = [heads, ...rows.map((row) => heads.map((head) => String(row[head])))];
  const widths = heads.map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
        .join("  "),
    )
    .join("\n");
}

const wanted = process.argv.slice(2).map((name) => name.toLowerCase());
const rows = [];
for (const [name, file] of Object.entries(documents)) {
  if (wanted.length > 0 && !wanted.includes(name.toLowerCase())) continue;
  if (existsSync(file)) rows.push(await measure(name, file));
  else console.error(`${name} is left out: there is no ${path.relative(root, file)}`);
}
console.log(table(rows));
