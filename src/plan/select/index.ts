import { didYouMean } from "../../diagnostics/nearest.js";
import { quoteText } from "../../diagnostics/clean.js";
import { isObject } from "../../json.js";
import type { ApiModel, Operation } from "../../model/types.js";
import type { Verdict } from "../curation/selection.js";
import type { Findings } from "../findings.js";
import type { OmittedOperation, OperationRef, PlanOptions } from "../types.js";
import { type Pattern, readPattern } from "./patterns.js";

/** Which operations become tools, and why the others do not. */
export interface Selection {
  readonly kept: readonly Operation[];
  readonly omitted: readonly OmittedOperation[];
}

/** `fetch` refuses these, and no agent needs them. */
const UNSENDABLE = new Set(["TRACE", "CONNECT", "TRACK"]);

/** What the curation says about an operation. */
type Curated = (operation: Operation) => Verdict | undefined;

/**
 * Applies `only`, `skip`, the curation, `x-mcp` and deprecation, in that order of strength. Every
 * operation left out is one finding.
 * @param others there are tools that no operation makes, so that none need be left
 */
export function select(
  model: ApiModel,
  options: PlanOptions,
  findings: Findings,
  curated: Curated = () => undefined,
  others = false,
): Selection {
  const only = (options.only ?? []).map(readPattern);
  const skip = (options.skip ?? []).map(readPattern);
  reportUnmatched([...only, ...skip], model.operations, findings);
  const kept: Operation[] = [];
  const omitted: OmittedOperation[] = [];
  for (const operation of model.operations) {
    const reason = whyNot(operation, model, options, only, skip, curated(operation));
    if (reason === undefined) kept.push(operation);
    else omitted.push({ ...refOf(operation), reason: reason.text });
    if (reason) findings.add(reason.code, reason.text, operation.place, reason.hint);
  }
  if (!others) reportNothing(kept.length, omitted, findings);
  return { kept, omitted };
}

export function refOf({ operationId, method, path, place }: Operation): OperationRef {
  return { ...(operationId !== undefined && { operationId }), method, path, place };
}

interface Reason {
  readonly code: "plan-method" | "plan-preflight" | "plan-excluded" | "plan-deprecated";
  readonly text: string;
  readonly hint?: string;
}

function whyNot(
  operation: Operation,
  model: ApiModel,
  options: PlanOptions,
  only: readonly Pattern[],
  skip: readonly Pattern[],
  verdict: Verdict | undefined,
): Reason | undefined {
  const title = `${operation.method} ${operation.path}`;
  if (UNSENDABLE.has(operation.method))
    return {
      code: "plan-method",
      text: `${quoteText(title)} is left out: no HTTP client sends ${operation.method}.`,
    };
  if (
    isPreflight(operation) &&
    verdict?.named !== true &&
    !only.some((pattern) => pattern.names(operation))
  )
    return {
      code: "plan-preflight",
      text: `${quoteText(title)} is left out: only browsers ask which origins may call.`,
    };
  const skipped = skip.find((pattern) => pattern.matches(operation));
  if (skipped)
    return {
      code: "plan-excluded",
      text: `${quoteText(title)} is left out by --skip ${quoteText(skipped.text)}.`,
    };
  if (only.length > 0 && !only.some((pattern) => pattern.matches(operation)))
    return {
      code: "plan-excluded",
      text: `${quoteText(title)} is left out: no --only pattern names it.`,
    };
  if (only.length === 0 && verdict?.include === false)
    return { code: "plan-excluded", text: `${quoteText(title)} is left out by mcp-gen.yaml.` };
  if (only.length === 0 && verdict === undefined && !allowedByDocument(operation, model))
    return { code: "plan-excluded", text: `${quoteText(title)} is left out by \`x-mcp\`.` };
  if (
    !operation.deprecated ||
    options.includeDeprecated === true ||
    verdict?.named === true ||
    only.some((pattern) => pattern.names(operation))
  )
    return undefined;
  return {
    code: "plan-deprecated",
    text: `${quoteText(title)} ${DEPRECATED}`,
    hint: "Use --include-deprecated to have it.",
  };
}

/**
 * What a gateway answers to a browser before its request (CORS): nothing but headers that say who
 * may call.
 */
function isPreflight({ method, responses }: Operation): boolean {
  return (
    method === "OPTIONS" &&
    responses.some(({ headers }) =>
      headers.some(({ name }) => /^access-control-allow-/i.test(name)),
    )
  );
}

/**
 * `x-mcp: false`, or an object with `include: false` (or `enabled: false`); the operation's own
 * word beats the root's.
 */
function allowedByDocument(operation: Operation, model: ApiModel): boolean {
  return enabled(operation.xMcp) ?? enabled(model.xMcp) ?? true;
}

function enabled(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (!isObject(value)) return undefined;
  const said = value.include ?? value.enabled;
  return typeof said === "boolean" ? said : undefined;
}

function reportUnmatched(
  patterns: readonly Pattern[],
  operations: readonly Operation[],
  findings: Findings,
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
    findings.add(
      "plan-pattern",
      `No operation matches ${quoteText(pattern.text)}${didYouMean(pattern.text, words) || "."}`,
    );
  }
}

function reportNothing(
  kept: number,
  omitted: readonly OmittedOperation[],
  findings: Findings,
): void {
  if (kept > 0) return;
  const deprecated = omitted.filter(({ reason }) => reason.endsWith(DEPRECATED)).length;
  const hint =
    omitted.length > 0
      ? deprecated === omitted.length
        ? "Use --include-deprecated to have tools for them."
        : "Widen --only, narrow --skip, or use --include-deprecated."
      : undefined;
  findings.add(
    "plan-no-tools",
    nothingLeft(omitted.length, deprecated),
    { pointer: "#/paths" },
    hint,
  );
}

const DEPRECATED = "is deprecated and left out.";

function nothingLeft(omitted: number, deprecated: number): string {
  if (omitted === 0) return "The document has no operations to make tools of.";
  if (deprecated < omitted) return "No operation is left to make a tool of.";
  return omitted === 1
    ? "The only operation is deprecated, so none is left to make a tool of."
    : `All ${omitted} operations are deprecated, so none is left to make a tool of.`;
}
