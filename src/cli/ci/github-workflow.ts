import { quoteForShell } from "../quote.js";

/** Input of the workflow. Paths are relative to the root of the repository, with `/`. */
export interface CiWorkflowOptions {
  /** Arguments of the generation, as typed. */
  readonly args: readonly string[];
  /** Folder in which they were typed; empty for the root. */
  readonly cwd: string;
  /** Folder of the generated project. */
  readonly server: string;
  readonly version: string;
}

/** Path of the workflow below the root of the repository. */
export const CI_WORKFLOW_PATH = ".github/workflows/mcp-gen.yml";

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
export function githubWorkflow({ args, cwd, server, version }: CiWorkflowOptions): string {
  const folder = quoteForShell(server);
  const lock = `${server === "." ? "" : `${server}/`}mcp-gen.lock.json`;
  return `# Written once by mcp-gen; yours from now on. When you upgrade mcp-gen, change the version here in
# the commit that regenerates.
name: mcp-gen

on:
  pull_request:
  push:
    branches: [main, master]
  schedule:
    # Weaknesses of packages become known on days without a commit, too.
    - cron: "17 5 * * 1"

permissions:
  contents: read

# A newer commit of a pull request makes the checks of the last one moot.
concurrency:
  group: \${{ github.workflow }}-\${{ github.ref }}
  cancel-in-progress: \${{ github.event_name == 'pull_request' }}

defaults:
  run:
    # With -e and pipefail, which it has only when it is named.
    shell: bash

env:
  MCP_GEN: mcp-gen@${version}

jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    outputs:
      changed: \${{ steps.diff.outputs.changed }}
      comment: \${{ steps.diff.outputs.comment }}
    steps:
      - uses: ${actions.checkout}
        with:
          # The first parent of a pull request's merge commit is the branch that it goes into.
          fetch-depth: 2
          persist-credentials: false
      ${node}
      - name: The server is what the document gives
        working-directory: ${JSON.stringify(cwd === "" ? "." : cwd)}
        run: |
          npx --yes "$MCP_GEN" ${[...args, "--check"].map(quoteForShell).join(" ")}
      - name: Report tool changes
        id: diff
        if: github.event_name == 'pull_request' && !cancelled()
        # Add --fail-on breaking to the last line to refuse pull requests that break agents.
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

  packages:
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
      - name: Packages are those of the lock, and run nothing when they are installed
        run: npm ci --ignore-scripts
      - name: The server builds, and its tools keep their contracts
        run: |
          npm run build
          npm test
      - name: No weakness is known of what it runs with
        if: \${{ !cancelled() }}
        run: npm audit --omit=dev
      - name: No serious one is known of what builds and tests it
        if: \${{ !cancelled() }}
        run: npm audit --audit-level=high

  comment:
    needs: check
    # A pull request from a fork may not comment; its annotations and summary have the same text.
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
