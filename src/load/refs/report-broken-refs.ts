import {
  type Diagnostic,
  diagnostic,
  type DiagnosticCode,
  type SourceLocation,
  quoteText,
} from "../../diagnostics/index.js";
import { formatPointerFragment } from "../../json-pointer.js";
import type { BrokenRef } from "./crawl-references.js";
import type { RefOccurrence } from "./scan-references.js";

/** Problems that stop the run: exceeded limits, and files that may be readable next time. */
const FATAL: ReadonlySet<DiagnosticCode> = new Set([
  "load-fetch-failed",
  "load-unreadable",
  "load-too-large",
  "load-too-deep",
  "load-alias",
]);

/**
 * Reports broken references. The first that stops the run is an error, further
 * ones are warnings. References that only documentation or unused parts need are warnings.
 * `markBrokenRefs` returns the others.
 */
export function reportBrokenRefs(broken: readonly BrokenRef[]): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  let hasError = false;
  for (const { occurrence: site, problem } of broken) {
    if (site.use === "mapping") continue; // checked where discriminators are read
    if (site.use !== "structure") diagnostics.push(omittedContent(site));
    else if (!site.isNeeded)
      diagnostics.push(
        secondaryProblem("load-ref-broken-unused", site, problem, "no operation uses it"),
      );
    else if (!FATAL.has(problem.code)) continue;
    else if (hasError) diagnostics.push(secondaryProblem("load-ref-also-broken", site, problem));
    else {
      hasError = true;
      diagnostics.push({ ...problem, location: problem.location ?? locationOf(site) });
    }
  }
  return diagnostics;
}

/** Prefix of the `$ref`s that replace broken ones. */
export const BROKEN_REF_PREFIX = "#/x-mcp-gen-broken-ref/";

/**
 * Replaces broken references that operations need by unique ones, and removes others from the data.
 * @returns the problems by the new `$ref`; the reader of the document knows their effect
 */
export function markBrokenRefs(broken: readonly BrokenRef[]): ReadonlyMap<string, Diagnostic> {
  const problems = new Map<string, Diagnostic>();
  for (const { occurrence: site, problem } of broken) {
    if (site.use === "mapping") continue;
    if (site.use !== "structure") {
      if (!Array.isArray(site.parent)) delete site.parent[site.key];
    } else if (site.isNeeded) {
      const code = problem.code === "load-ref-circular" ? problem.code : "load-ref-broken";
      const marker = `${BROKEN_REF_PREFIX}${problems.size}`;
      problems.set(
        marker,
        diagnostic(code, problem.message, problem.location ?? locationOf(site), problem.hint),
      );
      site.holder.$ref = marker;
    } else delete site.holder.$ref;
  }
  return problems;
}

function locationOf(site: RefOccurrence): SourceLocation {
  return { file: site.file.source.label, pointer: formatPointerFragment(site.tokens) };
}

function omittedContent(site: RefOccurrence): Diagnostic {
  const content =
    site.use === "text"
      ? `The ${site.key} in ${quoteText(site.ref)}`
      : `The example in ${quoteText(site.ref)}`;
  return diagnostic(
    "load-ref-omitted",
    `${content} could not be read and is omitted`,
    locationOf(site),
    "Add the file, or remove the $ref.",
  );
}

function secondaryProblem(
  code: "load-ref-broken-unused" | "load-ref-also-broken",
  site: RefOccurrence,
  problem: Diagnostic,
  why?: string,
): Diagnostic {
  return diagnostic(
    code,
    why ? `${problem.message}; it is omitted, because ${why}` : problem.message,
    problem.location ?? locationOf(site),
    problem.hint,
  );
}
