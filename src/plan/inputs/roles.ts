import { quoteText } from "../../diagnostics/text.js";
import type { JsonSchema } from "../../json.js";
import type { SecurityScheme } from "../../model/types.js";
import type { JsonValue, SecuritySchemeDefinition } from "../../runtime/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { resolveSchema, type Schemas, typesOf } from "../schemas/refs.js";
import { matchesSchema } from "../schemas/values.js";
import type { InputCandidate, InputRole } from "./candidates.js";

/** Headers that the server writes by itself, or that are not a model's to choose. */
const SERVER_HEADERS: Readonly<Record<string, string>> = {
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
  readonly curated?: (candidate: InputCandidate) => InputRole | undefined;
  /** Keys that no security scheme of the document declares. */
  readonly undeclaredKey?: (candidate: InputCandidate) => InputRole | undefined;
}

/** Whether a request carries the credentials of a scheme already. */
export type IsAuthenticated = (scheme: string) => boolean;

/**
 * Decides what a value of the request is: an input, something fixed, or nothing of a model's
 * business.
 */
export function decideRole(
  candidate: InputCandidate,
  context: RoleContext,
  isAuthenticated: IsAuthenticated,
): InputRole {
  return (
    context.curated?.(candidate) ??
    serverHeaderRole(candidate) ??
    credentialRole(candidate, context, isAuthenticated) ??
    bearerTokenRole(candidate, context, isAuthenticated) ??
    additionalKeyRole(candidate, context, isAuthenticated) ??
    context.undeclaredKey?.(candidate) ??
    protocolRole(candidate, context.schemas) ??
    versionRole(candidate, context.version, context.schemas) ??
    idempotencyKeyRole(candidate, context) ??
    constantRole(candidate, context) ?? { kind: "input" }
  );
}

function serverHeaderRole({ in: place, wireName }: InputCandidate): InputRole | undefined {
  const name = wireName.toLowerCase();
  if (place !== "header" || !Object.hasOwn(SERVER_HEADERS, name)) return undefined;
  return { kind: "none", why: SERVER_HEADERS[name] as string };
}

/**
 * A parameter that repeats an API key. When the operation does not ask for that key, the key is
 * sent as the parameter.
 */
