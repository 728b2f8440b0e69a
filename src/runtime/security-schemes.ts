/**
 * Kinds of security schemes: the variables that hold their credentials, those of them that are
 * secret, and the place of the credential in a request. Each kind has one row of `RULES`.
 */
import { base64, decodeBase64 } from "./data/bytes.js";

/** A security scheme, with the environment variables that hold its credentials. */
export type SecuritySchemeDefinition =
  | {
      readonly kind: "apiKey";
      readonly in: "query" | "header" | "cookie";
      readonly name: string;
      readonly env: string;
      /** A user name, a version or the like beside a secret of another scheme: not redacted. */
      readonly isIdentity?: true;
    }
  | { readonly kind: "basic"; readonly usernameEnv: string; readonly passwordEnv: string }
  | { readonly kind: "bearer"; readonly env: string }
  /** Another HTTP authentication scheme. The variable holds the credentials after its name. */
  | { readonly kind: "http"; readonly scheme: string; readonly env: string }
  /** OAuth 2.0 and OpenID Connect: an access token, or client credentials to obtain one. */
  | {
      readonly kind: "oauth2";
      readonly tokenEnv: string;
      readonly clientIdEnv?: string;
      readonly clientSecretEnv?: string;
      /**
       * The document does not offer client credentials. The server tries them if they are set, and
       * does not propose them.
       */
      readonly withoutClientGrant?: true;
      readonly refreshTokenEnv?: string;
      /** Token endpoint, relative to the base URL of the API. */
      readonly tokenUrl?: string;
      /** Variable that sets another token endpoint. */
      readonly tokenUrlEnv?: string;
      /** OpenID Connect metadata with the token endpoint, where `tokenUrl` is absent. */
      readonly discoveryUrl?: string;
      /** Variable with further fields of the token request, form-encoded: `audience=…`. */
      readonly tokenParametersEnv?: string;
      readonly scopes?: readonly string[];
      /** Endpoints for a sign-in with the user's consent, if the API has it. */
      readonly signIn?: SignInEndpoints;
    }
  /** Client certificate: PEM files. */
  | { readonly kind: "mutualTLS"; readonly certEnv: string; readonly keyEnv: string };

/** Endpoints of an authorization server, relative to the base URL of the API. */
export interface SignInEndpoints {
  readonly authorizationUrl?: string;
  readonly deviceUrl?: string;
  readonly tokenUrl?: string;
  /** Metadata with the endpoints (OpenID Connect, RFC 8414), where the others are absent. */
  readonly metadataUrl?: string;
}

type Kind = SecuritySchemeDefinition["kind"];
type Env = Readonly<Record<string, string | undefined>>;

/** A scheme of one kind. */
export type SchemeOf<K extends Kind> = Extract<SecuritySchemeDefinition, { kind: K }>;

/** Kinds whose credential is requested or read from files, not composed of variables. */
type ObtainedKind = "oauth2" | "mutualTLS";

/** A scheme whose credential is composed of its variables. */
export type FixedScheme = Exclude<SecuritySchemeDefinition, { kind: ObtainedKind }>;

/** Place of a credential in a request. */
export interface CredentialPlace {
  readonly in: "query" | "header" | "cookie";
  readonly name: string;
}

/** The value of a credential, with its parts that nobody may see; or the variable that is invalid. */
export type FixedCredential =
  | { readonly value: string; readonly secrets: readonly string[] }
  | { readonly invalid: string; readonly problem: string };

/** Rules of one kind of scheme. */
export interface SchemeRules<Scheme> {
  /** The credential as changes of an API name it. Its header or HTTP scheme follows. */
  readonly label: string;
  /**
   * Sets of variables, each of which satisfies the scheme, in order of preference: an access token
   * before credentials that are exchanged for one.
   */
  readonly options: (scheme: Scheme) => readonly (readonly string[])[];
  /** A variable whose options are not proposed, because the document does not offer them. */
  readonly unproposed?: (scheme: Scheme) => string | undefined;
  /** A variable that may be empty, but must be present. */
  readonly mayBeEmpty?: (scheme: Scheme) => string;
  /** Variables that are redacted wherever they occur. */
  readonly secrets: (scheme: Scheme) => readonly (string | undefined)[];
  /** Variables as errors name them. */
  readonly advice: (scheme: Scheme) => readonly string[];
  /** Variables that tests set, for a request to the mock. */
  readonly samples: (scheme: Scheme) => readonly string[];
  /** Undefined for credentials of the connection. */
  readonly place: (scheme: Scheme) => CredentialPlace | undefined;
  /** An exchange of tokens can give the credential. */
  readonly isToken: boolean;
}

interface FixedSchemeRules<Scheme> extends SchemeRules<Scheme> {
  readonly credential: (scheme: Scheme, env: Env) => FixedCredential;
}

type AllRules = {
  readonly [K in Kind]: K extends ObtainedKind
    ? SchemeRules<SchemeOf<K>>
    : FixedSchemeRules<SchemeOf<K>>;
};

const AUTHORIZATION: CredentialPlace = { in: "header", name: "Authorization" };

/** Rules of schemes with one secret variable. */
const ofOneSecret = {
  options: ({ env }: { readonly env: string }) => [[env]],
  secrets: ({ env }: { readonly env: string }) => [env],
  advice: ({ env }: { readonly env: string }) => [env],
  samples: ({ env }: { readonly env: string }) => [env],
};

