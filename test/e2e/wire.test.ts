import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  documentInputs,
  type Mock,
  type RecordedRequest,
  SchemaSet,
  startMock,
} from "../../src/mock/index.js";
import { type Backend, backendFor, isJudgeable, splitUrl } from "./backend.js";
import { startServer, type TestServer } from "./in-process.js";
import { microDocuments } from "./micro-documents.js";
import { documentOf, type WireCase, wireCases } from "./wire-cases.js";

/**
 * Runs each case end to end: generates, calls the tool on the real runtime, and inspects the
 * request that arrives at an HTTP server.
 */
describe("requests match the specification", () => {
  let mock: Mock;
  let server: TestServer;
  let judge: Backend;
  const root = documentOf(wireCases);

  beforeAll(async () => {
    server = await startServer(root);
    mock = await startMock(server.plan.mock, { basePath: "/base" });
    server.useBaseUrl(mock.url);
    judge = await backendFor(judgedPart(root), "/base");
  });
  afterAll(() => mock.close());

  test.each(wireCases.map((wireCase, index) => [wireCase.name, wireCase, index] as const))(
    "%s",
    async (_, wireCase, index) => {
      const tool = server.toolOf(`case${index}`);
      const before = mock.requests.length;
      const result = await server.call(tool, inputOf(wireCase, tool));
      const request = mock.requests[before];
      expect({
        failed: result.isError ?? false,
        result: result.isError ? result.content : undefined,
        violations: request?.violations,
      }).toEqual({ failed: false, result: undefined, violations: [] });
      if (!request) throw new Error("nothing arrived");
      expectWire(request, wireCase);
      expectDecoded(request, wireCase);
      if (wireCase.judged) expect(judge.faults(request, request.operation ?? "")).toEqual([]);
    },
  );
});

/**
 * Assigns the value to the planned inputs: one per parameter, one per field, or one for the whole
 * body.
 */
function inputOf(wireCase: WireCase, tool: TestServer["tools"][number]): Record<string, unknown> {
  const names = Object.keys((tool.inputSchema["properties"] ?? {}) as object);
  const body = tool.operations[0]?.request.body;
  if (wireCase.body && body?.from === undefined) {
    const inputs = new Map(
      Object.entries(body?.fields ?? {}).map(([field, wire]) => [
        field,
        inputBehind(wire) ?? field,
      ]),
    );
    return Object.fromEntries(
      Object.entries(wireCase.value as object).map(([field, value]) => [
        inputs.get(field) ?? field,
        value,
      ]),
    );
  }
  return { [body?.from ?? names[0] ?? ""]: wireCase.value };
}

function inputBehind(wire: unknown): string | undefined {
  if (typeof wire === "string") return wire;
  return (wire as { readonly from?: string }).from;
}

function expectWire(request: RecordedRequest, { want }: WireCase): void {
  const { path, query } = splitUrl(request.url);
  if (want.path !== undefined) expect(path.slice(path.lastIndexOf("/") + 1)).toBe(want.path);
  if (want.query !== undefined) match(query, want.query);
  for (const [name, value] of Object.entries(want.headers ?? {}))
    match(request.headers[name], value);
  if (want.body !== undefined) match(bodyText(request, want.body), want.body);
  if (want.parts !== undefined) expect(partsText(request)).toBe(want.parts);
}

function partsText(request: RecordedRequest): string {
  const text = Buffer.from(request.body).toString("latin1").replaceAll("\r\n", "\n");
  const boundaries = [
    ...`${request.headers["content-type"] ?? ""}\n${text}`.matchAll(/; boundary=([\w-]+)/gu),
  ].map((found) => found[1] ?? "");
  return boundaries.reduce(
    (named, boundary, index) => named.replaceAll(boundary, `B${index + 1}`),
    text,
  );
}

/** Text as UTF-8; other bytes as one character each. */
function bodyText(request: RecordedRequest, want: string | RegExp): string {
  const bytes = Buffer.from(request.body);
  return String(want).includes("ü") ? bytes.toString("utf8") : bytes.toString("latin1");
}

function match(got: string | undefined, want: string | RegExp): void {
  if (typeof want === "string") expect(got).toBe(want);
  else expect(got).toMatch(want);
}

/** Compares the value that the mock's independent decoder reads. */
function expectDecoded(request: RecordedRequest, { parameter, value }: WireCase): void {
  if (parameter) expect(request.parameters.get(String(parameter["name"]))).toEqual(value);
}

/** openapi-backend supports 3.0 and 3.1 only, so cases with additions of 3.2 are not validated. */
function judgedPart(root: object): object {
  const paths = Object.entries((root as { paths: Record<string, object> }).paths).filter(
    (_, index) => wireCases[index]?.judged,
  );
  return { ...root, openapi: "3.1.0", paths: Object.fromEntries(paths) };
}

/** Certificates cannot be made up, and plain HTTP does not use them. */
function needsCertificate(tool: TestServer["tools"][number], { api }: TestServer["plan"]): boolean {
  const alternatives = tool.operations[0]?.request.security ?? api.security ?? [];
  return (
    alternatives.length > 0 &&
    alternatives.every((names) =>
      Object.keys(names).some((name) => api.securitySchemes[name]?.kind === "mutualTLS"),
    )
  );
}

/**
 * Every valid input gives a request that the document allows, for real documents about one feature
 * each.
 */
describe.each(microDocuments())("%s", (_, source) => {
  test("every request is valid by the document", async () => {
    const server = await startServer(source);
    const mock = await startMock(server.plan.mock);
    server.useBaseUrl(mock.url);
    const sent = new SchemaSet(server.plan.mock.schemas, "request");
    for (const tool of server.tools.filter((t) => !needsCertificate(t, server.plan))) {
      for (const { input, problem } of documentInputs(tool, server.plan.mock, sent)) {
        expect(problem).toBeUndefined();
        const { isError, content } = await server.call(tool, input);
        expect({
          tool: tool.name,
          input,
          failed: isError ?? false,
          said: isError ? content : "",
        }).toEqual({ tool: tool.name, input, failed: false, said: "" });
      }
    }
    expect(mock.requests.flatMap((r) => r.violations)).toEqual([]);
    const judge = await backendFor(source);
    for (const operation of server.plan.mock.operations.filter((o) =>
      isJudgeable(o, server.plan),
    )) {
      const name = `${operation.method} ${operation.path}`;
      expect(
        mock.requests
          .filter((r) => r.operation === name)
          .flatMap((request) => judge.faults(request, name)),
      ).toEqual([]);
    }
    await mock.close();
  });
});
