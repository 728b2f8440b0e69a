import { quoteText } from "../../diagnostics/clean.js";
import type { ApiModel, Operation, SecurityRequirement } from "../../model/types.js";
import type { SecuritySchemeDefinition } from "../../runtime/types.js";
import type { Environment } from "../env.js";
import type { Findings } from "../findings.js";
import { alternativesOf } from "./alternatives.js";
import { defineScheme, type SchemeUse } from "./scheme.js";

/** How the operations of an API get their credentials. */
export interface SecurityPlan {
  readonly schemes: Readonly<Record<string, SecuritySchemeDefinition>>;
  /** The requirement that most operations have. Absent: none. */
  readonly common?: readonly SecurityRequirement[];
  /** The requirement of one operation when it is not the common one. */
  readonly ownOf: (operation: Operation) => readonly SecurityRequirement[] | undefined;
}

/** Plans the schemes that some operations use, and the variables that hold their credentials. */
export function planSecurity(
  model: ApiModel,
  operations: readonly Operation[],
  environment: Environment,
  findings: Findings,
): SecurityPlan {
  const requirements = new Map(
    operations.map((operation) => [operation, alternativesOf(operation, model, findings)]),
  );
  const common = mostFrequent([...requirements.values()]);
  const scopes = scopesByScheme([...requirements.values()]);
  const used = Object.entries(model.securitySchemes).filter(([name]) => scopes.has(name));
  reportUnused(model, used.length, findings);
  const isNeeded = (name: string): boolean =>
    common.length > 0 && common.every((alternative) => Object.hasOwn(alternative, name));
  const useOf = (name: string): SchemeUse => ({
    name,
    scopes: [...(scopes.get(name) ?? [])],
    needed: isNeeded(name),
  });
  const key = keyOf(common);
  return {
    schemes: Object.fromEntries(
      used.map(([name, scheme]) => [
        name,
        defineScheme(scheme, useOf(name), environment, findings),
      ]),
    ),
    ...(common.length > 0 && { common }),
    ownOf: (operation) => {
      const own = requirements.get(operation) ?? [];
      return keyOf(own) === key ? undefined : own;
    },
  };
}

const keys = new WeakMap<readonly SecurityRequirement[], string>();

/** Requirements compare by content; operations share most of them. */
function keyOf(requirement: readonly SecurityRequirement[]): string {
  const known = keys.get(requirement) ?? JSON.stringify(requirement);
  keys.set(requirement, known);
  return known;
}

/** The first of those that most operations have. */
function mostFrequent(
  requirements: readonly (readonly SecurityRequirement[])[],
): readonly SecurityRequirement[] {
  const counts = new Map<
    string,
    { count: number; readonly requirement: readonly SecurityRequirement[] }
  >();
  for (const requirement of requirements) {
    const known = counts.get(keyOf(requirement));
    if (known) known.count += 1;
    else counts.set(keyOf(requirement), { count: 1, requirement });
  }
  let best: { readonly count: number; readonly requirement: readonly SecurityRequirement[] } = {
    count: 0,
    requirement: [],
  };
  for (const one of counts.values()) if (one.count > best.count) best = one;
  return best.requirement;
}

/**
 * The scopes that operations ask for, by the scheme's name; schemes that no operation names are not
 * there.
 */
function scopesByScheme(
  requirements: readonly (readonly SecurityRequirement[])[],
): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const requirement of new Set(requirements)) {
    for (const alternative of requirement) {
      for (const [name, scopes] of Object.entries(alternative)) {
        const known = found.get(name) ?? new Set();
        for (const scope of scopes) known.add(scope);
        found.set(name, known);
      }
    }
  }
  return found;
}

function reportUnused(model: ApiModel, used: number, findings: Findings): void {
  const names = Object.keys(model.securitySchemes);
  if (names.length === 0 || used > 0) return;
  const list = names
    .slice(0, 5)
    .map((name) => quoteText(name, 40))
    .join(", ");
  findings.add(
    "plan-security-unused",
    `No operation asks for a security scheme (${list}); requests are sent without credentials.`,
    { pointer: "#" },
    "Add `security` to the document if the API needs credentials.",
  );
}
