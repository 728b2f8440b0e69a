import { type Document, OpenAPIBackend, type Request } from "openapi-backend";
import type { RecordedRequest } from "../../src/mock/index.js";
import type { ToolPlan } from "../../src/index.js";

type PlannedOperation = ToolPlan["mock"]["operations"][number];

/** Validates requests with openapi-backend, which shares no code with this project. */
export interface Backend {
  /** Errors in a request of an operation (`GET /pets/{petId}`); empty for a valid one. */
  faults(request: RecordedRequest, operation: string): readonly unknown[];
}

/** @param root an OpenAPI 3.0 or 3.1 document without references to other files */
export async function backendFor(root: object, basePath = ""): Promise<Backend> {
  const backend = new OpenAPIBackend({
    definition: named(root) as Document,
    coerceTypes: true,
    quick: true,
  });
  await backend.init();
  return {
    faults(request, operation) {
      const { path, query } = splitUrl(request.url.slice(basePath.length));
      const body = request.body.length > 0 ? Buffer.from(request.body).toString("utf8") : undefined;
      const seen: Request = {
        method: request.method,
        path,
        query,
        headers: { ...request.headers },
        body,
      };
      // It does not find operations behind a reference between paths.
      return backend.router.getOperation(operation)
        ? withoutOverlaps(validate(backend, seen, operation))
        : [];
    },
  };
}

const methods = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

/** Names each operation by its method and path, because many have no operationId. */
function named(root: object): object {
  const paths = Object.entries(
    (root as { readonly paths: Record<string, Record<string, object>> }).paths,
  ).map(([path, item]) => {
    const operations = Object.entries(item).map(([key, value]) => [
      key,
      methods.has(key) ? { ...value, operationId: `${key.toUpperCase()} ${path}` } : value,
    ]);
    return [path, Object.fromEntries(operations)];
  });
  return { ...root, paths: Object.fromEntries(paths) };
}

interface Fault {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly params: unknown;
}

function validate(backend: OpenAPIBackend, request: Request, operation: string): readonly Fault[] {
  try {
    return backend.validateRequest(request, operation).errors ?? [];
  } catch (error) {
    // Its validator cannot compile every schema that OpenAPI 3.0 allows.
    if (String(error).includes('"nullable" cannot be used without "type"')) return [];
    throw error;
  }
}

/**
 * Removes errors about several matching alternatives of a `oneOf`. Overlapping alternatives are a
 * fault of the document.
 */
function withoutOverlaps(faults: readonly Fault[]): readonly Fault[] {
  const overlaps = faults.filter(
    (f) =>
      f.keyword === "oneOf" &&
      Array.isArray((f.params as { readonly passingSchemas?: unknown }).passingSchemas),
  );
  return faults.filter(
    (fault) => !overlaps.some(({ schemaPath }) => fault.schemaPath.startsWith(schemaPath)),
  );
}

export function splitUrl(url: string): { readonly path: string; readonly query: string } {
  const at = url.includes("?") ? url.indexOf("?") : url.length;
  return { path: url.slice(0, at), query: url.slice(at + 1) };
}

/**
 * True when openapi-backend parses every parameter and the body of an operation as the style table
 * requires.
 */
export function isJudgeable(operation: PlannedOperation, { mock }: ToolPlan): boolean {
  // It does not treat an API key in the query as a parameter.
  const schemes = (operation.security ?? [])
    .flatMap((names) => Object.keys(names))
    .map((name) => mock.securitySchemes[name]);
  if (schemes.some((scheme) => scheme?.kind === "apiKey" && scheme.in === "query")) return false;
  const mediaTypes = operation.body?.contents.map((c) => c.mediaType) ?? [];
  // These contradict themselves on purpose: an `allOf` of a string and an integer.
  if (operation.operationId?.startsWith("quirks_")) return false;
  return (
    operation.fixedQuery === undefined &&
    operation.parameters.every(isReadable) &&
    mediaTypes.every((type) => type === "application/json")
  );
}

/**
 * Supported by its parser: plain path, header and cookie values; queries as `qs` parses them;
 * unexploded arrays with their delimiter.
 */
function isReadable({
  in: place,
  style,
  explode,
  schema,
  contentType,
}: PlannedOperation["parameters"][number]): boolean {
  const type = schema.type;
  const isScalar =
    typeof type === "string" && ["string", "number", "integer", "boolean"].includes(type);
  if (contentType !== undefined) return place === "query" && contentType === "application/json";
  if (place === "query")
    return (
      (isScalar && explode) ||
      (type === "array" && style !== "deepObject") ||
      (type === "object" && style === "deepObject")
    );
  return isScalar && type === "string" && style !== "matrix" && style !== "label";
}