const RULES: AllRules = {
  apiKey: {
    label: "an API key",
    ...ofOneSecret,
    secrets: ({ env, isIdentity }) => (isIdentity ? [] : [env]),
    place: ({ in: location, name }) => ({ in: location, name }),
    isToken: false,
    credential: ({ env: variable, isIdentity }, env) => {
      const value = env[variable] ?? "";
      return { value, secrets: isIdentity ? [] : [value] };
    },
  },
  basic: {
    label: "a user name and password (HTTP Basic)",
    // Some APIs take a key as the user name.
    mayBeEmpty: ({ passwordEnv }) => passwordEnv,
    options: ({ usernameEnv, passwordEnv }) => [[usernameEnv, passwordEnv]],
    secrets: ({ passwordEnv }) => [passwordEnv],
    advice: ({ usernameEnv, passwordEnv }) => [usernameEnv, passwordEnv],
    samples: ({ usernameEnv, passwordEnv }) => [usernameEnv, passwordEnv],
    place: () => AUTHORIZATION,
    isToken: false,
    credential: ({ usernameEnv, passwordEnv }, env) =>
      env[usernameEnv]?.includes(":")
        ? { invalid: usernameEnv, problem: "has a colon, which a user name cannot have" }
        : basicCredential(env[usernameEnv] ?? "", env[passwordEnv] ?? ""),
  },
  bearer: {
    label: "a bearer token",
    ...ofOneSecret,
    place: () => AUTHORIZATION,
    isToken: true,
    credential: ({ env: variable }, env) => bearerCredential(env[variable] ?? ""),
  },
  http: {
    label: "credentials of the HTTP scheme",
    ...ofOneSecret,
    place: () => AUTHORIZATION,
    isToken: false,
    credential: ({ scheme, env: variable }, env) => authorization(scheme, env[variable] ?? ""),
  },
  oauth2: {
    label: "an OAuth 2.0 access token",
    options: oauthVariableOptions,
    unproposed: ({ withoutClientGrant, clientSecretEnv }) =>
      withoutClientGrant ? clientSecretEnv : undefined,
    secrets: ({ tokenEnv, clientSecretEnv, refreshTokenEnv }) => [
      tokenEnv,
      clientSecretEnv,
      refreshTokenEnv,
    ],
    advice: ({ tokenEnv, clientIdEnv, clientSecretEnv }) =>
      clientIdEnv && clientSecretEnv
        ? [`${tokenEnv} or ${clientIdEnv} with ${clientSecretEnv}`]
        : [tokenEnv],
    samples: ({ tokenEnv }) => [tokenEnv],
    place: () => AUTHORIZATION,
    isToken: true,
  },
  mutualTLS: {
    label: "a client certificate",
    options: ({ certEnv, keyEnv }) => [[certEnv, keyEnv]],
    secrets: ({ keyEnv }) => [keyEnv],
    advice: ({ certEnv, keyEnv }) => [certEnv, keyEnv],
    samples: () => [],
    place: () => undefined,
    isToken: false,
  },
};

/** The rules of a scheme's kind. */
export function rulesOf(scheme: SecuritySchemeDefinition): SchemeRules<SecuritySchemeDefinition> {
  return RULES[scheme.kind] as SchemeRules<SecuritySchemeDefinition>;
}

/** The credential of a kind, such as `a bearer token`; `undefined` if the kind is not known. */
export function labelOf(kind: string): string | undefined {
  return Object.hasOwn(RULES, kind) ? RULES[kind as Kind].label : undefined;
}

/** The header of the credentials, in lower case; `undefined` if they are not in a header. */
export function credentialHeader(scheme: SecuritySchemeDefinition): string | undefined {
  const place = rulesOf(scheme).place(scheme);
  if (place === undefined || place.in === "query") return undefined;
  return place.in === "cookie" ? "cookie" : place.name.toLowerCase();
}

/** Composes the credential of a scheme from its variables. */
export function fixedCredential(scheme: FixedScheme, env: Env): FixedCredential {
  return (RULES[scheme.kind] as FixedSchemeRules<FixedScheme>).credential(scheme, env);
}

/** A bearer token (RFC 6750), without the scheme name that users may have copied with it. */
export function bearerCredential(token: string): Exclude<FixedCredential, { invalid: string }> {
  return authorization("Bearer", token.replace(/^bearer +/i, ""));
}

/**
 * Basic credentials in UTF-8 (RFC 7617). The user name is a secret if it replaces the password, as
 * API keys do.
 */
function basicCredential(username: string, password: string): FixedCredential {
  const { value, secrets } = authorization("Basic", base64(`${username}:${password}`));
  return { value, secrets: [...secrets, ...secretParts(username, password)] };
}

const secretParts = (username: string, password: string): readonly string[] =>
  password.length < 8 ? [username, password] : [password];

/** Secret parts of basic credentials, as they are sent; none of a text that is not base64. */
export function basicSecrets(credentials: string): readonly string[] {
  const text = decodeText(credentials) ?? "";
  const at = text.indexOf(":");
  return at < 0 ? [] : secretParts(text.slice(0, at), text.slice(at + 1));
}

function decodeText(base64Text: string): string | undefined {
  try {
    return new TextDecoder().decode(decodeBase64(base64Text));
  } catch {
    return undefined;
  }
}

function authorization(
  scheme: string,
  credentials: string,
): Exclude<FixedCredential, { invalid: string }> {
  return { value: `${scheme} ${credentials}`, secrets: [credentials] };
}

function oauthVariableOptions({
  tokenEnv,
  refreshTokenEnv,
  clientIdEnv,
  clientSecretEnv,
  tokenUrl,
  discoveryUrl,
}: SchemeOf<"oauth2">): readonly (readonly string[])[] {
  if ((tokenUrl ?? discoveryUrl) === undefined || clientIdEnv === undefined) return [[tokenEnv]];
  const refresh = refreshTokenEnv === undefined ? [] : [[refreshTokenEnv, clientIdEnv]];
  const client = clientSecretEnv === undefined ? [] : [[clientIdEnv, clientSecretEnv]];
  return [[tokenEnv], ...refresh, ...client];
}
