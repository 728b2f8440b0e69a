/** Names whose values inputs must not set: constants, variables and credentials of a request. */
import type { ApiDefinition } from "../api-definition.js";
import { ownProperty } from "../data/values.js";
import { rulesOf } from "../security-schemes.js";
import type { ParameterSource, RequestMapping } from "../types.js";

/** Pinned names of one location, as receivers compare them. */
type PinnedNames = ReadonlySet<string>;

/** Pinned names by location. */
export interface PinnedRequest {
  readonly query: PinnedNames;
  readonly header: PinnedNames;
  readonly cookie: PinnedNames;
  /** Fields of the body. */
  readonly field: PinnedNames;
}

const cache = new WeakMap<RequestMapping, PinnedRequest>();

/**
 * Collects the pinned names of a request: constants, values of the environment, generated values,
 * and the credentials of its security schemes.
 */
export function pinnedNamesOf(mapping: RequestMapping, api: ApiDefinition): PinnedRequest {
  const known = cache.get(mapping);
  if (known) return known;
  const credentials = (mapping.security ?? api.security ?? []).flatMap((requirement) =>
    Object.keys(requirement).flatMap((name) =>
      credentialOf(ownProperty(api.securitySchemes, name)),
    ),
  );
  const namesOf = (
    location: string,
    sources: Readonly<Record<string, ParameterSource>> = {},
  ): PinnedNames =>
    new Set([
      ...Object.entries(sources).flatMap(fixedNames),
      ...credentials.flatMap((credential) =>
        credential.in === location ? [comparableName(credential.name)] : [],
      ),
    ]);
  const pinned = {
    query: namesOf("query", mapping.query),
    header: new Set([
      ...Object.keys(api.headers ?? {}).map(comparableName),
      ...namesOf("header", mapping.headers),
    ]),
    cookie: namesOf("cookie", mapping.cookies),
    field: namesOf("field", mapping.body?.fields),
  };
  cache.set(mapping, pinned);
  return pinned;
}

function credentialOf(
  scheme: ApiDefinition["securitySchemes"][string] | undefined,
): readonly { readonly in: string; readonly name: string }[] {
  const place = scheme && rulesOf(scheme).place(scheme);
  return place ? [place] : [];
}

/** True for a source whose value does not come from an input. */
export function isPinned(source: ParameterSource): boolean {
  return typeof source !== "string" && !("from" in source);
}

/** Names that a pinned source may take: its own, and those of the members of a constant. */
function fixedNames([name, source]: readonly [string, ParameterSource]): readonly string[] {
  if (!isPinned(source)) return [];
  const value = typeof source === "object" && "value" in source ? source.value : undefined;
  const members = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return [name, ...(Array.isArray(value) ? [] : members)].map(comparableName);
}

/**
 * Reports pinned names that an input would add to a request. Receivers compare names differently:
 * without case, with `_` for a dot or a space, up to a bracket or a null byte. The declared name of
 * a parameter is compared as it is.
 */
export function rejectPinnedNames(
  names: readonly string[],
  pinned: PinnedNames,
  parameter: { readonly name: string; reportProblem(problem: string): void },
): void {
  if (pinned.size === 0) return;
  const name = names.find((candidate) =>
    candidate === parameter.name
      ? pinned.has(candidate.toLowerCase())
      : isPinnedName(candidate, pinned),
  );
  if (name !== undefined)
    parameter.reportProblem(
      `would send ${JSON.stringify(name)} again, which this server sets; leave it out`,
    );
}

function isPinnedName(name: string, pinned: PinnedNames): boolean {
  const comparable = comparableName(name);
  if (pinned.has(comparable)) return true;
  // `a[]`, `a[0]` and `a[b]` are values of `a` for many receivers.
  const bracket = comparable.indexOf("[");
  return bracket > 0 && pinned.has(comparable.slice(0, bracket));
}

/** True if receivers may take one name for the other. */
export function isSameName(name: string, other: string): boolean {
  return comparableName(name) === comparableName(other);
}

function comparableName(name: string): string {
  // oxlint-disable-next-line no-control-regex
  return name
    .replace(/\0.*$/s, "")
    .trim()
    .toLowerCase()
    .replace(/[\s.+]/g, "_");
}

/** Decoded names of encoded pairs. Some receivers separate pairs at `;`, too. */
export function namesIn(pairs: readonly string[]): readonly string[] {
  return pairs
    .flatMap((pair) => pair.split(/[&;]/))
    .flatMap((pair) => [...new URLSearchParams(pair).keys()]);
}
