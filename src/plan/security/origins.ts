/** Origins of requests: those that receive credentials, and operations at others. */
import { canParseUrl } from "../../runtime/data/urls.js";
import { quoteText } from "../../diagnostics/text.js";
import type { Operation, Server } from "../../model/types.js";
import type { ApiDefinition, ServerDefinition } from "../../runtime/api-definition.js";
import { mayHoldCredential } from "../../runtime/request/origins.js";
import { namedSources, secretSources } from "../../runtime/request/parameter-source.js";
import type { ParameterSource, RequestMapping } from "../../runtime/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { PlanOptions } from "../options.js";
import { isCallableServer } from "../servers.js";
import type { SecurityPlan } from "./index.js";

/** The parts of the plan that decide where requests go. */
interface OriginsContext {
  readonly servers: readonly ServerDefinition[];
  readonly operations: readonly Operation[];
  readonly options: PlanOptions;
  readonly diagnostics: DiagnosticCollector;
}

/**
 * Origins that receive credentials in addition to that of the base URL: those of `mcp-gen.yaml`. In
 * a document whose servers are all at its operations, their only origin is that of the API.
 */
export function planHosts(context: OriginsContext): readonly string[] | undefined {
  const { servers, operations, options } = context;
  const own = servers.length > 0 ? [] : onlyOrigin(operations, options);
  const hosts = [...new Set([...own, ...configuredHosts(context)])];
  return hosts.length > 0 ? hosts : undefined;
}

function configuredHosts({ options, diagnostics }: OriginsContext): readonly string[] {
  const { content, locationOf } = options.configuration ?? {};
  return (content?.hosts ?? []).flatMap((host, index) => {
    const url = /^https?:\/\//i.test(host) ? host : `https://${host}`;
    if (canParseUrl(url)) return [new URL(url).origin];
    diagnostics.add(
      "config-invalid-value",
      `${quoteText(host)} is not a host, such as https://uploads.example.com.`,
      locationOf?.(["hosts", index]),
    );
    return [];
  });
}

function onlyOrigin(operations: readonly Operation[], { baseUrl }: PlanOptions): readonly string[] {
  const origins = operations.map((operation) => serverOrigin(operation));
  const [first] = origins;
  const isOnly = first !== undefined && origins.every((origin) => origin === first);
  return isOnly && baseUrl === undefined ? [first] : [];
}

/** Origin of the first server of an operation that can be called; undefined without one. */
function serverOrigin({ servers = [] }: Operation): string | undefined {
  const server = servers.find(isCallableServer);
  return server && originOf(server);
}

function originOf({ url, variables = {} }: Pick<Server, "url"> & Partial<Server>): string {
  const filled = url.replace(
    /\{([^{}]*)\}/g,
    (expression, name: string) => variables[name]?.default ?? expression,
  );
  return new URL(filled).origin;
}

/** Origins that receive credentials, with the defaults of server variables. */
function trustedOrigins({ servers, hosts = [] }: ApiDefinition): readonly string[] {
  return [...servers.slice(0, 1).map(originOf), ...hosts];
}

/** Maximum number of operations that a message names. */
const MAX_NAMED = 3;

/** An operation at another origin, with the constants that it does not send there. */
interface ForeignOperation {
  readonly operation: Operation;
  /** Names of parameters and fields. */
  readonly constants: readonly string[];
}

/**
 * Reports operations whose requests get no credentials, because their server has another origin.
 * @param requests those of all tools and workflows
 */
export function reportForeignOrigins(
  api: ApiDefinition,
  security: SecurityPlan,
  requests: readonly RequestMapping[],
  { operations, options, diagnostics }: OriginsContext,
): void {
  if (options.baseUrl !== undefined) return;
  const trusted = trustedOrigins(api);
  const byOrigin = new Map<string, ForeignOperation[]>();
  for (const operation of operations) {
    const origin = serverOrigin(operation);
    if (origin === undefined || trusted.includes(origin)) continue;
    const own = requests.filter(
      ({ method, path }) => method === operation.method && path === operation.path,
    );
    const constants = [...new Set(own.flatMap(secretSources).map(([name]) => name))];
    const requirement = security.overrideOf(operation) ?? api.security ?? [];
    if (requirement.length === 0 && constants.length === 0 && !sendsCredentials(own, api)) continue;
    byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), { operation, constants }]);
  }
  for (const [origin, found] of byOrigin) reportForeignOrigin(origin, found, trusted, diagnostics);
}

