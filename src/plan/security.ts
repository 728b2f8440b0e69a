import { oneLine, quoteText } from "../diagnostics/clean.js";
import type { ApiModel, Operation, SecurityRequirement, SecurityScheme } from "../model/types.js";
import type { SecuritySchemeDefinition } from "../runtime/types.js";
import { flatten } from "./describe/markdown.js";
import { fit } from "./describe/sentences.js";
import type { Environment } from "./env.js";
import type { Findings } from "./findings.js";
import { wordsOf } from "./name/words.js";
import { isCredential } from "./inputs/role.js";
import { isCallable } from "./servers.js";

/** How the operations of an API get their credentials. */
export interface SecurityPlan {
  readonly schemes: Readonly<Record<string, SecuritySchemeDefinition>>;
  /** The requirement that most operations have. Absent: none. */
  readonly common?: readonly SecurityRequirement[];
  /** The requirement of one operation when it is not the common one. */
  readonly ownOf: (operation: Operation) => readonly SecurityRequirement[] | undefined;
}

/** Plans the schemes that some operations use, and the variables that hold their credentials. */
export function planSecurity(model: ApiModel, operations: readonly Operation[], environment: Environment, findings: Findings): SecurityPlan {
  const requirements = new Map(operations.map((operation) => [operation, usable(operation, model, findings)]));
  const common = mostFrequent([...requirements.values()]);
  const scopes = scopesByScheme([...requirements.values()]);
  const used = Object.entries(model.securitySchemes).filter(([name]) => scopes.has(name));
  reportUnused(model, used.length, findings);
  const needed = (name: string): boolean => common.length > 0 && common.every((alternative) => Object.hasOwn(alternative, name));
  const define = ([name, scheme]: [string, SecurityScheme]): [string, SecuritySchemeDefinition] => [name, defineScheme(name, scheme, [...(scopes.get(name) ?? [])], needed(name), environment, findings)];
  const key = keyOf(common);
  return {
    schemes: Object.fromEntries(used.map(define)),
    ...(common.length > 0 && { common }),
    ownOf: (operation) => {
      const own = requirements.get(operation) ?? [];
      return keyOf(own) === key ? undefined : own;
    },
  };
}

/** Alternatives whose schemes all exist. Nothing declared means nothing needed. */
function usable(operation: Operation, model: ApiModel, findings: Findings): readonly SecurityRequirement[] {
  const known = (alternative: SecurityRequirement): boolean => {
    const missing = Object.keys(alternative).find((name) => !Object.hasOwn(model.securitySchemes, name));
    if (missing !== undefined) findings.add("plan-security-unknown", `The security scheme ${quoteText(missing)} is not defined; this way into the API is left out.`, operation.place);
    return missing === undefined;
  };
  const alternatives = currentFirst((operation.security ?? []).filter(known), model);
  return withRequiredKeys(alternatives.some((one) => authorizing(one, model).length > 1) ? alternatives.flatMap((one) => parted(one, model)) : alternatives, operation, model);
}

/** OpenAPI 3.2: "Consumers SHOULD refrain from usage" of a deprecated scheme, so ways in without one go first. */
function currentFirst(alternatives: readonly SecurityRequirement[], { securitySchemes }: ApiModel): readonly SecurityRequirement[] {
  const isDeprecated = (alternative: SecurityRequirement): boolean => Object.keys(alternative).some((name) => securitySchemes[name]?.deprecated === true);
  if (alternatives.length < 2 || !alternatives.some(isDeprecated)) return alternatives;
  return [...alternatives.filter((one) => !isDeprecated(one)), ...alternatives.filter(isDeprecated)];
}

