import { type Document, OpenAPIBackend, type Request } from "openapi-backend";
import type { RecordedRequest } from "../../src/mock/index.js";
import type { ToolPlan } from "../../src/index.js";

type PlannedOperation = ToolPlan["mock"]["operations"][number];

/** openapi-backend as the judge of requests: it knows nothing of this project. */
export interface Backend {
  /** What it has against a request of an operation; none when it is fine. */
  faults(request: RecordedRequest, operationId: string): readonly unknown[];
}

/** @param root an OpenAPI 3.0 or 3.1 document without references to other files */
export async function backendFor(root: object, basePath = ""): Promise<Backend> {
  const backend = new OpenAPIBackend({ definition: root as Document, coerceTypes: true, quick: true });
  await backend.init();
  return {
    faults(request, operationId) {
      const { path, query } = splitUrl(request.url.slice(basePath.length));
      const body = request.body.length > 0 ? Buffer.from(request.body).toString("utf8") : undefined;
      const seen: Request = { method: request.method, path, query, headers: { ...request.headers }, body };
      return (backend.validateRequest(seen, operationId).errors ?? []).filter((error) => !isOverlap(error));
    },
  };
}

/** More than one alternative of a `oneOf` fits: the document's alternatives overlap, which no request can help. */
function isOverlap(error: { readonly keyword: string; readonly params: unknown }): boolean {
  const passing = (error.params as { readonly passingSchemas?: unknown }).passingSchemas;
  return error.keyword === "oneOf" && Array.isArray(passing);
}

export function splitUrl(url: string): { readonly path: string; readonly query: string } {
  const at = url.includes("?") ? url.indexOf("?") : url.length;
  return { path: url.slice(0, at), query: url.slice(at + 1) };
}

/** True when openapi-backend reads every parameter and the body of an operation the way the style table says. */
export function isJudgeable(operation: PlannedOperation): boolean {
  const mediaTypes = operation.body?.contents.map((c) => c.mediaType) ?? [];
  // These contradict themselves on purpose: an `allOf` of a string and an integer.
  if (operation.operationId?.startsWith("quirks_")) return false;
  return operation.operationId !== undefined && operation.fixedQuery === undefined && operation.parameters.every(isReadable) && mediaTypes.every((type) => type === "application/json");
}

/** Its parser: plain path, header and cookie values; queries as `qs` reads them; unexploded arrays by their delimiter. */
function isReadable({ in: place, style, explode, schema, contentType }: PlannedOperation["parameters"][number]): boolean {
  const type = schema.type;
  const isScalar = typeof type === "string" && ["string", "number", "integer", "boolean"].includes(type);
  if (contentType !== undefined) return place === "query" && contentType === "application/json";
  if (place === "query") return (isScalar && explode) || (type === "array" && style !== "deepObject") || (type === "object" && style === "deepObject");
  return isScalar && type === "string" && style !== "matrix" && style !== "label";
}
