import type { Agent as HttpAgent, ClientRequest } from "node:http";
import type { Socket } from "node:net";

/**
 * Idle connections are closed after this: sooner than most servers do it. Where a server says less
 * in `Keep-Alive`, Node closes them a second before.
 */
const idleMs = 4000;
/**
 * Idle connections to one origin. How many there are at a time needs no bound of its own: the slots
 * of the server are one.
 */
const mostIdle = 256;

/** Connections to one kind of URL. */
export interface Agents {
  /** Connections that serve one request after the other. */
  readonly kept: HttpAgent;
  /** Connections for one request each. */
  readonly fresh: HttpAgent;
}

/**
 * The agents over a module, node:http or node:https. They go through the proxy that Node's own
 * agents were told to go through (`NODE_USE_ENV_PROXY`). Idle connections do not keep the process
 * alive.
 */
export function agentsOf({
  Agent,
  globalAgent,
}: {
  readonly Agent: typeof HttpAgent;
  readonly globalAgent: HttpAgent;
}): Agents {
  const { proxyEnv } = (
    globalAgent as unknown as { readonly options: { readonly proxyEnv?: object } }
  ).options;
  const options = { ...(proxyEnv && { proxyEnv }), scheduling: "lifo" } as const;
  return {
    kept: guarded(
      new Agent({ ...options, keepAlive: true, timeout: idleMs, maxFreeSockets: mostIdle }),
    ),
    fresh: new Agent(options),
  };
}

/**
 * What comes over an idle connection is no answer to what is asked next: RFC 9112, section 9.2.
 * Node would take what comes late for one.
 */
function guarded(agent: HttpAgent): HttpAgent {
  const own = agent as unknown as {
    keepSocketAlive(socket: Socket): boolean;
    reuseSocket(socket: Socket, request: ClientRequest): void;
  };
  const { keepSocketAlive, reuseSocket } = own;
  own.keepSocketAlive = (socket) => {
    const keeps = keepSocketAlive.call(agent, socket);
    if (keeps) socket.on("data", unasked);
    return keeps;
  };
  own.reuseSocket = (socket, request) => {
    socket.removeListener("data", unasked);
    reuseSocket.call(agent, socket, request);
  };
  return agent;
}

function unasked(this: Socket): void {
  this.destroy();
}