/** The schemes of a requirement that are sent as the `Authorization` header. */
function authorizing(requirement: SecurityRequirement, { securitySchemes }: ApiModel): readonly string[] {
  return Object.keys(requirement).filter((name) => {
    const scheme = securitySchemes[name];
    return scheme?.kind === "apiKey" ? scheme.in === "header" && scheme.name.toLowerCase() === "authorization" : scheme !== undefined && scheme.kind !== "mutualTLS";
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
 * Documents that name two keys one beside the other (either will do) and require both as parameters mean both: each way in has
 * every key that the operation requires.
 */
function withRequiredKeys(alternatives: readonly SecurityRequirement[], { parameters }: Operation, model: ApiModel): readonly SecurityRequirement[] {
  if (alternatives.length < 2) return alternatives;
  const names = [...new Set(alternatives.flatMap((alternative) => Object.keys(alternative)))];
  const required = names.filter((name) => parameters.some((parameter) => parameter.required && isCredential(model.securitySchemes[name] as SecurityScheme, parameter.in, parameter.name)));
  if (required.length === 0) return alternatives;
  const keyed = alternatives.map((alternative) => ({ ...Object.fromEntries(required.map((name) => [name, []])), ...alternative }));
  return keyed.filter((alternative, i) => keyed.findIndex((other) => Object.keys(other).every((name) => Object.hasOwn(alternative, name))) === i);
}

const keys = new WeakMap<readonly SecurityRequirement[], string>();

/** Requirements compare by content; operations share most of them. */
function keyOf(requirement: readonly SecurityRequirement[]): string {
  const known = keys.get(requirement) ?? JSON.stringify(requirement);
  keys.set(requirement, known);
  return known;
}

function mostFrequent(requirements: readonly (readonly SecurityRequirement[])[]): readonly SecurityRequirement[] {
  const counts = new Map<string, { count: number; readonly requirement: readonly SecurityRequirement[] }>();
  for (const requirement of requirements) {
    const known = counts.get(keyOf(requirement));
    if (known) known.count += 1;
    else counts.set(keyOf(requirement), { count: 1, requirement });
  }
  const best = [...counts.values()].reduce<{ count: number; requirement: readonly SecurityRequirement[] }>((a, b) => (b.count > a.count ? b : a), { count: 0, requirement: [] });
  return best.requirement;
}

function scopesByScheme(requirements: readonly (readonly SecurityRequirement[])[]): Map<string, Set<string>> {
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
  const list = names.slice(0, 5).map((name) => quoteText(name, 40)).join(", ");
  findings.add("plan-security-unused", `No operation asks for a security scheme (${list}); requests are sent without credentials.`, { pointer: "#" }, "Add `security` to the document if the API needs credentials.");
}

function defineScheme(name: string, scheme: SecurityScheme, scopes: readonly string[], needed: boolean, environment: Environment, findings: Findings): SecuritySchemeDefinition {
  const add = (suffix: string, what: string, required = needed, secret = true): string =>
    environment.add([suffix, qualified(name, suffix)], { description: about(what, name, scheme), required, secret });
  switch (scheme.kind) {
    case "apiKey":
      return { kind: "apiKey", in: scheme.in, name: scheme.name, env: add("api key", `API key, sent as the ${scheme.in === "query" ? "query parameter" : scheme.in} ${oneLine(scheme.name)}`) };
    case "mutualTLS":
      return { kind: "mutualTLS", certEnv: add("client cert", "Path of the client certificate (PEM)", needed, false), keyEnv: add("client key", "Path of the client certificate's private key (PEM)", needed, false) };
    case "openIdConnect":
      return isAbsolute(scheme.url) && isEndpoint(scheme.url)
        ? defineOAuth({ tokenEnv: add("token", "Access token (OpenID Connect)", false), endpoint: { discoveryUrl: scheme.url }, refreshes: true, scopes, add })
        : { kind: "oauth2", tokenEnv: add("token", "Access token (OpenID Connect)"), ...(scopes.length > 0 && { scopes }) };
    case "oauth2":
      return defineFlows(scheme, { scopes, needed, add });
    case "http":
      return defineHttp(name, scheme.scheme, add, findings);
  }
}

type Add = (suffix: string, what: string, required?: boolean, secret?: boolean) => string;

function defineHttp(name: string, scheme: string, add: Add, findings: Findings): SecuritySchemeDefinition {
  const lower = scheme.toLowerCase();
  if (lower === "basic") return { kind: "basic", usernameEnv: add("username", "User name", undefined, false), passwordEnv: add("password", "Password") };
  if (lower === "bearer") return { kind: "bearer", env: add("token", "Bearer token") };
  if (lower === "digest" || lower === "hoba" || lower === "negotiate" || lower === "mutual" || lower === "vapid" || lower.startsWith("scram")) {
    findings.add("plan-security-scheme", `The HTTP authentication scheme ${quoteText(scheme)} of ${quoteText(name)} needs a dialogue with the API; only fixed credentials can be sent.`, { pointer: "#" });
  }
  return { kind: "http", scheme, env: add("credentials", `Credentials of the HTTP authentication scheme ${oneLine(scheme)}, without the scheme name`) };
}

interface Given {
  readonly scopes: readonly string[];
  readonly add: Add;
}

/** A token can always be given; a flow with a token endpoint can also get one, or refresh it. */
function defineFlows({ flows, metadataUrl }: OAuthScheme, { needed, ...given }: Given & { readonly needed: boolean }): SecuritySchemeDefinition {
  const machine = flows.find((flow) => flow.flow === "clientCredentials" && isEndpoint(flow.tokenUrl));
  const user = flows.find((flow) => flow.flow !== "clientCredentials" && (isEndpoint(flow.refreshUrl) || isEndpoint(flow.tokenUrl)));
  const tokenUrl = machine?.tokenUrl ?? (isEndpoint(user?.refreshUrl) ? user?.refreshUrl : user?.tokenUrl);
  const discoveryUrl = metadataUrl !== undefined && isAbsolute(metadataUrl) && isEndpoint(metadataUrl) ? metadataUrl : undefined;
  const endpoint = tokenUrl !== undefined ? { tokenUrl } : discoveryUrl !== undefined ? { discoveryUrl } : undefined;
  const tokenEnv = given.add("token", "Access token (OAuth 2.0)", needed && endpoint === undefined);
  if (endpoint === undefined) return { kind: "oauth2", tokenEnv, ...(given.scopes.length > 0 && { scopes: given.scopes }) };
  return defineOAuth({ tokenEnv, endpoint, refreshes: user !== undefined || "discoveryUrl" in endpoint, ...given });
}

type OAuthScheme = Extract<SecurityScheme, { kind: "oauth2" }>;

interface Obtainable extends Given {
  readonly tokenEnv: string;
  readonly endpoint: { readonly tokenUrl: string } | { readonly discoveryUrl: string };
  /** There may be a refresh token. */
  readonly refreshes: boolean;
}

function defineOAuth({ tokenEnv, endpoint, refreshes, scopes, add }: Obtainable): SecuritySchemeDefinition {
  const where = "tokenUrl" in endpoint ? "the document's" : "the one that the metadata name";
  return {
    kind: "oauth2",
    tokenEnv,
    clientIdEnv: add("client id", "OAuth 2.0 client ID, to get access tokens with", false, false),
    clientSecretEnv: add("client secret", "OAuth 2.0 client secret", false),
    ...(refreshes && { refreshTokenEnv: add("refresh token", "OAuth 2.0 refresh token", false) }),
    ...endpoint,
    tokenUrlEnv: add("token url", `Token endpoint, instead of ${where}`, false, false),
    tokenParametersEnv: add("token parameters", "More fields of token requests, such as audience=https://api.example.com", false, false),
    ...(scopes.length > 0 && { scopes }),
  };
}

function isAbsolute(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(url);
}

/** Credentials go nowhere but to `https:`, or to this machine. What is relative is at the API's own address; the runtime looks at it. */
function isEndpoint(url: string | undefined): boolean {
  if (url === undefined || url === "" || url.includes("{")) return false;
  if (!isAbsolute(url)) return true;
  return isCallable({ url }) && (/^https:/i.test(url) || /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/]|$)/i.test(url));
}

/** `<scheme> token`, without saying token twice. */
function qualified(name: string, suffix: string): string {
  const words = wordsOf(name);
  const own = suffix.split(" ").filter((word) => !words.includes(word));
  return [...words, ...own].join(" ") || suffix;
}

function about(what: string, name: string, scheme: SecurityScheme): string {
  const text = fit(flatten(scheme.description ?? ""), 160, false);
  const said = text === "" ? `${what} (${oneLine(name)}).` : `${what} (${oneLine(name)}): ${text}`;
  return scheme.deprecated ? `${said} Deprecated.` : said;
}
