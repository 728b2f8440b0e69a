import type { SourceLocation } from "../diagnostics/index.js";
import type { JsonSchema } from "../json.js";
import type { SecurityScheme } from "./security-scheme-kinds.js";

/**
 * One API, independent of its document's version (Swagger 2.0, OpenAPI 3.0, 3.1, 3.2). Plain data.
 *
 * Schemas are JSON Schema 2020-12 in *model form*:
 * - A `$ref` is always `#/$defs/<key of ApiModel.schemas>`, alone or next to annotations
 *   (`description`, `default` …).
 * - There is no `nullable`, `discriminator`, `$id`, `$anchor` or `$dynamicRef`, and no extension
 * but
 *   `x-enum-meanings`, the texts of enum values by value. `example` is `examples`.
 * - `readOnly` and `writeOnly` are kept. The plan removes such properties by direction.
 */
export interface ApiModel {
  readonly title: string;
  readonly version: string;
  readonly summary?: string;
  readonly description?: string;
  /** Base name of the document, for headers of generated files. */
  readonly source: string;
  /** Root servers. Empty when the document has no usable ones. */
  readonly servers: readonly Server[];
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  readonly tags: readonly Tag[];
  readonly operations: readonly Operation[];
  /**
   * Every referenced schema. Keys are unique TypeScript type names (`Pet`, `Pet2`). Null prototype.
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

/**
 * One alternative: all of these schemes together, each with its scopes. `{}` means no credentials.
 */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface Operation {
  /** `operationId` as written. Absent when the document has none or repeats one. */
  readonly operationId?: string;
  /** `GET`, `QUERY`, or any method of `additionalOperations`, in the case that is sent. */
  readonly method: string;
  /** Path template, starting with `/`, without query or fragment: `/pets/{petId}`. */
  readonly path: string;
  /** Constant query pairs from the path key (`/x?action=y`): name and value. */
  readonly fixedQuery?: readonly (readonly [string, string])[];
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** Merged parameters of the path item and the operation, without unusable ones. */
  readonly parameters: readonly Parameter[];
  readonly body?: RequestBody;
  /** The document requires a body that the method cannot carry. */
  readonly requiresUnsendableBody?: true;
  readonly responses: readonly Response[];
  /** OR of ANDs. Absent: nothing is declared anywhere. `[]`: no security is declared. */
  readonly security?: readonly SecurityRequirement[];
  /** Servers of the path item or operation. Absent when the root's apply. */
  readonly servers?: readonly Server[];
  readonly links?: readonly Link[];
  readonly xMcp?: unknown;
  /** Extension that marks the operation as internal: `x-internal`. */
  readonly hiddenBy?: string;
  readonly externalDocs?: { readonly url: string; readonly description?: string };
  readonly location: SourceLocation;
}

export type ParameterLocation = "path" | "query" | "header" | "cookie" | "querystring";
/**
 * Styles of OpenAPI 3.x, and `tabDelimited` for Swagger 2.0's `tsv`. Swagger 2.0 also allows the
 * delimited styles in paths and headers.
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

/** OpenAPI Parameter Object with all defaults applied. */
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
  /** Media type of a parameter with `content` (`application/json`). Style does not apply to it. */
  readonly contentType?: string;
  /** OpenAPI Encoding Objects by property, for `content` that is a form. */
  readonly encoding?: Readonly<Record<string, Encoding>>;
  readonly location: SourceLocation;
}

export interface RequestBody {
  readonly required: boolean;
  /** The document states `required: false`, which is the default that most documents mean otherwise. */
  readonly isStatedOptional?: true;
  /** The operation does not create, and a creation has the same schema. */
  readonly isOfCreation?: true;
  readonly description?: string;
  /** In document order; never empty. */
  readonly contents: readonly Content[];
}

/** One media type of a body or a response. */
export interface Content extends PartEncodings {
  /** Lower case. Only multipart types include parameters: `application/json`. */
  readonly mediaType: string;
  /**
   * Value of `Content-Type` and `Accept` if it has more parameters: `application/json; version=2`.
   */
  readonly contentTypeHeader?: string;
  /**
   * Of a response: the media range in the document, for which `mediaType` is the likeliest type.
   */
  readonly mediaRange?: string;
  /** Absent: any value. For the sequential media types of 3.2, an array of `itemSchema`. */
  readonly schema?: JsonSchema;
  readonly examples?: readonly unknown[];
  /** XML element names of named schemas. */
  readonly xmlElements?: XmlElementNames;
  readonly location: SourceLocation;
}

/** Element names that no XML Object states. OpenAPI 3.2, "XML Node Names". */
export interface XmlElementNames {
  /**
   * Component names that differ from their keys in `ApiModel.schemas`: `pet-item` for `PetItem`.
   * Null prototype.
   */
  readonly names: Readonly<Record<string, string>>;
  /** 3.2: a reference is named after its component. Before, it is named after the property. */
  readonly useComponentNames: boolean;
}

/** OpenAPI Encoding Objects of a form or multipart body, including schema-dependent defaults. */
export interface PartEncodings {
  /** By property. */
  readonly encoding?: Readonly<Record<string, Encoding>>;
  /** By position (3.2): one for each of the first parts, then one for all others. */
  readonly prefixEncoding?: readonly Encoding[];
  readonly itemEncoding?: Encoding;
}

/** One OpenAPI Encoding Object. Nested ones apply to parts that have parts themselves. */
export interface Encoding extends PartEncodings {
  /** One media type, or several alternatives: `image/png, image/*`. */
  readonly contentType?: string;
  readonly style?: ParameterStyle;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  /** Constant part headers (multipart): those with a single value, a default or an example. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The value is encoded already (`contentEncoding`) and is sent unchanged, whatever its media
   * type.
   */
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

/**
 * OpenAPI Link Object: a value from this operation's response for a parameter of another operation.
 */
export interface Link {
  readonly name: string;
  readonly operationId?: string;
  /** A resolved `operationRef` in the form `GET /pets/{petId}`. */
  readonly operation?: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly description?: string;
}
