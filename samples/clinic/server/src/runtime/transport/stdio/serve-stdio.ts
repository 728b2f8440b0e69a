import type { Server } from "@modelcontextprotocol/server";
import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import type { ServerContext } from "../../server/context.js";
import { createMcpServer } from "../../protocol/mcp-server.js";
import { onShutdownSignal, shutdownGraceMs } from "../../server/shutdown.js";
import { LineTransport, type WriteOut } from "./line-transport.js";

/** Serves the one client at stdin and stdout, and ends the process when it is gone. */
export function serveStdio(app: ServerContext): void {
  const transport = new LineTransport(process.stdin, process.stdout, reserveStdout());
  const { close } = serveConnection(() => createConnection(app), {
    transport,
    onerror: (error) => app.log.debug("stdio", error),
  });
  transport.onfinished = () => void close();
  void transport.closed.then(() => process.exit(0));
  onShutdownSignal(() => {
    transport.end(shutdownGraceMs);
    return transport.closed;
  });
}

/** There may be two: one that answers which revisions there are, and the one that stays. */
function createConnection(app: ServerContext): Server {
  const server = createMcpServer(app);
  app.toolListChanges?.subscribe(() => void server.sendToolListChanged().catch(() => {}));
  return server;
}

/**
 * Takes stdout for the protocol: from now on, what anything else in the process prints there
 * (console.log, a dependency) goes to stderr, because one stray line would break the client.
 * @returns what writes to the real stdout
 */
export function reserveStdout(): WriteOut {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return (text, done) => write(text, done);
}
