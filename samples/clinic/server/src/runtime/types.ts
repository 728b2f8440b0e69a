/**
 * The vocabulary of a generated server: what a tool is, and how its input becomes one HTTP request.
 * All of it is plain data, written by the generator; the runtime gives it behaviour.
 */

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** JSON Schema 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** MCP tool annotations; hints, never guarantees. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/**
 * One tool. `Input` and `Output` only tie the data to the types beside it; see `defineTool`.
 * `requests` are tried in order: the first whose `given` inputs are all present is sent.
 */
export interface ToolDefinition<Input = never, Output = unknown> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** Root `type: object`, `additionalProperties: false`, no root combinators. */
  readonly inputSchema: JsonSchema;
  /** Root `type: object`. Absent when the result has no JSON (files, text, nothing). */
  readonly outputSchema?: JsonSchema;
  /**
   * Of everything above, as `mcp-gen.lock.json` has it. In the tool's `_meta`, so that clients can
   * tell when a tool has changed.
   */
  readonly fingerprint?: string | undefined;
  readonly operations: readonly OperationBinding[];
  /** The group of tools that it is in, as `--toolsets` names it. Absent: it is always there. */
  readonly toolset?: string;
  /** By input: the tools whose results hold a value for it, the best first. */
  readonly producers?: Readonly<Record<string, readonly string[]>>;
  /**
   * Advice by status (`404`, `4XX`, `default`); `{input}` names an input, whose value is filled in.
   */
  readonly onError?: Readonly<Record<string, string>>;
  /** Per-call deadline in milliseconds, when it is not the server's. */
  readonly timeoutMs?: number;
  /** Phantom: ties `Input` and `Output` to the definition; never present. */
  readonly __types?: (input: Input) => Output;
}

/** One way to serve a tool: when it applies, what it sends, how the response is read. */
export interface OperationBinding {
  /** Inputs that must all be present for this variant; `[]` always applies. */
  readonly whenProvided: readonly string[];
  readonly request: RequestMapping;
  readonly response: ResponseMapping;
  /** How the next page is asked for, where that is more than a cursor in the answer. */
  readonly pagination?: PaginationMapping;
  /** By input that takes an ID: how a name that is given instead becomes one. */
  readonly resolve?: Readonly<Record<string, NameResolution>>;
}

/** How a name becomes an ID: looked up through another tool of the server. */
export interface NameResolution {
  /** The tool that lists the things. */
  readonly lookupTool: string;
  /** Fields of its items: the one that holds the name, and the one that holds the ID. */
  readonly nameField: string;
  readonly idField: string;
  /** The input of `via` that takes words to look for. Absent: its whole list is looked through. */
  readonly searchInput?: string;
  /** The input of `via` that takes an ID: by it, a text that is one can be told. */
  readonly idInput?: string;
  /** Inputs that `via` needs, and that the call has under the same names. */
  readonly sharedInputs?: readonly string[];
  /** What IDs look like, where that tells them from names: what satisfies it is not looked up. */
  readonly idSchema?: JsonSchema;
  /** JSON pointer to the list in the answer, where the result of `via` is the answer as it is. */
  readonly items?: string;
  /** How the pages of the list are followed. */
  readonly pagination?: PaginationMapping;
}

/**
 * The ways from one page to the next; an address that the API gives goes before a cursor, and that
 * before counting.
 */
export interface PaginationMapping {
  /**
   * Follow pages until there are so many items. Absent: one page, and the result says what to pass
   * for the next one.
   */
  readonly maxItems?: number;
  /**
   * JSON pointer to the list in an answer that is the result as it is. The next page is told in
   * words then.
   */
  readonly list?: string;
  /** The `Link` header of answers has the address of the next page. RFC 8288. */
  readonly linkHeader?: true;
  /** JSON pointer to the address of the next page in the answer. */
  readonly link?: string;
  /** The input that takes a cursor, and JSON pointer to the cursor in the answer. */
  readonly cursor?: { readonly input: string; readonly pointer: string };
  /** The input that takes the number of the page, and that of the first page. */
  readonly page?: { readonly input: string; readonly first: number };
  /** The input that takes the place of the first item, and the place of the very first. */
  readonly offset?: { readonly input: string; readonly first: number };
  /** The input that takes the last item's ID, and JSON pointer to the ID in an item. */
  readonly after?: { readonly input: string; readonly pointer: string };
  /**
   * How many items a full page has: what the input says, else what is usual. A page with fewer is
   * the last.
   */
  readonly pageSize?: { readonly input?: string; readonly default?: number };
  /** JSON pointer to the flag in the answer that says whether there are more. */
  readonly hasMore?: string;
  /** JSON pointer to the number of all items in the answer. */
  readonly total?: string;
}

