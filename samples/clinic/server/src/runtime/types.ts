// types: files of the runtime of mcp-gen as one module, each after those that it uses.

import { base64, decodeBase64, type FieldPath } from "./data.js";

// ---- security-schemes.ts ----
// Kinds of security schemes: the variables that hold their credentials, those of them that are
// secret, and the place of the credential in a request. Each kind has one row of `RULES`.

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

// ---- api-definition.ts ----
// The API of a server: its servers, its security schemes and its defaults.

/** Schemes that are required together, with their scopes. `{}` is anonymous access. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** Tools that need approval: the destructive ones, all that write, or those of a list. */
export type ApprovalScope = "destructive" | "writes" | readonly string[];

/** The API of a server, without its tools. See `defineApi`. */
export interface ApiDefinition {
  /** MCP server name: `clinic`. */
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** MCP `instructions`: a text for the model about the server. */
  readonly instructions?: string;
  /** Text of the documentation about the whole API, where the instructions have only a part of it. */
  readonly documentation?: readonly DocumentationSection[];
  /** Prefix of every environment variable, without the underscore: `CLINIC`. */
  readonly envPrefix: string;
  /** The first is used unless `<PREFIX>_BASE_URL` is set. Empty: the base URL must be set. */
  readonly servers: readonly ServerDefinition[];
  /** Origins that receive credentials in addition to that of the base URL. */
  readonly hosts?: readonly string[];
  /** Base path of the document, where it names no host: `/api/v1`. The base URL must end in it. */
  readonly basePath?: string;
  readonly securitySchemes: Readonly<Record<string, SecuritySchemeDefinition>>;
  /** Variables with secrets that are sent as parameters: keys that no scheme declares. */
  readonly secretParameters?: readonly string[];
  /** Credentials that the configuration fixes in requests. They are redacted. */
  readonly secretConstants?: readonly string[];
  /** Headers of every request, by name. */
  readonly headers?: Readonly<Record<string, HeaderSource>>;
  /** Default requirements of the API. Absent or `[]`: none. */
  readonly security?: readonly SecurityRequirement[];
  /** Meanings of error codes of any operation, as the documentation states them. */
  readonly errorCodes?: Readonly<Record<string, string>>;
  /** Meanings of response statuses that many operations share; they refer to it with `true`. */
  readonly statuses?: Readonly<Record<string, string>>;
  /** First word of every tool's name. */
  readonly namespace?: string;
  /**
   * Budget of `tools/list`. Present when the tools exceed it: then the server lists tools that
   * find, describe and call them, in the mode `hybrid` together with those of `listed`.
   */
  readonly listBudget?: {
    readonly tools: number;
    readonly tokens: number;
    readonly mode: "hybrid" | "discovery";
  };
  /** Names of the tools that are always listed, and that hosts which defer tools should not defer. */
  readonly listed?: readonly string[];
  /** Tools whose writes the user must approve, where it is configured; see `ToolDefinition.approve`. */
  readonly approve?: ApprovalScope;
  /** Default of `<PREFIX>_RAW_REQUESTS`, where it is configured. */
  readonly rawRequests?: boolean;
  /** Default of `<PREFIX>_RUN_STEPS`; `byMode` where it is not configured. */
  readonly runSteps?: true | "reads" | "byMode";
  /** Default of `<PREFIX>_READ_BACK`, where it is configured. */
  readonly readBack?: boolean;
  /** Default of `<PREFIX>_FOLLOW_PAGES`, where it is configured. */
  readonly followPages?: boolean;
  /** Default of `<PREFIX>_STRICT_INPUTS`, where it is configured. */
  readonly strictInputs?: boolean;
  /** Maximum number of tokens of a result, where it is configured. */
  readonly maxResultTokens?: number;
  /** APIs of a server of several, by name. The server itself then has no address of its own. */
  readonly apis?: Readonly<Record<string, ApiDefinition>>;
  /** Command that signs a user in; see `loginCommandOf`. */
  readonly loginCommand?: string;
}

