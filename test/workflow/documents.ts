import type { ApiModel, Operation } from "../../src/model/types.js";
import {
  type SourceApi,
  linkWorkflows,
  type LinkResult,
  readWorkflows,
  type ResolvedSource,
} from "../../src/workflow/index.js";

/** An API with one operation `GET /<id>` per ID, and `COPY` at the last path. */
function apiOf(...ids: readonly string[]): SourceApi {
  const operation = (method: string, path: string, pointer: string): Operation => ({
    method,
    path,
    tags: [],
    deprecated: false,
    parameters: [],
    responses: [],
    location: { pointer: `#/paths/~1${path.slice(1)}/${pointer}` },
  });
  const operations = [
    ...ids.map((operationId) => ({ ...operation("GET", `/${operationId}`, "get"), operationId })),
    operation("COPY", `/${ids.at(-1)}`, "additionalOperations/COPY"),
  ];
  const model: ApiModel = {
    title: "API",
    version: "1",
    source: "api.yaml",
    servers: [],
    securitySchemes: {},
    tags: [],
    operations,
    schemas: {},
  };
  return { name: "", label: "api.yaml", model };
}

/** A document with the given workflows. */
export function documentOf(workflows: readonly object[], rest: object = {}): object {
  return {
    arazzo: "1.1.0",
    info: { title: "T", version: "1" },
    sourceDescriptions: [{ name: "api", url: "./api.yaml", type: "openapi" }],
    workflows,
    ...rest,
  };
}

/**
 * The diagnostics of reading and linking a document, as `code pointer message`.
 * @param others documents that it names as sources of type arazzo, by source name
 */
export function linkOf(
  document: object,
  others: Readonly<Record<string, object>> = {},
): { readonly linking?: LinkResult; readonly found: readonly string[] } {
  const api: ResolvedSource = { kind: "openapi", api: apiOf("getA", "getB") };
  const [main, ...rest] = [["w.yaml", document] as const, ...Object.entries(others)].map(
    ([name, one]) => ({ name, ...readWorkflows(one, name, name) }),
  );
  const read = [main, ...rest].flatMap((one) =>
    one?.file ? [{ name: one.name, file: one.file }] : [],
  );
  const shown = (list: LinkResult["diagnostics"]): readonly string[] =>
    list.map(({ code, location, message }) => `${code} ${location?.pointer ?? ""} ${message}`);
  const before = shown(main?.diagnostics ?? []);
  if (!main?.file) return { found: before };
  const targets = new Map<string, ResolvedSource>([
    ["api", api],
    ...read.slice(1).map(({ name, file }) => [name, { kind: "arazzo", file }] as const),
  ]);
  const linking = linkWorkflows(
    read.map(({ file }, i) => ({ file, isMain: i === 0, sources: targets })),
  );
  return { linking, found: [...before, ...shown(linking.diagnostics)] };
}
