/**
 * Three processes of one generated server behind a plain TCP balancer, under load, while one of
 * them is killed or stopped.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Agent, fetch as undiciFetch } from "undici";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { plant, scratch } from "../write/tree.js";
import { type Balancer, CALL_HEADER, startBalancer } from "./balancer.js";
import { generateProject, type Project, startHttp } from "./project.js";

const document = `openapi: 3.1.0
info: {title: Notes, version: '1'}
paths:
  /notes:
    post:
      operationId: createNote
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, required: [number], properties: {number: {type: integer}}}}}
      responses:
        '201': {description: The note, content: {application/json: {schema: {type: object, properties: {number: {type: integer}}}}}}
`;

const CALLS = 300;
const CLIENTS = 12;
/** Calls that are answered before one process ends. */
const BEFORE = 80;

let project: Project;
let api: Server;
/** Notes that the API has created, by number. */
const created = new Map<number, number>();

beforeAll(async () => {
  const folder = scratch();
  plant(folder, { "notes.yaml": document });
  project = await generateProject(join(folder, "notes.yaml"));
  await project.run("bundle");
  api = createServer((request, response) => {
    let body = "";
    request.on("data", (text: Buffer) => (body += text.toString()));
    request.on("end", () => {
      const { number } = JSON.parse(body) as { number: number };
      created.set(number, (created.get(number) ?? 0) + 1);
      setTimeout(
        () =>
          response
            .writeHead(201, { "content-type": "application/json" })
            .end(JSON.stringify({ number })),
        20 + (number % 5) * 10,
      );
    });
  });
  await once(api.listen(0, "127.0.0.1"), "listening");
});
afterAll(async () => {
  api.closeAllConnections();
  api.close();
  await project.remove();
});

interface Caller {
  call(number: number): Promise<unknown>;
}

type Connect = (balancer: Balancer) => Promise<Caller>;

/** A `fetch` that names the calls of one caller, which makes one after the other. */
function namedFetch(current: () => number, dispatcher: Agent): typeof fetch {
  return ((url: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    headers.set(CALL_HEADER, String(current()));
    const request = { ...init, headers: Object.fromEntries(headers), dispatcher };
    return undiciFetch(url, request as never);
  }) as never;
}

function connectWith(isOld: boolean, keepsConnections: boolean): Connect {
  return async ({ url }) => {
    let current = -1;
    const dispatcher = new Agent(keepsConnections ? {} : { pipelining: 0 });
    onTestFinished(() => dispatcher.destroy());
    const options = { fetch: namedFetch(() => current, dispatcher) };
    const info = { name: "load", version: "1.0.0" };
    const client = isOld
      ? new OldClient(info)
      : new Client(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    const transport = isOld
      ? new OldTransport(url, options)
      : new StreamableHTTPClientTransport(url, options);
    await client.connect(transport as never);
    return {
      call: async (number) => {
        current = number;
        const params = { name: "create_note", arguments: { number } };
        const { structuredContent, isError } = (await client.callTool(params)) as {
          structuredContent?: { number: number };
          isError?: boolean;
        };
        if (isError === true || structuredContent?.number !== number) throw new Error("wrong");
      },
    };
  };
}

interface Outcome {
  readonly answered: number;
  readonly lost: readonly number[];
  /** Lost calls of which a process that went on running received a byte. */
  readonly lostByOthers: readonly number[];
  readonly exitCode: number | null;
  readonly byReplica: readonly number[];
}

/** Makes all calls from several clients, and sends one process a signal in between. */
async function loadWith(connect: Connect, signal: NodeJS.Signals): Promise<Outcome> {
  created.clear();
  const { port } = api.address() as AddressInfo;
  const env = { NOTES_BASE_URL: `http://127.0.0.1:${port}` };
  const replicas = await Promise.all([0, 1, 2].map(() => startHttp(project.server, env)));
  onTestFinished(() => replicas.forEach(({ child }) => void child.kill("SIGKILL")));
  const balancer = await startBalancer(replicas.map(({ url }) => Number(url.port)));
  onTestFinished(() => balancer.close());
  const callers = await Promise.all(Array.from({ length: CLIENTS }, () => connect(balancer)));
  const answered = new Set<number>();
  const lost: number[] = [];
  const chosen = replicas[1]!.child;
  let exited: Promise<unknown> = Promise.resolve();
  let next = 0;
  const run = async (caller: Caller): Promise<void> => {
    for (let number = next++; number < CALLS; number = next++) {
      await caller.call(number).then(
        () => answered.add(number),
        () => lost.push(number),
      );
      if (answered.size !== BEFORE || chosen.killed) continue;
      exited = once(chosen, "close");
      chosen.kill(signal);
    }
  };
  await Promise.all(callers.map(run));
  await exited;
  return {
    answered: answered.size,
    lost,
    lostByOthers: [0, 2]
      .flatMap((replica) => callsOf(balancer, replica))
      .filter((call) => lost.includes(call)),
    exitCode: (chosen as ChildProcess).exitCode,
    byReplica: [0, 1, 2].map((replica) => callsOf(balancer, replica).length),
  };
}

function callsOf({ forwarded }: Balancer, replica: number): readonly number[] {
  return [...forwarded]
    .filter(([call, replicas]) => call >= 0 && replicas.at(-1) === replica)
    .map(([call]) => call);
}

const connects: readonly (readonly [string, Connect])[] = [
  ["SDK 2", connectWith(false, false)],
  ["SDK 1", connectWith(true, false)],
];

// A client has one call in flight. After its process ended, the balancer connects it with another,
// so that it loses no second call. A call whose connection broke before its first byte was copied
// is known to no process.
test.each(connects)("%s: a killed process loses only its calls in flight", async (_, connect) => {
  const { answered, lost, lostByOthers, byReplica } = await loadWith(connect, "SIGKILL");
  expect(lostByOthers).toEqual([]);
  expect(lost.length).toBeLessThanOrEqual(CLIENTS);
  expect(answered + lost.length).toBe(CALLS);
  expect(byReplica.every((count) => count > 0)).toBe(true);
  expect(repeatedNotes()).toEqual([]);
});

// The system resets a connection that waits to be accepted when the port is closed, which no
// program can prevent. Its call was not made, so a client can repeat it.
test.each([
  ...connects,
  ["SDK 2 with kept connections", connectWith(false, true)] as const,
  ["SDK 1 with kept connections", connectWith(true, true)] as const,
])("%s: a stopped process loses no call that it has made", async (_, connect) => {
  const { answered, lost, exitCode, byReplica } = await loadWith(connect, "SIGTERM");
  expect(lost.filter((call) => created.has(call))).toEqual([]);
  expect(lost.length).toBeLessThanOrEqual(CLIENTS);
  expect({ all: answered + lost.length, exitCode }).toEqual({ all: CALLS, exitCode: 0 });
  expect(byReplica.every((count) => count > 0)).toBe(true);
  expect(repeatedNotes()).toEqual([]);
});

/** Notes that more than one request created. */
function repeatedNotes(): readonly number[] {
  return [...created].filter(([, times]) => times > 1).map(([number]) => number);
}
