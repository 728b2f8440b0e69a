import { quoteText } from "../../diagnostics/text.js";
import { type SecurityScheme, usesAuthorizationHeader } from "../../model/security-scheme-kinds.js";
import type { ApiModel, Operation, SecurityRequirement } from "../../model/types.js";
import type { SecuritySchemeDefinition } from "../../runtime/security-schemes.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { Environment } from "../server-names.js";
import { isCredential } from "../inputs/roles.js";
import type { PlanOptions } from "../options.js";
import { assumeRequirement } from "./assumed-requirement.js";
import { issuesToken, withAnonymous } from "./token-operation.js";
import { defineScheme, type SchemeUse } from "./schemes.js";

/** Credentials of the operations of an API. */
export interface SecurityPlan {
  readonly schemes: Readonly<Record<string, SecuritySchemeDefinition>>;
  /** Requirement of most operations. Absent when there is none. */
  readonly defaultRequirement?: readonly SecurityRequirement[];
  /** Requirement of one operation when it differs from the default. */
  readonly overrideOf: (operation: Operation) => readonly SecurityRequirement[] | undefined;
  /** True if the document states nothing for an operation, so that its requirement is not known. */
  readonly isUnstated: (operation: Operation) => boolean;
  /**
   * Likely requirement of such an operation, if it is not the default: that of the operations with
   * its tags.
   */
  readonly likelyOf: (operation: Operation) => readonly SecurityRequirement[] | undefined;
}

/** Plans the security schemes in use and the environment variables of their credentials. */
export function planSecurity(
  model: ApiModel,
  operations: readonly Operation[],
  environment: Environment,
  diagnostics: DiagnosticCollector,
  configuration?: PlanOptions["configuration"],
): SecurityPlan {
  const assumed = assumeRequirement(model, configuration, diagnostics);
  const requirements = new Map(
    operations.map((operation) => {
      const stated =
        operation.security === undefined ? { ...operation, security: assumed } : operation;
      const alternatives = usableAlternatives(stated, model);
      const isPublic = issuesToken(operation, model.schemas);
      return [operation, isPublic ? withAnonymous(alternatives, model) : alternatives];
    }),
  );
  const common = mostFrequent([...requirements.values()]);
  const scopes = scopesByScheme([...requirements.values()]);
  const used = Object.entries(model.securitySchemes).filter(([name]) => scopes.has(name));
  if (configuration?.content.security === undefined) reportUnused(model, used.length, diagnostics);
  const lonely = lonelySchemes([...requirements.values()]);
  const useOf = (name: string): SchemeUse => ({
    name,
    scopes: [...(scopes.get(name) ?? [])],
    isAccompanied: !lonely.has(name),
    isRequired:
      common.length > 0 && common.every((alternative) => Object.hasOwn(alternative, name)),
  });
  const schemes = used.map(
    ([name, scheme]) =>
      [name, defineScheme(scheme, useOf(name), environment, diagnostics)] as const,
  );
  const key = requirementKey(common);
  const isUnstated = (operation: Operation): boolean =>
    operation.security === undefined &&
    configuration?.content.security === undefined &&
    common.length > 0 &&
    requirements.get(operation)?.length === 0 &&
    !issuesToken(operation, model.schemas);
  return {
    schemes: Object.fromEntries(schemes),
    ...(common.length > 0 && { defaultRequirement: common }),
    overrideOf: (operation) => {
      const requirement = requirements.get(operation) ?? [];
      return requirementKey(requirement) === key ? undefined : requirement;
    },
    isUnstated,
    likelyOf: (operation) => {
      if (!isUnstated(operation)) return undefined;
      const ofTags = [...requirements].filter(
        ([other, { length }]) => length > 0 && sharesTag(operation, other),
      );
      const likely = mostFrequent(ofTags.map(([, requirement]) => requirement));
      return likely.length === 0 || requirementKey(likely) === key ? undefined : likely;
    },
  };
}

const sharesTag = ({ tags }: Operation, other: Operation): boolean =>
  tags.some((tag) => other.tags.includes(tag));

const requirementKeys = new WeakMap<readonly SecurityRequirement[], string>();

/** Cached key for comparison by content. Operations share most requirements. */
function requirementKey(requirement: readonly SecurityRequirement[]): string {
  const key = requirementKeys.get(requirement) ?? JSON.stringify(requirement);
  requirementKeys.set(requirement, key);
  return key;
}

interface RequirementCount {
  count: number;
  readonly requirement: readonly SecurityRequirement[];
}

/** The most frequent requirement; the first of several. */
function mostFrequent(
  requirements: readonly (readonly SecurityRequirement[])[],
): readonly SecurityRequirement[] {
  const counts = new Map<string, RequirementCount>();
  for (const requirement of requirements) {
    const entry = counts.get(requirementKey(requirement));
    if (entry) entry.count += 1;
    else counts.set(requirementKey(requirement), { count: 1, requirement });
  }
  let best: RequirementCount = { count: 0, requirement: [] };
  for (const count of counts.values()) if (count.count > best.count) best = count;
  return best.requirement;
}

