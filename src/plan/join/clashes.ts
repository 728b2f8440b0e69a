/** Names that two APIs of a server both have. */
import { allTools } from "../hidden-tools.js";
import { quoteText } from "../../diagnostics/text.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { Toolset } from "../types.js";
import type { MemberPlan } from "./types.js";
import { joinToolsets } from "./toolsets.js";

/**
 * Names of tools that several APIs have. All of their tools get the name of their API, whatever
 * the order of the APIs is, so that the order renames nothing.
 */
export function findClashingNames(members: readonly MemberPlan[]): ReadonlySet<string> {
  return repeated(
    members.map(({ plan }) => new Set(allTools(plan).map(({ definition }) => definition.name))),
  );
}

function repeated(groups: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const several = new Set<string>();
  for (const group of groups) for (const name of group) (seen.has(name) ? several : seen).add(name);
  return several;
}

/**
 * Reports names that no rule separates: of tools, of toolsets and of environment variables.
 * @param others toolsets of no API
 */
export function reportClashes(
  members: readonly MemberPlan[],
  diagnostics: DiagnosticCollector,
  others: readonly Toolset[] = [],
): void {
  for (const name of findClashingNames(members))
    diagnostics.add(
      "apis-clash",
      `Two APIs have a tool ${quoteText(name)}, with the name of the API as well.`,
      undefined,
      "Name one of the tools in mcp-gen.yaml.",
    );
  const own = members.map(toolsetNames);
  for (const name of repeated([...own, new Set(others.map((toolset) => toolset.name))]))
    diagnostics.add(
      "apis-clash",
      own.filter((names) => names.has(name)).length > 1
        ? `Two APIs have a toolset ${quoteText(name)}.`
        : `An API has the toolset ${quoteText(name)}, which is that of the workflows.`,
      undefined,
      "Give one of the APIs another name.",
    );
  for (const [one, other] of pairs(members)) reportSharedVariables(one, other, diagnostics);
}

/** Names that select tools of an API: its own, and those of its toolsets. */
function toolsetNames(member: MemberPlan): ReadonlySet<string> {
  return new Set([member.name, ...joinToolsets(member).map(({ name }) => name)]);
}

function pairs<T>(items: readonly T[]): readonly (readonly [T, T])[] {
  return items.flatMap((one, i) =>
    items.filter((_, k) => k !== i).map((other) => [one, other] as const),
  );
}

/** No API reads a variable of another one: `SHOP` must not own `SHOP_ADMIN_TOKEN` of `SHOP_ADMIN`. */
function reportSharedVariables(
  one: MemberPlan,
  other: MemberPlan,
  diagnostics: DiagnosticCollector,
): void {
  const foreign = `${other.plan.api.envPrefix}_`;
  const shared = one.plan.environment.find(({ name }) => name.startsWith(foreign));
  if (shared)
    diagnostics.add(
      "apis-clash",
      `The variable ${shared.name} of ${one.name} has the prefix of the variables of ${other.name}.`,
      undefined,
      "Give one of the APIs another name.",
    );
}
