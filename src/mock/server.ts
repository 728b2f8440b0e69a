import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeBody } from "./body.js";
import { decodeParameters, type RawRequest } from "./parameters.js";
import { type OperationMatch, PathMatcher } from "./path-matcher.js";
import { documentedResponse } from "./response.js";
import { searchedResponse } from "./search.js";
import { SchemaSet } from "./schema-set.js";
import { createWorkStates, type WorkStates } from "./states.js";
import type {
  Mock,
  MockResponse,
  MockApi,
  MockOperation,
  MockOptions,
  MockRequest,
  RecordedRequest,
} from "./types.js";
import { challengesOf, missingCredentials } from "./security.js";

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_RECORDED = 10_000;

/**
 * Serves an API on loopback as its document describes it. Invalid requests are rejected with
 * problem+json that lists every violation: 404 and 405 for unknown paths and methods, 401 without
 * credentials, 415 for other media types, 400 for everything else.
 * @param api `operations`, `schemas` and `securitySchemes` of the API
 * @returns the base URL, the received requests, and a function that stops the server
 */
export async function startMock(api: MockApi, options: MockOptions = {}): Promise<Mock> {
  const validator = new RequestValidator(api, options);
  const requests: RecordedRequest[] = [];
  // With a short timeout on a busy machine, closing an idle connection races with the next request.
  const server = createServer(
    { keepAliveTimeout: 60_000 },
    (incoming, response) => void serve(validator, requests, incoming, response),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${validator.basePath}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  validator: RequestValidator,
  requests: RecordedRequest[],
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const body = await readAll(incoming);
    const { request, response: reply } = validator.handle(
      incoming.method ?? "GET",
      incoming.url ?? "/",
      plainHeaders(incoming),
      body,
    );
    if (requests.push({ ...request, status: reply.status }) > MAX_RECORDED) requests.shift();
    send(response, reply);
  } catch (error) {
    send(response, {
      status: 500,
      body: { title: "The mock of the API failed", detail: String(error) },
    });
  }
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error("the request body is over 64 MB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Headers by name, without a prototype. `incoming.headers` has one, and joins the value of a header
 * `constructor` to it.
 */
function plainHeaders({ headersDistinct }: IncomingMessage): Readonly<Record<string, string>> {
  const headers = Object.entries(headersDistinct).map(([name, values = []]) => [
    name,
    values.join(name === "cookie" ? "; " : ", "),
  ]);
  return Object.assign(Object.create(null) as object, Object.fromEntries(headers));
}

function send(server: ServerResponse, { status, headers, body }: MockResponse): void {
  const isRaw = body === undefined || typeof body === "string" || body instanceof Uint8Array;
  const bytes = isRaw ? Buffer.from(body ?? "") : Buffer.from(JSON.stringify(body));
  // A response without a body has no Content-Length (RFC 9110, 8.6).
  if (status === 204 || status === 304 || status < 200) {
    server.writeHead(status, headers);
    server.end();
    return;
  }
  const jsonType = status >= 400 ? "application/problem+json" : "application/json";
  const type = headers?.["content-type"] ?? (isRaw ? undefined : jsonType);
  server.writeHead(status, {
    ...headers,
    ...(type !== undefined && { "content-type": type }),
    "content-length": bytes.length,
  });
  server.end(bytes);
}

interface HandledRequest {
  readonly request: MockRequest;
  readonly response: MockResponse;
}

/** Validates requests against one API and responds to them. */
class RequestValidator {
  readonly basePath: string;
  readonly #api: MockApi;
  readonly #paths: PathMatcher;
  readonly #requestSchemas: SchemaSet;
  readonly #responseSchemas: SchemaSet;
  readonly #respond: MockOptions["respond"];
  readonly #states: WorkStates;
  /** Documented responses by operation and `Accept`. They never change, so they are cached. */
  readonly #responses = new Map<MockOperation, Map<string, MockResponse>>();

  constructor(api: MockApi, options: MockOptions) {
    this.#api = api;
    this.#requestSchemas = new SchemaSet(api.schemas, "request");
    this.#paths = new PathMatcher(api, this.#requestSchemas);
    this.#responseSchemas = new SchemaSet(api.schemas, "response");
    this.#respond = options.respond;
    this.#states = createWorkStates(api.states);
    this.basePath = (options.basePath ?? "").replace(/(?<!\/)\/+$/u, "");
  }

  handle(
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
  ): HandledRequest {
    const [target = "", query = ""] = splitOnce(url, "?");
    const received: MockRequest = {
      method,
      url,
      path: target.slice(this.basePath.length),
      headers,
      body,
      parameters: new Map(),
      violations: [],
    };
    if (!target.startsWith(`${this.basePath}/`))
      return reject(received, 404, [
        { at: "path", problem: `is outside of the base path ${this.basePath}` },
      ]);
    const { matches, allowed } = this.#paths.find(method, received.path, query);
    if (matches.length === 0 && allowed.length === 0)
      return reject(received, 404, [
        { at: "path", problem: `${received.path} is not a path of the API` },
      ]);
    if (matches.length === 0)
      return reject(received, 405, [{ at: "method", problem: `${method} is not allowed here` }], {
        allow: allowed.join(", "),
      });
    const candidates = matches.map((match) =>
      this.#validate(match, { path: match.path, query, headers }, received),
    );
    // Several operations can have the same path and method. The best match has the fewest
    // violations.
    return candidates.reduce((best, candidate) =>
      mismatchScore(candidate) < mismatchScore(best) ? candidate : best,
    );
  }

  #validate({ operation }: OperationMatch, raw: RawRequest, received: MockRequest): HandledRequest {
    const parameters = decodeParameters(operation, raw, this.#api, this.#requestSchemas);
    const body = decodeBody(
      operation,
      received.body,
      received.headers["content-type"],
      this.#requestSchemas,
    );
    const unauthorized = missingCredentials(operation, raw, this.#api);
    const violations = [
      ...(unauthorized === undefined ? [] : [{ at: "security", problem: unauthorized }]),
      ...parameters.violations,
      ...body.violations,
    ];
    const request: MockRequest = {
      ...received,
      operation: `${operation.method} ${operation.path}`,
      parameters: parameters.values,
      value: body.value,
      violations,
    };
    if (unauthorized !== undefined) {
      const challenges = challengesOf(operation, this.#api);
      return reject(request, 401, violations, { "www-authenticate": challenges });
    }
    if (body.unsupported) return reject(request, 415, violations);
    if (violations.length > 0) return reject(request, 400, violations);
    return { request, response: this.#respond?.(request) ?? this.#reply(operation, raw, request) };
  }

  #reply(operation: MockOperation, raw: RawRequest, request: MockRequest): MockResponse {
    const response = this.#response(operation, raw, request);
    return this.#states.apply(`${operation.method} ${operation.path}`, request.path, response);
  }

  #response(
    operation: MockOperation,
    { headers }: RawRequest,
    { parameters }: MockRequest,
  ): MockResponse {
    const response = this.#documentedResponse(operation, headers["accept"] ?? "*/*");
    if (operation.method !== "GET" || parameters.size === 0) return response;
    const { contents = [] } = operation.responses.find(({ status }) => status === "200") ?? {};
    const schema = contents.find(({ mediaType }) => /[/+]json\b/u.test(mediaType))?.schema;
    return searchedResponse(response, parameters, (value) =>
      this.#responseSchemas.accepts(value, schema),
    );
  }

  #documentedResponse(operation: MockOperation, accept: string): MockResponse {
    const cached = this.#responses.get(operation) ?? new Map<string, MockResponse>();
    this.#responses.set(operation, cached);
    const response =
      cached.get(accept) ?? documentedResponse(operation, accept, this.#responseSchemas);
    cached.set(accept, response);
    return response;
  }
}

/** Violations weigh more than a response type that the operation does not have. */
function mismatchScore({ request, response }: HandledRequest): number {
  return 2 * request.violations.length + (response.status === 406 ? 1 : 0);
}

function reject(
  request: MockRequest,
  status: number,
  violations: MockRequest["violations"],
  headers: Readonly<Record<string, string>> = {},
): HandledRequest {
  const detail = violations.map(({ at, problem }) => `${at}: ${problem}`).join("; ");
  const body = {
    type: "about:blank",
    title: TITLES.get(status) ?? "Refused",
    status,
    detail,
    errors: violations,
  };
  return {
    request: { ...request, violations },
    response: { status, headers, body },
  };
}

const TITLES = new Map([
  [400, "The request violates the API description"],
  [401, "Credentials are missing"],
  [404, "Path not found"],
  [405, "Method not allowed"],
  [415, "Unsupported media type"],
]);

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