/** The request, keyed by wire name; each value says which input it comes from. */
export interface RequestMapping {
  /** In the capitals that are sent: `GET`. */
  readonly method: string;
  /**
   * The API changes something by a method that is safe by definition (`GET /deletePad`): a failure
   * is no reason to send it again.
   */
  readonly unsafe?: true;
  /** Path template: `/pets/{petId}`. */
  readonly path: string;
  /**
   * Base URL templates of this operation when they are not the API's (path- or operation-level
   * servers).
   */
  readonly servers?: readonly ServerDefinition[];
  readonly pathParams?: Readonly<Record<string, ParameterSource>>;
  readonly query?: Readonly<Record<string, ParameterSource>>;
  /** OpenAPI 3.2 `in: querystring`: the whole query from one input. */
  readonly querystring?: InputSource;
  readonly headers?: Readonly<Record<string, ParameterSource>>;
  readonly cookies?: Readonly<Record<string, ParameterSource>>;
  readonly body?: BodyMapping;
  /** Media types the caller can read, most wanted first; becomes `Accept`. */
  readonly accept?: readonly string[];
  /** OR of ANDs. Absent: the API's default. `[]`: none. */
  readonly security?: readonly SecurityRequirement[];
}

/**
 * Where one wire value comes from.
 * A string is the name of an input, sent in the default style of its place
 * (query and cookie: form, exploded; path and header: simple).
 */
export type ParameterSource =
  | string
  | InputSource
  | ConstantSource
  | EnvironmentSource
  | GeneratedSource;

/** An input with a style of its own. OpenAPI 3.x Parameter Object, "style". */
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
  /**
   * The parameter has `content`: the value is serialised as this media type, and style does not
   * apply.
   */
  readonly contentType?: string;
  /** How the fields of a value are written whose `contentType` is that of a form. */
  readonly encoding?: Readonly<Record<string, FieldEncoding>>;
  /** Sent when the input is not given (only for required parameters with a default). */
  readonly default?: JsonValue;
  /**
   * The owner's own description of a task gives it, so that it may be a header which is not a
   * caller's to choose.
   */
  readonly isConfigured?: true;
}
/** A value that is always sent: single-valued enums, `const`, fixed by configuration. */
export interface ConstantSource extends Omit<InputSource, "from" | "default"> {
  readonly value: JsonValue;
}
/**
 * A value from an environment variable; the call fails with its name when it is not set and
 * `required`.
 */
export interface EnvironmentSource extends Omit<InputSource, "from" | "default"> {
  readonly env: string;
  readonly required?: boolean;
}
/** A fresh value per call, the same across its retries (idempotency keys). */
export interface GeneratedSource {
  readonly generate: "uuid";
}

/**
 * The request body: either `fields` (an object put together from inputs) or `from` (one input is
 * the whole body).
 */
export interface BodyMapping extends PartEncodings {
  /**
   * `application/json`, `multipart/form-data`, `application/xml`, `application/octet-stream`,
   * `text/plain` …
   */
  readonly contentType: string;
  /**
   * Further media types that the API takes for the same file; the one that the file is goes first.
   */
  readonly alternativeTypes?: readonly string[];
  /** The API wants a body even when no field is given. */
  readonly required?: boolean;
  /** How many of the fields a body must have at least, and may have at most. */
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly from?: string;
  readonly fields?: Readonly<Record<string, ParameterSource>>;
  /** Names and places of XML elements; see `XmlNode`. */
  readonly xml?: XmlNode;
}

/** How the parts of a form or multipart body are written. OpenAPI Encoding Object. */
export interface PartEncodings {
  /** By field. */
  readonly encoding?: Readonly<Record<string, FieldEncoding>>;
  /** By position, of a list: one for each of the first parts, then one for all others. */
  readonly prefixEncoding?: readonly FieldEncoding[];
  readonly itemEncoding?: FieldEncoding;
}

/** One of them. Those inside it are for a part that has parts itself. */
export interface FieldEncoding extends PartEncodings {
  /** One media type, or several that the part may be: `image/png, image/*`. */
  readonly contentType?: string;
  readonly style?: InputSource["style"];
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The field (or each item of it) is a file: base64 in, bytes out. `false`: it is text, whatever
   * its media type.
   */
  readonly file?: boolean;
  /** Names and places of XML elements, where the part is XML. */
  readonly xml?: XmlNode;
  /** Name of the input with the file's name. */
  readonly filenameInput?: string;
}

/**
 * OpenAPI XML Object of a schema and its parts: what differs from "element named as the property".
 */
