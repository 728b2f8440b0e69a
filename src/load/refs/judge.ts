import { type Diagnostic, diagnostic, type Place, quoteText } from "../../diagnostics/index.js";
import { toPointer } from "../pointer.js";
import type { Broken } from "./crawl.js";
import type { Site } from "./site.js";

/**
 * What broken references mean: one that an operation needs stops the run, and the others are named
 * beside it; one that only documentation or unused parts need is taken out, with a warning.
 */
export function judge(broken: readonly Broken[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  let stopped = false;
  for (const { site, problem } of broken) {
    if (site.use === "mapping") continue; // judged where discriminators are read
    if (site.use !== "structure") found.push(leftOut(site));
    else if (!site.needed)
      found.push(beside("load-ref-unused", site, problem, "no operation needs it"));
    else if (stopped) found.push(beside("load-ref-also-broken", site, problem));
    else {
      stopped = true;
      found.push({ ...problem, place: problem.place ?? placeOf(site) });
    }
  }
  return found;
}

/** Takes broken references that do not stop the run out of the data. */
export function takeOut(broken: readonly Broken[]): void {
  for (const { site } of broken) {
    if (site.use === "mapping") continue;
    if (site.use === "structure") delete site.holder.$ref;
    else if (!Array.isArray(site.parent)) delete site.parent[site.key];
  }
}

export function placeOf(site: Site): Place {
  return { file: site.file.source.label, pointer: toPointer(site.tokens) };
}

function leftOut(site: Site): Diagnostic {
  const what =
    site.use === "text"
      ? `The ${site.key} in ${quoteText(site.ref)}`
      : `The example in ${quoteText(site.ref)}`;
  return diagnostic(
    "load-ref-left-out",
    `${what} could not be read and is left out`,
    placeOf(site),
    "Add the file, or remove the $ref.",
  );
}

function beside(
  code: "load-ref-unused" | "load-ref-also-broken",
  site: Site,
  problem: Diagnostic,
  why?: string,
): Diagnostic {
  return diagnostic(
    code,
    why ? `${problem.message}; ${why}, and it is left out` : problem.message,
    problem.place ?? placeOf(site),
    problem.hint,
  );
}
