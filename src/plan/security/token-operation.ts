/** Operations that issue the credentials of an API, and are called before a caller has any. */
import { provesClient } from "../../model/security-scheme-kinds.js";
import type { ApiModel, Operation, SecurityRequirement } from "../../model/types.js";
import { isObject, type JsonSchema } from "../../json.js";
import { allFields } from "../schemas/flat-object.js";
import type { AnySchema, Schemas } from "../schemas/refs.js";

/** Fields of a request that prove who its caller is. */
const CREDENTIAL_FIELD =
  /^(?:pass(?:word|wd|phrase|code)|pwd|client_?secret|refresh_?token|assertion|grant_?type|otp|totp|id_?token|device_?code)$/i;

/** Fields of a response with a credential. */
const TOKEN_FIELD = /^(?:(?:access|auth|api|session|bearer|id|user|login)?[-_]?token|jwt|bearer)$/i;

/** Last words of a path that only a sign-in has. */
const SIGN_IN_PATH =
  /(?:^|[/_.:-])(?:oauth2?[/_-]token|tokens?|log-?_?in|sign-?_?in|authenticate|auth|sessions?|authorize)\/?$/i;

/**
 * True if an operation exchanges credentials in its body for a token: its body has a password or
 * another proof, and its response has a token or its path is that of a sign-in.
 */
export function issuesToken(operation: Operation, schemas: Schemas): boolean {
  const { method, path, body, responses } = operation;
  if (method !== "POST" && method !== "PUT") return false;
  const hasProof = (body?.contents ?? []).some(({ schema }) =>
    hasField(schema, CREDENTIAL_FIELD, schemas),
  );
  if (!hasProof) return false;
  if (SIGN_IN_PATH.test(path)) return true;
  return responses.some(
    ({ status, contents }) =>
      /^(?:2|default)/.test(status) &&
      contents.some(({ schema }) => hasField(schema, TOKEN_FIELD, schemas)),
  );
}

/** True if a schema has a field of the name, at its top or in one of its objects. */
function hasField(schema: JsonSchema | undefined, name: RegExp, schemas: Schemas): boolean {
  const fields = schema ? [...allFields(schema, schemas)] : [];
  const isNamed = ([field]: readonly [string, AnySchema]): boolean => name.test(field);
  return (
    fields.some(isNamed) ||
    fields.some(([, inner]) => isObject(inner) && [...allFields(inner, schemas)].some(isNamed))
  );
}

/**
 * The alternatives of an operation that issues a token: those of the document, and none. Basic
 * authentication and client certificates stay necessary, because clients prove themselves by them.
 */
export function withAnonymous(
  alternatives: readonly SecurityRequirement[],
  { securitySchemes }: Pick<ApiModel, "securitySchemes">,
): readonly SecurityRequirement[] {
  const names = alternatives.flatMap((alternative) => Object.keys(alternative));
  const hasProof = names.some((name) => {
    const scheme = securitySchemes[name];
    return scheme !== undefined && provesClient(scheme);
  });
  const isAnonymous = alternatives.some((alternative) => Object.keys(alternative).length === 0);
  return names.length === 0 || hasProof || isAnonymous ? alternatives : [...alternatives, {}];
}
