import type * as Http from "node:http";
import type { Socket } from "node:net";
import type { BoundRequest } from "../../bind/types.js";
import type { SendHow } from "../../send/incoming.js";
import type { Agents } from "./agents.js";
import { Answer } from "./answer.js";
import { headerLines } from "./request-headers.js";

/** A connection that is not there by then never will be; the deadline of a call may be much longer. */
const connectMs = 10_000;

/** What serves one kind of URL. */
export interface Client {
  /** node:http or node:https: the module itself, because tracers change what it exports. */
  readonly module: { readonly request: typeof Http.request };
  readonly agents: Agents;
}

/**
 * Sends over HTTP/1.1. A kept connection that turns out to be closed is replaced once, where sending again is harmless: RFC 9112, section 9.3.1.
 * @throws what node:http says of the connection, with its code
 */
export function sendOver({ module, agents }: Client, bound: BoundRequest, url: URL, { deadline, repeatable, tls }: SendHow): Promise<Answer> {
  const content = typeof bound.body === "string" ? Buffer.from(bound.body) : bound.body;
  const attempt = (agent: Http.Agent): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = headerLines(bound, url.host, agent === agents.kept, content?.byteLength);
      const request = module.request({ ...placeOf(url), ...tls, method: bound.method, headers, agent });
      // The size of the head is bounded already.
      request.maxHeadersCount = 0;
      let answer: Answer | undefined;
      let isSilent = (): boolean => true;
      const fail = (error: Error): void => {
        if (answer) answer.fail(error);
        else if (isStale(request, error) && isSilent() && !deadline.over && repeatable) resolve(attempt(agents.fresh));
        else reject(error);
      };
      request.once("socket", (socket) => {
        isSilent = silenceOf(socket);
        if (!request.reusedSocket) prepare(socket);
      });
      request.once("response", (message) => {
        answer = new Answer(message, request);
        // What is no status is no HTTP, and what leads to another protocol was not asked for.
        if (answer.status >= 200) return resolve(answer);
        answer.discard();
        reject(errorOf("HPE_INVALID_STATUS"));
      });
      request.on("error", fail);
      request.once("close", () => (answer ? answer.fail(errorOf("ECONNRESET")) : reject(errorOf("ECONNRESET"))));
      deadline.wake(() => (answer ? answer.stop(errorOf("ETIMEDOUT")) : request.destroy()));
      request.end(content);
    });
  return attempt(agents.kept);
}

function placeOf({ hostname, port, pathname, search }: URL): Http.RequestOptions {
  return { hostname: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname, port, path: pathname + search };
}

function errorOf(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Whether the other end had closed the connection before it got the request, most likely. */
function isStale({ reusedSocket }: Http.ClientRequest, error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return reusedSocket && (code === "ECONNRESET" || code === "EPIPE");
}

/** @returns whether nothing came from now on */
function silenceOf(socket: Socket): () => boolean {
  const { bytesRead } = socket;
  return () => socket.bytesRead === bytesRead;
}

/** A new connection. What goes wrong with it is told by its request; once that has its answer there is nobody to tell, and nobody must be. */
function prepare(socket: Socket): void {
  socket.on("error", () => {});
  const timer = setTimeout(() => socket.destroy(errorOf("ETIMEDOUT")), connectMs);
  const done = (): void => clearTimeout(timer);
  socket.once("encrypted" in socket ? "secureConnect" : "connect", done).once("close", done);
}
