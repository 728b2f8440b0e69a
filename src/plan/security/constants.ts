/** Credentials that `mcp-gen.yaml` fixes in requests. */
import { isObject, type JsonValue } from "../../json.js";
import type { ApiDefinition, HeaderSource } from "../../runtime/api-definition.js";
import { mayHoldCredential } from "../../runtime/request/origins.js";
import { secretSources } from "../../runtime/request/parameter-source.js";
import type { RequestMapping } from "../../runtime/types.js";
import { isSecretConstant } from "../secret-names.js";

type Headers = Readonly<Record<string, string | { readonly env: string }>>;

/** Configured headers. Constants that are credentials are marked. */
export function markSecretHeaders(
  headers: Headers | undefined,
  api: Pick<ApiDefinition, "securitySchemes">,
): ApiDefinition["headers"] {
  if (headers === undefined) return undefined;
  const marked = Object.entries(headers).map(([name, source]): [string, HeaderSource] =>
    typeof source === "string" &&
    (isSecretConstant(name, source) || mayHoldCredential([name, source], api))
      ? [name, { value: source, isSecret: true }]
      : [name, source],
  );
  return Object.fromEntries(marked);
}

/** Credentials among the constants of requests, as texts. */
export function findSecretConstants(requests: readonly RequestMapping[]): readonly string[] {
  const texts = requests
    .flatMap(secretSources)
    .flatMap(([name, { value }]) => secretTexts(name, value));
  return [...new Set(texts)];
}

/** The texts of a constant that are credentials; all of them if none is known as one. */
function secretTexts(name: string, value: JsonValue): readonly string[] {
  const leaves = leavesOf(name, value);
  const secret = leaves.filter(([key, leaf]) => isSecretConstant(key, leaf));
  return (secret.length > 0 ? secret : leaves).map(([, leaf]) => String(leaf));
}

function leavesOf(name: string, value: JsonValue): readonly (readonly [string, JsonValue])[] {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => leavesOf(name, item));
  return isObject(value)
    ? Object.entries(value).flatMap(([key, member]) => leavesOf(key, member))
    : [[name, value]];
}
