// `node bench/official/compare.mjs FOLDER`: ten tools of the servers that GitHub, Sentry and Stripe
// wrote by hand, and their like from the documents with the configurations of this folder. Prints
// the calls of a task and the tokens of its results (o200k_base) on both sides.
//
// Both sides get the same responses. Sentry's are the examples of its document, and FOLDER has
// `node_modules/@sentry/mcp-server`, which is called as it is. Those of GitHub and Stripe are made
// by the mock, from examples where they are valid; the results of GitHub's server (Go) and of
// @stripe/agent-toolkit 0.7.11 are made by `results.mjs`, a transcription of their source.
// Documents: GITHUB_DOCUMENT, SENTRY_DOCUMENT (`openapi-derefed.json` of
// getsentry/sentry-api-schema) and STRIPE_DOCUMENT; a product without one is left out.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { parse } from "yaml";
import { github, stripe } from "./results.mjs";
import { sentryCalls } from "./sentry.mjs";

const here = import.meta.dirname;
const cli = path.resolve(here, "../../dist/cli.cjs");
const tokensOf = (text) => encode(text, { disallowedSpecial: new Set() }).length;
const issue = { owner: "octocat", repo: "hello-world", issue_number: 1 };
const pull = { owner: "octocat", repo: "hello-world", pull_number: 1 };
const repository = { owner: "octocat", repo: "hello-world" };

/** Tasks: the tool and its input here, and the results of the calls that the other server needs. */
const products = {
  github: [
    [
      "list_issues",
      "list the issues",
      repository,
      (raw) => [github.listIssues(raw("list_issues"))],
    ],
    [
      "issue_read",
      "an issue with its comments and labels",
      { ...issue, include: ["comments", "labels"] },
      (raw) => [
        github.issue(raw("issue_read")),
        raw("issue_comments").map(github.comment),
        github.labels(raw("issue_labels")),
      ],
    ],
    [
      "pull_request_read",
      "a pull request with its files and reviews",
      { ...pull, include: ["files", "reviews"] },
      (raw) => [
        github.pullRequest(raw("pull_request_read")),
        raw("pull_request_files").map(github.file),
        raw("pull_request_reviews").map(github.review),
      ],
    ],
    [
      "list_commits",
      "list the commits",
      repository,
      (raw) => [raw("list_commits").map(github.commit)],
    ],
    [
      "search_issues",
      "search issues",
      { q: "crash" },
      (raw) => [github.withoutNull(raw("search_issues"))],
    ],
  ],
  sentry: [
    ["find_projects", "list the projects", {}, ["find_projects", {}]],
    ["find_releases", "list the releases", {}, ["find_releases", {}]],
    [
      "get_issue",
      "an issue with its latest event",
      { issue_id: "PUMP-STATION-1", include: ["event"] },
      ["get_sentry_resource", { resourceType: "issue", resourceId: "PUMP-STATION-1" }],
    ],
  ],
  stripe: [
    [
      "list_customers",
      "find a customer by email",
      { email: "a@example.com" },
      (raw) => [stripe.customers(raw("list_customers"))],
    ],
    [
      "list_subscriptions",
      "the subscriptions of a customer by email",
      (raw) => ({ customer: raw("list_customers").data[0].email }),
      (raw) => [stripe.customers(raw("list_customers")), raw("list_subscriptions").data],
    ],
  ],
};

const folder = mkdtempSync(path.join(os.tmpdir(), "official-"));

/** Calls tools of a configuration with the mock. */
function call(spec, config, ...args) {
  const output = execFileSync(
    process.execPath,
    [cli, "try", spec, "-c", config, ...args, "--json"],
    {
      cwd: folder,
      env: { ...process.env, SENTRY_ORG: "the-interstellar-jurisdiction" },
      maxBuffer: 2 ** 30,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  return JSON.parse(output).calls;
}

/** The responses of the mock for the operations of a configuration, by the names of its tools. */
function rawResponses(spec, configuration) {
  const tools = Object.fromEntries(
    Object.entries(configuration.tools).map(([name, { operation }]) => [name, { operation }]),
  );
  const file = path.join(folder, "raw.json");
  const server = { includeLists: false, bulkReads: false, lookUpNames: false };
  const whole = {
    version: 1,
    granularity: "operation",
    select: { default: "exclude" },
    server,
    tools,
  };
  writeFileSync(file, JSON.stringify({ ...whole, budget: { resultTokens: 1_000_000 } }));
  const found = new Map();
  for (const { tool, result } of call(spec, file))
    if (!found.has(tool)) found.set(tool, result.structured);
  return (name) => {
    // Fields that are null are named apart; the other servers leave them out, too.
    const { notes: _, next: __, nullFields: ___, ...body } = found.get(name);
    return Object.keys(body).join() === "items" ? body.items : body;
  };
}

/** Both sides of a task of an API whose responses the mock makes. */
function mockedSides(product, spec, file, configuration) {
  const raw = rawResponses(spec, configuration);
  return (tool, given, theirs) => {
    const input = typeof given === "function" ? given(raw) : given;
    const options = ["--tool", `${product}_${tool}`, "--input", JSON.stringify(input)];
    const [{ result }] = call(spec, file, ...options);
    if (result.isError) throw new Error(`${tool}: ${result.text}`);
    return { here: result.text, there: theirs(raw).map((one) => JSON.stringify(one)) };
  };
}

async function compare(product, spec) {
  const file = path.join(here, `${product}.yaml`);
  const sentry =
    product === "sentry" && (await sentryCalls(path.resolve(process.argv[2] ?? ""), spec, file));
  const sides = sentry
    ? async (tool, input, theirs) => ({
        here: await sentry.ours(`sentry_${tool}`, input),
        there: [await sentry.theirs(...theirs)],
      })
    : mockedSides(product, spec, file, parse(readFileSync(file, "utf8")));
  for (const [tool, task, input, theirs] of products[product]) {
    const { here: text, there } = await sides(tool, input, theirs);
    const tokens = there.reduce((sum, one) => sum + tokensOf(one), 0);
    console.log(`| ${product} | ${task} | ${there.length} | 1 | ${tokens} | ${tokensOf(text)} |`);
    if (process.env.VERBOSE) console.log(`${there.join("\n")}\n---\n${text}\n`);
  }
  if (sentry) await sentry.close();
}

console.log("| server | task | calls, theirs | calls, here | tokens, theirs | tokens, here |");
console.log("|---|---|---|---|---|---|");
for (const product of Object.keys(products)) {
  const spec = process.env[`${product.toUpperCase()}_DOCUMENT`];
  if (spec) await compare(product, spec);
}
