import type { SourceLocation } from "../diagnostics/index.js";
import type { JsonSchema } from "../json.js";

/**
 * One API, whatever version its document was written in (OpenAPI 2.0, 3.0, 3.1, 3.2). Plain data.
 * Schemas are JSON Schema 2020-12 in *model form*: a `$ref` is always `#/$defs/<key of
 * ApiModel.schemas>` and stands alone or beside annotations (`description`, `default` …); no `x-*`,
 * no `nullable`, no `discriminator` keyword, no `$id`/`$anchor`/`$dynamicRef`; `example` has become
 * `examples`. `readOnly` and `writeOnly` are kept: the plan strips them by direction.
 */
export interface ApiModel {
  readonly title: string;
  readonly version: string;
  readonly summary?: string;
  readonly description?: string;
  /** Base name of the document, for headers of generated files. */
  readonly source: string;
  /** Root-level servers. Empty when the document has none or only unusable ones. */
  readonly servers: readonly Server[];
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  readonly tags: readonly Tag[];
  readonly operations: readonly Operation[];
  /**
   * Every schema that something refers to. Keys are unique TypeScript type names (`Pet`, `Pet2`).
   * Null prototype.
   */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** `x-mcp` of the root. */
  readonly xMcp?: unknown;
}

/** OpenAPI Server Object. */
export interface Server {
  /** Absolute or relative URL template: `https://{region}.example.com/v1`, `/api`. */
  readonly url: string;
  readonly description?: string;
  readonly variables: Readonly<Record<string, ServerVariable>>;
}
export interface ServerVariable {
  readonly default: string;
  readonly enum?: readonly string[];
  readonly description?: string;
}

export interface Tag {
  readonly name: string;
  readonly summary?: string;
  readonly description?: string;
  /** OpenAPI 3.2 parent tag. */
  readonly parent?: string;
}

/** OpenAPI Security Scheme Object, one shape per kind. */
export type SecurityScheme = SecuritySchemeText &
  (
    | { readonly kind: "apiKey"; readonly in: "query" | "header" | "cookie"; readonly name: string }
    | { readonly kind: "http"; readonly scheme: string; readonly bearerFormat?: string }
    /**
     * `metadataUrl` (3.2): where the authorization server says what its endpoints are (RFC 8414).
     */
    | {
        readonly kind: "oauth2";
        readonly flows: readonly OAuthFlow[];
        readonly metadataUrl?: string;
      }
    | { readonly kind: "openIdConnect"; readonly url: string }
    | { readonly kind: "mutualTLS" }
  );

export interface SecuritySchemeText {
  readonly description?: string;
  /** 3.2: to be used only where there is no other way in. */
  readonly deprecated?: true;
}

export interface OAuthFlow {
  readonly flow:
    | "authorizationCode"
    | "clientCredentials"
    | "implicit"
    | "password"
    | "deviceAuthorization";
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly refreshUrl?: string;
  readonly scopes: Readonly<Record<string, string>>;
}

/**
 * One alternative: all of these schemes together, with the scopes each needs. `{}` means no
 * credentials.
 */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface Operation {
  /** `operationId` as written; absent when the document has none or repeats one. */
  readonly operationId?: string;
  /** `GET`, `QUERY`, or any token of `additionalOperations`, in the capitals that are sent. */
  readonly method: string;
  /** Path template as written, starting with `/`, without query or fragment: `/pets/{petId}`. */
  readonly path: string;
  /**
   * Constant query pairs that stood in the path (`/files#upload`, `/x?action=y`): name and value.
   */
  readonly fixedQuery?: readonly (readonly [string, string])[];
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** Path-level and operation-level parameters merged; unusable ones left out with a diagnostic. */
  readonly parameters: readonly Parameter[];
  readonly body?: RequestBody;
  readonly responses: readonly Response[];
  /** OR of ANDs. Absent: nothing is declared anywhere. `[]`: declared to need none. */
  readonly security?: readonly SecurityRequirement[];
  /** Path- or operation-level servers; absent when the root's apply. */
  readonly servers?: readonly Server[];
  readonly links?: readonly Link[];
  readonly xMcp?: unknown;
  readonly externalDocs?: { readonly url: string; readonly description?: string };
  readonly location: SourceLocation;
}

export type ParameterLocation = "path" | "query" | "header" | "cookie" | "querystring";
/**
 * Those of OpenAPI 3.x, and one for `tsv` of Swagger 2.0, which also has the delimited ones in
 * paths and headers.
 */
export type ParameterStyle =
  | "matrix"
  | "label"
  | "simple"
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "deepObject"
  | "cookie"
  | "tabDelimited";

/** OpenAPI Parameter Object with all defaults filled in. */
export interface Parameter {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly description?: string;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly schema: JsonSchema;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  /**
   * Media type of a parameter that is described by `content` (`application/json`). Style does not
   * apply then.
   */
  readonly contentType?: string;
  /** OpenAPI Encoding Object by property, for `content` that is a form. */
  readonly encoding?: Readonly<Record<string, Encoding>>;
  readonly location: SourceLocation;
}

export interface RequestBody {
  readonly required: boolean;
  readonly description?: string;
  /** In document order; never empty. */
  readonly contents: readonly Content[];
}

/** One media type of a body or a response. */
export interface Content extends PartEncodings {
  /** Lower case, with parameters only of multipart: `application/json`. */
  readonly mediaType: string;
  /** What `Content-Type` and `Accept` say where that is more: `application/json; version=2`. */
  readonly contentTypeHeader?: string;
  /** Of an answer: the range that the document has, of which `mediaType` is the likeliest. */
  readonly mediaRange?: string;
  /** Absent: anything. For sequential media types of 3.2 this is an array of `itemSchema`. */
  readonly schema?: JsonSchema;
  readonly examples?: readonly unknown[];
  /** Of XML: what the elements of named schemas are called. */
  readonly xmlElements?: XmlElementNames;
  readonly location: SourceLocation;
}

/** XML elements that no XML Object names. OpenAPI 3.2, "XML Node Names". */
export interface XmlElementNames {
  /**
   * Names of components that are not their keys in `ApiModel.schemas`: `pet-item` for `PetItem`.
   * Null prototype.
   */
  readonly names: Readonly<Record<string, string>>;
  /** 3.2: a reference stands for the element of its component. Before, the property names it. */
  readonly useComponentNames: boolean;
}

/**
 * OpenAPI Encoding Objects of a form or multipart body, with the defaults that are not everybody's.
 */
export interface PartEncodings {
  /** By property. */
  readonly encoding?: Readonly<Record<string, Encoding>>;
  /** By position (3.2): one for each of the first parts, then one for all others. */
  readonly prefixEncoding?: readonly Encoding[];
  readonly itemEncoding?: Encoding;
}

/** One of them. Those inside it are for a part that has parts itself. */
export interface Encoding extends PartEncodings {
  /** One media type, or several that the part may be: `image/png, image/*`. */
  readonly contentType?: string;
  readonly style?: ParameterStyle;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  /** Constant part headers (multipart): those with a single value, default or example. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The value is text already (`contentEncoding`), whatever its media type: sent as it is. */
  readonly isEncoded?: true;
}

export interface Response {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
  readonly description?: string;
  readonly contents: readonly Content[];
  readonly headers: readonly {
    readonly name: string;
    readonly description?: string;
    readonly schema?: JsonSchema;
  }[];
}

/** OpenAPI Link Object: a value of this operation's response feeds a parameter of another. */
export interface Link {
  readonly name: string;
  readonly operationId?: string;
  /** `GET /pets/{petId}` form of a resolved `operationRef`. */
  readonly operation?: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly description?: string;
}
