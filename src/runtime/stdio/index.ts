import type { Server } from "@modelcontextprotocol/server";
import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import type { App } from "../app.js";
import { createServer } from "../server.js";
import { graceMs, onSignals } from "../shutdown.js";
import { takeStdout } from "./stdout.js";
import { LineTransport } from "./transport.js";

/** Serves the one client at stdin and stdout, and ends the process when it is gone. */
export function serveStdio(app: App): void {
  const transport = new LineTransport(process.stdin, process.stdout, takeStdout());
  const { close } = serveConnection(() => connection(app), {
    transport,
    onerror: (error) => app.log.debug("stdio", error),
  });
  transport.onended = () => void close();
  void transport.closed.then(() => process.exit(0));
  onSignals(() => {
    transport.end(graceMs);
    return transport.closed;
  });
}

/** There may be two: one that answers which revisions there are, and the one that stays. */
function connection(app: App): Server {
  const server = createServer(app);
  app.changes?.subscribe(() => void server.sendToolListChanged().catch(() => {}));
  return server;
}
