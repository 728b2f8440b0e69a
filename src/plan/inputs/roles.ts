import { type JsonSchema, typesOf } from "../../json.js";
import type { SecurityScheme } from "../../model/types.js";
import type { SecuritySchemeDefinition } from "../../runtime/api-definition.js";
import type { JsonValue } from "../../runtime/types.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import { matchesSchema } from "../schemas/values.js";
import type { HiddenInputs, InputCandidate, InputRole } from "./candidates.js";
import { FROM_ENVIRONMENT, serverHeaderRole } from "./server-headers.js";
import {
  type InputUsage,
  repeatedCredentialRole,
  sameValueRole,
  streamRole,
} from "./inferred-roles.js";

/** Context in which a candidate gets its role. */
export interface RoleContext {
  readonly schemas: Schemas;
  readonly securitySchemes: Readonly<Record<string, SecuritySchemeDefinition>>;
  /** Version of the API. */
  readonly version?: string;
  /** Headers of every request, from mcp-gen.yaml, in lower case. */
  readonly configuredHeaders?: ReadonlySet<string>;
  /** Role from mcp-gen.yaml, for every occurrence of a parameter. */
  readonly configuredRole?: (candidate: InputCandidate) => InputRole | undefined;
  /** Role of API keys without a security scheme. */
  readonly undeclaredKeyRole?: (candidate: InputCandidate) => InputRole | undefined;
  readonly usage?: InputUsage;
  readonly hiddenInputs?: HiddenInputs;
}

/** True when a request carries the credentials of a scheme. */
export type IsAuthenticated = (scheme: string) => boolean;

/** Decides the role of a value: an input, a constant, a credential, or excluded. */
export function decideRole(
  candidate: InputCandidate,
  context: RoleContext,
  isAuthenticated: IsAuthenticated,
): InputRole {
  const role =
    context.configuredRole?.(candidate) ??
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

/**
 * The access token as a parameter. The header already carries it, so it is repeated only where the
 * document requires it, because URLs are logged.
 */
function bearerTokenRole(
  { in: location, wireName, description, required, schema }: InputCandidate,
  { schemas, securitySchemes }: RoleContext,
  isAuthenticated: IsAuthenticated,
): InputRole | undefined {
  if (
    location === "path" ||
    !TOKEN_NAME.test(wireName) ||
    !TOKEN_TEXT.test((description ?? "").slice(0, 80)) ||
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
  if (scheme.kind === "oauth2") return scheme.tokenEnv;
  return scheme.kind === "bearer" ? scheme.env : undefined;
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

/** Headers of signed requests. The signer of the request chooses them together. */
const SIGNING_HEADER = new RegExp(
  "^x-(?:amz|goog|oss|cos|obs|tos|bce)-" +
    "(?:content-sha256|date|algorithm|credential|security-token|signature|signed-?headers)$",
  "i",
);

/** Parameters of the protocol, which carry no choice for a model. */
function protocolRole(candidate: InputCandidate, schemas: Schemas): InputRole | undefined {
  if (candidate.in === "header") return signingRole(candidate);
  if (candidate.in === "path") return formatRole(candidate, schemas);
  if (candidate.required || (candidate.in !== "query" && candidate.in !== "body")) return undefined;
  const jsonp = jsonpRole(candidate);
  if (jsonp || candidate.in !== "query") return jsonp;
  return systemParameterRole(candidate) ?? formatRole(candidate, schemas);
}

function signingRole({ wireName, required }: InputCandidate): InputRole | undefined {
  return !required && SIGNING_HEADER.test(wireName)
    ? { kind: "excluded", reason: "it belongs to the signature of a request" }
    : undefined;
}

function jsonpRole({ wireName, description = "" }: InputCandidate): InputRole | undefined {
  return /^(?:callback|jsonp)$/i.test(wireName) && /jsonp/i.test(description)
    ? { kind: "excluded", reason: "the server reads JSON, not scripts" }
    : undefined;
}

/**
 * Parameters that every method of a platform has, recognized by name and text, because the names
 * are ambiguous.
 */
const SYSTEM_PARAMETERS: readonly (readonly [name: RegExp, text: RegExp, why: string])[] = [
  [
    /^pretty(?:_?print)?$/i,
    /^$|pretty[- ]?print|indent|human[- ]readable|white ?space/i,
    "it changes white space only",
  ],
  [/^\$?\.?xgafv$/, /error format/i, "the server reads errors of any format"],
  [/^upload_?(?:type|protocol)$/i, /upload protocol/i, "it belongs to the transport"],
  [/^quota_?user$|^user_?ip$/i, /\bquota|per-user limits/i, "it counts against quotas only"],
];

function systemParameterRole({
  wireName,
  description = "",
}: InputCandidate): InputRole | undefined {
  const why = SYSTEM_PARAMETERS.find(
    ([name, text]) => name.test(wireName) && text.test(description),
  )?.[2];
  return why === undefined ? undefined : { kind: "excluded", reason: why };
}

const FORMAT_NAME = /^(?:alt|f|fmt|output|_?format|\$format|(?:output|response|return)_?format)$/i;
/**
 * Serializations of the same data. CSV and PDF are not among them, because callers may need them.
 */
const SERIALIZATION_FORMAT =
  /^(?:json|jsonp|geojsonp|xml|ya?ml|proto|protobuf|media|javascript|js|php)$/i;

/** Parameters that select the serialization. The server reads JSON. */
function formatRole(
  { wireName, schema, required, description = "" }: InputCandidate,
  schemas: Schemas,
): InputRole | undefined {
  if (!FORMAT_NAME.test(wireName)) return undefined;
  const target = resolveSchema(schemas, schema);
  const values = target.enum ?? formatsInText(description);
  if (
    values.length === 0 ||
    !values.every((value) => typeof value === "string" && SERIALIZATION_FORMAT.test(value))
  )
    return undefined;
  const json = values.map(String).find((value) => /^json$/i.test(value));
  if (json === undefined) return undefined;
  const why = "the server reads JSON";
  const isDefault =
    !required &&
    (schema.default === json ||
      target.default === json ||
      /^data format for response\.?$/i.test(description));
  return isDefault
    ? { kind: "excluded", reason: why }
    : { kind: "constant", value: json, reason: why };
}

/** `Output format: json, jsonp, xml`, without further text. */
function formatsInText(text: string): readonly string[] {
  const list =
    /^(?:the )?(?:output|response|return|data) format:? \(?([\w ,|/]{4,60})\)?\.?$/i.exec(
      text.trim(),
    )?.[1];
  return list?.split(/\s*(?:[,|/]|\bor\b)\s*/) ?? [];
}

const DATE_VERSION = /^\d{4}-\d\d-\d\d(?:-[a-z]+\d*)?$/i;
const NUMBER_VERSION = /^\d+\.\d+$/;

/**
 * `api-version` without a value. The document describes one version when that is a date or a plain
 * number.
 */
function versionRole(
  { in: location, wireName, schema, required }: InputCandidate,
  version: string | undefined,
  schemas: Schemas,
): InputRole | undefined {
  if (
    (location !== "query" && location !== "header") ||
    !/^(?:x[-_])?api[-_]?version$/i.test(wireName)
  )
    return undefined;
  const target = resolveSchema(schemas, schema);
  const hasValue = target.enum !== undefined || (schema.default ?? target.default) !== undefined;
  if (!required || version === undefined || hasValue) return undefined;
  if (!DATE_VERSION.test(version) && !NUMBER_VERSION.test(version)) return undefined;
  return matchesSchema(version, schema, schemas)
    ? { kind: "constant", value: version, reason: "it is the version that the document describes" }
    : undefined;
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