function credentialRole(
  { in: place, wireName, required }: InputCandidate,
  { securitySchemes }: RoleContext,
  isAuthenticated: IsAuthenticated,
): InputRole | undefined {
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
function bearerTokenRole(
  { in: place, wireName, description, required, schema }: InputCandidate,
  { schemas, securitySchemes }: RoleContext,
  isAuthenticated: IsAuthenticated,
): InputRole | undefined {
  if (
    place === "path" ||
    !TOKEN_NAME.test(wireName) ||
    !TOKEN_TEXT.test((description ?? "").slice(0, 80)) ||
    typesOf(resolveSchema(schemas, schema))[0] !== "string"
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
function additionalKeyRole(
  { in: place, wireName, description, required }: InputCandidate,
  { securitySchemes }: RoleContext,
  isAuthenticated: IsAuthenticated,
): InputRole | undefined {
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
function idempotencyKeyRole(
  { in: place, wireName, schema, isInOptionalBody: optionalBody }: InputCandidate,
  { schemas }: RoleContext,
): InputRole | undefined {
  if (
    place === "path" ||
    place === "querystring" ||
    optionalBody ||
    !/^(x[-_]?)?idempotency[-_]?(key|token|id)$/i.test(wireName)
  )
    return undefined;
  return acceptsUuid(schema, schemas) ? { kind: "generated" } : undefined;
}

/** A required value with no choice is no question. */
function constantRole(
  { schema, required, isInOptionalBody: optionalBody, isWholeBody: whole }: InputCandidate,
  { schemas }: RoleContext,
): InputRole | undefined {
  if (!required || optionalBody || whole) return undefined;
  const target = resolveSchema(schemas, schema);
  const values = "const" in target ? [target.const] : target.enum;
  if (!Array.isArray(values) || values.length !== 1 || values[0] === undefined) return undefined;
  return { kind: "constant", value: values[0] as JsonValue };
}

/**
 * Headers of signed requests, as object stores and clouds have them: who signs chooses them,
 * together.
 */
const SIGNING_HEADER =
  /^x-(?:amz|goog|oss|cos|obs|tos|bce)-(?:content-sha256|date|algorithm|credential|security-token|signature|signed-?headers)$/i;

/** What says how to talk, not what about: a model has nothing to choose there. */
export function protocolRole(candidate: InputCandidate, schemas: Schemas): InputRole | undefined {
  if (candidate.in === "header") return signingRole(candidate);
  if (candidate.in === "path") return formatRole(candidate, schemas);
  if (candidate.required || (candidate.in !== "query" && candidate.in !== "body")) return undefined;
  return (
    jsonpRole(candidate) ??
    (candidate.in === "query"
      ? (systemParameterRole(candidate) ?? formatRole(candidate, schemas))
      : undefined)
  );
}

function signingRole({ wireName, required }: InputCandidate): InputRole | undefined {
  return !required && SIGNING_HEADER.test(wireName)
    ? { kind: "none", why: "it belongs to the signature of a request" }
    : undefined;
}

function jsonpRole({ wireName, description = "" }: InputCandidate): InputRole | undefined {
  return /^(?:callback|jsonp)$/i.test(wireName) && /jsonp/i.test(description)
    ? { kind: "none", why: "the server reads JSON, not scripts" }
    : undefined;
}

/**
 * Parameters that every method of a system has: by name and text, for the names alone may mean
 * anything.
 */
const SYSTEM_PARAMETERS: readonly (readonly [name: RegExp, text: RegExp, why: string])[] = [
  [
    /^pretty(?:_?print)?$/i,
    /^$|pretty[- ]?print|indent|human[- ]readable|white ?space/i,
    "it changes white space only",
  ],
  [/^\$?\.?xgafv$/, /error format/i, "the server reads errors of any format"],
  [/^upload_?(?:type|protocol)$/i, /upload protocol/i, "it is the transport's"],
  [/^quota_?user$|^user_?ip$/i, /\bquota|per-user limits/i, "it counts against quotas only"],
];

function systemParameterRole({
  wireName,
  description = "",
}: InputCandidate): InputRole | undefined {
  const why = SYSTEM_PARAMETERS.find(
    ([name, text]) => name.test(wireName) && text.test(description),
  )?.[2];
  return why === undefined ? undefined : { kind: "none", why };
}

const FORMAT_NAME = /^(?:alt|f|fmt|output|_?format|\$format|(?:output|response|return)_?format)$/i;
/** Forms of the same data; of others (CSV, PDF) a caller may want one. */
const SERIALIZATION_FORMAT =
  /^(?:json|jsonp|geojsonp|xml|ya?ml|proto|protobuf|media|javascript|js|php)$/i;

/** Which serialization comes back: the server reads JSON, whatever else the API can write. */
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
  const usual =
    !required &&
    (schema.default === json ||
      target.default === json ||
      /^data format for response\.?$/i.test(description));
  return usual ? { kind: "none", why } : { kind: "constant", value: json, why };
}

/** `Output format: json, jsonp, xml`, and nothing beside the list. */
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
 * `api-version` without a value, of an API whose versions are dates or plain numbers: the document
 * is of one version.
 */
export function versionRole(
  { in: place, wireName, schema, required }: InputCandidate,
  version: string | undefined,
  schemas: Schemas,
): InputRole | undefined {
  if ((place !== "query" && place !== "header") || !/^(?:x[-_])?api[-_]?version$/i.test(wireName))
    return undefined;
  const target = resolveSchema(schemas, schema);
  if (
    !required ||
    version === undefined ||
    target.enum !== undefined ||
    (schema.default ?? target.default) !== undefined ||
    !(DATE_VERSION.test(version) || NUMBER_VERSION.test(version))
  )
    return undefined;
  return matchesSchema(version, schema, schemas)
    ? { kind: "constant", value: version, why: "it is the version that the document describes" }
    : undefined;
}

/** Whether a UUID is a legal value. */
export function acceptsUuid(schema: JsonSchema, schemas: Schemas): boolean {
  const target = resolveSchema(schemas, schema);
  const types = typesOf(target);
  return (
    (types.length === 0 || types.includes("string")) &&
    (target.maxLength ?? 36) >= 36 &&
    target.pattern === undefined &&
    target.enum === undefined
  );
}

/**
 * Why a candidate is no input, or has another name; what is kept from the caller altogether is a
 * finding too.
 */
export function explainRole(
  { in: place, wireName, where }: InputCandidate,
  role: InputRole,
  name: string | undefined,
  diagnostics: DiagnosticCollector,
): string | undefined {
  if (role.kind === "input" && name === wireName) return undefined;
  const subject = `${place} ${quoteText(wireName, 60)}`;
  const hide = (why: string): string => {
    diagnostics.add(
      "plan-parameter-hidden",
      `The ${place} parameter ${quoteText(wireName, 60)} is no input: ${why}.`,
      where.location,
    );
    return `${subject} is no input: ${why}.`;
  };
  switch (role.kind) {
    case "none":
      return hide(role.why);
    case "env":
      return role.why === undefined
        ? hide(`it is a credential, sent from ${role.env}`)
        : `${subject} is no input: ${role.why}.`;
    case "constant":
      return `${subject} is no input: ${role.why ?? "it has one possible value"}.`;
    case "generated":
      return `${subject} is no input: each call gets a new key.`;
    case "input":
      return `${subject} is the input ${name}.`;
  }
}
