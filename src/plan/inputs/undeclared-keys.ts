import type { Operation, Parameter } from "../../model/types.js";
import type { Environment } from "../environment.js";
import { splitWords } from "../names/words.js";
import { resolveSchema, typesOf, type Schemas } from "../schemas/refs.js";
import type { InputCandidate, InputRole } from "./candidates.js";

const API_KEY = /(?:^|[-_])api[-_]?key$|^ocp-apim-subscription-key$/i;
/** As the text of a key in a URL starts; another one may be the key that is spoken of. */
const KEY_DESCRIPTION = /^(?:an? |the |your |registered )?(?:\w+ )?api[- ]?key\b/i;

/**
 * Keys that the document asks for as parameters without declaring a scheme: no model can know them,
 * so they come from the environment.
 */
export function createUndeclaredKeyRole(
  operations: readonly Operation[],
  schemas: Schemas,
  environment: Environment,
): (candidate: InputCandidate) => InputRole | undefined {
  const found = new Map<string, string>();
  const frequent = frequentQueryKeys(operations);
  return ({ parameter, required }) => {
    if (parameter === undefined || !isApiKey(parameter, frequent, schemas)) return undefined;
    const { in: place, name } = parameter;
    const key = `${place} ${place === "header" ? name.toLowerCase() : name}`;
    const description = `API key, sent as the ${place === "query" ? "query parameter" : "header"} ${name}.`;
    const env =
      found.get(key) ??
      environment.add([splitWords(name.replace(/^x[-_]/i, "")).join("_")], {
        description,
        secret: true,
        required,
      });
    found.set(key, env);
    return { kind: "env", env, required, why: `it is a credential, sent from ${env}` };
  };
}

function isApiKey(
  { in: place, name, schema }: Parameter,
  frequent: ReadonlySet<string>,
  schemas: Schemas,
): boolean {
  const types = typesOf(resolveSchema(schemas, schema));
  if ((place !== "header" && place !== "query") || (types.length > 0 && !types.includes("string")))
    return false;
  return API_KEY.test(name) && (place === "header" || frequent.has(name));
}

/** Keys in URLs that a third of the operations have, or whose text says that they are one's own. */
function frequentQueryKeys(operations: readonly Operation[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { parameters } of operations) {
    for (const { in: place, name, description = "" } of parameters) {
      if (place === "query" && API_KEY.test(name))
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
