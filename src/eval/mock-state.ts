/** The API of a task: responses of the mock, and requests that it must have received. */
import type { MockRequest, MockResponse, RecordedRequest } from "../mock/index.js";
import { matchesGlob, matchesValue } from "./match-value.js";
import type { ExpectedRequest, GivenResponse } from "./types.js";

/** A request as `given` and `then` write it. */
interface RequestPattern {
  /** Name of its API, in a server of several. */
  readonly api?: string;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Reads `GET /pets?limit=5` or `shop GET /pets`. Undefined if it is not a method and a path. */
export function parseRequestPattern(text: string): RequestPattern | undefined {
  const [, api, method, path, query] = requestPattern.exec(text.trim()) ?? [];
  if (method === undefined || path === undefined) return undefined;
  return {
    ...(api !== undefined && { api }),
    method: method.toUpperCase(),
    path,
    query: new URLSearchParams(query),
  };
}

const requestPattern = /^(?:([a-z]\w*) +)?([A-Za-z]+) +(\/[^?\s]*)(?:\?(\S*))?$/;

/** Responds as a task says; undefined for requests that it says nothing about. */
export function createResponder(
  given: readonly GivenResponse[],
): (request: MockRequest) => MockResponse | undefined {
  const rest = given.map((response) => ({ response, left: response.times ?? Infinity }));
  return (request) => {
    const found = rest.find(
      ({ response, left }) => left > 0 && isRequest(response.request, request),
    );
    if (!found) return undefined;
    found.left -= 1;
    const { status = 200, body } = found.response;
    return { status, ...(body !== undefined && { body }) };
  };
}

/** Describes the requests of a task that were not received, or too often; empty if all is right. */
export function findRequestProblems(
  expected: readonly ExpectedRequest[],
  received: readonly RecordedRequest[],
): readonly string[] {
  return expected.flatMap(({ request, body, times }) => {
    const count = received.filter(
      (one) => isRequest(request, one) && (body === undefined || matchesValue(body, one.value)),
    ).length;
    const isRight = times === undefined ? count > 0 : count === times;
    if (isRight) return [];
    const what = `${request}${body === undefined ? "" : ` with ${JSON.stringify(body)}`}`;
    return [
      times === undefined
        ? `The API got no request ${what}`
        : `The API got ${what} ${count} times, not ${times}`,
    ];
  });
}

/** Tests a request against `GET /pets/{petId}?limit=5`. */
function isRequest(text: string, request: MockRequest): boolean {
  const pattern = parseRequestPattern(text);
  if (!pattern || pattern.method !== request.method) return false;
  // The base path of the mock of one of several APIs is its name.
  if (pattern.api !== undefined && !request.url.startsWith(`/${pattern.api}/`)) return false;
  const isPath =
    `${pattern.method} ${pattern.path}` === request.operation ||
    matchesGlob(pattern.path, decodePath(request.path));
  const query = new URLSearchParams(request.url.split("?").slice(1).join("?"));
  return isPath && [...pattern.query].every(([name, value]) => query.getAll(name).includes(value));
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
