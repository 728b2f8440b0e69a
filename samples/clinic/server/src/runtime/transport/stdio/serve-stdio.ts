import type { Server } from "@modelcontextprotocol/server";
import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import type { UserConsent } from "../../auth/types.js";
import type { ServerContext } from "../../server/context.js";
import { createMcpServer } from "../../protocol/mcp-server.js";
import { onShutdownSignal, shutdownGraceMs } from "../../server/node-platform.js";
import { neededScopes } from "../../tools/selection.js";
import { LineTransport, type WriteOut } from "./line-transport.js";

/** Serves one client over stdin and stdout. The process ends with the connection. */
export function serveStdio(context: ServerContext): void {
  const transport = new LineTransport(process.stdin, process.stdout, reserveStdout());
  const { close } = serveConnection(() => createConnection(context), {
    transport,
    onerror: (error) => context.log.debug("stdio", error),
  });
  transport.onfinished = () => void close();
  void transport.closed.then(() => process.exit(0));
  onShutdownSignal(() => {
    transport.end(shutdownGraceMs);
    return transport.closed;
  });
}

/**
 * Creates a server. A connection may have two: one for version negotiation, and the one that stays.
 */
function createConnection(context: ServerContext): Server {
  const server = createMcpServer(context, { consent: localConsent(context) });
  context.toolListChanges?.subscribe(() => void server.sendToolListChanged().catch(() => {}));
  return server;
}

/** Consent of the user of this machine, whose sign-in `login` stores, too. */
function localConsent({
  api,
  apiContext: { platform },
  offeredTools,
}: ServerContext): UserConsent | undefined {
  const { signedInToken, requestSignIn, signInsSettled } = platform ?? {};
  if (!signedInToken || !requestSignIn || !signInsSettled) return undefined;
  return {
    replacesSharedTokens: false,
    token: signedInToken,
    request: (request) =>
      requestSignIn(request, neededScopes(offeredTools, api, request.schemeName)),
    settled: signInsSettled,
  };
}

/**
 * Reserves stdout for the protocol. Other output of the process (console.log, a dependency) goes to
 * stderr, because one stray line would break the client.
 * @returns a function that writes to stdout
 */
function reserveStdout(): WriteOut {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return (text, done) => write(text, done);
}
