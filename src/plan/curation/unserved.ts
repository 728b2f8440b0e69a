import type { Curated } from "../../curation/types.js";
import type { Findings } from "../findings.js";

/** Keys that the format has and the plan does not serve yet: said at the key, because a rule that does nothing misleads. */
export function reportUnserved({ curation, placeOf }: Pick<Curated, "curation" | "placeOf">, findings: Findings): void {
  const say = (what: string, ...path: readonly (string | number)[]): void => findings.add("curation-unserved", `${what} has no effect in this version.`, placeOf(path), "Remove it.");
  if (curation.workflows) say("`workflows`", "workflows");
  for (const [name, rule] of Object.entries(curation.tools ?? {})) {
    if (rule.workflow !== undefined) say("`workflow`", "tools", name, "workflow");
  }
}
