import { isObject } from "../json.js";
import type { Lock, LockedApi, LockedRequest } from "./types.js";

/**
 * Reads the APIs of a lock, which earlier layouts do not have.
 * @returns a clause about an invalid part, as `readLock` does
 */
export function readApis(
  data: Readonly<Record<string, unknown>>,
): Pick<Lock, "api" | "otherApis"> | string {
  const { api, otherApis = {} } = data;
  if (api === undefined) return {};
  if (!isApi(api)) return "has an invalid API";
  if (!isRecordOf(otherApis, isApi)) return "has invalid other APIs";
  return { api, otherApis };
}

type Guard<T> = (value: unknown) => value is T;

const isText: Guard<string> = (value): value is string => typeof value === "string";

function isListOf<T>(value: unknown, isItem: Guard<T>): value is readonly T[] {
  return Array.isArray(value) && value.every(isItem);
}

function isRecordOf<T>(value: unknown, isMember: Guard<T>): value is Readonly<Record<string, T>> {
  return isObject(value) && Object.values(value).every(isMember);
}

const isTexts: Guard<readonly string[]> = (value): value is readonly string[] =>
  isListOf(value, isText);

const isTextRecord: Guard<Readonly<Record<string, string>>> = (
  value,
): value is Readonly<Record<string, string>> => isRecordOf(value, isText);

const isScopes: Guard<Readonly<Record<string, readonly string[]>>> = (
  value,
): value is Readonly<Record<string, readonly string[]>> => isRecordOf(value, isTexts);

/** Tests the members of an object that are present. */
function hasMembers(
  value: Readonly<Record<string, unknown>>,
  tests: Readonly<Record<string, (member: unknown) => boolean>>,
): boolean {
  return Object.entries(tests).every(
    ([name, test]) => value[name] === undefined || test(value[name]),
  );
}

const isSecurity = (value: unknown): boolean => isListOf(value, isScopes);

const isVariable = (value: unknown): value is object =>
  isObject(value) && isText(value["default"]) && hasMembers(value, { enum: isTexts });

const isScheme = (value: unknown): value is object =>
  isObject(value) &&
  isText(value["kind"]) &&
  isTexts(value["variables"]) &&
  hasMembers(value, {
    ...{ in: isText, name: isText, scheme: isText, tokenUrl: isText, discoveryUrl: isText },
    ...{ signIn: isTextRecord, scopes: isTexts },
  });

const isApi = (value: unknown): value is LockedApi =>
  isObject(value) &&
  hasMembers(value, {
    server: isText,
    variables: (member) => isRecordOf(member, isVariable),
    hosts: isTexts,
    headers: isTextRecord,
    parameters: (member) => isRecordOf(member, isTexts),
    securitySchemes: (member) => isRecordOf(member, isScheme),
    security: isSecurity,
  });

/** True for the requests of a tool, which most tools do not have. */
export function isRequests(value: unknown): value is readonly LockedRequest[] | undefined {
  const isRequest = (request: unknown): request is LockedRequest =>
    isObject(request) &&
    isText(request["operation"]) &&
    hasMembers(request, { api: isText, server: isText, security: isSecurity });
  return value === undefined || isListOf(value, isRequest);
}
