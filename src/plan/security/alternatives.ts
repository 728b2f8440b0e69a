import { quoteText } from "../../diagnostics/clean.js";
import type {
  ApiModel,
  Operation,
  SecurityRequirement,
  SecurityScheme,
} from "../../model/types.js";
import type { Findings } from "../findings.js";
import { isCredential } from "../inputs/role.js";

/**
 * The ways into the API that an operation has, the best first: those whose schemes all exist.
 * Nothing declared means nothing needed.
 */
export function alternativesOf(
  operation: Operation,
  model: ApiModel,
  findings: Findings,
): readonly SecurityRequirement[] {
  const known = (alternative: SecurityRequirement): boolean => {
    const missing = Object.keys(alternative).find(
      (name) => !Object.hasOwn(model.securitySchemes, name),
    );
    if (missing !== undefined)
      findings.add(
        "plan-security-unknown",
        `The security scheme ${quoteText(missing)} is not defined; this way into the API is left out.`,
        operation.place,
      );
    return missing === undefined;
  };
  const alternatives = currentFirst((operation.security ?? []).filter(known), model);
  return withRequiredKeys(
    alternatives.some((one) => authorizing(one, model).length > 1)
      ? alternatives.flatMap((one) => parted(one, model))
      : alternatives,
    operation,
    model,
  );
}

/**
 * OpenAPI 3.2: "Consumers SHOULD refrain from usage" of a deprecated scheme, so ways in without one
 * go first.
 */
function currentFirst(
  alternatives: readonly SecurityRequirement[],
  { securitySchemes }: ApiModel,
): readonly SecurityRequirement[] {
  const isDeprecated = (alternative: SecurityRequirement): boolean =>
    Object.keys(alternative).some((name) => securitySchemes[name]?.deprecated === true);
  if (alternatives.length < 2 || !alternatives.some(isDeprecated)) return alternatives;
  return [
    ...alternatives.filter((one) => !isDeprecated(one)),
    ...alternatives.filter(isDeprecated),
  ];
}

/** The schemes of a requirement that are sent as the `Authorization` header. */
function authorizing(
  requirement: SecurityRequirement,
  { securitySchemes }: ApiModel,
): readonly string[] {
  return Object.keys(requirement).filter((name) => {
    const scheme = securitySchemes[name];
    return scheme?.kind === "apiKey"
      ? scheme.in === "header" && scheme.name.toLowerCase() === "authorization"
      : scheme !== undefined && scheme.kind !== "mutualTLS";
  });
}

/** Two schemes cannot have the one header at once, whatever a document says: either will do. */
function parted(requirement: SecurityRequirement, model: ApiModel): readonly SecurityRequirement[] {
  const rivals = authorizing(requirement, model);
  if (rivals.length < 2) return [requirement];
  const others = Object.entries(requirement).filter(([name]) => !rivals.includes(name));
  return rivals.map((name) => Object.fromEntries([[name, requirement[name] ?? []], ...others]));
}

/**
 * Documents that name two keys one beside the other (either will do) and require both as parameters
 * mean both: each way in has every key that the operation requires.
 */
function withRequiredKeys(
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
      keyed.findIndex((other) =>
        Object.keys(other).every((name) => Object.hasOwn(alternative, name)),
      ) === i,
  );
}
