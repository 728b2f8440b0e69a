import { canParseUrl } from "../runtime/data/urls.js";
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { formatDiagnostic, toSingleLine } from "../diagnostics/index.js";
import { isLoopback, looksLikeUrl } from "../load/index.js";
import { version } from "../version.js";
import { addFiles } from "../write/add-files.js";
import { planningArguments } from "./options.js";
import type { ResolvedCommand } from "./resolved-command.js";
import {
  type ExitCode,
  exitCodes,
  isSafeInWorkflow,
  quoteForShell,
  type Terminal,
  withSlashes,
} from "./terminal.js";

/**
 * Explains in a sentence why no workflow can be written, before anything is generated; undefined
 * otherwise.
 */
export function findCiProblem(run: ResolvedCommand): string | undefined {
  const options = ciWorkflowOptions(run, findRepository(process.cwd()));
  return typeof options === "string" ? options : undefined;
}

/**
 * Writes the CI workflow into the repository around the current folder. An existing workflow is
 * kept.
 * @returns the exit code
 */
export function writeCiWorkflow(run: ResolvedCommand, terminal: Terminal): ExitCode {
  const root = findRepository(process.cwd());
  const options = ciWorkflowOptions(run, root);
  if (typeof options === "string") return (terminal.error(`error: ${options}\n`), exitCodes.usage);
  const path = join(relative(process.cwd(), root), CI_WORKFLOW_PATH);
  const content = githubWorkflow(options);
  if (existsSync(join(root, CI_WORKFLOW_PATH))) {
    if (!run.options.quiet) terminal.error(`${path} exists and is not changed.\n`);
    return exitCodes.done;
  }
  const { problem } = addFiles([{ path: CI_WORKFLOW_PATH, content }], root, false);
  if (problem)
    return (
      terminal.error(`${formatDiagnostic(problem, { colorize: terminal.paint })}\n`),
      exitCodes.refused
    );
  if (run.options.quiet) return exitCodes.done;
  terminal.error(
    `Wrote ${toSingleLine(path)}. ` +
      "It checks the server and reports changes for agents on pull requests.\n",
  );
  return exitCodes.done;
}

/** Returns the enclosing folder with `.git`, or the current one. */
function findRepository(folder: string): string {
  for (let at = folder, above = ""; at !== above; above = at, at = dirname(at))
    if (existsSync(join(at, ".git"))) return at;
  return folder;
}

function ciWorkflowOptions(
  { source, apis, outDir, args = [], options }: ResolvedCommand,
  root: string,
): CiWorkflowOptions | string {
  const sources = apis?.map((api) => api.source) ?? [source];
  if (source === "-") return "--ci needs a document in a file or at a URL, not standard input.";
  const { output, config, overlay = [], workflow = [], templates, refRoot } = options;
  const typed = [...sources, output, config, ...overlay, ...workflow, templates, refRoot];
  const absolute = typed.find((path) => path !== undefined && isAbsolute(path));
  if (absolute !== undefined)
    return `--ci needs relative paths: ${toSingleLine(absolute)} does not exist in CI.`;
  const foreign = sources.find((one) => !isInCi(one, root));
  if (foreign !== undefined)
    return `--ci needs a document that CI can read: ${toSingleLine(foreign)} is not in the repository.`;
  if (outDir === undefined) return "--ci needs the folder of the generated project: -o DIR.";
  const [cwd, server] = [pathInside(root, process.cwd()), pathInside(root, resolve(outDir))];
  if (cwd === undefined || server === undefined)
    return `--ci needs the generated project inside the repository ${toSingleLine(root)}.`;
  const lasting = withoutOneTimeFlags(args).map((arg) => withSlashes(arg));
  if (![...lasting, cwd, server].every(isSafeInWorkflow)) return UNSAFE_NAMES;
  const evalArgs = [
    withSlashes(source),
    ...planningArguments(options).map((arg) => withSlashes(arg)),
  ];
  if (!evalArgs.every(isSafeInWorkflow)) return UNSAFE_NAMES;
  return {
    args: lasting,
    evalArgs: [...evalArgs, "-o", withSlashes(outDir)],
    cwd,
    server: server === "" ? "." : server,
    version,
  };
}

