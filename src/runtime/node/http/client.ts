import type * as Http from "node:http";
import type { BoundRequest } from "../../request/types.js";
import type { SendOptions } from "../../client/types.js";
import type { Agents } from "./agents.js";
import type { Answer } from "./answer.js";
import { Attempt } from "./attempt.js";
import { headerLines, wantsClose } from "./request-headers.js";

/** What serves one kind of URL. */
export interface Client {
  /** node:http or node:https: the module itself, because tracers change what it exports. */
  readonly module: { readonly request: typeof Http.request };
  readonly agents: Agents;
}

/**
 * Sends over HTTP/1.1. A kept connection that turns out to be closed is replaced once, where
 * sending again is harmless: RFC 9112, section 9.3.1.
 * @param isLenient the answer is read by the parser that takes what is not quite HTTP; see
 *   folded.ts
 * @throws what node:http says of the connection, with its code
 */
export async function sendOver(
  { module, agents }: Client,
  bound: BoundRequest,
  url: URL,
  { deadline, isRepeatable: repeatable, tls }: SendOptions,
  isLenient = false,
): Promise<Answer> {
  const content = typeof bound.body === "string" ? Buffer.from(bound.body) : bound.body;
  const attempt = (agent: Http.Agent): Attempt => {
    const headers = headerLines(bound, url.host, agent === agents.kept, content?.byteLength);
    const request = module.request({
      ...placeOf(url),
      ...tls,
      method: bound.method,
      headers,
      agent,
      ...(isLenient && { insecureHTTPParser: true }),
    });
    const begun = new Attempt(request, deadline);
    request.end(content);
    return begun;
  };
  if (!repeatable) await nextTurn();
  const first = attempt(isLenient || wantsClose(bound) ? agents.fresh : agents.kept);
  try {
    return await first.answered;
  } catch (error) {
    if (!first.isStale || !repeatable || deadline.expired) throw error;
    return attempt(agents.fresh).answered;
  }
}

function placeOf({ hostname, port, pathname, search }: URL): Http.RequestOptions {
  return {
    hostname: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname,
    port,
    path: pathname + search,
  };
}

/**
 * A server may close a connection right behind its answer without having said so. By the turn after
 * the next that has been seen, and what cannot be sent again does not get this connection.
 */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
