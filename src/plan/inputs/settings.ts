import type { Operation, Parameter } from "../../model/types.js";
import type { Environment } from "../env.js";
import { wordsOf } from "../name/words.js";
import { resolve, typesOf, type Schemas } from "../schema/refs.js";
import type { Candidate, Role } from "./candidate.js";

/** A parameter whose value is the owner's to set, once for all calls. */
interface Setting {
  readonly description: string;
  readonly secret: boolean;
  readonly why: string;
}

const API_KEY = /(?:^|[-_])api[-_]?key$|^ocp-apim-subscription-key$/i;
/** As the text of a key in a URL starts; another one may be the key that is spoken of. */
const OWN_KEY = /^(?:an? |the |your |registered )?(?:\w+ )?api[- ]?key\b/i;

/**
 * Values that no model can know or should choose in each call: keys that the document asks for as parameters without declaring
 * a scheme, and the language of answers. They come from the environment (DESIGN, section 5.5).
 */
export function settingRoles(operations: readonly Operation[], schemas: Schemas, environment: Environment): (candidate: Candidate) => Role | undefined {
  const found = new Map<string, { readonly env: string; readonly why: string }>();
  const frequent = frequentKeys(operations);
  return (candidate) => {
    const { parameter, required } = candidate;
    if (parameter === undefined) return undefined;
    const key = keyOf(parameter);
    const known = found.get(key);
    const setting = known ?? settingOf(parameter, frequent, schemas);
    if (setting === undefined) return undefined;
    const { env, why } = "env" in setting ? setting : { env: environment.add([nameOf(parameter)], { ...setting, required }), why: setting.why };
    found.set(key, { env, why });
    return { kind: "env", env, required, why: `${why}, sent from ${env}` };
  };
}

const keyOf = ({ in: place, name }: Parameter): string => `${place} ${place === "header" ? name.toLowerCase() : name}`;
const nameOf = ({ name }: Parameter): string => wordsOf(name.replace(/^x[-_]/i, "")).join("_");

function settingOf(parameter: Parameter, frequent: ReadonlySet<string>, schemas: Schemas): Setting | undefined {
  const { in: place, name, required } = parameter;
  const types = typesOf(resolve(schemas, parameter.schema));
  if ((place !== "header" && place !== "query") || (types.length > 0 && !types.includes("string"))) return undefined;
  if (place === "header" && !required && /^accept-language$/i.test(name)) return { description: "Language of what the API answers, such as en or de-CH.", secret: false, why: "the language of answers is a setting" };
  if (!API_KEY.test(name) || (place === "query" && !frequent.has(name))) return undefined;
  return { description: `API key, sent as the ${place === "query" ? "query parameter" : "header"} ${name}.`, secret: true, why: "it is a credential" };
}

/** Keys in URLs that a third of the operations have, or whose text says that they are one's own. */
function frequentKeys(operations: readonly Operation[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { parameters } of operations) {
    for (const { in: place, name, description = "" } of parameters) {
      if (place === "query" && API_KEY.test(name)) counts.set(name, (counts.get(name) ?? 0) + (OWN_KEY.test(description) ? operations.length : 1));
    }
  }
  return new Set([...counts].filter(([, count]) => count * 3 >= operations.length).map(([name]) => name));
}