/** A part of the documentation, in Markdown. */
export interface DocumentationSection {
  readonly heading: string;
  readonly text: string;
}

/** The command that signs a user in, as texts name it. `<PREFIX>_LOGIN_COMMAND` sets another. */
export function loginCommandOf({ loginCommand }: Pick<ApiDefinition, "loginCommand">): string {
  return `\`${loginCommand ?? "node dist/server.js login"}\``;
}

/** Value of a header: a constant, a credential that is a constant, or a variable that holds it. */
export type HeaderSource =
  | string
  | { readonly value: string; readonly isSecret: true }
  | { readonly env: string };

/** A server of the API. OpenAPI 3.1.1, Server Object. */
export interface ServerDefinition {
  readonly url: string;
  /** Variables of the URL template: environment variable, default and allowed values. */
  readonly variables?: Readonly<
    Record<
      string,
      { readonly env: string; readonly default: string; readonly enum?: readonly string[] }
    >
  >;
}

// ---- types.ts ----
// Types of the tools of a generated server, and of the mapping of their inputs to HTTP requests.
// All of them are plain data that the generator writes. The other modules of the runtime have the
// behavior.

/** Any JSON value. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** JSON Schema 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** MCP tool annotations: hints, not guarantees. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Effect of a tool on the API's data or on the world. */
export type ToolEffect = "reads" | "adds" | "changes" | "removes" | "destroys" | "starts" | "sends";

/**
 * One tool. `Input` and `Output` only connect the data with the types next to it; see `defineTool`.
 * The first of `operations` whose `whenProvided` inputs are all present serves a call.
 */
export interface ToolDefinition<Input = never, Output = unknown> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /**
   * Root `type: object`, no root combinators. `additionalProperties: false`, unless a body takes
   * undocumented fields (`BodyMapping.isOpen`).
   */
  readonly inputSchema: JsonSchema;
  /** Root `type: object`. Absent when the result has no JSON (files, text, nothing). */
  readonly outputSchema?: JsonSchema;
  readonly operations: readonly OperationBinding[];
  /** True for a tool that only other tools of the server call. Clients neither see nor call it. */
  readonly hidden?: true;
  /** Whole text for `describe_tools`, where `description` is shortened. */
  readonly fullDescription?: string;
  /** Whole texts for `describe_tools` of descriptions in `inputSchema`, by JSON Pointer. */
  readonly fullInputDescriptions?: Readonly<Record<string, string>>;
  /** Toolset of the tool, as `--toolsets` names it. Absent: the tool is in every one. */
  readonly toolset?: string;
  /** Name of its API, in a server of several. */
  readonly api?: string;
  /** Main effect of a tool that does more than read. */
  readonly effect?: Exclude<ToolEffect, "reads">;
  /** Words of the users by which `search_tools` finds the tool, in addition to its own texts. */
  readonly keywords?: readonly string[];
  /** Tools whose results contain a value for an input, by input, the best first. */
  readonly producers?: Readonly<Record<string, readonly string[]>>;
  /** Advice by status (`404`, `4XX`, `default`). `{input}` stands for the value of an input. */
  readonly onError?: Readonly<Record<string, string>>;
  /** Meanings of the API's error codes, as its documentation states them. */
  readonly errorCodes?: Readonly<Record<string, string>>;
  /** Deadline of a call in milliseconds. Absent: the server's deadline. */
  readonly timeoutMs?: number;
  /**
   * True if its writes need the user's approval, false if not. Absent: as the API's `approve` says.
   * With `type`, the user types the name of the thing.
   */
  readonly approve?: boolean | { readonly type: "name" };
  /** Inputs that the user is asked for, where a call lacks them. */
  readonly asks?: readonly string[];
  /** Inputs that take the URL of a thing, too. */
  readonly urls?: Readonly<Record<string, UrlInput>>;
  /** Requests of a tool that sends several, as the question about it lists them. */
  readonly sends?: readonly string[];
  /** Phantom that connects `Input` and `Output` with the definition. Never present. */
  readonly __types?: (input: Input) => Output;
}

