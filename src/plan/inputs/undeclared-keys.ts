import type { Operation, Parameter } from "../../model/types.js";
import type { Environment } from "../environment.js";
import { splitWords } from "../names/words.js";
import { resolveSchema, typesOf, type Schemas } from "../schemas/refs.js";
import type { InputCandidate, InputRole } from "./candidates.js";
import type { InputUsage } from "./usage.js";

const API_KEY = /(?:^|[-_])api[-_]?key$|^ocp-apim-subscription-key$/i;
/** Beginning of a description that is about the parameter's own key, and not about another one. */
const KEY_DESCRIPTION = /^(?:an? |the |your |registered )?(?:\w+ )?api[- ]?key\b/i;

/**
 * Finds API keys that are parameters without a security scheme. Their values come from the
 * environment.
 */
export function createUndeclaredKeyRole(
  operations: readonly Operation[],
  schemas: Schemas,
  environment: Environment,
  usage: InputUsage,
): (candidate: InputCandidate) => InputRole | undefined {
  const variables = new Map<string, string>();
  const frequent = frequentQueryKeys(operations);
  const isKey = (candidate: InputCandidate): boolean =>
    isCommonKey(candidate, usage, schemas) ||
    (candidate.parameter !== undefined && isApiKey(candidate.parameter, frequent, schemas));
  return (candidate) => {
    if (!isKey(candidate)) return undefined;
    const { in: location, wireName, required } = candidate;
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

const SECRET = /^(?:(?:client|app|api|access)[-_]?)?secret(?:[-_]?key)?$|^(?:app|access)[-_]?key$/i;
const KEY_ID = /^(?:client|app|key|access[-_]?key)[-_]?id$/i;

/** A key or secret that most calls repeat, or the ID beside a secret. */
function isCommonKey(
  { in: location, wireName, schema }: InputCandidate,
  usage: InputUsage,
  schemas: Schemas,
): boolean {
  if (location !== "body" && location !== "query") return false;
  const types = typesOf(resolveSchema(schemas, schema));
  const isText = types.length === 0 || types.includes("string");
  if (!isText || !usage.isCommon(location, wireName)) return false;
  if (KEY_ID.test(wireName)) return usage.hasCommon(location, (name) => SECRET.test(name));
  return SECRET.test(wireName) || API_KEY.test(wireName);
}

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
