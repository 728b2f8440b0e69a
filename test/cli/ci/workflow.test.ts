/**
 * The workflow that `--ci github` writes, held against GitHub's own parser, and run as GitHub would
 * on what happens to a repository.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { githubWorkflow } from "../../../src/cli/ci-workflow.js";
import { type JobRun, runWorkflow, type Workflow } from "./actions.js";
import { complaints } from "./parser.js";
import { type Api, branchOf, git, newRepository, npxFor } from "./repository.js";

const PATH = ".github/workflows/mcp-gen.yml";
const text = githubWorkflow({
  args: ["it's.yaml", "-o", "../my server"],
  evalArgs: ["it's.yaml", "-o", "../my server"],
  cwd: "apis",
  server: "my server",
  version: "1.2.3",
});

describe("GitHub's parser", () => {
  test.each([".", "server", "my server", 'it\'s "here"'])(
    "takes the workflow of the folder %j",
    async (server) => {
      expect(
        await complaints(
          githubWorkflow({
            args: ["api.yaml", "-o", server],
            evalArgs: ["api.yaml", "-o", server],
            cwd: "",
            server,
            version: "1.2.3",
          }),
        ),
      ).toEqual([]);
    },
  );

  test.each([
    [
      "github.event_name == 'pull_request' && !cancelled()\n",
      "githib.event_name == 'pull_request' && !cancelled()\n",
    ],
    ["${{ needs.check.outputs.comment }}", "${{ needs.check.outputs.comment"],
    ["${{ steps.diff.outputs.comment }}", "${{ secret.comment }}"],
    ["${{ !cancelled() }}", "${{ !canceled() }}"],
    ["contents: read", "contents: reads"],
    ["needs: check", "needs: chek"],
    ["timeout-minutes: 5", "timeout-minute: 5"],
    ['cron: "17 5', 'cron: "77 5'],
    ["cancel-in-progress: ${{ github", "cancel-in-progress: ${{ runner"],
  ])("would find a mistake: %s, not %s", async (good, bad) => {
    expect(text).toContain(good);
    expect(await complaints(text.replace(good, bad))).not.toEqual([]);
  });
});

describe("the permissions of the workflow", () => {
  const { permissions, jobs } = parse(text) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test("are to read, and to comment in the job that runs no code of the repository", () => {
    expect(permissions).toEqual({ contents: "read" });
    expect(
      Object.entries(jobs)
        .filter(([, job]) => job.permissions)
        .map(([name, job]) => [name, job.permissions]),
    ).toEqual([["comment", { "pull-requests": "write" }]]);
    expect(jobs["comment"]!.steps.some(({ uses }) => uses !== undefined)).toBe(false);
    for (const { uses, with: inputs } of steps)
      if (uses?.startsWith("actions/checkout@"))
        expect(inputs).toMatchObject({ "persist-credentials": false });
  });

  test("is done by actions of just that commit, and by scripts in which nothing is replaced", () => {
    for (const { uses } of steps) expect(uses ?? "").toMatch(/^$|^actions\/[a-z-]+@[0-9a-f]{40}$/);
    for (const { run } of steps) expect(run ?? "").not.toContain("${{");
    expect(text).not.toMatch(/secrets|pull_request_target|workflow_run/);
  });
});

let main = "";

beforeAll(async () => {
  main = await newRepository(".", "--ci", "github");
});

/** A pull request on main, as the merge commit that GitHub checks out. */
async function pullRequest(change: Partial<Api>, regenerates = true): Promise<string> {
  const repository = await branchOf(main, ".", change, regenerates);
  git(repository, "checkout", "-q", "main");
  git(repository, "merge", "-q", "--no-ff", "-m", "As GitHub merges", "change");
  git(repository, "update-ref", "refs/pull/7/merge", "HEAD");
  return repository;
}

