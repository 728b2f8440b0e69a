/**
 * Input of the mock: operations, schemas and security schemes of an API. The types repeat those of
 * the generator on purpose. The mock checks the requests of the runtime independently and shares no
 * code with it or with the planning of requests.
 */
import type { MockSecurityScheme } from "./security-schemes.js";

/** JSON Schema 2020-12. A `$ref` is always `#/$defs/<key of MockApi.schemas>`. */
export type Schema = { readonly [keyword: string]: unknown };

export interface MockApi {
  readonly operations: readonly MockOperation[];
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly securitySchemes: Readonly<Record<string, MockSecurityScheme>>;
  /** States of work, by `POST /reports`. */
  readonly states?: Readonly<Record<string, MockState>>;
}

/** Field of a response with the state of work. */
export interface MockState {
  /** Names from the top of the response. */
  readonly field: readonly string[];
  /** Values, one after the other. */
  readonly values: readonly unknown[];
  /** True for a write, which starts work. */
  readonly starts?: true;
}

export interface MockOperation {
  readonly operationId?: string;
  /** In upper case. */
  readonly method: string;
  /** `/pets/{petId}`. */
  readonly path: string;
  /** Constant query parameters of the path. */
  readonly fixedQuery?: readonly (readonly [string, string])[];
  readonly parameters: readonly MockParameter[];
  readonly body?: { readonly required: boolean; readonly contents: readonly MockContent[] };
  readonly responses: readonly DocumentedResponse[];
  /** Alternatives; all schemes of one alternative apply together. */
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

/** A violation of the document and its location: `query limit`, `body /name`, `path`. */
export interface Violation {
  readonly at: string;
  readonly problem: string;
}

/** The parts of a tool that the contract tests read. */
export interface ContractTool {
  readonly name: string;
  readonly inputSchema: Schema;
  /** Absent for workflows, which choose their requests themselves. */
  readonly operations?: readonly {
    readonly request: MockRequestMapping;
    /** Value of an input that chooses the operation. */
    readonly choice?: { readonly input: string; readonly value: string };
  }[];
}

/**
 * The request of a tool and the inputs that it sends. A value is the name of an input, or an object
 * with the name as `from`.
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
  /** Names of the objects around the fields, from the outside. */
  readonly envelope?: readonly string[];
  /** Fields inside the body that no input gives. */
  readonly innerFields?: readonly { readonly path: readonly string[] }[];
  readonly encoding?: Readonly<Record<string, { readonly file?: boolean }>>;
}

/** A received request, decoded by the document. */
export interface MockRequest {
  readonly method: string;
  /** As received: `/v1/pets/42?limit=5`. */
  readonly url: string;
  /** Without base path and query, still percent-encoded: `/pets/42`. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The matched operation: `GET /pets/{petId}`. */
  readonly operation?: string;
  /** Decoded parameters, by name. */
  readonly parameters: ReadonlyMap<string, unknown>;
  /** The decoded body. Absent when it is malformed. */
  readonly value?: unknown;
  readonly violations: readonly Violation[];
}

/** A request with the status of its response. */
export interface RecordedRequest extends MockRequest {
  readonly status: number;
}

export interface MockResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Strings and bytes are sent as they are, other values as JSON. */
  readonly body?: unknown;
}

export interface MockOptions {
  /** Path prefix of the API, `/v1`. Default: none. */
  readonly basePath?: string;
  /** Default: a free port. */
  readonly port?: number;
  /**
   * Overrides responses to valid requests, for faults, unknown IDs or state. Returns `undefined`
   * for the documented response.
   */
  readonly respond?: (request: MockRequest) => MockResponse | undefined;
}

export interface Mock {
  /** Base URL of the API, including the base path, without a trailing slash. */
  readonly url: string;
  /** The last 10,000 requests, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Stops the server and closes all connections. */
  readonly close: () => Promise<void>;
}

export type Shape = "scalar" | "array" | "object";

export interface DecodedBody {
  readonly value?: unknown;
  readonly violations: readonly Violation[];
  /** The operation does not accept the media type: status 415 instead of 400. */
  readonly unsupported?: boolean;
}
