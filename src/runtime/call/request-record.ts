/** The requests that a call has sent to the API, for its result and for the log. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { SendFunction } from "../request/types.js";
import type { RequestMapping } from "../types.js";
import type { Effect } from "./effects.js";

/** A request. The status is absent without a response. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly status?: number;
}

interface Entry {
  readonly method: string;
  /** Path of the URL, without its query. */
  readonly path: string;
  /** Path as the document has it, without values of the call. */
  readonly template: string;
  status?: number;
}

/** Maximum number of listed requests. Of more, the first and the last ones are listed. */
const MAX_LISTED = 20;

/** Keys in the `_meta` of a result. The prefix belongs to this project. MCP 2026-07-28, "_meta". */
const REQUESTS = "dev.mcp-gen/requests";
const REQUEST_COUNT = "dev.mcp-gen/requestCount";

/** Every request of a call: also those of retries, redirects, pages, lookups and nested calls. */
export class RequestRecord {
  private readonly entries: Entry[] = [];
  private readonly secrets = new Set<string>();
  private queueMs = 0;
  private readonly written: Effect[] = [];

  /** @param outer record of the call that this call is a part of */
  constructor(private readonly outer?: RequestRecord) {}

  /** A function that sends requests and records them. */
  recording(send: SendFunction, { path, isRaw }: RequestMapping): SendFunction {
    // The path of a raw request is an argument of its call.
    const template = isRaw ? "/{path}" : path;
    return async (request, options) => {
      const { method, url } = request;
      const entry: Entry = { method, path: new URL(url).pathname, template };
      this.add(entry);
      const response = await send(request, options);
      entry.status = response.status;
      return response;
    };
  }

  /** Adds a write that took effect. */
  addEffect(effect: Effect): void {
    this.written.push(effect);
    this.outer?.addEffect(effect);
  }

  /** Writes that took effect, in their order. */
  get effects(): readonly Effect[] {
    return this.written;
  }

  /** Adds secrets of requests, which no result may have. */
  addSecrets(secrets: readonly string[]): void {
    for (const secret of secrets) this.secrets.add(secret);
    this.outer?.addSecrets(secrets);
  }

  /** Adds the time that a request waited for its turn, in milliseconds. */
  addQueueTime(ms: number): void {
    this.queueMs += ms;
    this.outer?.addQueueTime(ms);
  }

  /** The requests for the log, with paths of the document instead of those that were sent. */
  forLog(): RequestCounts & { readonly queueMs?: number } {
    const queueMs = Math.round(this.queueMs);
    return { ...(queueMs > 0 && { queueMs }), ...this.list(({ template }) => template) };
  }

  /** Adds the requests to the `_meta` of a result, if there are any. */
  addTo(result: CallToolResult, { redactorFor }: Redaction): CallToolResult {
    if (this.entries.length === 0) return result;
    const redact = redactorFor([...this.secrets]);
    const { requests, requestCount } = this.list(({ path }) => redact(path));
    const count = requestCount === undefined ? {} : { [REQUEST_COUNT]: requestCount };
    return { ...result, _meta: { ...result._meta, [REQUESTS]: requests, ...count } };
  }

  private add(entry: Entry): void {
    this.entries.push(entry);
    this.outer?.add(entry);
  }

  private list(pathOf: (entry: Entry) => string): RequestCounts {
    const { entries } = this;
    if (entries.length === 0) return {};
    const isLong = entries.length > MAX_LISTED;
    const listed = isLong
      ? [...entries.slice(0, MAX_LISTED / 2), ...entries.slice(-MAX_LISTED / 2)]
      : entries;
    const requests = listed.map((entry): SentRequest => {
      const { method, status } = entry;
      return { method, path: pathOf(entry), ...(status !== undefined && { status }) };
    });
    return { requests, ...(isLong && { requestCount: entries.length }) };
  }
}

interface Redaction {
  redactorFor(secrets: readonly string[]): (text: string) => string;
}

/** Listed requests, and the number of all if some are left out. Empty without requests. */
export interface RequestCounts {
  readonly requests?: readonly SentRequest[];
  readonly requestCount?: number;
}