export interface XmlNode {
  readonly name?: string;
  readonly namespace?: string;
  readonly prefix?: string;
  readonly attribute?: boolean;
  readonly wrapped?: boolean;
  /**
   * No element of its own: text or CDATA of the element around, or nothing but what is inside.
   * OpenAPI 3.2, "XML Node Types".
   */
  readonly nodeType?: "text" | "cdata" | "none";
  readonly properties?: Readonly<Record<string, XmlNode>>;
  readonly items?: XmlNode;
  /** The first items of a list, each with a node of its own. */
  readonly prefixItems?: readonly XmlNode[];
}

/** How a successful response becomes the tool's structured result. */
export interface ResponseMapping {
  /** The JSON is wrapped under this key, because it is an array (`items`) or a scalar (`value`). */
  readonly wrap?: "items" | "value";
  /** JSON pointer to the list inside the response; the result is `{items}`. */
  readonly items?: string;
  /** JSON pointer to one object; the result is `{items: [it]}`. */
  readonly item?: string;
  /** Paging fields of the result (`cursor`) and where the response has them. */
  readonly next?: Readonly<Record<string, string>>;
  /** Further fields of the result beside `items` (a total), and where the response has them. */
  readonly extraFields?: Readonly<Record<string, string>>;
  /** Headers that an answer without a body says something by. */
  readonly headers?: readonly string[];
  /**
   * The fields of the result that are kept: all that are picked, or all but those that are dropped.
   */
  readonly projection?: FieldProjection;
}

/** Which fields of an object are kept; of the objects in the list `of`, when there is one. */
export interface FieldProjection {
  readonly list?: string;
  readonly pick?: readonly string[];
  readonly drop?: readonly string[];
}

/** One alternative: all of these schemes together, with scopes. `{}` is anonymous access. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** Everything about the API that is not a tool. See `defineApi`. */
export interface ApiDefinition {
  /** MCP server name: `clinic`. */
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** Text for the model about the whole server; MCP `instructions`. */
  readonly instructions?: string;
  /** Prefix of every environment variable, without the underscore: `CLINIC`. */
  readonly envPrefix: string;
  /** The first is used unless `<PREFIX>_BASE_URL` is set. Empty: the base URL must be set. */
  readonly servers: readonly ServerDefinition[];
  readonly securitySchemes: Readonly<Record<string, SecuritySchemeDefinition>>;
  /**
   * Variables that hold secrets and are sent as parameters: keys that no security scheme declares.
   */
  readonly secretParameters?: readonly string[];
  /** Default requirement of the API. Absent or `[]`: none. */
  readonly security?: readonly SecurityRequirement[];
  /** First word of every tool's name. */
  readonly namespace?: string;
  /**
   * What a list of tools may cost. There when all tools together cost more: then three tools that
   * find, describe and call them are listed instead.
   */
  readonly listBudget?: { readonly tools: number; readonly tokens: number };
  /** Most tokens of a result, where the owner decided that. */
  readonly maxResultTokens?: number;
}

export interface ServerDefinition {
  readonly url: string;
  /**
   * Variables of the URL template: the environment variable that sets each, its default, and
   * allowed values.
   */
  readonly variables?: Readonly<
    Record<
      string,
      { readonly env: string; readonly default: string; readonly enum?: readonly string[] }
    >
  >;
}

/** A security scheme, with the environment variables that hold its credentials. */
export type SecuritySchemeDefinition =
  | {
      readonly kind: "apiKey";
      readonly in: "query" | "header" | "cookie";
      readonly name: string;
      readonly env: string;
    }
  | { readonly kind: "basic"; readonly usernameEnv: string; readonly passwordEnv: string }
  | { readonly kind: "bearer"; readonly env: string }
  /**
   * Any other HTTP authentication scheme: the variable holds the credentials after the scheme name.
   */
  | { readonly kind: "http"; readonly scheme: string; readonly env: string }
  /** OAuth 2.0 and OpenID Connect: an access token, or client credentials to get one with. */
  | {
      readonly kind: "oauth2";
      readonly tokenEnv: string;
      readonly clientIdEnv?: string;
      readonly clientSecretEnv?: string;
      readonly refreshTokenEnv?: string;
      /** Where tokens come from; relative to the base URL of the API. */
      readonly tokenUrl?: string;
      /** Sets another one. */
      readonly tokenUrlEnv?: string;
      /** OpenID Connect: metadata that name the token endpoint, when `tokenUrl` does not. */
      readonly discoveryUrl?: string;
      /** More fields of the token request, form-encoded: `audience=…`, which some servers want. */
      readonly tokenParametersEnv?: string;
      readonly scopes?: readonly string[];
    }
  /** Client certificate: PEM files. */
  | { readonly kind: "mutualTLS"; readonly certEnv: string; readonly keyEnv: string };

/** A tool's arguments, by name. */
export type ToolInput = Readonly<Record<string, unknown>>;
