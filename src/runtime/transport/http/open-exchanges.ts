/** Calls in flight, which later requests of the same session answer or cancel. */
import { isObject } from "../../data/values.js";

/** A call whose response is still to come. */
export interface OpenExchange {
  readonly requestId: string | number;
  /** Passes on an answer of the client. False if the call has not asked for it. */
  answer(message: object): boolean;
  /** Ends the call without a response. */
  cancel(message: object): void;
}

/** Maximum number of calls in flight of which each may wait for a person: of a session, and of all. */
const [MAX_OF_SESSION, MAX_OF_ALL] = [20, 1_000];

/** The calls in flight by session and caller: nobody else can answer or cancel them. */
export class OpenExchanges {
  readonly #bySession = new Map<string, Set<OpenExchange>>();

  /** True if one more call may wait for a person. */
  hasRoom(session: string): boolean {
    const sizes = [...this.#bySession.values()].map(({ size }) => size);
    const all = sizes.reduce((sum, size) => sum + size, 0);
    return all < MAX_OF_ALL && (this.#bySession.get(session)?.size ?? 0) < MAX_OF_SESSION;
  }

  /** Adds a call. @returns a function that removes it */
  add(session: string, exchange: OpenExchange): () => void {
    const open = this.#bySession.get(session) ?? new Set();
    this.#bySession.set(session, open.add(exchange));
    return () => {
      open.delete(exchange);
      if (open.size === 0 && this.#bySession.get(session) === open) this.#bySession.delete(session);
    };
  }

  /**
   * Takes a message about a call in flight.
   * @returns status of the reply; undefined for other messages
   */
  accept(session: string, message: unknown): 202 | 400 | undefined {
    if (!isObject(message)) return undefined;
    const { method, id, params } = message;
    const open = [...(this.#bySession.get(session) ?? [])];
    if (method === "notifications/cancelled" && isObject(params)) {
      open.find(({ requestId }) => requestId === params["requestId"])?.cancel(message);
      return 202;
    }
    const isAnswer = method === undefined && id !== undefined;
    if (!isAnswer || !("result" in message || "error" in message)) return undefined;
    return open.some((exchange) => exchange.answer(message)) ? 202 : 400;
  }
}
