import type { Curated, SelectRule } from "../../curation/types.js";
import { quoteText } from "../../diagnostics/clean.js";
import { didYouMean } from "../../diagnostics/index.js";
import type { Operation } from "../../model/types.js";
import type { Findings } from "../findings.js";
import { readPattern } from "../select/patterns.js";
import type { OperationIndex, Rule } from "./rules.js";

/**
 * What the curation says about an operation: whether it becomes a tool, and whether that was said
 * of it by name.
 */
export interface Verdict {
  readonly include: boolean;
  /** The operation itself is named, not a group that it is in. */
  readonly named: boolean;
}

type Selected = (operation: Operation) => Verdict | undefined;

/**
 * Reads `select` and the `include` of tool rules. A tool rule is about its operations by name and
 * goes first; of the selection rules the last one that matches decides; `default: exclude` leaves
 * out what nothing else names.
 */
export function readSelection(
  { curation, placeOf }: Pick<Curated, "curation" | "placeOf">,
  rules: readonly Rule[],
  operations: readonly Operation[],
  index: OperationIndex,
  findings: Findings,
): Selected {
  // A tool by name may be formed from several operations: it is left out when it is known.
  const byTool = new Map(
    rules.flatMap(({ rule, by, operations: own }) =>
      by === "name" && rule.include === false
        ? []
        : own.map((operation) => [operation, rule.include ?? true] as const),
    ),
  );
  const written = curation.select?.rules ?? [];
  const tests = written.map((rule, i) => {
    const matches = matcher(rule, ["select", "rules", i], placeOf, index, findings);
    if (!operations.some(matches))
      reportUnmatched(rule, placeOf(["select", "rules", i]), operations, findings);
    return { include: rule.include, named: rule.match.operations !== undefined, matches };
  });
  const excludes = curation.select?.default === "exclude";
  return (operation) => {
    const tool = byTool.get(operation);
    if (tool !== undefined) return { include: tool, named: true };
    const last = tests.findLast(({ matches }) => matches(operation));
    if (last) return { include: last.include, named: last.named };
    return excludes ? { include: false, named: false } : undefined;
  };
}

/** All parts of a match must be true; of a list, any. */
function matcher(
  { match }: SelectRule,
  path: readonly (string | number)[],
  placeOf: Curated["placeOf"],
  index: OperationIndex,
  findings: Findings,
): (operation: Operation) => boolean {
  const tags = match.tags && new Set(match.tags.map((tag) => tag.toLowerCase()));
  const glob =
    match.path === undefined
      ? undefined
      : readPattern(match.path.startsWith("/") ? match.path : `/${match.path}`);
  const method = match.method?.toUpperCase();
  const named =
    match.operations &&
    new Set(
      match.operations.map((text, i) =>
        index.find(text, placeOf([...path, "match", "operations", i]), findings),
      ),
    );
  return (operation) =>
    (!tags || operation.tags.some((tag) => tags.has(tag.toLowerCase()))) &&
    (!glob || glob.matches(operation)) &&
    (method === undefined || operation.method.toUpperCase() === method) &&
    (!named || named.has(operation));
}

function reportUnmatched(
  { match }: SelectRule,
  place: ReturnType<Curated["placeOf"]>,
  operations: readonly Operation[],
  findings: Findings,
): void {
  if (match.operations) return; // said of each operation already
  const tags = new Set(operations.flatMap((operation) => operation.tags));
  const [unknown] = (match.tags ?? []).filter((tag) => !tags.has(tag));
  const why =
    unknown === undefined
      ? "."
      : `: there is no tag ${quoteText(unknown)}${didYouMean(unknown, tags) || "."}`;
  findings.add(
    "curation-match",
    `This rule matches no operation${why}`,
    place,
    "Correct it, or remove it.",
  );
}