/** True if a request would carry a credential of the configuration at the origin of the API. */
function sendsCredentials(requests: readonly RequestMapping[], api: ApiDefinition): boolean {
  const { headers = {}, secretParameters = [] } = api;
  if (Object.entries(headers).some((header) => mayHoldCredential(header, api))) return true;
  const variables = requests.flatMap((request) => [
    ...namedSources(request).flatMap(([, source]) => variableOf(source)),
    ...Object.values(request.servers?.[0]?.variables ?? {}).map(({ env }) => env),
  ]);
  return variables.some((name) => secretParameters.includes(name));
}

function variableOf(source: ParameterSource): readonly string[] {
  if (typeof source === "string") return [];
  if ("env" in source) return [source.env];
  return "from" in source && source.defaultEnv !== undefined ? [source.defaultEnv] : [];
}

function reportForeignOrigin(
  origin: string,
  found: readonly ForeignOperation[],
  trusted: readonly string[],
  diagnostics: DiagnosticCollector,
): void {
  const operations = found.map(({ operation }) => operation);
  const constants = [...new Set(found.flatMap((one) => one.constants))];
  const names = operations.map(({ method, path }) => quoteText(`${method} ${path}`, 80));
  const others = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  const of = trusted.length > 0 ? ` (${trusted.join(", ")})` : "";
  const noun = names.length === 1 ? "The server of" : "The servers of";
  const verb = names.length === 1 ? "is" : "are";
  diagnostics.add(
    "plan-foreign-origin",
    `${noun} ${names.slice(0, MAX_NAMED).join(", ")}${others} ${verb} at ${origin}, not at the origin ` +
      `of the API${of}. Credentials are not sent there${refusal(constants)}.`,
    operations[0]?.location,
    `If that host may have them, add \`hosts: [${origin}]\` to mcp-gen.yaml` +
      (constants.length > 0 ? "; if it needs none, hide them in these tools." : "."),
  );
}

/** The effect of constants that are credentials, as a clause. */
function refusal(constants: readonly string[]): string {
  if (constants.length === 0) return "";
  const names = constants.slice(0, MAX_NAMED).map((name) => quoteText(name, 40));
  const others = constants.length > MAX_NAMED ? ` and ${constants.length - MAX_NAMED} more` : "";
  return `, and calls with a fixed value of ${names.join(", ")}${others} are refused`;
}

/** Reports token endpoints of another origin, which receive client secrets and refresh tokens. */
export function reportTokenEndpoints(api: ApiDefinition, diagnostics: DiagnosticCollector): void {
  const trusted = trustedOrigins(api);
  for (const [name, origin] of tokenOrigins(api)) {
    if (trusted.includes(origin)) continue;
    diagnostics.add(
      "plan-token-origin",
      `Client secrets and refresh tokens of ${quoteText(name, 40)} are sent to ${origin}, which is ` +
        "not the origin of the API.",
      { pointer: `#/components/securitySchemes` },
      "Check that it is the API's authorization server.",
    );
  }
}

/** Origins of the endpoints that receive client secrets, by scheme. */
export function tokenOrigins({
  securitySchemes,
}: ApiDefinition): readonly (readonly [name: string, origin: string])[] {
  return Object.entries(securitySchemes).flatMap(([name, scheme]) => {
    if (scheme.kind !== "oauth2") return [];
    const { tokenUrl, discoveryUrl, signIn } = scheme;
    const urls = [tokenUrl, discoveryUrl, signIn?.tokenUrl, signIn?.metadataUrl];
    const origins = urls.flatMap((url = "") => (canParseUrl(url) ? [new URL(url).origin] : []));
    return [...new Set(origins)].map((origin) => [name, origin] as const);
  });
}