const UNSAFE_NAMES =
  "--ci does not support names with control characters or ${{, which GitHub replaces.";

/** Tests whether a document exists on other machines: in the repository, or on another host. */
function isInCi(source: string, root: string): boolean {
  if (!looksLikeUrl(source)) return pathInside(root, resolve(source)) !== undefined;
  return !canParseUrl(source) || !isLoopback(new URL(source).hostname);
}

/** Returns the path below the root; undefined outside of it and on another drive of Windows. */
function pathInside(root: string, path: string): string | undefined {
  const below = withSlashes(relative(root, path));
  return below === ".." || below.startsWith("../") || isAbsolute(below) ? undefined : below;
}

/** Flags of a single run, without effect on the generated files. */
const oneTimeFlags = new Set(["--check", "--dry-run", "--force", "--json", "--verbose", "--watch"]);

function withoutOneTimeFlags(args: readonly string[]): readonly string[] {
  return args.filter(
    (arg, i) =>
      !oneTimeFlags.has(arg) &&
      arg !== "--ci" &&
      args[i - 1] !== "--ci" &&
      !arg.startsWith("--ci="),
  );
}

/** Input of the workflow. Paths are relative to the root of the repository, with `/`. */
interface CiWorkflowOptions {
  /** Arguments of the generation, as typed. */
  readonly args: readonly string[];
  /** Arguments of `mcp-gen eval` for the same server. */
  readonly evalArgs: readonly string[];
  /** Folder in which they were typed; empty for the root. */
  readonly cwd: string;
  /** Folder of the generated project. */
  readonly server: string;
  readonly version: string;
}

/** Path of the workflow below the root of the repository. */
const CI_WORKFLOW_PATH = ".github/workflows/mcp-gen.yml";

/** Actions, pinned to the commit of a release, because tags can be moved. */
const actions = {
  checkout: "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1",
  setupNode: "actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0",
};

/** Caching is off, because the lock is not in the root folder. */
const node = `- uses: ${actions.setupNode}
        with:
          node-version: 22
          package-manager-cache: false`;

/**
 * A workflow for GitHub Actions. It checks that the committed server is up to date, builds and
 * tests it, audits its packages, and reports changes for agents on pull requests: as annotations,
 * in the summary and in one comment.
 *
 * Scripts contain only the typed arguments, quoted. Text of the document passes through files and
 * environment variables. The job that may write comments runs no code of the repository.
 * https://docs.github.com/actions/reference/workflow-syntax-for-github-actions
 */
export function githubWorkflow(options: CiWorkflowOptions): string {
  return `${header(options)}
jobs:
${checkJob(options)}
${packagesJob(options)}
${commentJob()}`;
}

function header({ version }: CiWorkflowOptions): string {
  return `# mcp-gen wrote this file once and does not change it again. When you upgrade mcp-gen, change
# MCP_GEN below in the commit that regenerates the server.
name: mcp-gen

on:
  pull_request:
  push:
    branches: [main, master]
  schedule:
    # Vulnerabilities of packages are published independently of commits.
    - cron: "17 5 * * 1"

permissions:
  contents: read

# A newer commit of a pull request cancels the checks of the previous one.
concurrency:
  group: \${{ github.workflow }}-\${{ github.ref }}
  cancel-in-progress: \${{ github.event_name == 'pull_request' }}

defaults:
  run:
    # GitHub sets -e and pipefail only if the shell is named explicitly.
    shell: bash

env:
  MCP_GEN: mcp-gen@${version}
`;
}

