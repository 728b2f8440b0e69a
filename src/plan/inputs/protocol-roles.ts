/** Roles of parameters about the request and its format, which the server decides. */
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import { matchesSchema } from "../schemas/values.js";
import type { InputCandidate, InputRole } from "./candidates.js";

/** Headers of signed requests. The signer of the request chooses them together. */
const SIGNING_HEADER = new RegExp(
  "^x-(?:amz|goog|oss|cos|obs|tos|bce)-" +
    "(?:content-sha256|date|algorithm|credential|security-token|signature|signed-?headers)$",
  "i",
);

/** Role of parameters of the protocol, which carry no choice for a model. */
export function protocolRole(candidate: InputCandidate, schemas: Schemas): InputRole | undefined {
  if (candidate.in === "header") return signingRole(candidate);
  if (candidate.in === "path") return formatRole(candidate, schemas);
  if (candidate.required || (candidate.in !== "query" && candidate.in !== "body")) return undefined;
  const jsonp = jsonpRole(candidate);
  if (jsonp || candidate.in !== "query") return jsonp;
  return systemParameterRole(candidate) ?? formatRole(candidate, schemas);
}

/** Headers that identify a request in logs, and its time. The server sends none. */
const TRACING_HEADER = /^(?:x-)?(?:ms-)?(?:return-)?client-request-id$|^ocp-date$/i;

/** Such headers of which the name says so. */
const TRACE_HEADERS: ReadonlySet<string> = new Set([
  "trace-id",
  "traceparent",
  "tracestate",
  "x-trace-id",
]);

const TRACING_TEXT = /\b(?:track|trac)(?:e|es|ing)\b|\bcorrelat\w+\b|\blogs?\b/i;

/** Conditions of a read, whose answer to an unchanged resource is empty. */
const CACHE_HEADER = /^if-(?:none-match|modified-since)$/i;
const CACHE_TEXT = /\b304\b|not modified|\bcached?\b/i;

function signingRole({
  wireName,
  required,
  description = "",
}: InputCandidate): InputRole | undefined {
  if (required) return undefined;
  if (CACHE_HEADER.test(wireName) && CACHE_TEXT.test(description))
    return { kind: "excluded", reason: "the server keeps no copies of responses" };
  if (SIGNING_HEADER.test(wireName))
    return { kind: "excluded", reason: "it belongs to the signature of a request" };
  const isTracing =
    TRACING_HEADER.test(wireName) ||
    TRACE_HEADERS.has(wireName.toLowerCase()) ||
    (/^(?:x-)?(?:request|correlation)-id$/i.test(wireName) && TRACING_TEXT.test(description));
  return isTracing ? { kind: "excluded", reason: "it identifies a request in logs" } : undefined;
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

/** Names of extensions in paths, which take `json` where the document states no values. */
const FORMAT_PARAMETER = /^(?:(?:output|response)?[-_]?format|(?:content|media)[-_]?type)$/i;
const FORMAT_NAME = /^(?:alt|f|fmt|output|_?format|\$format|(?:output|response|return)_?format)$/i;
/**
 * Serializations of the same data. CSV and PDF are not among them, because callers may need them.
 */
const SERIALIZATION_FORMAT =
  /^(?:json|jsonp|geojsonp|xml|ya?ml|proto|protobuf|media|javascript|js|php)$/i;

/** Parameters that select the serialization. The server reads JSON. */
function formatRole(
  { wireName, schema, required, description = "", isResponseFormat }: InputCandidate,
  schemas: Schemas,
): InputRole | undefined {
  if (!FORMAT_NAME.test(wireName) && !isResponseFormat) return undefined;
  const target = resolveSchema(schemas, schema);
  const unstated = isResponseFormat && FORMAT_PARAMETER.test(wireName) ? ["json"] : [];
  const stated = target.enum ?? formatsInText(description);
  const values = stated.length > 0 ? stated : unstated;
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
  return list?.split(/(?<!\s)\s*(?:[,|/]|\bor\b)\s*/) ?? [];
}

const DATE_VERSION = /^\d{4}-\d\d-\d\d(?:-[a-z]+\d*|\.\d+(?:\.\d+)?)?$/i;
const NUMBER_VERSION = /^\d+\.\d+$/;

/**
 * Role of an `api-version` without a value. The document describes one version when that is a date
 * or a plain number.
 */
export function versionRole(
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
