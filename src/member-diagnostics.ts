/** Diagnostics of the APIs of a server of several. */
import type { Diagnostic } from "./diagnostics/index.js";

/** An API with the result of its planning. */
interface PlannedMember {
  readonly api: { readonly source: string };
  readonly result: { readonly diagnostics: readonly Diagnostic[] };
}

/**
 * The diagnostics of all APIs, each with its document. Those of the budget of one API do not
 * concern the server, and a setting of all APIs changes nothing only if it changes nothing of any.
 * @param hasWorkflows true if the server has workflows, whose tools are about several systems
 */
export function memberDiagnostics(
  members: readonly PlannedMember[],
  hasWorkflows: boolean,
): readonly Diagnostic[] {
  const counts = new Map<string, number>();
  const isReported = (finding: Diagnostic): boolean => {
    if (finding.code.startsWith("plan-budget-")) return false;
    if (!isAboutAll(finding)) return true;
    if (hasWorkflows && finding.location?.pointer === "#/server/openWorld") return false;
    const count = (counts.get(finding.message) ?? 0) + 1;
    counts.set(finding.message, count);
    return count === members.length;
  };
  return members.flatMap(({ api, result }) =>
    result.diagnostics.filter(isReported).map((finding) => ({
      ...finding,
      location: { pointer: "#", ...finding.location, file: finding.location?.file ?? api.source },
    })),
  );
}

/** True for a setting without effect that is an option, or a key outside of `apis`. */
const isAboutAll = ({ code, location }: Diagnostic): boolean =>
  code === "config-ineffective" && !location?.pointer.startsWith("#/apis/");
