import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeBody } from "./body.js";
import { decodeForm, pairOf } from "./deserialize.js";
import { decodeParameters, type RawRequest } from "./parameters.js";
import { type OperationMatch, PathMatcher } from "./path-matcher.js";
import { documentedResponse } from "./response.js";
import { SchemaSet } from "./schema-set.js";
import type {
  Mock,
  MockResponse,
  MockApi,
  MockOperation,
  MockOptions,
  MockRequest,
  MockSecurityScheme,
  RecordedRequest,
} from "./types.js";

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_RECORDED = 10_000;

/**
 * Serves an API on loopback as its document describes it, and refuses what the document does not
 * allow: 404 and 405 for unknown paths and methods, 401 without credentials, 415 for other media
 * types, 400 for everything else, each as problem+json that lists every violation.
 * @param api `operations`, `schemas` and `securitySchemes` of the API
 * @returns the base URL, what was received so far, and how to stop it
 */
export async function startMock(api: MockApi, options: MockOptions = {}): Promise<Mock> {
  const judge = new RequestValidator(api, options);
  const requests: RecordedRequest[] = [];
  // On a machine that is busy, a connection closed for idleness can meet the next request on its
  // way.
  const server = createServer(
    { keepAliveTimeout: 60_000 },
    (incoming, response) => void serve(judge, requests, incoming, response),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${judge.basePath}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  judge: RequestValidator,
  requests: RecordedRequest[],
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const body = await readAll(incoming);
    const { request, response: answer } = judge.handle(
      incoming.method ?? "GET",
      incoming.url ?? "/",
      plainHeaders(incoming),
      body,
    );
    if (requests.push({ ...request, status: answer.status }) > MAX_RECORDED) requests.shift();
    send(response, answer);
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

function plainHeaders(incoming: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}

function send(response: ServerResponse, answer: MockResponse): void {
  const { body } = answer;
  const raw = body === undefined || typeof body === "string" || body instanceof Uint8Array;
  const type =
    answer.headers?.["content-type"] ??
    (raw ? undefined : answer.status >= 400 ? "application/problem+json" : "application/json");
  const bytes = raw ? Buffer.from(body ?? "") : Buffer.from(JSON.stringify(body));
  // A response that has no body must not announce one (RFC 9110, 6.4.1).
  const bodiless = answer.status === 204 || answer.status === 304 || answer.status < 200;
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(type !== undefined && !bodiless && { "content-type": type }),
    ...(!bodiless && { "content-length": bytes.length }),
  });
  response.end(bodiless ? undefined : bytes);
}

interface HandledRequest {
  readonly request: MockRequest;
  readonly response: MockResponse;
}

/** Everything about one API that a request is held against. */
class RequestValidator {
  readonly basePath: string;
  readonly #api: MockApi;
  readonly #routes: PathMatcher;
  readonly #sent: SchemaSet;
  readonly #received: SchemaSet;
  readonly #respond: MockOptions["respond"];
  /** Sampled answers by operation and `Accept`: the same every time, so made once. */
  readonly #answers = new Map<MockOperation, Map<string, MockResponse>>();

  constructor(api: MockApi, options: MockOptions) {
    this.#api = api;
    this.#routes = new PathMatcher(api);
    this.#sent = new SchemaSet(api.schemas, "request");
    this.#received = new SchemaSet(api.schemas, "response");
    this.#respond = options.respond;
    this.basePath = (options.basePath ?? "").replace(/\/+$/u, "");
  }

  handle(
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
  ): HandledRequest {
    const [target = "", query = ""] = splitOnce(url, "?");
    const bare: MockRequest = {
      method,
      url,
      path: target.slice(this.basePath.length),
      headers,
      body,
      parameters: new Map(),
      violations: [],
    };
    if (!target.startsWith(`${this.basePath}/`))
      return refuse(bare, 404, [
        { at: "path", problem: `is outside of the base path ${this.basePath}` },
      ]);
    const { matches, allowed } = this.#routes.find(method, bare.path, query);
    if (matches.length === 0 && allowed.length === 0)
      return refuse(bare, 404, [{ at: "path", problem: `${bare.path} is none of the API` }]);
    if (matches.length === 0)
      return refuse(bare, 405, [{ at: "method", problem: `${method} is not allowed here` }], {
        allow: allowed.join(", "),
      });
    const heard = matches.map((match) =>
      this.#judge(match, { path: match.path, query, headers }, bare),
    );
    // Of several operations at one address, the request is for the one that it is the least wrong
    // for.
    return heard.reduce((best, one) => (mismatchScore(one) < mismatchScore(best) ? one : best));
  }

