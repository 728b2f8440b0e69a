import type { Schemas } from "../schema/refs.js";
import { fits } from "../schema/values.js";
import type { Candidate, Role } from "./candidate.js";

/** Headers of signed requests, as object stores and clouds have them: who signs chooses them, together. */
const SIGNING = /^x-(?:amz|goog|oss|cos|obs|tos|bce)-(?:content-sha256|date|algorithm|credential|security-token|signature|signed-?headers)$/i;

/** What says how to talk, not what about: a model has nothing to choose there. Only what may be left out is. */
export function protocolRole({ place, wireName, description = "", required }: Candidate): Role | undefined {
  if (required) return undefined;
  if (place === "header" && SIGNING.test(wireName)) return { kind: "none", why: "it belongs to the signature of a request" };
  if (place !== "query") return undefined;
  if (/^(?:callback|jsonp)$/i.test(wireName) && /jsonp/i.test(description)) return { kind: "none", why: "the server reads JSON, not scripts" };
  if (/^pretty(?:_?print)?$/i.test(wireName) && (description === "" || /pretty[- ]?print|indent|human[- ]readable|white ?space/i.test(description))) return { kind: "none", why: "it changes white space only" };
  return undefined;
}

const DATED = /^\d{4}-\d\d-\d\d(?:-[a-z]+\d*)?$/i;

/** `api-version` without a value, of an API whose versions are dates: the document is of one of them. */
export function versionRole({ place, wireName, schema, required }: Candidate, version: string | undefined, schemas: Schemas): Role | undefined {
  if (!required || (place !== "query" && place !== "header") || version === undefined || !DATED.test(version) || !/^(?:x[-_])?api[-_]?version$/i.test(wireName)) return undefined;
  return schema.default === undefined && schema.enum === undefined && fits(version, schema, schemas) ? { kind: "constant", value: version, why: "it is the version that the document describes" } : undefined;
}
