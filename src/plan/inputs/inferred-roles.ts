/** Roles of inputs that are inferred from the habits of an API. */
import { sequence } from "../../language/patterns.js";
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import type { Operation, Parameter } from "../../model/types.js";
import type { SecuritySchemeDefinition } from "../../runtime/security-schemes.js";
import type { JsonValue } from "../../runtime/types.js";
import type { Environment } from "../server-names.js";
import { splitWords } from "../../language/words.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import { matchesSchema } from "../schemas/values.js";
import type { InputCandidate, InputRole } from "./candidates.js";
import type { InputLocation } from "../operations/types.js";
import type { InputUsage, IsAuthenticated, RoleContext } from "./role-context.js";

/** Fewest operations that show a habit of an API. */
const MIN_OPERATIONS = 3;

/** Counts parameters by location and name, and the fields of bodies. */
export function countUsage(operations: readonly Operation[], schemas: Schemas): InputUsage {
  const counts = new Map<string, number>();
  const add = (location: string, names: Iterable<string>): void => {
    for (const name of new Set(names)) {
      const key = `${location} ${name}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  };
  for (const operation of operations) {
    for (const { in: location, name } of operation.parameters) add(location, [name]);
    add("body", bodyFieldNames(operation, schemas));
  }
  const bodies = operations.filter(({ body }) => body !== undefined).length;
  const isCommon: InputUsage["isCommon"] = (location, name) => {
    const count = counts.get(`${location} ${name}`) ?? 0;
    const total = location === "body" ? bodies : operations.length;
    // The few bodies of an API that mostly reads show no habit of it.
    const isHabit = count * 4 >= operations.length;
    return count >= MIN_OPERATIONS && count * 2 >= total && isHabit;
  };
  const common = [...counts.keys()].map((key) => key.split(/ (.*)/s) as [InputLocation, string]);
  return {
    isCommon,
    hasCommon: (location, test) =>
      common.some(([at, name]) => at === location && test(name) && isCommon(at, name)),
  };
}

/** Names of the fields that the media types of a body have. */
export function bodyFieldNames({ body }: Operation, schemas: Schemas): readonly string[] {
  return (body?.contents ?? []).flatMap(({ schema }) =>
    schema ? [...fieldNames(schema, schemas, 0)] : [],
  );
}

const MAX_COMPOSITION_DEPTH = 4;

function* fieldNames(schema: JsonSchema, schemas: Schemas, depth: number): Generator<string> {
  const { properties = {}, allOf = [] } = resolveSchema(schemas, schema);
  yield* Object.keys(properties);
  if (depth === MAX_COMPOSITION_DEPTH) return;
  for (const part of allOf)
    if (isObject(part)) yield* fieldNames(part as JsonSchema, schemas, depth + 1);
}

/**
 * A field or parameter that repeats a declared API key under its name: `client_id` in a body in
 * addition to the header `SHOP-CLIENT-ID`. The key is sent once, unless the document requires it
 * twice.
 */
export function repeatedCredentialRole(
  candidate: InputCandidate,
  { schemas, securitySchemes, usage }: RoleContext,
  isAuthenticated: IsAuthenticated,
): InputRole | undefined {
  const { in: location, wireName, schema, description = "", required } = candidate;
  if (location === "path" || !isText(typesOf(resolveSchema(schemas, schema)))) return undefined;
  for (const [name, scheme] of Object.entries(securitySchemes)) {
    if (scheme.kind !== "apiKey" || !isSameKey(scheme, wireName)) continue;
    if (!description.includes(scheme.name) && !usage?.isCommon(location, wireName)) continue;
    return isAuthenticated(name) && !required
      ? { kind: "excluded", reason: "credentials come from the environment" }
      : {
          kind: "env",
          env: scheme.env,
          required,
          reason: `it is a credential, sent from ${scheme.env}`,
        };
  }
  return undefined;
}

const isText = (types: readonly string[]): boolean =>
  types.length === 0 || types.includes("string");

/** True for the name of the key, or its last words if those name a credential. */
function isSameKey(
  { name }: Extract<SecuritySchemeDefinition, { kind: "apiKey" }>,
  wireName: string,
): boolean {
  const words = splitWords(wireName).join("_").toLowerCase();
  const key = splitWords(name.replace(/^x[-_]/i, ""))
    .join("_")
    .toLowerCase();
  if (words === "" || words === "authorization") return false;
  return words === key || (/_|^secret$/.test(words) && key.endsWith(`_${words}`));
}

const VERSION = /^v?\d[\w.-]*$/i;

/** Values without a choice: the API's version, and the only value of a parameter of every call. */
export function sameValueRole(
  candidate: InputCandidate,
  { schemas, usage }: RoleContext,
): InputRole | undefined {
  const { in: location, wireName, schema, required } = candidate;
  if (location === "body" || !usage?.isCommon(location, wireName)) return undefined;
  const target = resolveSchema(schemas, schema);
  const fallback = schema.default ?? target.default;
  const only = target.const ?? (target.enum?.length === 1 ? target.enum[0] : undefined);
  if (!required && only !== undefined && only === fallback)
    return { kind: "excluded", reason: "its default is the only value" };
  const isVersion = splitWords(wireName).at(-1)?.toLowerCase() === "version";
  const value = only ?? (target.enum ? undefined : fallback);
  if (!isVersion || value === undefined || !VERSION.test(String(value))) return undefined;
  return matchesSchema(value, schema, schemas)
    ? { kind: "constant", value: value as JsonValue, reason: "it is the version of the API" }
    : undefined;
}

/** `stream: true` requests a result in parts. Tools return complete results. */
export function streamRole(
  { in: location, wireName, schema, description, required, isInOptionalBody }: InputCandidate,
  { schemas }: RoleContext,
): InputRole | undefined {
  if (!/^stream/i.test(wireName) || (location !== "body" && location !== "query")) return undefined;
  const reason = "a tool returns whole results";
  if (!required && /\bonly\b[^.]{0,300}\bstream\b\W{1,4}true\b/i.test(description ?? ""))
    return { kind: "excluded", reason };
  if (!/^stream$/i.test(wireName)) return undefined;
  const target = resolveSchema(schemas, schema);
  const isFlag = typesOf(target).every((type) => type === "boolean" || type === "null");
  if (!isFlag || typesOf(target).length === 0 || target.enum || target.const !== undefined)
    return undefined;
  if (!/\bstream|server-sent|\bsse\b|partial|incremental/i.test(description ?? ""))
    return undefined;
  if (!required && (schema.default ?? target.default) !== true) return { kind: "excluded", reason };
  return isInOptionalBody ? undefined : { kind: "constant", value: false, reason };
}

const API_KEY = /(?:^|[-_])api[-_]?key$|^ocp-apim-subscription-key$/i;
/** Beginning of a description that is about the parameter's own key, and not about another one. */
const KEY_DESCRIPTION = /^(?:an? |the |your |registered )?(?:\w+ )?api[- ]?key\b/i;

/**
 * Finds API keys that are parameters without a security scheme. Their values come from the
 * environment.
 * @param hasOthers true if calls may have other credentials in place of a token
 */
export function createUndeclaredKeyRole(
  operations: readonly Operation[],
  schemas: Schemas,
  environment: Environment,
  usage: InputUsage,
  hasOthers: boolean,
): (candidate: InputCandidate) => InputRole | undefined {
  const variables = new Map<string, string>();
  const frequent = frequentQueryKeys(operations);
  const isKey = (candidate: InputCandidate): boolean =>
    isCommonKey(candidate, usage, schemas) ||
    isTokenHeader(candidate, usage) ||
    isTokenOfCalls(candidate, usage) ||
    (candidate.parameter !== undefined && isApiKey(candidate.parameter, frequent, schemas));
  return (candidate) => {
    if (!isKey(candidate)) return undefined;
    const { in: location, wireName } = candidate;
    const isAlternative = hasOthers && isTokenHeader(candidate, usage);
    const required = candidate.required && !isAlternative;
    const key = splitWords(wireName.replace(/^x[-_]/i, "")).join("_");
    const description = `API key, sent as the ${NOUNS[location] ?? "parameter"} ${wireName}.`;
    const env =
      variables.get(key) ?? environment.add([key], { description, secret: true, required });
    variables.set(key, env);
    return { kind: "env", env, required, reason: `it is a credential, sent from ${env}` };
  };
}

const NOUNS: Readonly<Record<string, string>> = {
  query: "query parameter",
  header: "header",
  body: "field",
};

const SECRET = sequence(
  /^(?:x[-_](?:\S*[-_])?)?/i,
  /(?:(?:(?:client|app|api|access)[-_]?)?secret(?:[-_]?key)?|app[-_]?(?:key|token)|access[-_]?key)$/,
);
const KEY_ID = /^(?:x[-_](?:\S*[-_])?)?(?:api|client|app|key|access[-_]?key)[-_]?id$/i;

/** A key or secret that most calls repeat, or the ID next to a secret. */
function isCommonKey(
  { in: location, wireName, schema, description = "" }: InputCandidate,
  usage: InputUsage,
  schemas: Schemas,
): boolean {
  if (location === "path" || location === "cookie") return false;
  const types = typesOf(resolveSchema(schemas, schema));
  const isText = types.length === 0 || types.includes("string");
  if (!isText || !usage.isCommon(location, wireName)) return false;
  if (KEY_ID.test(wireName))
    return usage.hasCommon(location, (name) => SECRET.test(name) || API_KEY.test(name));
  const isPlainKey = /^key$/i.test(wireName) && KEY_DESCRIPTION.test(description);
  return SECRET.test(wireName) || API_KEY.test(wireName) || isPlainKey;
}

/** `X-Auth-Token` of every call, or with a text about a credential. */
function isTokenHeader(
  { in: location, wireName, description = "" }: InputCandidate,
  usage: InputUsage,
): boolean {
  if (location !== "header") return false;
  const isToken = TOKEN_HEADER.test(wireName);
  const isIssued = /token$/i.test(wireName) && ISSUED_TOKEN.test(description);
  const isOfCalls = /[-_]token$/i.test(wireName) && !isPageToken(wireName);
  return (
    isIssued ||
    (isOfCalls && usage.isCommon(location, wireName)) ||
    (isToken && (usage.isCommon(location, wireName) || CREDENTIAL_TEXT.test(description)))
  );
}

const isPageToken = (wireName: string): boolean =>
  /page|next|cursor|continu|sync|csrf|xsrf|idempot/i.test(wireName);

/** `User token obtained through authentication` */
const ISSUED_TOKEN = sequence(
  /\btoken\b[^.]{0,40}\b(?:obtained|received|returned|issued)\b[^.]{0,40}/i,
  /\b(?:authenticat\w+|log(?:ging)?[- ]?in|sign(?:ing)?[- ]?in)\b/,
);

/** `?jwt=`, `?access_token=` and `/{AccessToken}` of nearly every call. */
const isTokenOfCalls = (
  { in: location, wireName, description = "" }: InputCandidate,
  usage: InputUsage,
): boolean =>
  (location === "query" || (location === "path" && !/^token$/i.test(wireName))) &&
  TOKEN_PARAMETER.test(wireName) &&
  !/\bpage\b|\bcursor\b|\bnext\b/i.test(description) &&
  usage.isCommon(location, wireName);

const TOKEN_PARAMETER = /^(?:jwt|(?:(?:access|api|auth|session)[-_]?)?token)$/i;

const TOKEN_HEADER =
  /(?:^|[-_])(?:(?:access|api|auth|authentication|service|session)[-_]?token|authorization|auth|jwt)$/i;
const CREDENTIAL_TEXT = /^(?:\w+ ){0,4}(?:(?:access|api|auth\w*) (?:key|token)|secret)\b/i;

function isApiKey(
  { in: location, name, schema }: Parameter,
  frequent: ReadonlySet<string>,
  schemas: Schemas,
): boolean {
  const types = typesOf(resolveSchema(schemas, schema));
  if (
    (location !== "header" && location !== "query") ||
    (types.length > 0 && !types.includes("string"))
  )
    return false;
  return API_KEY.test(name) && (location === "header" || frequent.has(name));
}

/** Keys in URLs that a third of the operations have, or whose description identifies them. */
function frequentQueryKeys(operations: readonly Operation[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { parameters } of operations) {
    for (const { in: location, name, description = "" } of parameters) {
      if (location === "query" && API_KEY.test(name))
        counts.set(
          name,
          (counts.get(name) ?? 0) + (KEY_DESCRIPTION.test(description) ? operations.length : 1),
        );
    }
  }
  return new Set(
    [...counts].filter(([, count]) => count * 3 >= operations.length).map(([name]) => name),
  );
}
