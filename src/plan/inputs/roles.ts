import { sequence } from "../../language/patterns.js";
import { type JsonSchema, typesOf } from "../../json.js";
import type { SecurityScheme } from "../../model/security-scheme-kinds.js";
import { rulesOf, type SecuritySchemeDefinition } from "../../runtime/security-schemes.js";
import type { JsonValue } from "../../runtime/types.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import type { InputCandidate, InputRole } from "./candidates.js";
import { FROM_ENVIRONMENT, serverHeaderRole } from "./server-headers.js";
import { repeatedCredentialRole, sameValueRole, streamRole } from "./inferred-roles.js";
import { protocolRole, versionRole } from "./protocol-roles.js";
import type { RoleContext, IsAuthenticated } from "./role-context.js";

/** Decides the role of a value: an input, a constant, a credential, or excluded. */
export function decideRole(
  candidate: InputCandidate,
  context: RoleContext,
  isAuthenticated: IsAuthenticated,
): InputRole {
  const configured = context.configuredRole?.(candidate);
  if (configured?.kind === "input" && inferredRole(candidate, context, isAuthenticated))
    context.shownInputs?.add(candidate.wireName);
  const role =
    configured ??
    serverHeaderRole(candidate, context) ??
    credentialRole(candidate, context, isAuthenticated) ??
    bearerTokenRole(candidate, context, isAuthenticated) ??
    additionalKeyRole(candidate, context, isAuthenticated);
  if (role) return role;
  const inferred = inferredRole(candidate, context, isAuthenticated);
  if (inferred) return { ...inferred, isInferred: true };
  return (
    idempotencyKeyRole(candidate, context) ?? constantRole(candidate, context) ?? { kind: "input" }
  );
}

/** Role of a value that the document does not fix. `mcp-gen.yaml` can make it an input. */
function inferredRole(
  candidate: InputCandidate,
  context: RoleContext,
  isAuthenticated: IsAuthenticated,
): InputRole | undefined {
  return (
    repeatedCredentialRole(candidate, context, isAuthenticated) ??
    context.undeclaredKeyRole?.(candidate) ??
    protocolRole(candidate, context.schemas) ??
    streamRole(candidate, context) ??
    versionRole(candidate, context.version, context.schemas) ??
    sameValueRole(candidate, context)
  );
}

/**
 * A parameter that repeats an API key. It is sent from the environment when the operation does not
 * require that scheme.
 */
function credentialRole(
  { in: location, wireName, required }: InputCandidate,
  { securitySchemes }: RoleContext,
  isAuthenticated: IsAuthenticated,
): InputRole | undefined {
  for (const name in securitySchemes) {
    const scheme = securitySchemes[name] as SecuritySchemeDefinition;
    if (scheme.kind !== "apiKey" || !isCredential(scheme, location, wireName)) continue;
    return isAuthenticated(name)
      ? { kind: "excluded", reason: FROM_ENVIRONMENT }
      : { kind: "env", env: scheme.env, required };
  }
  return undefined;
}

const TOKEN_NAME = /^(?:(?:access|auth|oauth|api|bearer)[-_]?)?token$/i;
const TOKEN_TEXT =
  /\b(?:authentication|authorization|access|auth|oauth ?(?:2(?:\.0)?)?|api|bearer) token\b/i;

/** Texts about a token that the operation acts on, such as RFC 7009 and RFC 7662 define. */
const TOKEN_AS_SUBJECT = sequence(
  /\b(?:revok|introspect|invalidat)|\brefresh token\b|/i,
  /\btoken (?:to(?: be)?|being) (?:verif|validat|check|inspect|decod|exchang|delet|test)\w*(?= *[.,;]|$)/,
);

/**
 * The access token as a parameter. The header already carries it, so it is repeated only where the
 * document requires it, because URLs are logged. A field of single bodies is what its operation
 * acts on, such as the token of a sign-in.
 */
function bearerTokenRole(
  { in: location, wireName, description = "", required, schema }: InputCandidate,
  { schemas, securitySchemes, usage }: RoleContext,
  isAuthenticated: IsAuthenticated,
): InputRole | undefined {
  if (
    location === "path" ||
    (location === "body" && usage?.isCommon(location, wireName) === false) ||
    !TOKEN_NAME.test(wireName) ||
    !TOKEN_TEXT.test(description.slice(0, 80)) ||
    TOKEN_AS_SUBJECT.test(description) ||
    typesOf(resolveSchema(schemas, schema))[0] !== "string"
  )
    return undefined;
  for (const name in securitySchemes) {
    const scheme = securitySchemes[name] as SecuritySchemeDefinition;
    const env = isAuthenticated(name) ? tokenVariable(scheme) : undefined;
    if (env === undefined) continue;
    return location === "query" && !required
      ? { kind: "excluded", reason: FROM_ENVIRONMENT }
      : { kind: "env", env, required: false };
  }
  return undefined;
}

/** Environment variable of a scheme's access token. */
function tokenVariable(scheme: SecuritySchemeDefinition): string | undefined {
  const { isToken, options } = rulesOf(scheme);
  return isToken ? options(scheme)[0]?.[0] : undefined;
}

/** An optional API key in addition to other credentials. */
function additionalKeyRole(
  { in: location, wireName, description, required }: InputCandidate,
  { securitySchemes }: RoleContext,
  isAuthenticated: IsAuthenticated,
): InputRole | undefined {
  if (
    required ||
    location !== "query" ||
    !/^(?:api[-_]?)?key$/i.test(wireName) ||
    !/^(?:an? |the |your )?api key\b/i.test((description ?? "").trimStart())
  )
    return undefined;
  return Object.keys(securitySchemes).some(isAuthenticated)
    ? { kind: "excluded", reason: FROM_ENVIRONMENT }
    : undefined;
}

/** True if a security scheme sends this parameter. */
export function isCredential(
  scheme: SecuritySchemeDefinition | SecurityScheme,
  location: string,
  wireName: string,
): boolean {
  if (scheme.kind !== "apiKey" || scheme.in !== location) return false;
  return location === "header"
    ? scheme.name.toLowerCase() === wireName.toLowerCase()
    : scheme.name === wireName;
}

/** Idempotency keys: generated per call, and the same for its retries. */
function idempotencyKeyRole(
  { in: location, wireName, schema, isInOptionalBody }: InputCandidate,
  { schemas }: RoleContext,
): InputRole | undefined {
  if (
    location === "path" ||
    location === "querystring" ||
    isInOptionalBody ||
    !/^(x[-_]?)?idempotency[-_]?(key|token|id)$/i.test(wireName)
  )
    return undefined;
  return acceptsUuid(schema, schemas) ? { kind: "generated" } : undefined;
}

/** A required value that allows one value only. */
function constantRole(
  { schema, required, isInOptionalBody, isWholeBody }: InputCandidate,
  { schemas }: RoleContext,
): InputRole | undefined {
  if (!required || isInOptionalBody || isWholeBody) return undefined;
  const target = resolveSchema(schemas, schema);
  const values = "const" in target ? [target.const] : target.enum;
  if (!Array.isArray(values) || values.length !== 1 || values[0] === undefined) return undefined;
  return { kind: "constant", value: values[0] as JsonValue };
}

/** True when a UUID satisfies the schema. */
function acceptsUuid(schema: JsonSchema, schemas: Schemas): boolean {
  const target = resolveSchema(schemas, schema);
  const types = typesOf(target);
  return (
    (types.length === 0 || types.includes("string")) &&
    (target.maxLength ?? 36) >= 36 &&
    target.pattern === undefined &&
    target.enum === undefined
  );
}
