import { resolve } from "node:path";
import { allTools } from "../plan/hidden-tools.js";
import { toSingleLine } from "../diagnostics/text.js";
import { type Diagnostic, formatCount } from "../diagnostics/index.js";
import type { Change } from "../diff/index.js";
import type { GenerateResult } from "../generate.js";
import type { EnvironmentVariable, ToolPlan } from "../plan/index.js";
import type { WriteResult } from "../write/index.js";
import { formatToolChanges } from "./regeneration-changes.js";
import type { ResolvedCommand } from "./resolved-command.js";
import { copyCommand, quoteForUser } from "./terminal.js";

const MAX_LINES = 20;

/**
 * Formats the result of a run: operations, files and next steps.
 * @param others further lines about changes
 */
export function summarize(
  { plan, written, diagnostics }: GenerateResult,
  command: ResolvedCommand,
  changes: readonly Change[] = [],
  others: readonly string[] = [],
): string {
  const agents = shorten(formatToolChanges(changes), command.options.verbose);
  if (plan && written && isUnchanged(written) && command.options.verbose !== true)
    return toText([
      headLine(plan),
      ...knownWarningLines(diagnostics),
      ...fileLines(written, command),
    ]);
  const parts = [
    ...(plan ? toolLines(plan, command) : []),
    ...noteLines(diagnostics, plan, command),
    ...(written ? fileLines(written, command) : []),
    ...agents,
    ...others,
  ];
  return toText([
    ...parts,
    ...(plan && written && isFirst(written, command) ? nextSteps(plan, command) : []),
  ]);
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${oneLineKeepingIndent(line)}\n`).join("");
}

/** True if a run changed nothing. The run that wrote the files has already printed its messages. */
export function isUnchanged({ created, updated, deleted, refused }: WriteResult): boolean {
  return created.length + updated.length + deleted.length + refused.length === 0;
}

function knownWarningLines(diagnostics: readonly Diagnostic[]): readonly string[] {
  const warnings = diagnostics.filter(({ severity }) => severity === "warning").length;
  return warnings === 0
    ? []
    : [`  ${formatCount(warnings, "warning")} about the document, as before; --verbose prints all`];
}

/** Counts the notes that need no action. Omitted operations have lines of their own. */
function noteLines(
  diagnostics: readonly Diagnostic[],
  plan: ToolPlan | undefined,
  { options }: ResolvedCommand,
): readonly string[] {
  const reported = new Set(plan?.omitted.map(({ reason }) => reason));
  const notes = diagnostics.filter(
    ({ severity, code, message }) =>
      severity === "info" && !/^(write|lint|plan-budget)-/.test(code) && !reported.has(message),
  );
  return notes.length === 0 || options.verbose
    ? []
    : [
        `  ${formatCount(notes.length, "note")} about the document; --verbose prints ` +
          (notes.length === 1 ? "it" : "them"),
      ];
}

/** One line about the changes of a run, for `--watch` and `init`, and the budget of a new server. */
export function summarizeBriefly(
  { plan, written }: GenerateResult,
  command: ResolvedCommand,
): string {
  const { outDir, options } = command;
  const tools = formatCount(plan?.budget.costs.length ?? 0, "tool");
  if (!written) return `${tools}\n`;
  if (plan && isFirst(written, command))
    return toText([
      `${tools}; ${outDir} has ${formatCount(written.created.length, "file")}`,
      ...budgetLines(plan),
    ]);
  const { created, updated, deleted } = written;
  const verb = options.dryRun ? "would have" : "has";
  const counts = `${created.length} new, ${updated.length} changed, ${deleted.length} deleted`;
  const state = isUnchanged(written) ? "is up to date" : `${verb} ${counts}`;
  return `${toSingleLine(`${tools}; ${outDir} ${state}`)}\n`;
}

function oneLineKeepingIndent(line: string): string {
  const indent = line.length - line.trimStart().length;
  return line.slice(0, indent) + toSingleLine(line);
}

/** Number of operations in the documents. Paths that refer to one path item count each. */
export function operationCount(
  plan: Pick<ToolPlan, "tools" | "hiddenTools" | "omitted" | "apis">,
): number {
  if (plan.apis) return plan.apis.reduce((sum, own) => sum + operationCount(own.plan), 0);
  return new Set(
    [...allTools(plan).flatMap((tool) => tool.operations), ...plan.omitted].map(
      ({ method, path, location }) => `${method} ${path} ${location.pointer}`,
    ),
  ).size;
}

function headLine(plan: ToolPlan): string {
  const own = plan.budget.costs.length - plan.tools.length;
  const custom = own > 0 ? `, and ${formatCount(own, "custom tool")}` : "";
  const hiddenCount = plan.hiddenTools?.length ?? 0;
  const hidden = hiddenCount > 0 ? `, and ${formatCount(hiddenCount, "hidden tool")}` : "";
  const tools = `${formatCount(plan.tools.length, "tool")} in ${formatCount(plan.toolsets.length, "toolset")}`;
  const operations = formatCount(operationCount(plan), "operation");
  return `${plan.api.title}: ${operations} → ${tools}${custom}${hidden}`;
}

function toolLines(plan: ToolPlan, { options }: ResolvedCommand): readonly string[] {
  const preview = options.dryRun === true || options.verbose === true;
  const listed = (preview ? plan.tools : []).map(({ definition, operations }) => {
    const names = operations.map(({ method, path }) => `${method} ${path}`);
    return `  ${definition.name}  ${names.join(", ")}`;
  });
  return [
    headLine(plan),
    ...shorten(listed, options.verbose),
    ...omittedLines(plan),
    ...budgetLines(plan),
    ...hiddenInputLines(plan),
    ...qualityLines(plan, options.verbose),
  ];
}

/**
 * One line per reason for omission. The reason without its operation is shared by several
 * operations.
 */
function omittedLines({ omitted, diagnostics }: ToolPlan): readonly string[] {
  const hints = new Map(diagnostics.map((d) => [d.message, d.hint]));
  const byReason = new Map<string, number>();
  for (const { reason } of omitted) {
    const shared = [reason.replace(/^"(?:[^"\\]|\\.)*" (is )?/, ""), hints.get(reason) ?? ""]
      .join(" ")
      .trim();
    byReason.set(shared, (byReason.get(shared) ?? 0) + 1);
  }
  return [...byReason].map(([shared, many]) => `  ${formatCount(many, "operation")}: ${shared}`);
}

/** Weaknesses of tools by code: for one tool, and for several. */
const LINT_SUMMARIES: Readonly<Record<string, readonly [string, string]>> = {
  "lint-missing-description": ["has no description", "have no description"],
  "lint-duplicate-description": ["repeats a description", "share a description"],
  "lint-unclear-effect": ["has an unclear effect", "have unclear effects"],
  "lint-generic-name": ["has a generic name", "have generic names"],
  "lint-undocumented-input": ["has undocumented inputs", "have undocumented inputs"],
  "lint-undocumented-enum": ["has undocumented enum values", "have undocumented enum values"],
  "lint-too-many-inputs": ["has too many inputs", "have too many inputs"],
  "lint-untyped-body": ["has an untyped body", "have untyped bodies"],
  "lint-untyped-output": ["has an untyped result", "have untyped results"],
};

/** Counts the weaknesses of the tools in one line. */
function qualityLines({ lint }: ToolPlan, verbose = false): readonly string[] {
  const counts = new Map<string, number>();
  for (const { code } of lint)
    if (Object.hasOwn(LINT_SUMMARIES, code)) counts.set(code, (counts.get(code) ?? 0) + 1);
  const parts = [...counts].map(([code, many]) => {
    const [one = "", several = ""] = LINT_SUMMARIES[code] ?? [];
    return `${formatCount(many, "tool")} ${many === 1 ? one : several}`;
  });
  if (lint.some(({ code }) => code === "lint-undocumented-errors"))
    parts.push("some tools have undocumented error responses");
  if (parts.length === 0 || verbose) return [];
  return [`  quality: ${parts.join(", ")}; --verbose lists them, each with a suggested fix`];
}

/** Cost, consequence and advice for a list above the budget. */
function budgetLines({ budget, diagnostics }: ToolPlan): readonly string[] {
  const diagnostic = diagnostics.find(({ code }) => code.startsWith("plan-budget-"));
  return diagnostic
    ? [`  ${diagnostic.message}.`, ...budget.advice.map((line) => `    ${line}`)]
    : [];
}

/** Inputs that are the same in every call, with their share of the list. */
function hiddenInputLines({ hiddenInputs: { inputs, tokens } = NO_INPUTS }: ToolPlan): string[] {
  if (inputs === 0) return [];
  const saved = `saves a model about ${formatCount(tokens, "token")}`;
  return [
    `  hiding ${formatCount(inputs, "input")} that callers do not need ${saved}; ` +
      "mcp-gen plan shows how to include them",
  ];
}

const NO_INPUTS = { inputs: 0, tokens: 0 };

/** Names the output folder in a sentence, where `.` would look like a full stop. */
function nameFolder(outDir = "."): string {
  return resolve(outDir) === process.cwd() ? "this folder" : outDir;
}

function fileLines(written: WriteResult, command: ResolvedCommand): readonly string[] {
  const { created, updated, deleted, unchanged } = written;
  const { options, outDir } = command;
  const folder = nameFolder(outDir);
  const kept = written.preserved.map(({ path, names }) => `  kept in ${path}: ${names.join(", ")}`);
  // Deletions come first, because a long list is truncated.
  const changes = [
    ...updated.map((path) => `  ~ ${path}`),
    ...deleted.map((path) => `  - ${path}`),
    ...created.map((path) => `  + ${path}`),
  ];
  if (changes.length === 0)
    return [
      `${folder} is up to date (${formatCount(unchanged, "file")}).`,
      ...shorten(kept, options.verbose),
    ];
  const counts =
    `${created.length} new, ${updated.length} changed, ` +
    `${deleted.length} deleted, ${unchanged} unchanged`;
  if (options.check)
    return [
      `${folder} differs from the generated files (${counts}):`,
      ...shorten(changes, options.verbose),
      ...shorten(kept, options.verbose),
    ];
  if (options.dryRun)
    return [
      `${folder} would change (${counts}):`,
      ...shorten(changes, options.verbose),
      ...shorten(kept, options.verbose),
    ];
  const head = isFirst(written, command)
    ? `Wrote ${formatCount(created.length, "file")} to ${folder}.`
    : `Updated ${folder}: ${counts}.`;
  return [head, ...(options.verbose ? changes : []), ...shorten(kept, options.verbose)];
}

function isFirst(
  { created, updated, deleted, unchanged }: WriteResult,
  { options }: ResolvedCommand,
): boolean {
  return (
    created.length > 0 &&
    updated.length + deleted.length + unchanged === 0 &&
    !options.check &&
    !options.dryRun
  );
}

/** Variables to fill in, alternatives as such: `A_BASE_URL; one of A_KEY or A_TOKEN`. */
export function neededVariables(
  plan: ToolPlan,
  values: Readonly<Record<string, string>> = {},
): string {
  const needed = plan.environment.filter(({ name, required }) => required && !values[name]);
  const choices = plansOfApis(plan).flatMap((own) =>
    own.credentialChoice === undefined || chosenCredentials(own, values)
      ? []
      : [`one of ${own.credentialChoice}${plan.apis ? ` (${own.api.title})` : ""}`],
  );
  return [...needed.slice(0, 5).map(({ name }) => name), ...choices].join("; ");
}

/** The plans of the APIs of a server: of one, or of several. */
export function plansOfApis(plan: ToolPlan): readonly ToolPlan[] {
  return plan.apis?.map((member) => member.plan) ?? [plan];
}

/** Commands that sign users in, one for each API that has users. */
export function loginCommands(plan: ToolPlan, canSignIn = hasSignIn): readonly string[] {
  return plansOfApis(plan).flatMap((own) =>
    canSignIn(own) ? [`node dist/server.js login${plan.apis ? ` ${own.api.name}` : ""}`] : [],
  );
}

function hasSignIn({ api }: ToolPlan): boolean {
  const schemes = Object.values(api.securitySchemes);
  return schemes.some((scheme) => scheme.kind === "oauth2" && scheme.signIn);
}

/** The first of the alternative credentials whose variables are set. */
export function chosenCredentials(
  { credentialAlternatives = [] }: ToolPlan,
  values: Readonly<Record<string, string>>,
): readonly string[] | undefined {
  return credentialAlternatives.find((variables) =>
    variables.every((variable) => values[variable.replace(/ .*/, "")]),
  );
}

/** Secret variables without a value that a server needs, or that a first alternative has. */
export function missingSecrets(
  plan: ToolPlan,
  values: Readonly<Record<string, string>>,
): readonly EnvironmentVariable[] {
  const first = plansOfApis(plan).flatMap((own) =>
    chosenCredentials(own, values) ? [] : (own.credentialAlternatives?.[0] ?? []),
  );
  const needed = new Set(first.map((variable) => variable.replace(/ .*/, "")));
  return plan.environment.filter(
    ({ name, secret, required }) => secret && !values[name] && (required || needed.has(name)),
  );
}

function nextSteps(plan: ToolPlan, { outDir }: ResolvedCommand): readonly string[] {
  const variables = neededVariables(plan);
  const set =
    variables === ""
      ? []
      : [
          `  ${copyCommand()} .env.example .env   (then fill in the values)`,
          `    needed: ${variables}`,
        ];
  const enter =
    resolve(outDir ?? "") === process.cwd() ? [] : [`  cd ${quoteForUser(outDir ?? "")}`];
  const login = loginCommands(plan).map(
    (command) => `  npm run build && ${command}   (to sign in)`,
  );
  return ["Next:", ...enter, "  npm install", ...set, ...login, "  npm start"];
}

function shorten(lines: readonly string[], verbose = false): readonly string[] {
  return verbose || lines.length <= MAX_LINES + 1
    ? lines
    : [
        ...lines.slice(0, MAX_LINES),
        `  and ${lines.length - MAX_LINES} more; --verbose lists them`,
      ];
}
