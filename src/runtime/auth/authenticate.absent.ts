/** Stands in for credentials, for which no operation of this project asks: clients may forward some. */
import { receivesCredentials } from "../request/origins.js";
import type { ApiContext, AuthResult, BoundRequest } from "../request/types.js";
import { secretForms } from "../response/secret-forms.js";
import { withHeader } from "./authenticate.js";
import type { ChosenScheme } from "./requirements.js";
import type { AuthContext, AuthFailure, SignedInContext } from "./types.js";

/** No token can be obtained again. */
export function invalidateToken(..._: readonly unknown[]): boolean {
  return false;
}

/** Adds the headers that the client forwards. A request to another origin gets none. */
export async function authenticate(
  request: BoundRequest,
  _mapping: unknown,
  context: AuthContext,
  ..._: readonly unknown[]
): Promise<AuthResult> {
  const given = receivesCredentials(request.url, context) ? (context.forwarded ?? []) : [];
  const forwarded = given.filter(({ value }) => value !== "");
  return {
    ok: true,
    request: forwarded.reduce(withHeader, request),
    secrets: forwarded.flatMap(({ value }) => [
      ...secretForms(value),
      ...secretForms(value.replace(/^\S+ +/, "")),
    ]),
    credentials: { variables: [], headers: forwarded.map(({ from }) => from) },
  };
}

/** No request needs credentials. */
export function findOriginFailure(
  _requirements: unknown,
  _url: string,
  _context: ApiContext,
): AuthFailure | undefined {
  return undefined;
}

type AnonymousChoice =
  | {
      readonly ok: true;
      readonly schemes: readonly ChosenScheme[];
      readonly signedIn: SignedInContext;
    }
  | AuthFailure;

export async function chooseCredentials(
  _requirements: unknown,
  context: AuthContext,
  ..._: readonly unknown[]
): Promise<AnonymousChoice> {
  return {
    ok: true,
    schemes: [],
    signedIn: { ok: true, context, secrets: [], scopes: new Map() },
  };
}