  #judge({ operation }: OperationMatch, wire: RawRequest, bare: MockRequest): HandledRequest {
    const parameters = decodeParameters(operation, wire, this.#api, this.#sent);
    const body = decodeBody(operation, bare.body, bare.headers["content-type"], this.#sent);
    const unauthorized = missingCredentials(operation, wire, this.#api);
    const violations = [
      ...(unauthorized === undefined ? [] : [{ at: "security", problem: unauthorized }]),
      ...parameters.violations,
      ...body.violations,
    ];
    const request: MockRequest = {
      ...bare,
      operation: `${operation.method} ${operation.path}`,
      parameters: parameters.values,
      value: body.value,
      violations,
    };
    if (unauthorized !== undefined) return refuse(request, 401, violations);
    if (body.unsupported) return refuse(request, 415, violations);
    if (violations.length > 0) return refuse(request, 400, violations);
    return {
      request,
      response:
        this.#respond?.(request) ?? this.#documented(operation, wire.headers["accept"] ?? "*/*"),
    };
  }

  #documented(operation: MockOperation, accept: string): MockResponse {
    const known = this.#answers.get(operation) ?? new Map<string, MockResponse>();
    this.#answers.set(operation, known);
    const answer = known.get(accept) ?? documentedResponse(operation, accept, this.#received);
    known.set(accept, answer);
    return answer;
  }
}

/**
 * What is asked for in a form that an operation does not have is more likely meant for another one.
 */
function mismatchScore({ request, response: answer }: HandledRequest): number {
  return 2 * request.violations.length + (answer.status === 406 ? 1 : 0);
}

function refuse(
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
    response: {
      status,
      headers: { ...headers, ...(status === 401 && { "www-authenticate": "Bearer" }) },
      body,
    },
  };
}

const TITLES = new Map([
  [400, "The request is not what the document allows"],
  [401, "Credentials are missing"],
  [404, "No such path"],
  [405, "No such method"],
  [415, "Unsupported media type"],
]);

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/**
 * What is missing for the security of an operation, or undefined when one alternative is complete.
 * Only the presence and form of credentials is judged; a mock knows no secrets.
 */
export function missingCredentials(
  operation: MockOperation,
  wire: RawRequest,
  api: MockApi,
): string | undefined {
  const alternatives = operation.security ?? [];
  if (alternatives.length === 0) return undefined;
  const schemes = new Map(Object.entries(api.securitySchemes));
  const lacking = alternatives.map((alternative) =>
    missingSchemes(Object.keys(alternative), schemes, wire),
  );
  if (lacking.some((names) => names.length === 0)) return undefined;
  return `needs ${lacking.map((names) => names.join(" and ")).join(", or ")}`;
}

function missingSchemes(
  names: readonly string[],
  schemes: ReadonlyMap<string, MockSecurityScheme>,
  wire: RawRequest,
): readonly string[] {
  const lacking = names.filter((name) => !hasCredentials(schemes.get(name), wire));
  // There is one Authorization header: of several schemes that want it together, one has to do.
  const sharing = names.filter((name) => usesAuthorization(schemes.get(name)));
  return sharing.some((name) => !lacking.includes(name))
    ? lacking.filter((name) => !sharing.includes(name))
    : lacking;
}

function usesAuthorization(scheme: MockSecurityScheme | undefined): boolean {
  return scheme?.kind === "http" || scheme?.kind === "oauth2" || scheme?.kind === "openIdConnect";
}

function hasCredentials(scheme: MockSecurityScheme | undefined, wire: RawRequest): boolean {
  if (!scheme) return true;
  switch (scheme.kind) {
    case "apiKey":
      return hasKey(scheme.in, scheme.name, wire);
    case "http":
      return hasHttpCredentials(scheme.scheme, wire.headers["authorization"]);
    case "oauth2":
    case "openIdConnect":
      return hasHttpCredentials("bearer", wire.headers["authorization"]);
    case "mutualTLS":
      return true; // A client certificate cannot be asked for over plain HTTP.
  }
}

function hasKey(place: "query" | "header" | "cookie", name: string, wire: RawRequest): boolean {
  if (place === "header") return Boolean(wire.headers[name.toLowerCase()]);
  const pairs =
    place === "query" ? wire.query.split("&") : (wire.headers["cookie"] ?? "").split(/; ?/u);
  return pairs.map(pairOf).some(([key, value]) => decodeForm(key) === name && value !== "");
}

/** RFC 9110, 11.4; Basic by RFC 7617. */
function hasHttpCredentials(scheme: string, header: string | undefined): boolean {
  const [name = "", credentials = ""] = (header ?? "").split(/ +/u);
  if (name.toLowerCase() !== scheme.toLowerCase() || credentials === "") return false;
  return (
    scheme.toLowerCase() !== "basic" ||
    Buffer.from(credentials, "base64").toString("utf8").includes(":")
  );
}