/** The job that compares the committed server with its document, and reports tool changes. */
function checkJob({ args, evalArgs, cwd, server }: CiWorkflowOptions): string {
  const folder = quoteForShell(server);
  const lock = `${server === "." ? "" : `${server}/`}mcp-gen.lock.json`;
  return `  check:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    outputs:
      changed: \${{ steps.diff.outputs.changed }}
      comment: \${{ steps.diff.outputs.comment }}
    steps:
      - uses: ${actions.checkout}
        with:
          # The first parent of a pull request's merge commit is the target branch.
          fetch-depth: 2
          persist-credentials: false
      ${node}
      - name: Check that the server is up to date
        working-directory: ${JSON.stringify(cwd === "" ? "." : cwd)}
        run: |
          npx --yes "$MCP_GEN" ${[...args, "--check"].map(quoteForShell).join(" ")}
      - name: Check that agents can do the tasks of eval.yaml, if there are any
        if: \${{ !cancelled() }}
        working-directory: ${JSON.stringify(cwd === "" ? "." : cwd)}
        run: |
          [ ! -e eval.yaml ] || npx --yes "$MCP_GEN" eval ${evalArgs.map(quoteForShell).join(" ")}
      - name: Report tool changes
        id: diff
        if: github.event_name == 'pull_request' && !cancelled()
        # Add --fail-on breaking to the last line to fail on breaking changes.
        run: |
          changed=0
          git show ${quoteForShell(`HEAD^1:${lock}`)} > "$RUNNER_TEMP/before.lock.json" || true
          npx --yes "$MCP_GEN" diff "$RUNNER_TEMP/before.lock.json" ${folder} --format markdown \\
            --fail-on cosmetic > "$RUNNER_TEMP/diff.md" || changed=$?
          [ "$changed" -le 1 ]
          cat "$RUNNER_TEMP/diff.md" >> "$GITHUB_STEP_SUMMARY"
          echo "changed=$changed" >> "$GITHUB_OUTPUT"
          echo "comment=$(gzip -9 < "$RUNNER_TEMP/diff.md" | base64 | tr -d '\\n')" >> "$GITHUB_OUTPUT"
          npx --yes "$MCP_GEN" diff "$RUNNER_TEMP/before.lock.json" ${folder} --format github
`;
}

/** The job that installs, builds, tests and audits the server. */
function packagesJob({ server }: CiWorkflowOptions): string {
  return `  packages:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    defaults:
      run:
        shell: bash
        working-directory: ${JSON.stringify(server)}
    steps:
      - uses: ${actions.checkout}
        with:
          persist-credentials: false
      ${node}
      - name: Install the locked packages without their scripts
        run: npm ci --ignore-scripts
      - name: Build the server and run its contract tests
        run: |
          npm run build
          npm test
      - name: Audit the packages of the server
        if: \${{ !cancelled() }}
        run: npm audit --omit=dev
      - name: Audit all packages for high severity
        if: \${{ !cancelled() }}
        run: npm audit --audit-level=high
`;
}

/** The job that writes the tool changes into one comment of the pull request. */
function commentJob(): string {
  return `  comment:
    needs: check
    # Pull requests from forks cannot comment. Their annotations and summary have the same text.
    # Without changes, no comment is written, unless an earlier commit of the pull request has one.
    if: >-
      github.event_name == 'pull_request' && !cancelled() && needs.check.outputs.comment != '' &&
      github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-latest
    timeout-minutes: 5
    permissions:
      pull-requests: write
    steps:
      - name: Comment on the pull request
        env:
          GH_TOKEN: \${{ github.token }}
          CHANGED: \${{ needs.check.outputs.changed }}
          COMMENT: \${{ needs.check.outputs.comment }}
          REPOSITORY: \${{ github.repository }}
          NUMBER: \${{ github.event.pull_request.number }}
        run: |
          { echo '<!-- mcp-gen -->'; printf %s "$COMMENT" | base64 -d | gzip -d; } > "$RUNNER_TEMP/comment.md"
          ids=$(gh api "repos/$REPOSITORY/issues/$NUMBER/comments?per_page=100" --paginate --jq '
            .[] | select(.user.login == "github-actions[bot]"
              and (.body | startswith("<!-- mcp-gen -->"))) | .id')
          id=\${ids%%$'\\n'*}
          if [ -n "$id" ]; then
            gh api --silent --method PATCH "repos/$REPOSITORY/issues/comments/$id" -F "body=@$RUNNER_TEMP/comment.md"
          elif [ "$CHANGED" = 1 ]; then
            gh api --silent --method POST "repos/$REPOSITORY/issues/$NUMBER/comments" -F "body=@$RUNNER_TEMP/comment.md"
          fi
`;
}