/** `gh api`, as far as comments go. What it was told to write is a line of a file. */
const gh = (folder: string, has: string): string => `[ "$1" = api ] && [ -n "$GH_TOKEN" ] || exit 4
case "$*" in
  *--jq*) printf '%b' '${has}' ;;
  *) printf '%s\\n' "$*" >> ${JSON.stringify(join(folder, ".git/calls"))}; for last; do :; done; cat "\${last#body=@}" >> ${JSON.stringify(join(folder, ".git/comments"))} ;;
esac
`;
/** Installs what is installed here already, and asks nobody about weaknesses; test/supply does. */
const npm = `case "$*" in
  "ci --ignore-scripts") ln -s ${JSON.stringify(resolve("node_modules"))} node_modules ;;
  "audit "*) ;;
  *) PATH=\${PATH#*:} exec npm "$@" ;;
esac
`;
const noNpm = { npm: "exit 1\n" };

interface On {
  readonly fork?: boolean;
  /** IDs of comments that are there, as `printf %b` has lines. */
  readonly comments?: string;
}

async function onPullRequest(
  repository: string,
  { fork = false, comments = "" }: On = {},
): Promise<ReadonlyMap<string, JobRun>> {
  const head = { repo: { full_name: fork ? "stranger/notes" : "owner/notes" } };
  const github = {
    event_name: "pull_request",
    repository: "owner/notes",
    token: "t",
    ref: "refs/pull/7/merge",
    event: { pull_request: { number: 7, head } },
  };
  return runWorkflow(readFileSync(join(repository, PATH), "utf8"), {
    repository,
    ref: "refs/pull/7/merge",
    github,
    programs: { npx: npxFor("$MCP_GEN"), gh: gh(repository, comments), ...noNpm },
  });
}

const written = (repository: string, name: "calls" | "comments"): string =>
  existsSync(join(repository, ".git", name))
    ? readFileSync(join(repository, ".git", name), "utf8")
    : "";

