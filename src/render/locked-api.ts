/** The parts of the lock that decide where requests and credentials go. */
import { omitUndefined } from "../json.js";
import type { PlannedTool, PlannedWorkflow, ToolPlan } from "../plan/types.js";
import type { ApiDefinition, ServerDefinition } from "../runtime/api-definition.js";
import type { SecuritySchemeDefinition } from "../runtime/security-schemes.js";
import type { ParameterSource, RequestMapping } from "../runtime/types.js";

/** A plan without the parts that the lock does not record. */
export type LockedPlan = Pick<ToolPlan, "api" | "otherApis" | "tools" | "workflows">;

/**
 * Base URL, credentials and their places of the document's API, and of the other APIs that
 * workflows call. Sorted by name, so that the order of a document changes nothing.
 */
export function lockedApis({ api, otherApis = [], tools, workflows = [] }: LockedPlan): {
  readonly api: object;
  readonly otherApis?: Readonly<Record<string, object>>;
} {
  const steps = workflows.flatMap((workflow) => workflow.steps);
  const requestsOf = (name: string | undefined): readonly RequestMapping[] =>
    steps.flatMap((step) =>
      step.api === name && step.definition.request ? [step.definition.request] : [],
    );
  const sentTo = (name: string | undefined): readonly RequestMapping[] =>
    tools
      .filter(({ definition }) => definition.api === name)
      .flatMap(({ definition }) => definition.operations.map(({ request }) => request));
  const others = [...otherApis].sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    api: lockedApi(api, [...sentTo(undefined), ...requestsOf(undefined)]),
    ...(others.length > 0 && {
      otherApis: Object.fromEntries(
        others.map(({ name, definition }) => [
          name,
          lockedApi(definition, [...sentTo(name), ...requestsOf(name)]),
        ]),
      ),
    }),
  };
}

function lockedApi(
  { servers, hosts = [], securitySchemes, security, headers = {} }: ApiDefinition,
  requests: readonly RequestMapping[],
): object {
  const called = [servers[0], ...requests.map((request) => request.servers?.[0])];
  return omitUndefined({
    server: servers[0] && lockedUrl(servers[0]),
    variables: nonEmpty(serverVariables(called.filter((server) => server !== undefined))),
    hosts: nonEmpty([...hosts].sort()),
    headers: nonEmpty(sorted(environmentHeaders(headers))),
    parameters: nonEmpty(environmentParameters(requests)),
    securitySchemes: nonEmpty(
      sorted(Object.entries(securitySchemes).map(([name, scheme]) => [name, lockedScheme(scheme)])),
    ),
    security: security && security.length > 0 ? security : undefined,
  });
}

/**
 * URL of a server, with the environment variables of its parts: `https://{CLINIC_REGION}.example`.
 * The other servers of a list are never called.
 */
function lockedUrl({ url, variables = {} }: ServerDefinition): string {
  return url.replace(/\{([^{}]*)\}/g, (expression, name: string) =>
    Object.hasOwn(variables, name) ? `{${variables[name]!.env}}` : expression,
  );
}

/** Defaults and values of the variables in URLs, by environment variable. */
function serverVariables(servers: readonly ServerDefinition[]): Readonly<Record<string, object>> {
  return sorted(
    servers.flatMap(({ variables = {} }) =>
      Object.values(variables).map(({ env, ...value }) => [env, value] as const),
    ),
  );
}

function environmentHeaders(
  headers: NonNullable<ApiDefinition["headers"]>,
): readonly (readonly [string, string])[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "object" && "env" in value ? [[name, value.env] as const] : [],
  );
}

/** Parameters that environment variables set, such as `query api_key`, by variable. */
function environmentParameters(
  requests: readonly RequestMapping[],
): Readonly<Record<string, readonly string[]>> {
  const places = new Map<string, Set<string>>();
  for (const { pathParams, query, headers, cookies, body } of requests)
    for (const [place, sources] of Object.entries({
      ...{ path: pathParams, query, header: headers, cookie: cookies },
      body: body?.fields,
    }))
      for (const [name, source] of [...Object.entries(sources ?? {}), ...innerSources(place, body)])
        addPlace(places, source, `${place} ${[...around(place, body), name].join(".")}`);
  return sorted([...places].map(([env, names]) => [env, [...names].sort()]));
}

