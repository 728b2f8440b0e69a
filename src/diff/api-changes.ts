/** Changes of where the requests and credentials of an API go. */
import { omitUndefined } from "../json.js";
import { API, otherApi } from "./api-name.js";
import { inlineCode } from "./inline-code.js";
import { difference, needsCredentials, requirementChange } from "./requirements.js";
import { type ApiChange, schemeChanges } from "./scheme-changes.js";
import { equalJson } from "./schema/schema-version.js";
import { inlineUrl, serverChange } from "./servers.js";
import type { Change, Lock, LockedApi, LockedVariable } from "./types.js";

/** True if both locks record where requests and credentials go. */
export function comparesApis(was: Lock, now: Lock): boolean {
  return was.api !== undefined && now.api !== undefined;
}

/** Compares the APIs of two locks, without the requirements of calls. */
export function apiChanges(was: Lock, now: Lock): readonly Change[] {
  if (!was.api || !now.api) return [];
  const before = was.otherApis ?? {};
  return [
    ...changesOfApi(API, was.api, now.api),
    ...Object.entries(now.otherApis ?? {}).flatMap(([name, api]) =>
      Object.hasOwn(before, name)
        ? changesOfApi(otherApi(name), before[name]!, api)
        : changesOfApi(otherApi(name), {}, api, isOnlyOfNewTools(name, was, now)),
    ),
  ];
}

/** True if only tools that are new call the API: then it changes nothing for present callers. */
function isOnlyOfNewTools(name: string, was: Lock, now: Lock): boolean {
  const known = new Set(was.tools.map((tool) => tool.name));
  const callers = now.tools.filter((tool) => tool.requests?.some(({ api }) => api === name));
  return callers.length > 0 && callers.every((tool) => !known.has(tool.name));
}

function changesOfApi(
  tool: string,
  was: LockedApi,
  now: LockedApi,
  isAdditive = false,
): readonly Change[] {
  return [
    ...serverChanges(was, now),
    ...hostChanges(was, now),
    ...valueChanges(was, now),
    ...headerChanges(was, now),
    ...parameterChanges(was, now),
    ...schemeChanges(was, now),
  ].map((change) => ({ class: isAdditive ? "additive" : "breaking", tool, ...change }));
}

/** True if requests of an API carry something secret. */
export function hasCredentials({ security = [], headers, parameters }: LockedApi): boolean {
  return needsCredentials(security) || headers !== undefined || parameters !== undefined;
}

function serverChanges(was: LockedApi, now: LockedApi): readonly ApiChange[] {
  const change = serverChange(
    { template: was.server, api: was },
    { template: now.server, api: now },
    {
      requests: "Requests",
      credentials: hasCredentials(was) || hasCredentials(now) ? "Credentials" : "Requests",
    },
  );
  return change ? [omitUndefined({ kind: "server", where: "server", ...change })] : [];
}

function hostChanges(
  { hosts: was = [] }: LockedApi,
  { hosts: now = [] }: LockedApi,
): readonly ApiChange[] {
  const change = (host: string, adverb: string): ApiChange => ({
    kind: "server",
    where: "hosts",
    message: `Credentials may ${adverb} go to ${inlineUrl(host)}.`,
    was,
    now,
  });
  return [
    ...difference(now, was).map((host) => change(host, "now also")),
    ...difference(was, now).map((host) => change(host, "no longer")),
  ];
}

/** Values that a variable of a URL accepts. A new value has to be chosen by the user. */
function valueChanges(
  { variables: was = {} }: LockedApi,
  { variables: now = {} }: LockedApi,
): readonly (ApiChange & { readonly class?: "additive" })[] {
  return Object.entries(now).flatMap(([name, variable]) =>
    Object.hasOwn(was, name) ? changesOfVariable(name, was[name]!, variable) : [],
  );
}

function changesOfVariable(
  name: string,
  { enum: was }: LockedVariable,
  { enum: now }: LockedVariable,
): readonly (ApiChange & { readonly class?: "additive" })[] {
  const where = `variables.${name}`;
  const about = { kind: "values", where, was, now } as const;
  const code = inlineCode(name);
  const list = (values: readonly string[]): string =>
    values.map((value) => inlineCode(value)).join(", ");
  if (now === undefined)
    return was
      ? [omitUndefined({ ...about, class: "additive", message: `${code} accepts any value.` })]
      : [];
  if (was === undefined)
    return [omitUndefined({ ...about, message: `${code} now accepts only ${list(now)}.` })];
  const [added, removed] = [difference(now, was), difference(was, now)];
  return [
    ...(removed.length > 0
      ? [{ ...about, message: `${code} no longer accepts ${list(removed)}.` }]
      : []),
    ...(added.length > 0
      ? [{ ...about, class: "additive" as const, message: `${code} also accepts ${list(added)}.` }]
      : []),
  ];
}

function headerChanges(
  { headers: was = {} }: LockedApi,
  { headers: now = {} }: LockedApi,
): readonly ApiChange[] {
  return parameterChanges(
    { parameters: headerPlaces(was) },
    { parameters: headerPlaces(now) },
    "headers",
  );
}

function headerPlaces(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, readonly string[]>> {
  const byVariable = new Map<string, string[]>();
  for (const [name, variable] of Object.entries(headers))
    byVariable.set(variable, [...(byVariable.get(variable) ?? []), `header ${name}`]);
  return Object.fromEntries(byVariable);
}

/** Variables that are sent in a parameter or header. */
function parameterChanges(
  { parameters: was = {} }: LockedApi,
  { parameters: now = {} }: LockedApi,
  where = "parameters",
): readonly ApiChange[] {
  const variables = [...new Set([...Object.keys(was), ...Object.keys(now)])].sort();
  return variables.flatMap((variable): readonly ApiChange[] => {
    const before = Object.hasOwn(was, variable) ? was[variable]! : [];
    const after = Object.hasOwn(now, variable) ? now[variable]! : [];
    if (equalJson(before, after)) return [];
    const places = (list: readonly string[]): string => list.map((p) => inlineCode(p)).join(", ");
    const clauses = [
      ...(difference(after, before).length > 0
        ? [`is now sent as ${places(difference(after, before))}`]
        : []),
      ...(difference(before, after).length > 0
        ? [`is no longer sent as ${places(difference(before, after))}`]
        : []),
    ];
    const message = `${inlineCode(variable)} ${clauses.join(", and ")}.`;
    return [
      { kind: "credential", where: `${where}.${variable}`, message, was: before, now: after },
    ];
  });
}

/** The change of the requirement that most requests of an API have. */
export function defaultRequirementChange(
  tool: string,
  { security: was = [] }: LockedApi,
  { security: now = [] }: LockedApi,
): readonly Change[] {
  const message = requirementChange(was, now, "Calls");
  return message === undefined
    ? []
    : [{ class: "breaking", kind: "security", tool, where: "security", message, was, now }];
}