/** Scopes that operations require, by scheme. Schemes that no operation names are absent. */
function scopesByScheme(
  requirements: readonly (readonly SecurityRequirement[])[],
): Map<string, Set<string>> {
  const byScheme = new Map<string, Set<string>>();
  for (const requirement of new Set(requirements)) {
    for (const alternative of requirement) {
      for (const [name, scopes] of Object.entries(alternative)) {
        const schemeScopes = byScheme.get(name) ?? new Set();
        for (const scope of scopes) schemeScopes.add(scope);
        byScheme.set(name, schemeScopes);
      }
    }
  }
  return byScheme;
}

/** Schemes that alone satisfy a requirement. */
function lonelySchemes(
  requirements: readonly (readonly SecurityRequirement[])[],
): ReadonlySet<string> {
  const alternatives = [...new Set(requirements)].flat().map((each) => Object.keys(each));
  return new Set(alternatives.filter(({ length }) => length === 1).flat());
}

function reportUnused(model: ApiModel, used: number, diagnostics: DiagnosticCollector): void {
  const names = Object.keys(model.securitySchemes);
  if (names.length === 0 || used > 0) return;
  const list = names
    .slice(0, 5)
    .map((name) => quoteText(name, 40))
    .join(", ");
  diagnostics.add(
    "plan-security-unused",
    `No operation requires a security scheme (${list}). Requests are sent without credentials.`,
    { pointer: "#" },
    "Add `security` to the document if the API needs credentials.",
  );
}

/**
 * Alternatives of an operation's security requirement, best first. The model knows all their
 * schemes. Empty when no credentials are needed.
 */
function usableAlternatives(operation: Operation, model: ApiModel): readonly SecurityRequirement[] {
  const alternatives = deprecatedLast(operation.security ?? [], model);
  const split = alternatives.flatMap((candidate) => splitByAuthorization(candidate, model));
  return addRequiredKeys(split, operation, model);
}

/**
 * Moves alternatives with deprecated schemes to the end (OpenAPI 3.2: "Consumers SHOULD refrain
 * from usage").
 */
function deprecatedLast(
  alternatives: readonly SecurityRequirement[],
  { securitySchemes }: ApiModel,
): readonly SecurityRequirement[] {
  const isDeprecated = (alternative: SecurityRequirement): boolean =>
    Object.keys(alternative).some((name) => securitySchemes[name]?.deprecated === true);
  if (alternatives.length < 2 || !alternatives.some(isDeprecated)) return alternatives;
  return [
    ...alternatives.filter((candidate) => !isDeprecated(candidate)),
    ...alternatives.filter(isDeprecated),
  ];
}

/** Schemes of a requirement that use the `Authorization` header. */
function authorizationHeaderSchemes(
  requirement: SecurityRequirement,
  { securitySchemes }: ApiModel,
): readonly string[] {
  return Object.keys(requirement).filter((name) => {
    const scheme = securitySchemes[name];
    return scheme !== undefined && usesAuthorizationHeader(scheme);
  });
}

/**
 * Splits a requirement with two schemes for the `Authorization` header into alternatives, because a
 * request has only one.
 */
function splitByAuthorization(
  requirement: SecurityRequirement,
  model: ApiModel,
): readonly SecurityRequirement[] {
  const rivals = authorizationHeaderSchemes(requirement, model);
  if (rivals.length < 2) return [requirement];
  const others = Object.entries(requirement).filter(([name]) => !rivals.includes(name));
  return rivals.map((name) => Object.fromEntries([[name, requirement[name] ?? []], ...others]));
}

/**
 * Adds the keys that an operation requires as parameters to every alternative. Documents that
 * declare two keys as alternatives and require both as parameters need both.
 */
function addRequiredKeys(
  alternatives: readonly SecurityRequirement[],
  { parameters }: Operation,
  model: ApiModel,
): readonly SecurityRequirement[] {
  if (alternatives.length < 2) return alternatives;
  const names = [...new Set(alternatives.flatMap((alternative) => Object.keys(alternative)))];
  const required = names.filter((name) =>
    parameters.some(
      (parameter) =>
        parameter.required &&
        isCredential(model.securitySchemes[name] as SecurityScheme, parameter.in, parameter.name),
    ),
  );
  if (required.length === 0) return alternatives;
  const keyed = alternatives.map((alternative) => ({
    ...Object.fromEntries(required.map((name) => [name, []])),
    ...alternative,
  }));
  return keyed.filter(
    (alternative, i) =>
      keyed.findIndex((candidate) =>
        Object.keys(candidate).every((name) => Object.hasOwn(alternative, name)),
      ) === i,
  );
}
