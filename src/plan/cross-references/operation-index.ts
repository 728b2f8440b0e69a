import type { Operation } from "../../model/types.js";

/** Finds operations by what texts call them. */
export interface OperationIndex {
  /** By method and path, with any names of parameters, with or without the path of the server. */
  byPath(method: string, path: string): Operation | undefined;
  /** By operationId, in any spelling. */
  byId(name: string): Operation | undefined;
  /** By summary. */
  bySummary(text: string): Operation | undefined;
}

/** Indexes operations. What several of them are called finds none. */
export function indexOperations(operations: readonly Operation[]): OperationIndex {
  const paths = new UniqueMap<Operation>();
  const ids = new UniqueMap<Operation>();
  const summaries = new UniqueMap<Operation>();
  for (const operation of operations) {
    const segments = segmentsOf(operation.path);
    for (let start = 0; start < segments.length && start <= MAX_SERVER_SEGMENTS; start++)
      paths.add(pathKey(operation.method, segments.slice(start)), operation, start);
    if (operation.operationId) ids.add(normalize(operation.operationId), operation);
    if (operation.summary) summaries.add(normalize(operation.summary), operation);
  }
  return {
    byPath: (method, path) => {
      const segments = segmentsOf(path.replace(/[?#].*$/s, ""));
      const keys = segments.map((_, start) => pathKey(method, segments.slice(start)));
      const found = keys.slice(0, MAX_SERVER_SEGMENTS + 1).flatMap((key) => paths.get(key) ?? []);
      return found[0];
    },
    byId: (name) => ids.get(normalize(name)),
    bySummary: (text) => summaries.get(normalize(text)),
  };
}

/** Maximum number of first segments that only a text or only the document has: `/api/v1`. */
const MAX_SERVER_SEGMENTS = 2;

/** `/pets/{id}`, `/pets/:id` and `/pets/<id>` are the same. */
function segmentsOf(path: string): readonly string[] {
  return path
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) =>
      /^(?::|\{[^{}]*\}$|<|\[|\$)/.test(segment)
        ? "{}"
        : segment.replace(/\.json$/, "").toLowerCase(),
    );
}

const pathKey = (method: string, segments: readonly string[]): string =>
  `${method.toUpperCase()} ${segments.join("/")}`;

const normalize = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** Map from keys to the only value of each. A value with a lower rank beats others. */
class UniqueMap<Value> {
  readonly #values = new Map<string, { readonly value?: Value; readonly rank: number }>();

  add(key: string, value: Value, rank = 0): void {
    const known = this.#values.get(key);
    if (!known || rank < known.rank) this.#values.set(key, { value, rank });
    else if (known.rank === rank) this.#values.set(key, { rank });
  }

  get(key: string): Value | undefined {
    return this.#values.get(key)?.value;
  }
}
