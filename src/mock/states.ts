import type { MockResponse, MockState } from "./types.js";

/** The state of work in responses. */
export interface WorkStates {
  /** The response with the state that the work has now. Clients may read it again at once. */
  readonly apply: (operation: string, url: string, response: MockResponse) => MockResponse;
}

export const createWorkStates = (states: Readonly<Record<string, MockState>> = {}): WorkStates =>
  new RecordedStates(states);

/**
 * States of work: a write starts it, the next read of a thing finds it going on, and later reads
 * find it done. Reads before any write find it done, too.
 */
class RecordedStates implements WorkStates {
  /** Reads of each URL since the last write. */
  #reads: Map<string, number> | undefined;
  readonly #states: Readonly<Record<string, MockState>>;

  constructor(states: Readonly<Record<string, MockState>>) {
    this.#states = states;
  }

  apply(operation: string, url: string, response: MockResponse): MockResponse {
    const state = Object.hasOwn(this.#states, operation) ? this.#states[operation] : undefined;
    if (!state || response.status >= 300) return response;
    const value = this.#next(state, url);
    const body = withValue(parsed(response.body), state.field, value);
    return { ...response, body, headers: { ...response.headers, "retry-after": "0" } };
  }

  #next({ values, starts }: MockState, url: string): unknown {
    if (starts) this.#reads = new Map();
    const last = values.length - 1;
    if (!this.#reads) return values[last];
    const count = this.#reads.get(url) ?? 0;
    if (!starts) this.#reads.set(url, count + 1);
    return values[Math.min(count, last)];
  }
}

/** JSON text as its value. */
function parsed(body: unknown): unknown {
  if (typeof body !== "string" || !body.trimStart().startsWith("{")) return body;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

/** A copy of an object with a value of a field. Values that are not objects stay as they are. */
function withValue(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return replacement;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const member = Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
  return { ...value, [name]: withValue(member, rest, replacement) };
}