describe("on a pull request", () => {
  test("without changes for agents, it writes the summary and no comment", async () => {
    const repository = await pullRequest({});
    const { check, comment } = Object.fromEntries(await onPullRequest(repository));
    expect(check).toMatchObject({
      result: "success",
      codes: [0, 0, 0],
      outputs: { changed: "0" },
      summary: "### Tools for agents: no changes\n",
    });
    expect([comment?.result, written(repository, "calls")]).toEqual(["success", ""]);
  });

  test("without changes any more, it updates the comment of an earlier commit", async () => {
    const repository = await pullRequest({});
    await onPullRequest(repository, { comments: "12\\n34\\n" });
    expect(written(repository, "calls")).toMatch(
      /^api --silent --method PATCH repos\/owner\/notes\/issues\/comments\/12 -F body=@\S+\n$/,
    );
    expect(written(repository, "comments")).toBe(
      "<!-- mcp-gen -->\n### Tools for agents: no changes\n",
    );
  });

  test("with cosmetic changes, it comments without annotations", async () => {
    const repository = await pullRequest({ summary: "List all notes" });
    const { check, comment } = Object.fromEntries(await onPullRequest(repository));
    expect(check).toMatchObject({
      result: "success",
      codes: [0, 0, 0],
      outputs: { changed: "1" },
      summary: expect.stringMatching(/^### Tools for agents: 2 cosmetic changes/) as string,
    });
    expect(check?.out).not.toMatch(/^::/m);
    expect([comment?.result, written(repository, "calls")]).toEqual([
      "success",
      expect.stringMatching(
        /^api --silent --method POST repos\/owner\/notes\/issues\/7\/comments -F \S+\n$/,
      ),
    ]);
    expect(written(repository, "comments")).toBe(`<!-- mcp-gen -->\n${check?.summary}`);
  });

  test("with breaking changes, it annotates them", async () => {
    const repository = await pullRequest({ status: "[open]" });
    const { check } = Object.fromEntries(await onPullRequest(repository, { comments: "12" }));
    expect(check).toMatchObject({
      result: "success",
      codes: [0, 0, 0],
      summary: expect.stringMatching(/^### Tools for agents: 1 breaking/) as string,
    });
    expect(check?.out).toMatch(
      /^::error file=server\/mcp-gen\.lock\.json,line=\d+,title=list_notes \(breaking\)::.*"shut"/m,
    );
    expect(written(repository, "calls")).toContain("--method PATCH");
  });

  test("with --fail-on breaking, it reports breaking changes and fails", async () => {
    const repository = await pullRequest({ status: "[open]" });
    const file = join(repository, PATH);
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace(/--format github$/m, "--format github --fail-on breaking"),
    );
    const { check, comment } = Object.fromEntries(await onPullRequest(repository));
    expect(check).toMatchObject({ result: "failure", codes: [0, 0, 1] });
    expect([comment?.result, written(repository, "comments")]).toEqual([
      "success",
      expect.stringContaining("1 breaking"),
    ]);
  });

  test("with an outdated server, it fails", async () => {
    const { check, comment } = Object.fromEntries(
      await onPullRequest(await pullRequest({ status: "[open]" }, false)),
    );
    expect(check).toMatchObject({ result: "failure", codes: [1, 0, 0], outputs: { changed: "0" } });
    expect(check?.out).toContain("list_notes");
    expect(comment?.result).toBe("success");
  });

  test("from a fork, it writes everything but the comment", async () => {
    const repository = await pullRequest({ status: "[open]" });
    const { check, comment } = Object.fromEntries(await onPullRequest(repository, { fork: true }));
    expect(check).toMatchObject({
      result: "success",
      summary: expect.stringContaining("1 breaking") as string,
    });
    expect([comment?.result, written(repository, "calls")]).toEqual(["skipped", ""]);
  });

  test("with the first server of a repository, all tools are new", async () => {
    const repository = await pullRequest({});
    git(repository, "checkout", "-q", "--orphan", "empty");
    git(repository, "rm", "-rfq", ".");
    git(repository, "commit", "-qm", "Nothing yet", "--allow-empty");
    git(
      repository,
      "merge",
      "-q",
      "--no-ff",
      "--allow-unrelated-histories",
      "-m",
      "As GitHub merges",
      "change",
    );
    git(repository, "update-ref", "refs/pull/7/merge", "HEAD");
    expect((await onPullRequest(repository)).get("check")).toMatchObject({
      result: "success",
      summary: expect.stringMatching(/^### Tools for agents: 1 additive/) as string,
    });
  });

  test("with an unreadable lock, it fails", async () => {
    const repository = await pullRequest({});
    const lock = join(repository, "server/mcp-gen.lock.json");
    writeFileSync(lock, readFileSync(lock, "utf8").replace('"tools": [', '"tool": ['));
    git(repository, "commit", "-qam", "Broken", "--amend");
    git(repository, "update-ref", "refs/pull/7/merge", "HEAD");
    const { check, comment } = Object.fromEntries(await onPullRequest(repository));
    expect([check?.result, check?.summary, comment?.result]).toEqual(["failure", "", "skipped"]);
  });
});

test("on a push to main, it checks, builds and tests the server without comments", async () => {
  const github = {
    event_name: "push",
    repository: "owner/notes",
    token: "t",
    ref: "refs/heads/main",
    event: {},
  };
  const jobs = await runWorkflow(readFileSync(join(main, PATH), "utf8"), {
    repository: main,
    ref: "refs/heads/main",
    github,
    programs: { npx: npxFor("$MCP_GEN"), npm },
  });
  expect(jobs.get("packages")?.out).toMatch(/^[#ℹ] fail 0$/mu);
  expect([...jobs].map(([name, { result, codes }]) => [name, result, codes])).toEqual([
    ["check", "success", [0, 0]],
    ["packages", "success", [0, 0, 0, 0]],
    ["comment", "skipped", []],
  ]);
});
