/**
 * What the mock knows of an API: the operations, schemas and security schemes of the document, as
 * the generator's model writes them down. These are structural copies on purpose: this folder is an
 * independent judge of the server's requests, so it shares no code with the rooms that plan them or
 * the runtime that sends them.
 */

/** JSON Schema 2020-12. A `$ref` is always `#/$defs/<key of MockApi.schemas>`. */
export type Schema = { readonly [keyword: string]: unknown };

export interface MockApi {
  readonly operations: readonly MockOperation[];
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly securitySchemes: Readonly<Record<string, MockSecurityScheme>>;
}

export interface MockOperation {
  readonly operationId?: string;
  /** Upper case. */
  readonly method: string;
  /** `/pets/{petId}`. */
  readonly path: string;
  /** Constant query pairs that belong to the path. */
  readonly fixedQuery?: readonly (readonly [string, string])[];
  readonly parameters: readonly MockParameter[];
  readonly body?: { readonly required: boolean; readonly contents: readonly MockContent[] };
  readonly responses: readonly DocumentedResponse[];
  /** OR of ANDs. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

export type Style =
  | "matrix"
  | "label"
  | "simple"
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "deepObject"
  | "cookie"
  | "tabDelimited";

export interface MockParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie" | "querystring";
  readonly required: boolean;
  readonly schema: Schema;
  readonly style: Style;
  readonly explode: boolean;
  readonly contentType?: string;
  readonly encoding?: Readonly<Record<string, MockEncoding>>;
}

export interface MockContent {
  readonly mediaType: string;
  readonly schema?: Schema;
  readonly examples?: readonly unknown[];
  readonly encoding?: Readonly<Record<string, MockEncoding>>;
}

export interface MockEncoding {
  readonly contentType?: string;
  readonly style?: Style;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface DocumentedResponse {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
  readonly contents: readonly MockContent[];
  readonly headers: readonly { readonly name: string; readonly schema?: Schema }[];
}

export type MockSecurityScheme =
  | { readonly kind: "apiKey"; readonly in: "query" | "header" | "cookie"; readonly name: string }
  | { readonly kind: "http"; readonly scheme: string }
  | { readonly kind: "oauth2" | "openIdConnect" | "mutualTLS" };

/** One thing that the document does not allow, and where: `query limit`, `body /name`, `path`. */
export interface Violation {
  readonly at: string;
  readonly problem: string;
}

/** As much of a tool as its contract test needs: the list has the rest. */
export interface ContractTool {
  readonly name: string;
  readonly inputSchema: Schema;
  /** Absent: it takes several requests, and decides itself which. */
  readonly operations?: readonly { readonly request: MockRequestMapping }[];
}

/**
 * One request of a tool: where each of its inputs goes. A value is the name of an input, or an
 * object with it as `from`.
 */
export interface MockRequestMapping {
  readonly method: string;
  readonly path: string;
  readonly pathParams?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly querystring?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly cookies?: Readonly<Record<string, unknown>>;
  readonly body?: MockBody;
}

export interface MockBody {
  readonly contentType: string;
  readonly from?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly encoding?: Readonly<Record<string, { readonly file?: boolean }>>;
}

/** What one request said, once decoded by the document. */
export interface MockRequest {
  readonly method: string;
  /** As it came: `/v1/pets/42?limit=5`. */
  readonly url: string;
  /** Without the base path and the query, still encoded: `/pets/42`. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The operation it reached: `GET /pets/{petId}`. */
  readonly operation?: string;
  /** Decoded values of its declared parameters, by name. */
  readonly parameters: ReadonlyMap<string, unknown>;
  /** The decoded body, when it could be decoded. */
  readonly value?: unknown;
  readonly violations: readonly Violation[];
}

/** A request with the status it was answered with. */
export interface RecordedRequest extends MockRequest {
  readonly status: number;
}

export interface MockResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string or bytes go out as they are; anything else as JSON. */
  readonly body?: unknown;
}

export interface MockOptions {
  /** Path that the API lives under, `/v1`. Default: none. */
  readonly basePath?: string;
  /** Default: any free one. */
  readonly port?: number;
  /**
   * Answers instead of the document, for valid requests: faults, unknown IDs, state. `undefined`
   * leaves it to the document.
   */
  readonly respond?: (request: MockRequest) => MockResponse | undefined;
}

export interface Mock {
  /** Base URL of the API, with the base path and without a final slash. */
  readonly url: string;
  /** The last 10,000 requests, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Ends all connections. */
  readonly close: () => Promise<void>;
}

export type Shape = "scalar" | "array" | "object";