/** An input that also takes URLs, whose parts are values of inputs. */
export interface UrlInput {
  /** Forms of the URLs, with the names of inputs: `https://host/{owner}/issues/{number}`. */
  readonly templates: readonly string[];
  /** Inputs that a call needs where the URL does not state them. */
  readonly needs: readonly string[];
  /** Inputs that take a number. */
  readonly isNumber: readonly string[];
  /** True if another URL can be no value of the input. */
  readonly isStrict?: true;
}

/** An operation that serves a tool: its condition, its request and its response. */
export interface OperationBinding {
  /** Inputs that must all be present for this operation; `[]` always applies. */
  readonly whenProvided: readonly string[];
  /** Value of an input that chooses this operation. */
  readonly choice?: ChosenBy;
  readonly request: RequestMapping;
  readonly response: ResponseMapping;
  /** Pagination, unless it is only a cursor in the response. */
  readonly pagination?: PaginationMapping;
  /** Field of the response that reports success or failure, as the document explains it. */
  readonly outcome?: OutcomeField;
  /**
   * Meanings of response statuses (`404`, `5XX`), as the documentation states them. `true`: that of
   * the API.
   */
  readonly statuses?: Readonly<Record<string, string | true>>;
  /** Resolution of names, by input that takes an ID. */
  readonly resolve?: Readonly<Record<string, NameResolution>>;
  /** Lookups of IDs for names, by input that takes an ID. */
  readonly lookUps?: Readonly<Record<string, IdLookUp>>;
  /** Names of the listed items, where lookups search them. */
  readonly itemNames?: ItemNames;
  /** The ID that may be a list. Its other alternatives are those of one ID. */
  readonly severalIds?: SeveralIds;
  /** Lists of the parts of the thing that the operation gets. */
  readonly included?: IncludedLists;
  /** Present if a call can ask for the total of the list alone. */
  readonly countOnly?: CountOnly;
  /** Tool that gets the thing, where the response of a write says too little about it. */
  readonly readBack?: ReadBack;
  /** Tool that removes what the operation creates, by the ID that `readBack` has. */
  readonly revert?: string;
  /** Tool that gets the thing on which a write acts, for the question about it. */
  readonly shows?: CalledTool;
  /** Input and value with which the API only says what it would do. */
  readonly preview?: { readonly input: string; readonly value: JsonValue };
  /** Work that a write starts, and the tool that follows it. */
  readonly job?: JobMapping;
  /** Present if a response may name work by the URL of its state. */
  readonly jobLocation?: JobLocation;
}

/** The input that chooses an operation, and the value of it. */
export interface ChosenBy {
  readonly input: string;
  readonly value: string;
  /** Inputs that this operation requires, unlike others of the tool. */
  readonly required: readonly string[];
}

/** Lookup of the ID that a caller gave a name for. */
export interface IdLookUp {
  /** Tool that lists the things. One of its operations has `itemNames`. */
  readonly tool: string;
  /** Field of its items with the value that the input takes. */
  readonly idField: string;
  /** By required input of that tool: the input of the call with its value. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Form of the IDs, where names may lack it. Other texts are looked up before the request. */
  readonly idForm?: "integer" | "uuid" | TextLimits;
}

/** Keywords that limit the text of an ID. */
export type TextLimits = Readonly<
  { [keyword in "minLength" | "maxLength"]?: number } & { pattern?: string }
>;

/** Names of the items of a list. */
export interface ItemNames {
  /** Fields with a name, best first. */
  readonly fields: readonly string[];
  /** Input that takes a search text. Absent: the whole list is searched. */
  readonly searchInput?: string;
  /** Input with the size of a page, and the largest size that the document allows. */
  readonly pageSize?: { readonly input: string; readonly size: number };
  /** JSON pointer to the list, where the result is the response body. */
  readonly items?: string;
  /** Pagination of the list, with a bound of items. */
  readonly pagination?: PaginationMapping;
}

/** An input that takes one ID or a list of IDs. */
export interface SeveralIds {
  readonly input: string;
  /** Further IDs of the path that may be lists. Several lists of a call are taken in pairs. */
  readonly others?: readonly string[];
  /** True if a call changes something: one ID after the other, up to a failure that stops it. */
  readonly isWrite?: true;
}

