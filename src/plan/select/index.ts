import { quoteText, suggestionFor } from "../../diagnostics/text.js";
import { isObject } from "../../json.js";
import type { ApiModel, Operation } from "../../model/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { operationRef } from "../operations/identity.js";
import type { PlanOptions } from "../options.js";
import type { OmittedOperation } from "../types.js";
import { type Pattern, readPattern } from "./patterns.js";

/** Selected operations, and the omitted ones with reasons. */
interface Selection {
  readonly selected: readonly Operation[];
  readonly omitted: readonly OmittedOperation[];
}

/** Operations that another method of their path replaces, each with its replacement. */
type Replacements = ReadonlyMap<Operation, Operation>;

/** Decision of the configuration about an operation. */
type DecisionFor = (operation: Operation) => SelectionDecision | undefined;

/**
 * Applies `only`, `skip`, the configuration, `x-mcp` and deprecation, in this order of precedence.
 * Every omitted operation is one diagnostic.
 * @param hasOtherTools whether there are tools without operations, so that no operation is needed
 */
export function select(
  model: ApiModel,
  options: PlanOptions,
  diagnostics: DiagnosticCollector,
  decisionFor: DecisionFor = () => undefined,
  hasOtherTools = false,
  replacements: Replacements = new Map(),
): Selection {
  const only = (options.only ?? []).map(readPattern);
  const skip = (options.skip ?? []).map(readPattern);
  reportUnmatched([...only, ...skip], model.operations, diagnostics);
  const exclude = (operation: Operation): Exclusion | undefined =>
    exclusionOf(operation, model, options, only, skip, decisionFor(operation));
  const excludeDuplicate = (operation: Operation): Exclusion | undefined => {
    const replacement = replacements.get(operation);
    const isNamed = decisionFor(operation)?.isNamed === true || isNamedBy(only, operation);
    return replacement && !isNamed && !exclude(replacement)
      ? duplicateExclusion(operation, replacement)
      : undefined;
  };
  const selected: Operation[] = [];
  const omitted: OmittedOperation[] = [];
  for (const operation of model.operations) {
    const reason = exclude(operation) ?? excludeDuplicate(operation);
    if (reason === undefined) selected.push(operation);
    else
      omitted.push({
        ...operationRef(operation),
        reason: reason.text,
        ...(reason.isDefault && { isUnselected: true }),
      });
    if (reason) diagnostics.add(reason.code, reason.text, operation.location, reason.hint);
  }
  if (!hasOtherTools && selected.length === 0) reportNoTools(omitted, options, diagnostics);
  return { selected, omitted };
}

/**
 * Tests whether an operation is left out for good: by `--skip`, a rule or the document. Operations
 * that wait for a wider selection (`--only`, `default: exclude`, deprecation) are not.
 */
export function createExclusionTest(
  model: ApiModel,
  { only: narrowed, ...options }: PlanOptions,
  decisionFor: DecisionFor,
): (operation: Operation) => boolean {
  const skip = (options.skip ?? []).map(readPattern);
  return (operation) => {
    if (skip.some((pattern) => pattern.matches(operation))) return true;
    const decision = decisionFor(operation);
    if (narrowed?.length || decision?.isDefault) return false;
    const exclusion = exclusionOf(operation, model, options, [], [], decision);
    return exclusion !== undefined && exclusion.code !== "plan-deprecated";
  };
}

interface Exclusion {
  readonly code: "plan-preflight" | "plan-excluded" | "plan-deprecated" | "plan-method-duplicate";
  readonly text: string;
  readonly hint?: string;
  /** True for the default of the configuration. */
  readonly isDefault?: boolean;
}

function exclusionOf(
  operation: Operation,
  model: ApiModel,
  options: PlanOptions,
  only: readonly Pattern[],
  skip: readonly Pattern[],
  decision: SelectionDecision | undefined,
): Exclusion | undefined {
  const title = quoteText(`${operation.method} ${operation.path}`);
  const isNamed = decision?.isNamed === true || isNamedBy(only, operation);
  if (isPreflight(operation) && !isNamed)
    return {
      code: "plan-preflight",
      text: `${title} is left out, because it only answers CORS preflight requests.`,
    };
  const origin = exclusionOrigin(operation, model, only, skip, decision);
  if (origin !== undefined)
    return {
      code: "plan-excluded",
      text: `${title} is left out${origin.text}.`,
      ...(origin.isDefault && { isDefault: true }),
    };
  if (!operation.deprecated || options.includeDeprecated === true || isNamed) return undefined;
  return {
    code: "plan-deprecated",
    text: `${title} ${DEPRECATED}`,
    hint: "--include-deprecated selects deprecated operations.",
  };
}

const isNamedBy = (patterns: readonly Pattern[], operation: Operation): boolean =>
  patterns.some((pattern) => pattern.namesExactly(operation));

