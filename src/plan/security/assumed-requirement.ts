import type { Configuration } from "../../configuration/types.js";
import { suggestionFor } from "../../diagnostics/index.js";
import { quoteText } from "../../diagnostics/text.js";
import type { ApiModel, SecurityRequirement } from "../../model/types.js";
import type { ApiDefinition } from "../../runtime/api-definition.js";
import type { SecuritySchemeDefinition } from "../../runtime/security-schemes.js";
import { documentedOptions } from "../../runtime/auth/requirements.js";
import type { DiagnosticCollector } from "../diagnostics.js";

/** Configuration of a run: its content, and the locations of its keys. */
type ConfigurationSource = Pick<Configuration, "content" | "locationOf">;

/**
 * Share of operations without a stated requirement from which on a document counts as incomplete.
 * Fewer such operations are public, such as a login.
 */
const INCOMPLETE_SHARE = 0.25;

/**
 * Requirement of operations without `security`, in a document without `security` at its root: the
 * one of `mcp-gen.yaml`, else, if the document declares schemes and many operations state nothing,
 * the usual credentials, if they are configured.
 */
export function assumeRequirement(
  model: ApiModel,
  configuration: ConfigurationSource | undefined,
  diagnostics: DiagnosticCollector,
): readonly SecurityRequirement[] {
  const { operations, securitySchemes } = model;
  const unstated = operations.filter(({ security }) => security === undefined).length;
  const hasSchemes = Object.keys(securitySchemes).length > 0;
  const isIncomplete =
    hasSchemes && unstated >= operations.length * INCOMPLETE_SHARE && unstated > 0;
  if (configuration?.content.security !== undefined) {
    const configured = configuredRequirement(model, configuration, diagnostics);
    if (unstated === 0 || (configuration.content.security.length === 0 && !isIncomplete))
      reportIneffective(unstated, configuration, diagnostics);
    return configured;
  }
  if (!isIncomplete) return [];
  const usual = usualRequirement(model);
  diagnostics.add(
    "plan-security-assumed",
    `${unstated} of ${operations.length} operations state no \`security\`, and neither does the ` +
      `document. Their requests carry ${describeSchemes(usual)}, if configured.`,
    { pointer: "#" },
    `Add \`security: ${JSON.stringify(usual)}\` (or \`security: []\` for none) to ` +
      "mcp-gen.yaml, or to the root of the document with an overlay.",
  );
  return [...usual, {}];
}

/** Reports `security` in mcp-gen.yaml that changes no operation. */
function reportIneffective(
  unstated: number,
  { locationOf }: ConfigurationSource,
  diagnostics: DiagnosticCollector,
): void {
  const reason =
    unstated === 0
      ? "The document states the requirement of every operation"
      : "Operations without a stated requirement are called without credentials anyway";
  diagnostics.add(
    "config-ineffective",
    `\`security\` changes nothing. ${reason}.`,
    locationOf(["security"]),
    "Remove it. To call an API that needs no credentials, set <PREFIX>_AUTH=none for the server, " +
      "or change the document with an overlay.",
  );
}

/** The requirement of `mcp-gen.yaml`. Undeclared schemes are errors. */
function configuredRequirement(
  { securitySchemes }: ApiModel,
  { content, locationOf }: ConfigurationSource,
  diagnostics: DiagnosticCollector,
): readonly SecurityRequirement[] {
  const declared = Object.keys(securitySchemes);
  return (content.security ?? []).filter((alternative, index) => {
    const unknown = Object.keys(alternative).filter((name) => !declared.includes(name));
    for (const name of unknown)
      diagnostics.add(
        "config-invalid-value",
        `The document declares no security scheme ${quoteText(name)}${suggestionFor(name, declared) || "."}`,
        locationOf(["security", index, name]),
      );
    return unknown.length === 0;
  });
}

/** The most frequent requirement of other operations, without scopes; else any declared scheme. */
function usualRequirement({
  operations,
  securitySchemes,
}: ApiModel): readonly SecurityRequirement[] {
  const counts = new Map<string, number>();
  for (const { security = [] } of operations) {
    const names = security.map((alternative) => Object.keys(alternative));
    const usable = names.filter(
      (set) => set.length > 0 && set.every((name) => Object.hasOwn(securitySchemes, name)),
    );
    const key = JSON.stringify(usable);
    if (usable.length > 0) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [best] = [...counts].sort(([, a], [, b]) => b - a);
  const sets: readonly (readonly string[])[] = best
    ? JSON.parse(best[0])
    : Object.keys(securitySchemes).map((name) => [name]);
  return sets.map((names) => Object.fromEntries(names.map((name) => [name, []])));
}

function describeSchemes(requirements: readonly SecurityRequirement[]): string {
  return requirements
    .slice(0, 5)
    .map((alternative) =>
      Object.keys(alternative)
        .map((name) => quoteText(name, 40))
        .join(" and "),
    )
    .join(" or ");
}

/** Maximum number of alternatives that are listed. */
const MAX_ALTERNATIVES = 6;

/**
 * Describes the alternative sets of variables that satisfy the default security requirement.
 * @returns `SHOP_TOKEN, or SHOP_USER and SHOP_PASSWORD`; undefined without a choice, and if calls
 *   work without credentials
 */
export function describeCredentialChoice(api: CredentialSource): string | undefined {
  const texts = credentialAlternatives(api).map((variables) => variables.join(" and "));
  if (texts.length === 0) return undefined;
  return texts.join(texts.some((text) => text.includes(" ")) ? ", or " : " or ");
}

type CredentialSource = Pick<ApiDefinition, "security" | "securitySchemes">;

/**
 * Lists the alternative sets of variables that satisfy the default security requirement. That of a
 * sign-in is `SHOP_CLIENT_ID (then login)`.
 * @returns nothing without a choice, and if calls work without credentials
 */
export function credentialAlternatives({
  security = [],
  securitySchemes,
}: CredentialSource): readonly (readonly string[])[] {
  const sets = security.flatMap((requirement) =>
    combine(
      Object.keys(requirement).flatMap((name) => {
        const scheme = Object.hasOwn(securitySchemes, name) ? securitySchemes[name] : undefined;
        return scheme ? [optionsOf(scheme)] : [];
      }),
    ),
  );
  const distinct = [...new Map(sets.map((set) => [set.join(), set])).values()];
  if (distinct.length < 2 || distinct.some(({ length }) => length === 0)) return [];
  return distinct.slice(0, MAX_ALTERNATIVES);
}

/** Combines one option of each scheme, in every way. */
function combine(schemes: readonly (readonly (readonly string[])[])[]): readonly string[][] {
  return schemes.reduce<readonly string[][]>(
    (sets, options) =>
      sets
        .flatMap((set) => options.map((option) => [...new Set([...set, ...option])]))
        .slice(0, MAX_ALTERNATIVES),
    [[]],
  );
}

/** The options that the runtime proposes, and the sign-in of users where the scheme has one. */
function optionsOf(scheme: SecuritySchemeDefinition): readonly (readonly string[])[] {
  const [token = [], ...others] = documentedOptions(scheme);
  const canSignIn = scheme.kind === "oauth2" && scheme.signIn && scheme.clientIdEnv !== undefined;
  return [token, ...(canSignIn ? [[`${scheme.clientIdEnv} (then login)`]] : []), ...others];
}