/** A tool that a call of another tool calls. */
export interface CalledTool {
  readonly tool: string;
  /** By input of that tool: the input of the call with its value. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** An input that takes names of lists, which are returned with the thing. */
export interface IncludedLists {
  readonly input: string;
  /** By name: the tool that lists the parts. */
  readonly lists: Readonly<Record<string, IncludedList>>;
}

/** An input that asks for the total of a list, with the smallest page. */
export interface CountOnly {
  readonly input: string;
  /** Input with the number of items of a page. */
  readonly pageSize: string;
  /** Number of items of the smallest page. */
  readonly least: 0 | 1;
  /** JSON pointer to the total in the response. */
  readonly total: string;
}

/** A list of parts, as a call of its tool. */
export interface IncludedList extends CalledTool {
  /** Inputs that only this list and others need. They are required where it is named. */
  readonly required?: readonly string[];
}

/** A read of the thing that a call has changed, created or removed. */
export interface ReadBack extends CalledTool {
  /** The ID of a created thing. Absent where the call has it. */
  readonly created?: CreatedId;
  /** True if the call removes the thing, so that 404 confirms it. */
  readonly isRemoval?: true;
  /** The tool lists things, among which is the thing, or no longer is. */
  readonly listed?: ListedId;
  /** True if the thing is also read where the response has a part of it. */
  readonly evenAfterContent?: true;
}

/** An ID of the call, and the fields of listed things that may have it, the best first. */
export interface ListedId {
  readonly input: string;
  readonly fields: readonly string[];
  /** JSON pointer to the list. Absent: it is the result or its `items`. */
  readonly list?: string;
}

/** Value of a field with a state. */
export type StateValue = string | number | boolean;

/** Work that the API does after the response of a write. */
export interface JobMapping {
  /** Field with the state in the response of the write. Absent if the response has none. */
  readonly started?: FieldPath;
  /** Field with the state in what `follow` returns. */
  readonly state: FieldPath;
  /** States by their stage. All absent: words tell it. Without `running`, every other state runs. */
  readonly running?: readonly StateValue[];
  readonly done?: readonly StateValue[];
  readonly failed?: readonly StateValue[];
  /** The read answers with 202 until the work is done, also if no field has a state. */
  readonly isAccepted?: true;
  /** Tool that reads the state, with its inputs. */
  readonly follow: FollowedTool;
  /** Tool that ends the work. Its inputs have values of those of `follow`. */
  readonly cancel?: CalledTool;
  /** Maximum milliseconds of waiting. Absent: the server's. 0 does not wait. */
  readonly waitMs?: number;
}

/** Work that a response names by a URL of the same origin. */
export interface JobLocation {
  /** Tools that read one thing, of which one may read the URL. */
  readonly readers: readonly string[];
  /** Fields with the state, by the reader that has it below the top of its response. */
  readonly states?: Readonly<Record<string, readonly string[]>>;
  /** True if the `Location` of a 201 is that of work, whatever its body says. */
  readonly isCreated?: true;
  /** Field of the response with the URL, if no header has it. */
  readonly field?: FieldPath;
}

/** A tool that follows work: inputs have values of the call's input, and of its response. */
export interface FollowedTool extends CalledTool {
  /** By input of that tool: the field of the response with its value. */
  readonly fields: Readonly<Record<string, FieldPath>>;
}

/** Places of the ID in the response of a creation. */
export interface CreatedId {
  /** Input of the tool that gets the thing. */
  readonly input: string;
  /** Last segment of the path of the collection, which is before the ID in `Location`. */
  readonly collection: string;
  /** Fields of the body, the best first. */
  readonly fields: readonly string[];
}

/** Field of a response body whose values mean success or failure. */
export interface OutcomeField {
  readonly field: string;
  /** The only field of the body, which holds the other: `{"answer": {"status": "ok"}}`. */
  readonly within?: string;
  readonly success: readonly (string | number | boolean)[];
  readonly failure: readonly (string | number | boolean)[];
  /** True if every other value means failure: `0 on success, non-zero on failure`. */
  readonly othersFail?: true;
}

/** Resolution of a name to an ID by another tool of the server. */
export interface NameResolution {
  /** Tool that lists the resources. */
  readonly lookupTool: string;
  /** Field of its items that holds the name. */
  readonly nameField: string;
  /** Fields with names, if there are several or one is inside another. `nameField` lists them then. */
  readonly nameFields?: readonly FieldPath[];
  /** Field of its items that holds the ID. */
  readonly idField: string;
  /** Input of the lookup tool that takes a search text. Absent: the whole list is searched. */
  readonly searchInput?: string;
  /** Input of the lookup tool that takes an ID. It shows whether a string is an ID. */
  readonly idInput?: string;
  /** Inputs that the lookup tool needs and the call has under the same names. */
  readonly sharedInputs?: readonly string[];
  /** Schema that IDs satisfy and names do not. A value that satisfies it is not looked up. */
  readonly idSchema?: JsonSchema;
  /** JSON pointer to the list, where the result of the lookup tool is the response body. */
  readonly items?: string;
  /** Pagination of the list. */
  readonly pagination?: PaginationMapping;
}

/** Pagination of a list. A link takes precedence over a cursor, and a cursor over counting. */
export interface PaginationMapping {
  /**
   * Number of items up to which pages are followed, as configured. Absent without configuration:
   * see `isFollowed`. The result has the inputs of the page after the last one.
   */
  readonly maxItems?: number;
  /**
   * True if a call that selects neither a page nor a number of items collects further pages while
   * its result is small.
   */
  readonly isFollowed?: true;
  /**
   * JSON pointer to the list, where the result is the response body. A note describes the next
   * page.
   */
  readonly list?: string;
  /** True if the `Link` header has the URL of the next page. RFC 8288. */
  readonly linkHeader?: true;
  /** JSON pointer to the URL of the next page. */
  readonly link?: string;
  /** Input that takes a cursor, and JSON pointer to the cursor in the response. */
  readonly cursor?: { readonly input: string; readonly pointer: string };
  /** Input that takes a page number, and the number of the first page. It may be a guess. */
  readonly page?: {
    readonly input: string;
    readonly first: number;
    readonly firstIsGuess?: true;
  };
  /** Input that takes the offset of the first item, and the offset of the whole list. */
  readonly offset?: { readonly input: string; readonly first: number };
  /** Input that takes the ID of the last item, and JSON pointer to the ID in an item. */
  readonly after?: { readonly input: string; readonly pointer: string };
  /** Number of items of a full page: an input, or the default. A shorter page is the last one. */
  readonly pageSize?: { readonly input?: string; readonly default?: number };
  /** JSON pointer to the flag that reports further pages. */
  readonly hasMore?: string;
  /** JSON pointer to the number of all items; of those that the filters let through, if there is one. */
  readonly total?: string;
  /** JSON pointer to the number of items without filters, where `total` is that with them. */
  readonly unfilteredTotal?: string;
}

/** Mapping of inputs to the parts of a request, by wire name. */
export interface RequestMapping {
  /** HTTP method in upper case. */
  readonly method: string;
  /**
   * True if the operation changes something although its method is safe (`GET /deletePad`), or does
   * more each time although its method is idempotent (`PUT /restart`). It is not retried then.
   */
  readonly unsafe?: true;
  /** True for `send_request`, whose input has method, path, query and body. */
  readonly isRaw?: true;
  /** Path template: `/pets/{petId}`. */
  readonly path: string;
  /** Servers of this operation, where they are not the API's. */
  readonly servers?: readonly ServerDefinition[];
  readonly pathParams?: Readonly<Record<string, ParameterSource>>;
  readonly query?: Readonly<Record<string, ParameterSource>>;
  /** Input that is the whole query. OpenAPI 3.2, `in: querystring`. */
  readonly querystring?: InputSource;
  readonly headers?: Readonly<Record<string, ParameterSource>>;
  readonly cookies?: Readonly<Record<string, ParameterSource>>;
  readonly body?: BodyMapping;
  /** Media types of the `Accept` header, in order of preference. */
  readonly accept?: readonly string[];
  /** Alternative requirements. Absent: the API's default. `[]`: none. */
  readonly security?: readonly SecurityRequirement[];
  /**
   * True if the document states no requirement, although it does for most operations. After 401 and
   * 403 the request is sent with the credentials of `likelySecurity`.
   */
  readonly isSecurityUnstated?: true;
  /** Requirements of similar operations, for one that states none. Absent: the API's default. */
  readonly likelySecurity?: readonly SecurityRequirement[];
}

/**
 * Source of a parameter's value. A string is the name of an input, sent in the default style of its
 * location (query and cookie: form, exploded; path and header: simple).
 */
export type ParameterSource =
  | string
  | InputSource
  | ConstantSource
  | EnvironmentSource
  | GeneratedSource;

/** An input with a style. OpenAPI, Parameter Object, `style`. */
export interface InputSource {
  readonly from: string;
  readonly style?:
    | "matrix"
    | "label"
    | "simple"
    | "form"
    | "spaceDelimited"
    | "pipeDelimited"
    | "deepObject"
    | "cookie"
    | "tabDelimited";
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  /** Media type of a parameter with `content`. Its value is serialized as such, without style. */
  readonly contentType?: string;
  /** Encoding of the fields of a value that is a form. */
  readonly encoding?: Readonly<Record<string, FieldEncoding>>;
  /** Joins a list to the text that is sent. */
  readonly separator?: "," | ";" | "|" | " " | "json";
  /** Value of a required parameter whose input is absent. */
  readonly default?: JsonValue;
  /** Environment variable with the value where the input is absent. */
  readonly defaultEnv?: string;
  /** True if a call fails without the input and the variable of `defaultEnv`. */
  readonly required?: boolean;
  /** True if the text of the environment variable is JSON: a number or a list for a body. */
  readonly isJson?: true;
  /** True if a workflow of the user maps it. Only then it may set a restricted header. */
  readonly isConfigured?: true;
}
/** Serialization of a value, without its source. */
type SourceStyle = Omit<InputSource, "from" | "default" | "defaultEnv" | "required">;
/** A constant: `const`, an enum of one value, or a value of the configuration. */
export interface ConstantSource extends SourceStyle {
  readonly value: JsonValue;
  /** True for a credential that the configuration fixes. */
  readonly isSecret?: true;
}
/** A value of an environment variable. A call fails when a required variable is not set. */
export interface EnvironmentSource extends SourceStyle {
  readonly env: string;
  readonly required?: boolean;
}
/** A new value for each call, the same for its retries: an idempotency key. */
interface GeneratedSource {
  readonly generate: "uuid";
}

/** Mapping of the request body: an object of `fields`, or one input (`from`). */
export interface BodyMapping extends PartEncodings {
  /** Media type of the body: `application/json`, `multipart/form-data`, … */
  readonly contentType: string;
  /** Further media types that the API accepts for a file. The type of the file is preferred. */
  readonly alternativeTypes?: readonly string[];
  /** Multipart type that is sent in place of `contentType` when one of the fields is a file. */
  readonly fileType?: string;
  /** True if the API requires a body even without any field. */
  readonly required?: boolean;
  /** Minimum and maximum number of fields. */
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly from?: string;
  /** True if `{}` is sent where the inputs of the body are absent. */
  readonly emptyByDefault?: true;
  readonly fields?: Readonly<Record<string, ParameterSource>>;
  /** Names of the objects around the fields of a JSON body, from the outside. */
  readonly envelope?: readonly string[];
  /** True if the document leaves the body open: inputs that the tool does not declare are fields. */
  readonly isOpen?: true;
  /** Fields that are documented and never sent. */
  readonly hiddenFields?: readonly string[];
  /** Fields inside the body that the server sets or leaves out. */
  readonly innerFields?: readonly InnerField[];
  /** Mapping to XML elements. */
  readonly xml?: XmlNode;
}

/** A field inside the body with a value that no input gives. */
export interface InnerField {
  /** Names of the fields from the top of the body. A list on the way stands for each of its items. */
  readonly path: readonly string[];
  /** Absent: the field is never sent. */
  readonly source?: ConstantSource | EnvironmentSource;
  /** True if missing objects on the way are created. Otherwise they are set where they are given. */
  readonly create?: boolean;
}

/** Encoding of the parts of a form or multipart body. OpenAPI, Encoding Object. */
export interface PartEncodings {
  /** Encodings by field. */
  readonly encoding?: Readonly<Record<string, FieldEncoding>>;
  /** Encodings of a list: one for each of the first parts, and one for all others. */
  readonly prefixEncoding?: readonly FieldEncoding[];
  readonly itemEncoding?: FieldEncoding;
}

/** Encoding of one field. Nested encodings are for a part that has parts itself. */
export interface FieldEncoding extends PartEncodings {
  /** Media type of the part, or several that it may have: `image/png, image/*`. */
  readonly contentType?: string;
  readonly style?: InputSource["style"];
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * True if the field, or each item of it, is a file: base64 in the input, bytes in the request.
   * `false` marks text, whatever its media type.
   */
  readonly file?: boolean;
  /** Mapping to XML elements, where the part is XML. */
  readonly xml?: XmlNode;
  /** Input with the file's name. */
  readonly filenameInput?: string;
}

/** XML Object of a schema and its parts. The default is an element named as the property. */
export interface XmlNode {
  readonly name?: string;
  readonly namespace?: string;
  readonly prefix?: string;
  readonly attribute?: boolean;
  readonly wrapped?: boolean;
  /** Node type other than an element or an attribute. OpenAPI 3.2, "XML Node Types". */
  readonly nodeType?: "text" | "cdata" | "none";
  readonly properties?: Readonly<Record<string, XmlNode>>;
  readonly items?: XmlNode;
  /** Nodes of the first items of a list. */
  readonly prefixItems?: readonly XmlNode[];
}

/** Mapping of a success response to the tool's structured result. */
export interface ResponseMapping {
  /** Key that wraps an array (`items`) or a scalar (`value`). */
  readonly wrap?: "items" | "value";
  /** JSON pointer to the list in the response. The result is `{items}`. */
  readonly items?: string;
  /** JSON pointer to an object in the response. The result is `{items: [object]}`. */
  readonly item?: string;
  /** JSON pointers to the inputs of the next page, by input. */
  readonly next?: Readonly<Record<string, string>>;
  /** JSON pointers to further fields of the result, such as a total. */
  readonly extraFields?: Readonly<Record<string, string>>;
  /** Headers that are reported for a response without a body. */
  readonly headers?: readonly string[];
  /** Projection of the result to some of its fields. */
  readonly projection?: FieldProjection;
  /** Choice of fields by a call. */
  readonly fields?: FieldSelection;
  /** Projection to the fields that a call chooses. Never part of a definition. */
  readonly selected?: FieldProjection;
}

/**
 * Fields that are kept: all of `pick`, or all but `drop`. A path names a field inside others. With
 * `list`, fields of its objects.
 */
export interface FieldProjection {
  readonly list?: string;
  readonly pick?: readonly FieldPath[];
  readonly drop?: readonly FieldPath[];
  /** Fields that move to a new name at the top, by this name. */
  readonly rename?: Readonly<Record<string, FieldPath>>;
}

/** An input that takes names of fields, which are returned alone. */
export interface FieldSelection {
  readonly input: string;
  /** List whose objects have the fields. Absent for those of the result itself. */
  readonly list?: string;
  /** Fields that are always returned, because other calls need them. */
  readonly kept: readonly FieldPath[];
  /** Fields of a call that names none. Absent: all. */
  readonly default?: readonly FieldPath[];
  /** True if the result has fields that its schema lacks. Names are not checked then. */
  readonly isOpen?: true;
}

/** Input of a call: its arguments by name. */
export type ToolInput = Readonly<Record<string, unknown>>;
