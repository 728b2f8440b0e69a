/** Changes of security schemes: places, endpoints, scopes and variables of credentials. */
import { omitUndefined } from "../json.js";
import { labelOf } from "../runtime/security-schemes.js";
import { inlineCode } from "./inline-code.js";
import { difference } from "./requirements.js";
import { equalJson } from "./schema/schema-version.js";
import { inlineUrl } from "./servers.js";
import type { Change, LockedApi, LockedScheme } from "./types.js";

/** A change of an API, without the name of the API. All of them are breaking. */
export type ApiChange = Omit<Change, "tool" | "class">;

/**
 * Compares the schemes of two APIs. A removed scheme is not reported: the tools that needed it
 * need other credentials, or are removed.
 */
export function schemeChanges(was: LockedApi, now: LockedApi): readonly ApiChange[] {
  const before = was.securitySchemes ?? {};
  return Object.entries(now.securitySchemes ?? {}).flatMap(([name, scheme]) =>
    Object.hasOwn(before, name)
      ? changesOfScheme(name, before[name]!, scheme)
      : [addition(name, scheme)],
  );
}

function addition(name: string, scheme: LockedScheme): ApiChange {
  const targets = endpoints.flatMap(({ read, sentence }) => {
    const url = read(scheme);
    return url === undefined ? [] : [` ${sentence(inlineCode(name), "")} ${inlineUrl(url)}.`];
  });
  return {
    kind: "credential",
    where: `securitySchemes.${name}`,
    message:
      `Credentials were added: ${inlineCode(name)}, ${describeScheme(scheme)}, ` +
      `from ${variableList(scheme.variables)}.${[...new Set(targets)].join("")}`,
    now: scheme,
  };
}

function changesOfScheme(name: string, was: LockedScheme, now: LockedScheme): readonly ApiChange[] {
  return [
    ...placeChanges(name, was, now),
    ...endpointChanges(name, was, now),
    ...scopeChanges(name, was, now),
    ...variableChanges(name, was, now),
  ];
}

function placeChanges(name: string, was: LockedScheme, now: LockedScheme): readonly ApiChange[] {
  const [before, after] = [describeScheme(was), describeScheme(now)];
  if (before === after) return [];
  return [
    {
      kind: "credential",
      where: `securitySchemes.${name}`,
      message: `${inlineCode(name)} is now ${after} instead of ${before}.`,
      was,
      now,
    },
  ];
}

/** Locks of other versions may have other kinds. */
function describeScheme({ kind, in: place, name, scheme }: LockedScheme): string {
  const label = labelOf(kind) ?? `of the kind ${inlineCode(kind)}`;
  const noun = place === "query" ? "query parameter" : (place ?? "header");
  if (name !== undefined) return `${label} in the ${noun} ${inlineCode(name)}`;
  return scheme === undefined ? label : `${label} ${inlineCode(scheme)}`;
}

/** Endpoints of a scheme, and the start of a sentence about each. */
const endpoints: readonly {
  readonly path: string;
  readonly read: (scheme: LockedScheme) => string | undefined;
  /** @param adverb `now ` or `no longer ` */
  readonly sentence: (name: string, adverb: string) => string;
}[] = [
  {
    path: "tokenUrl",
    read: ({ tokenUrl }) => tokenUrl,
    sentence: (name, adverb) => `Client secrets and refresh tokens of ${name} ${adverb}go to`,
  },
  {
    path: "discoveryUrl",
    read: ({ discoveryUrl }) => discoveryUrl,
    sentence: (name, adverb) => `The token endpoint of ${name} is ${adverb}read from`,
  },
  {
    path: "signIn.authorizationUrl",
    read: ({ signIn }) => signIn?.["authorizationUrl"],
    sentence: (name, adverb) => `Users of ${name} ${adverb}sign in at`,
  },
  {
    path: "signIn.deviceUrl",
    read: ({ signIn }) => signIn?.["deviceUrl"],
    sentence: (name, adverb) => `Device codes of ${name} are ${adverb}requested at`,
  },
  {
    path: "signIn.tokenUrl",
    read: ({ signIn }) => signIn?.["tokenUrl"],
    sentence: (name, adverb) => `Authorization codes of ${name} ${adverb}go to`,
  },
  {
    path: "signIn.metadataUrl",
    read: ({ signIn }) => signIn?.["metadataUrl"],
    sentence: (name, adverb) => `The endpoints for signing in to ${name} are ${adverb}read from`,
  },
];

function endpointChanges(name: string, was: LockedScheme, now: LockedScheme): readonly ApiChange[] {
  return endpoints.flatMap(({ path, read, sentence }): readonly ApiChange[] => {
    const [before, after] = [read(was), read(now)];
    if (before === after) return [];
    const code = inlineCode(name);
    const message =
      after === undefined
        ? `${sentence(code, "no longer ")} ${inlineUrl(before ?? "")}.`
        : `${sentence(code, "now ")} ${inlineUrl(after)}` +
          `${before === undefined ? "" : ` instead of ${inlineUrl(before)}`}.`;
    return [
      omitUndefined({
        kind: "endpoint",
        where: `securitySchemes.${name}.${path}`,
        message,
        was: before,
        now: after,
      }),
    ];
  });
}

function scopeChanges(
  name: string,
  { scopes: was = [] }: LockedScheme,
  { scopes: now = [] }: LockedScheme,
): readonly ApiChange[] {
  const [added, removed] = [difference(now, was), difference(was, now)];
  if (added.length + removed.length === 0) return [];
  const clauses = [
    ...(added.length > 0 ? [`now ask for ${scopeList(added)}`] : []),
    ...(removed.length > 0 ? [`no longer ask for ${scopeList(removed)}`] : []),
  ];
  return [
    {
      kind: "scope",
      where: `securitySchemes.${name}.scopes`,
      message: `Token requests of ${inlineCode(name)} ${clauses.join(", and ")}.`,
      was,
      now,
    },
  ];
}

function scopeList(scopes: readonly string[]): string {
  return `the ${scopes.length === 1 ? "scope" : "scopes"} ${scopes.map((scope) => inlineCode(scope)).join(", ")}`;
}

function variableChanges(
  name: string,
  { variables: was }: LockedScheme,
  { variables: now }: LockedScheme,
): readonly ApiChange[] {
  if (equalJson([...was].sort(), [...now].sort())) return [];
  const added = difference(now, was);
  const removed = difference(was, now);
  const clauses = [
    ...(added.length > 0 ? [`now read from ${variableList(added)}`] : []),
    ...(removed.length > 0 ? [`no longer read from ${variableList(removed)}`] : []),
  ];
  return [
    {
      kind: "credential",
      where: `securitySchemes.${name}.variables`,
      message: `${inlineCode(name)} is ${clauses.join(", and ")}.`,
      was,
      now,
    },
  ];
}

function variableList(variables: readonly string[]): string {
  return variables.map((variable) => inlineCode(variable)).join(", ");
}
