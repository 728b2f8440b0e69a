import type { SecurityScheme } from "../../model/types.js";
import type { JsonValue, SecuritySchemeDefinition } from "../../runtime/types.js";
import { resolve, typesOf, type Schemas } from "../schema/refs.js";
import type { Candidate, Role } from "./candidate.js";
import { protocolRole, versionRole } from "./protocol.js";
import { takesUuid } from "./uuid.js";

/** Headers that the server writes by itself, or that are not a model's to choose. */
const OWN_HEADERS: Readonly<Record<string, string>> = {
  accept: "the server asks for what it can read",
  "content-type": "it follows from the body",
  "user-agent": "the server says who it is",
  authorization: "credentials come from the environment",
  "proxy-authorization": "credentials come from the environment",
  cookie: "cookies are parameters of their own",
  host: "it follows from the URL",
  "content-length": "it follows from the body",
  "transfer-encoding": "it follows from the body",
  connection: "it is the transport's",
};

/** What decides whether a candidate is a tool's input. */
export interface RoleContext {
  readonly schemas: Schemas;
  readonly securitySchemes: Readonly<Record<string, SecuritySchemeDefinition>>;
  /** Of the document. */
  readonly version?: string;
  /** What people decided about a parameter wherever it occurs. */
  readonly curated?: (candidate: Candidate) => Role | undefined;
  /** Keys that no security scheme of the document declares. */
  readonly undeclaredKey?: (candidate: Candidate) => Role | undefined;
}

/** Whether a request carries the credentials of a scheme already. */
export type IsAuthenticated = (scheme: string) => boolean;

/**
 * Decides what a value of the request is: an input, something fixed, or nothing of a model's
 * business.
 */
export function roleOf(
  candidate: Candidate,
  context: RoleContext,
  isAuthenticated: IsAuthenticated,
): Role {
  return (
    context.curated?.(candidate) ??
    ownHeader(candidate) ??
    credential(candidate, context, isAuthenticated) ??
    bearerToken(candidate, context, isAuthenticated) ??
    keyBesides(candidate, context, isAuthenticated) ??
    context.undeclaredKey?.(candidate) ??
    protocolRole(candidate, context.schemas) ??
    versionRole(candidate, context.version, context.schemas) ??
    idempotencyKey(candidate, context) ??
    constant(candidate, context) ?? { kind: "input" }
  );
}

function ownHeader({ place, wireName }: Candidate): Role | undefined {
  const name = wireName.toLowerCase();
  if (place !== "header" || !Object.hasOwn(OWN_HEADERS, name)) return undefined;
  return { kind: "none", why: OWN_HEADERS[name] as string };
}

/**
 * A parameter that repeats an API key. When the operation does not ask for that key, the key is
 * sent as the parameter.
 */
function credential(
  { place, wireName, required }: Candidate,
  { securitySchemes }: RoleContext,
  isAuthenticated: IsAuthenticated,
): Role | undefined {
  for (const name in securitySchemes) {
    const scheme = securitySchemes[name] as SecuritySchemeDefinition;
    if (isCredential(scheme, place, wireName) && scheme.kind === "apiKey")
      return isAuthenticated(name)
        ? { kind: "none", why: "credentials come from the environment" }
        : { kind: "env", env: scheme.env, required };
  }
  return undefined;
}

const TOKEN_NAME = /^(?:(?:access|auth|oauth|api|bearer)[-_]?)?token$/i;
const TOKEN_TEXT =
  /\b(?:authentication|authorization|access|auth|oauth ?(?:2(?:\.0)?)?|api|bearer) token\b/i;

/**
 * The access token again, as a parameter: a model is never asked for one. The header carries it; it
 * is repeated where the document has it, in a URL (which logs keep) only where the document
 * insists.
 */
function bearerToken(
  { place, wireName, description, required, schema }: Candidate,
  { schemas, securitySchemes }: RoleContext,
  isAuthenticated: IsAuthenticated,
): Role | undefined {
  if (
    place === "path" ||
    !TOKEN_NAME.test(wireName) ||
    !TOKEN_TEXT.test((description ?? "").slice(0, 80)) ||
    typesOf(resolve(schemas, schema))[0] !== "string"
  )
    return undefined;
  for (const name in securitySchemes) {
    const scheme = securitySchemes[name] as SecuritySchemeDefinition;
    const env = !isAuthenticated(name)
      ? undefined
      : scheme.kind === "oauth2"
        ? scheme.tokenEnv
        : scheme.kind === "bearer"
          ? scheme.env
          : undefined;
    if (env !== undefined)
      return place === "query" && !required
        ? { kind: "none", why: "credentials come from the environment" }
        : { kind: "env", env, required: false };
  }
  return undefined;
}

/** An API key that may be sent besides the credentials which are: nothing to ask a model for. */
function keyBesides(
  { place, wireName, description, required }: Candidate,
  { securitySchemes }: RoleContext,
  isAuthenticated: IsAuthenticated,
): Role | undefined {
  if (
    required ||
    place !== "query" ||
    !/^(?:api[-_]?)?key$/i.test(wireName) ||
    !/^(?:an? |the |your )?api key\b/i.test((description ?? "").trimStart())
  )
    return undefined;
  return Object.keys(securitySchemes).some(isAuthenticated)
    ? { kind: "none", why: "credentials come from the environment" }
    : undefined;
}

/** Whether a parameter is what a security scheme sends. */
export function isCredential(
  scheme: SecuritySchemeDefinition | SecurityScheme,
  place: string,
  wireName: string,
): boolean {
  if (scheme.kind !== "apiKey" || scheme.in !== place) return false;
  return place === "header"
    ? scheme.name.toLowerCase() === wireName.toLowerCase()
    : scheme.name === wireName;
}

/** A new key for every call, the same for its retries: nothing that a model should invent. */
function idempotencyKey(
  { place, wireName, schema, optionalBody }: Candidate,
  { schemas }: RoleContext,
): Role | undefined {
  if (
    place === "path" ||
    place === "querystring" ||
    optionalBody ||
    !/^(x[-_]?)?idempotency[-_]?(key|token|id)$/i.test(wireName)
  )
    return undefined;
  return takesUuid(schema, schemas) ? { kind: "generated" } : undefined;
}

/** A required value with no choice is no question. */
function constant(
  { schema, required, optionalBody, whole }: Candidate,
  { schemas }: RoleContext,
): Role | undefined {
  if (!required || optionalBody || whole) return undefined;
  const target = resolve(schemas, schema);
  const values = "const" in target ? [target.const] : target.enum;
  if (!Array.isArray(values) || values.length !== 1 || values[0] === undefined) return undefined;
  return { kind: "constant", value: values[0] as JsonValue };
}