/** Names of the objects around the fields of a body. */
const around = (place: string, body: RequestMapping["body"]): readonly string[] =>
  place === "body" ? (body?.envelope ?? []) : [];

/** Fields inside a body that the server sets, by path. */
function innerSources(
  place: string,
  body: RequestMapping["body"],
): readonly (readonly [string, ParameterSource])[] {
  if (place !== "body") return [];
  return (body?.innerFields ?? []).flatMap(({ path, source }) =>
    source ? [[path.join("."), source] as const] : [],
  );
}

function addPlace(places: Map<string, Set<string>>, source: ParameterSource, place: string): void {
  const env = variableOf(source);
  if (env !== undefined) places.set(env, (places.get(env) ?? new Set()).add(place));
}

/** Environment variable of a source, or of its default. */
function variableOf(source: ParameterSource): string | undefined {
  if (typeof source === "string") return undefined;
  return "env" in source ? source.env : "from" in source ? source.defaultEnv : undefined;
}

/** A scheme: its kind, the place of its credentials, its endpoints, scopes and variables. */
function lockedScheme(scheme: SecuritySchemeDefinition): object {
  const { kind, ...members } = scheme;
  const variables = Object.entries(members).filter(([key]) => /^env$|Env$/.test(key));
  const named = Object.fromEntries(variables);
  const others = Object.entries(members).filter(
    ([key]) => !Object.hasOwn(named, key) && key !== "withoutClientGrant" && key !== "scopes",
  );
  const scopes = "scopes" in scheme ? [...(scheme.scopes ?? [])].sort() : [];
  return {
    kind,
    ...Object.fromEntries(others),
    ...(scopes.length > 0 && { scopes }),
    variables: variables.map(([, variable]) => variable),
  };
}

/** A request that differs from those of its API. */
interface LockedRequest {
  readonly operation: string;
  readonly api?: string;
  readonly server?: string;
  readonly security?: RequestMapping["security"];
}

/**
 * The requests of a tool that go to a server of their own or to another API, or that need other
 * credentials than most. Undefined if there are none.
 */
export function lockedRequests({
  definition,
  operations,
  workflow,
}: PlannedTool): readonly LockedRequest[] | undefined {
  const requests = workflow
    ? reachableSteps(workflow).flatMap(({ api, definition: { request } }) =>
        request ? [lockedRequest(request, api)] : [],
      )
    : definition.operations.map(({ request }) => lockedRequest(request, definition.api));
  const names = operations.map(({ method, path }) => `${method} ${path}`);
  const distinct = new Map(
    requests
      .filter(({ operation, ...others }) => names.includes(operation) && !isEmpty(others))
      .map((request) => [`${request.api ?? ""} ${request.operation}`, request] as const),
  );
  return distinct.size === 0 ? undefined : [...distinct.values()];
}

function lockedRequest(
  { method, path, servers, security }: RequestMapping,
  api?: string,
): LockedRequest {
  return omitUndefined({
    operation: `${method} ${path}`,
    api,
    server: servers?.[0] && lockedUrl(servers[0]),
    security,
  });
}

/** Steps of a workflow and of those that it may run. */
function reachableSteps(
  workflow: PlannedWorkflow,
  seen = new Set<PlannedWorkflow>(),
): PlannedWorkflow["steps"] {
  if (seen.has(workflow)) return [];
  seen.add(workflow);
  const called = workflow.steps.flatMap(({ calledWorkflow, onSuccess, onFailure }) =>
    [calledWorkflow, ...[...onSuccess, ...onFailure].map((action) => action.calledWorkflow)].filter(
      (target) => target !== undefined,
    ),
  );
  const others = [...workflow.prerequisites, ...called];
  return [...workflow.steps, ...others.flatMap((other) => reachableSteps(other, seen))];
}

function sorted<T>(entries: Iterable<readonly [string, T]>): Readonly<Record<string, T>> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function nonEmpty<T extends object>(value: T): T | undefined {
  return isEmpty(value) ? undefined : value;
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;
