import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatAnswers } from "./answers.js";
import { install } from "./install.js";
import { findFreePort, startServer } from "./process.js";
import { makeProject } from "./project.js";
import { runScenario, type Saved } from "./scenario.js";
import { type CallReport, fewestCalls, kinds, type LiveServer, type Variant } from "./types.js";

declare module "vitest" {
  interface TaskMeta {
    /** Row of the table that the reporter prints. */
    live?: LiveRow;
  }
}

/** Calls of one variant of a server. */
export interface LiveRow {
  readonly server: string;
  readonly calls: number;
  readonly failures: readonly string[];
}

/** Milliseconds for the installation of a large server on a slow machine. */
const patience = 1_800_000;

/**
 * Declares the tests of a server. It is installed once. Each variant starts it with new data,
 * generates from the document that it serves, and makes its calls. A server of Debian is skipped
 * elsewhere.
 */
export function testServer(server: LiveServer): void {
  const isInstallable = !server.debian || existsSync("/usr/bin/apt-get");
  describe.skipIf(!isInstallable)(server.name, () => {
    declareTests(server);
  });
}

function declareTests(server: LiveServer): void {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mcp-gen-live-"));
    // A server that runs as another user reads its packages here.
    await chmod(folder, 0o755);
    await mkdir(join(folder, "installation"));
    await install(server, join(folder, "installation"));
  }, patience);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("the scenario has enough calls, of every kind", () => {
    const calls = server.variants.flatMap((variant) => variant.calls);
    const missing = kinds.filter((kind) => !calls.some((call) => call.kind === kind));
    expect(missing).toEqual(server.lacks ?? []);
    expect(calls.length).toBeGreaterThanOrEqual(fewestCalls);
  });

  for (const variant of server.variants)
    test(variant.name, { timeout: patience }, async ({ task }) => {
      const { reports, saved } = await runVariant(server, variant, folder);
      const failures = reports.flatMap(describeFailures);
      const name = `${server.name}, ${variant.name}`;
      task.meta.live = { server: name, calls: reports.length, failures };
      const answers = `answers/${server.name}.${variant.name}.txt`;
      expect.soft(failures).toEqual([]);
      const text = formatAnswers(reports, saved, server.volatile);
      await expect(text).toMatchFileSnapshot(answers);
    });
}

async function runVariant(
  server: LiveServer,
  variant: Variant,
  folder: string,
): Promise<{ readonly reports: readonly CallReport[]; readonly saved: Saved }> {
  // Projects are not below the installation, whose programs npm would prefer in their scripts.
  const [installation, data, work] = ["installation", `data-${variant.name}`, variant.name].map(
    (name) => join(folder, name),
  ) as [string, string, string];
  await Promise.all([mkdir(data), mkdir(work)]);
  await chmod(data, 0o777);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const launch = await server.start({ installation, data, port });
  const process = await startServer(launch, data, `${url}${server.ready}`);
  try {
    const secrets = { ...server.credentials, ...(await server.prepare?.(url)) };
    const project = await makeProject(server, variant, url, work, secrets);
    return await runScenario(variant.calls, project, { url, stop: process.stop });
  } finally {
    await process.stop();
  }
}

function describeFailures({ call, failures }: CallReport, index: number): string[] {
  return failures.map((failure) => `${index + 1} ${call.kind}, ${call.tool}: ${failure}`);
}
