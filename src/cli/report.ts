import { formatCount } from "../diagnostics/index.js";
import { readFileSync, statSync } from "node:fs";
import type { Configuration } from "../configuration/types.js";
import type { ToolPlan } from "../plan/types.js";
import { REPORT_MARKER, reportData, reportPage } from "../render/report/index.js";
import type { ResolvedCommand } from "./resolved-command.js";
import { type ExitCode, exitCodes, type Terminal } from "./terminal.js";
import { asciiJson } from "./json-output.js";
import { deliver, planDocument, resolveSingleFile, runInMemory } from "./pipeline.js";

const afterHelp = `
Writes one self-contained HTML page: every operation with its tool or the reason for omission, the
token cost of each tool and of one tool per operation, the producers of its inputs, how it was
derived, and all diagnostics.

Examples:
  mcp-gen report openapi.yaml -o report.html
  mcp-gen report openapi.yaml > report.html
  mcp-gen report openapi.yaml --json | jq '.tools[] | {name, tokens}'
`;

/** `mcp-gen report [spec] [-o FILE] [--json]`. */
export async function runReport(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const resolved = await resolveSingleFile(
    {
      name: "mcp-gen report",
      afterHelp,
      force: "overwrite the file, even if it is not a report",
      isProtected: isForeignFile,
      protection: "exists and is not a report",
      usageProblem: findUsageProblem,
    },
    args,
    terminal,
  );
  if (typeof resolved === "number") return resolved;
  const { run, file } = resolved;
  const result = await planDocument(run, { verbose: true }, terminal);
  if (typeof result === "number") return result;
  const baseline = await planOnePerOperation(run, terminal);
  const data = reportData(result.plan, run.source, result.diagnostics, baseline);
  const text = run.options.json ? asciiJson(data) : reportPage(data);
  const { operations, tools, budget } = data;
  const success =
    `${formatCount(operations.length, "operation")}, ${formatCount(tools.length, "tool")}, ` +
    `about ${budget.listTokens} tokens for a model.`;
  const code = deliver(text, file, success, terminal);
  // The report of a document that --strict rejects shows the warnings.
  return code === exitCodes.done && !result.ok ? exitCodes.document : code;
}

/** Plans the document with one tool per operation, without the decisions of `mcp-gen.yaml`. */
async function planOnePerOperation(
  run: ResolvedCommand,
  terminal: Terminal,
): Promise<ToolPlan | undefined> {
  const { workflow: _, ...options } = run.options;
  const configuration = run.configuration && withoutDecisions(run.configuration);
  const apis = run.apis?.map((api) => ({
    ...api,
    ...(api.configuration && { configuration: withoutDecisions(api.configuration) }),
  }));
  const result = await runInMemory(
    { ...run, options, ...(configuration && { configuration }), ...(apis && { apis }) },
    { granularity: "operation" },
    terminal,
    { planOnly: true },
  );
  return typeof result === "number" ? undefined : result.plan;
}

function withoutDecisions(configuration: Configuration): Configuration {
  const { workflows: _, ...settings } = configuration.settings;
  return { ...configuration, content: { version: 1 }, settings };
}

/** Requires a file for an HTML page instead of a terminal. */
function findUsageProblem(file: string | undefined, json: boolean): string | undefined {
  return file === undefined && !json && process.stdout.isTTY
    ? "Give a file for the page: -o report.html."
    : undefined;
}

/** Tests whether the file exists and is not a report, which may be replaced. */
function isForeignFile(file: string): boolean {
  return (
    statSync(file, { throwIfNoEntry: false })?.isFile() === true &&
    !readFileSync(file, "utf8").slice(0, 2000).includes(REPORT_MARKER)
  );
}
