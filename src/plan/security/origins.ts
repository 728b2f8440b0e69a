/** Origins of requests: those that receive credentials, and operations at others. */
import { canParseUrl } from "../../runtime/data/urls.js";
import { quoteText } from "../../diagnostics/text.js";
import type { Operation, Server } from "../../model/types.js";
import type { ApiDefinition, ServerDefinition } from "../../runtime/api-definition.js";
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

/** Origin of a server with the defaults of its variables. */
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

/** Reports operations whose requests get no credentials, because their server has another origin. */
export function reportForeignOrigins(
  api: ApiDefinition,
  security: SecurityPlan,
  { operations, options, diagnostics }: OriginsContext,
): void {
  if (options.baseUrl !== undefined) return;
  const trusted = trustedOrigins(api);
  const byOrigin = new Map<string, Operation[]>();
  for (const operation of operations) {
    const origin = serverOrigin(operation);
    if (origin === undefined || trusted.includes(origin)) continue;
    if (!sendsCredentials(operation, api, security)) continue;
    byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), operation]);
  }
  for (const [origin, found] of byOrigin) reportForeignOrigin(origin, found, trusted, diagnostics);
}

/** True if a request would carry a credential at the origin of the API. */
function sendsCredentials(
  operation: Operation,
  { security: common = [], headers = {}, secretParameters = [] }: ApiDefinition,
  security: SecurityPlan,
): boolean {
  const requirement = security.overrideOf(operation) ?? common;
  const hasSecretHeader = Object.values(headers).some((source) => typeof source !== "string");
  return requirement.length > 0 || hasSecretHeader || secretParameters.length > 0;
}

function reportForeignOrigin(
  origin: string,
  operations: readonly Operation[],
  trusted: readonly string[],
  diagnostics: DiagnosticCollector,
): void {
  const names = operations.map(({ method, path }) => quoteText(`${method} ${path}`, 80));
  const others = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  const of = trusted.length > 0 ? ` (${trusted.join(", ")})` : "";
  const noun = names.length === 1 ? "The server of" : "The servers of";
  const verb = names.length === 1 ? "is" : "are";
  diagnostics.add(
    "plan-foreign-origin",
    `${noun} ${names.slice(0, MAX_NAMED).join(", ")}${others} ${verb} at ${origin}, not at the origin ` +
      `of the API${of}. Credentials are not sent there.`,
    operations[0]?.location,
    `If that host may have them, add \`hosts: [${origin}]\` to mcp-gen.yaml.`,
  );
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
