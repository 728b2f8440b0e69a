import {
  type Diagnostic,
  diagnostic,
  type SourceLocation,
  quoteText,
} from "../../diagnostics/index.js";
import { formatPointerFragment } from "../../json-pointer.js";
import type { BrokenRef } from "./crawl-references.js";
import type { RefOccurrence } from "./scan-references.js";

/**
 * Reports broken references. The first that an operation needs is an error, further ones are
 * warnings. References that only documentation or unused parts need are warnings, and they are
 * removed.
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
    else if (hasError) diagnostics.push(secondaryProblem("load-ref-also-broken", site, problem));
    else {
      hasError = true;
      diagnostics.push({ ...problem, location: problem.location ?? locationOf(site) });
    }
  }
  return diagnostics;
}

/** Removes broken references that are not errors from the data. */
export function removeBrokenRefs(broken: readonly BrokenRef[]): void {
  for (const { occurrence: site } of broken) {
    if (site.use === "mapping") continue;
    if (site.use === "structure") delete site.holder.$ref;
    else if (!Array.isArray(site.parent)) delete site.parent[site.key];
  }
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