function duplicateExclusion({ method, path }: Operation, replacement: Operation): Exclusion {
  const title = `${method} ${path}`;
  const rule = { match: { operations: [title] }, include: true };
  const isSamePath = replacement.path === path;
  const other = isSamePath
    ? `${replacement.method} of the same path`
    : quoteText(`${replacement.method} ${replacement.path}`);
  return {
    code: "plan-method-duplicate",
    text: `${quoteText(title)} is left out, because ${other} does the same.`,
    hint: `To have both, in mcp-gen.yaml: select: ${JSON.stringify({ rules: [rule] })}`,
  };
}

/** Option or setting that excludes an operation: the end of a sentence. */
interface ExclusionOrigin {
  readonly text: string;
  readonly isDefault?: boolean;
}

function exclusionOrigin(
  operation: Operation,
  model: ApiModel,
  only: readonly Pattern[],
  skip: readonly Pattern[],
  decision: SelectionDecision | undefined,
): ExclusionOrigin | undefined {
  const skipped = skip.find((pattern) => pattern.matches(operation));
  if (skipped) return { text: ` by --skip ${quoteText(skipped.text)}` };
  if (only.length > 0)
    return only.some((pattern) => pattern.matches(operation))
      ? undefined
      : { text: ", because no --only pattern matches it" };
  if (decision)
    return decision.include === false
      ? { text: " by mcp-gen.yaml", isDefault: decision.isDefault === true }
      : undefined;
  if (operation.hiddenBy && readEnabled(operation.xMcp) === undefined)
    return { text: ` by \`${operation.hiddenBy}\`` };
  return isEnabledByDocument(operation, model) ? undefined : { text: " by `x-mcp`" };
}

/** Tests whether an operation only answers CORS preflight requests of browsers. */
function isPreflight({ method, responses }: Operation): boolean {
  return (
    method === "OPTIONS" &&
    responses.some(({ headers }) =>
      headers.some(({ name }) => /^access-control-allow-/i.test(name)),
    )
  );
}

/**
 * `x-mcp: false`, or an object with `include: false` (or `enabled: false`). An operation's own
 * value takes precedence over the root's.
 */
function isEnabledByDocument(operation: Operation, model: ApiModel): boolean {
  return readEnabled(operation.xMcp) ?? readEnabled(model.xMcp) ?? true;
}

function readEnabled(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (!isObject(value)) return undefined;
  const enabled = value.include ?? value.enabled;
  return typeof enabled === "boolean" ? enabled : undefined;
}

function reportUnmatched(
  patterns: readonly Pattern[],
  operations: readonly Operation[],
  diagnostics: DiagnosticCollector,
): void {
  for (const pattern of patterns) {
    if (operations.some((operation) => pattern.matches(operation))) continue;
    const words = new Set(
      operations.flatMap((o) => [
        ...(o.operationId === undefined ? [] : [o.operationId]),
        ...o.tags,
        `${o.method} ${o.path}`,
      ]),
    );
    diagnostics.add(
      "plan-pattern",
      `No operation matches ${quoteText(pattern.text)}${suggestionFor(pattern.text, words) || "."}`,
    );
  }
}

function reportNoTools(
  omitted: readonly OmittedOperation[],
  { membership }: PlanOptions,
  diagnostics: DiagnosticCollector,
): void {
  const deprecated = omitted.filter(({ reason }) => reason.endsWith(DEPRECATED)).length;
  const hint =
    omitted.length > 0
      ? deprecated === omitted.length
        ? "Use --include-deprecated to include them."
        : membership
          ? "Widen `select` of the API in mcp-gen.yaml, or use --include-deprecated."
          : "Widen --only, narrow --skip, or use --include-deprecated."
      : undefined;
  diagnostics.add(
    "plan-no-tools",
    noToolsMessage(omitted.length, deprecated),
    { pointer: "#/paths" },
    hint,
  );
}

const DEPRECATED = "is deprecated and left out.";

function noToolsMessage(omitted: number, deprecated: number): string {
  if (omitted === 0) return "The document has no operations.";
  if (deprecated < omitted) return "No operation is selected.";
  return omitted === 1
    ? "The only operation is deprecated, so no operation is selected."
    : `All ${omitted} operations are deprecated, so no operation is selected.`;
}

/** Decision of the configuration about an operation. */
export interface SelectionDecision {
  readonly include: boolean;
  /** True when the operation itself is named, not a group that contains it. */
  readonly isNamed: boolean;
  /** True when no rule matches the operation. */
  readonly isDefault?: boolean;
}

/**
 * Reports operations whose paths differ only in the names of their parameters. An API cannot tell
 * them apart (OpenAPI, "Paths Object").
 */
export function reportAmbiguousPaths(
  operations: readonly Operation[],
  diagnostics: DiagnosticCollector,
): void {
  const seen = new Map<string, Operation>();
  for (const operation of operations) {
    const path = operation.path.replace(/\{[^{}]*\}/g, "{}");
    const key = `${operation.method} ${path} ${JSON.stringify(operation.fixedQuery ?? [])}`;
    const first = seen.get(key);
    if (!first) seen.set(key, operation);
    else if (first.path !== operation.path) {
      diagnostics.add(
        "plan-ambiguous-path",
        `The paths ${quoteText(first.path)} and ${quoteText(operation.path)} match the same ` +
          "requests; both have a tool, and the API decides which one answers.",
        operation.location,
      );
    }
  }
}
