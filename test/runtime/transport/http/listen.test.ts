import { Server } from "node:net";
import { expect, test } from "vitest";
import { serveHttp } from "../../../../src/runtime/transport/http/serve-http.js";
import { createTestContext } from "../../support/clinic.js";

test("errors of accepting connections do not end the process", async () => {
  const options = { host: "127.0.0.1", port: 0, allowUnauthenticated: false };
  const started = await serveHttp(createTestContext([]), options);
  if (!started.ok) throw new Error(started.problem);
  const handles = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles();
  const servers = handles.filter((handle) => handle instanceof Server);
  const fail = (): unknown => servers.map((server) => server.emit("error", new Error("ENOBUFS")));
  expect(servers.length).toBeGreaterThan(0);
  for (let i = 0; i < 3; i++) expect(fail).not.toThrow();
  expect((await fetch(new URL("/health", started.url))).status).toBe(200);
  for (const server of servers) server.close();
});
