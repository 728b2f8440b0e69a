import type { Change } from "../diff/index.js";
import type { GenerateResult } from "../generate.js";
import type { CustomTool, PlannedTool, ToolPlan } from "../plan/index.js";
import { operationCount } from "./summary.js";
import type { ResolvedCommand } from "./resolved-command.js";

/** Formats the result as a JSON object. Fields are only added. */
export function formatJsonResult(
  result: GenerateResult,
  { source }: ResolvedCommand,
  exitCode: number,
  changes: readonly Change[] = [],
): string {
  const { plan, written, diagnostics, ok } = result;
  return asciiJson({
    ok: ok && exitCode === 0,
    exitCode,
    source,
    ...(plan && planFields(plan)),
    ...(written && { changes, files: fileLists(written) }),
    diagnostics,
  });
}

function planFields(plan: ToolPlan): object {
  const { limits, listTokens, instructionTokens, listBytes, exceeded, mode, listed, costs } =
    plan.budget;
  return {
    api: { title: plan.api.title, version: plan.api.version },
    package: plan.packageName,
    operations: operationCount(plan),
    tools: [
      ...plan.tools.map((tool, i) => ({ ...toolEntry(tool), tokens: costs[i]?.tokens })),
      ...(plan.customTools ?? []).map((tool) => customToolEntry(tool, costs)),
    ],
    budget: { limits, listTokens, instructionTokens, listBytes, exceeded, mode, listed },
    toolsets: plan.toolsets.map(({ name, title }) => ({ name, title })),
    omitted: plan.omitted.map(({ operationId, method, path, reason, location: place }) => ({
      operation: `${method} ${path}`,
      operationId,
      reason,
      place,
    })),
    environment: plan.environment.map(({ name, description, required, secret }) => ({
      name,
      description,
      required,
      secret,
    })),
  };
}

function fileLists({
  created,
  updated,
  deleted,
  unchanged,
  refused,
  preserved: kept,
}: NonNullable<GenerateResult["written"]>): object {
  return { created, updated, deleted, unchanged, refused, kept };
}

function toolEntry({ definition, toolset, operations }: PlannedTool): object {
  return {
    name: definition.name,
    title: definition.title,
    toolset,
    operations: operations.map(({ method, path }) => `${method} ${path}`),
  };
}

function customToolEntry(
  { listing: { name, title }, toolset }: CustomTool,
  costs: ToolPlan["budget"]["costs"],
): object {
  const { tokens } = costs.find(({ tool }) => tool === name) ?? {};
  return { name, title, toolset, operations: [], custom: true, tokens };
}

/** Serializes as ASCII, so that a terminal interprets no control characters. */
export function asciiJson(value: unknown): string {
  const escape = (character: string): string =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return `${JSON.stringify(value, null, 2).replace(/[\u007f-\uffff]/g, escape)}\n`;
}
