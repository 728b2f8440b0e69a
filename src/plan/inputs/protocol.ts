import { resolve, type Schemas } from "../schema/refs.js";
import { fits } from "../schema/values.js";
import type { Candidate, Role } from "./candidate.js";

/**
 * Headers of signed requests, as object stores and clouds have them: who signs chooses them,
 * together.
 */
const SIGNING =
  /^x-(?:amz|goog|oss|cos|obs|tos|bce)-(?:content-sha256|date|algorithm|credential|security-token|signature|signed-?headers)$/i;

/** What says how to talk, not what about: a model has nothing to choose there. */
export function protocolRole(candidate: Candidate, schemas: Schemas): Role | undefined {
  if (candidate.place === "header") return signingRole(candidate);
  if (candidate.place === "path") return formatRole(candidate, schemas);
  if (candidate.required || (candidate.place !== "query" && candidate.place !== "body"))
    return undefined;
  return (
    scriptRole(candidate) ??
    (candidate.place === "query"
      ? (systemRole(candidate) ?? formatRole(candidate, schemas))
      : undefined)
  );
}

function signingRole({ wireName, required }: Candidate): Role | undefined {
  return !required && SIGNING.test(wireName)
    ? { kind: "none", why: "it belongs to the signature of a request" }
    : undefined;
}

function scriptRole({ wireName, description = "" }: Candidate): Role | undefined {
  return /^(?:callback|jsonp)$/i.test(wireName) && /jsonp/i.test(description)
    ? { kind: "none", why: "the server reads JSON, not scripts" }
    : undefined;
}

/**
 * Parameters that every method of a system has: by name and text, for the names alone may mean
 * anything.
 */
const SYSTEM: readonly (readonly [name: RegExp, text: RegExp, why: string])[] = [
  [
    /^pretty(?:_?print)?$/i,
    /^$|pretty[- ]?print|indent|human[- ]readable|white ?space/i,
    "it changes white space only",
  ],
  [/^\$?\.?xgafv$/, /error format/i, "the server reads errors of any format"],
  [/^upload_?(?:type|protocol)$/i, /upload protocol/i, "it is the transport's"],
  [/^quota_?user$|^user_?ip$/i, /\bquota|per-user limits/i, "it counts against quotas only"],
];

function systemRole({ wireName, description = "" }: Candidate): Role | undefined {
  const why = SYSTEM.find(([name, text]) => name.test(wireName) && text.test(description))?.[2];
  return why === undefined ? undefined : { kind: "none", why };
}

const FORMAT_NAME = /^(?:alt|f|fmt|output|_?format|\$format|(?:output|response|return)_?format)$/i;
/** Forms of the same data; of others (CSV, PDF) a caller may want one. */
const SERIAL = /^(?:json|jsonp|geojsonp|xml|ya?ml|proto|protobuf|media|javascript|js|php)$/i;

/** Which serialization comes back: the server reads JSON, whatever else the API can write. */
function formatRole(
  { wireName, schema, required, description = "" }: Candidate,
  schemas: Schemas,
): Role | undefined {
  if (!FORMAT_NAME.test(wireName)) return undefined;
  const target = resolve(schemas, schema);
  const values = target.enum ?? serialsIn(description);
  if (
    values.length === 0 ||
    !values.every((value) => typeof value === "string" && SERIAL.test(value))
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
function serialsIn(text: string): readonly string[] {
  const list =
    /^(?:the )?(?:output|response|return|data) format:? \(?([\w ,|/]{4,60})\)?\.?$/i.exec(
      text.trim(),
    )?.[1];
  return list?.split(/\s*(?:[,|/]|\bor\b)\s*/) ?? [];
}

const DATED = /^\d{4}-\d\d-\d\d(?:-[a-z]+\d*)?$/i;
const NUMBERED = /^\d+\.\d+$/;

/**
 * `api-version` without a value, of an API whose versions are dates or plain numbers: the document
 * is of one version.
 */
export function versionRole(
  { place, wireName, schema, required }: Candidate,
  version: string | undefined,
  schemas: Schemas,
): Role | undefined {
  if ((place !== "query" && place !== "header") || !/^(?:x[-_])?api[-_]?version$/i.test(wireName))
    return undefined;
  const target = resolve(schemas, schema);
  if (
    !required ||
    version === undefined ||
    target.enum !== undefined ||
    (schema.default ?? target.default) !== undefined ||
    !(DATED.test(version) || NUMBERED.test(version))
  )
    return undefined;
  return fits(version, schema, schemas)
    ? { kind: "constant", value: version, why: "it is the version that the document describes" }
    : undefined;
}
