/** Kept-alive connections: reuse, replacement and end. */
import { generateKeyPairSync } from "node:crypto";
import { channel } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createNetServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import type {
  ApiResponse,
  BoundRequest,
  ClientCertificate,
  Failure,
  SendFunction,
} from "../../../src/runtime/request/types.js";
import { startDeadline } from "../../../src/runtime/client/limits.js";
import { isRepeatable } from "../../../src/runtime/client/failures.js";
import { sendFollowingRedirects } from "../../../src/runtime/client/send.js";
import { createNodeClient, watchFetch } from "../../../src/runtime/client/node-client.js";
import { cert, key } from "../../hostile/support/certificate.js";
import { sendByNode } from "../support/by-node.js";
import { type RawAnswer, type RawUpstream, startRawUpstream } from "../support/raw-upstream.js";

const ok = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok";
const slow = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 10\r\n\r\nok";
const answered = { status: 200, body: "ok" };
const closed = {
  kind: "connection",
  cause: "the API closed the connection",
  sent: true,
  permanent: false,
};

let upstream: RawUpstream;
afterEach(() => upstream.close());

async function answering(answer: RawAnswer): Promise<void> {
  upstream = await startRawUpstream(answer);
}

interface RequestSketch {
  readonly method?: string;
  readonly body?: string;
  readonly ms?: number;
  readonly client?: AbortSignal;
  readonly maxBytes?: number;
  readonly repeatable?: boolean;
  readonly url?: string;
  readonly headers?: BoundRequest["headers"];
  readonly tls?: ClientCertificate;
}

const presenting =
  (tls: ClientCertificate | undefined): SendFunction =>
  (request, options) =>
    sendByNode(request, { ...options, ...(tls && { tls }) });

async function send({
  method = "GET",
  body,
  ms = 20_000,
  client,
  maxBytes = 1000,
  repeatable = isRepeatable({ method, path: "/" }),
  url = `http://127.0.0.1:${upstream.port}/`,
  headers = [],
  tls,
}: RequestSketch = {}): Promise<ApiResponse | Failure> {
  // undici reuses a connection from the next turn of the event loop on.
  await new Promise((next) => setImmediate(() => setImmediate(next)));
  const deadline = startDeadline(ms, client);
  const outcome = await sendFollowingRedirects(
    { method, url, headers, ...(body !== undefined && { body }) },
    { deadline, maxBytes, isRepeatable: repeatable, send: presenting(tls) },
  );
  deadline.dispose();
  return outcome;
}

describe("a kept-alive connection", () => {
  test.each(["GET", "POST", "DELETE"])("serves one %s after the other", async (method) => {
    await answering((socket) => void socket.write(ok));
    for (let i = 0; i < 3; i++) expect(await send({ method })).toMatchObject({ status: 200 });
    expect([upstream.requests.length, upstream.opened()]).toEqual([3, 1]);
  });

  test.each(["timeout=3, max=100", "timeout=60", "max=100", "nonsense"])(
    "is kept when Keep-Alive is %s",
    async (hint) => {
      await answering(
        (socket) => void socket.write(ok.replace("\r\n", `\r\nkeep-alive: ${hint}\r\n`)),
      );
      for (let i = 0; i < 3; i++) await send();
      expect(upstream.opened()).toBe(1);
    },
  );

  test("is kept after a chunked response and after responses without a body", async () => {
    await answering(
      (socket, nth) =>
        void socket.write(
          nth === 0
            ? "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"
            : nth === 1
              ? "HTTP/1.1 204 No Content\r\n\r\n"
              : nth === 2
                ? "HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\n\r\n"
                : ok,
        ),
    );
    for (let i = 0; i < 4; i++) await send();
    expect(upstream.opened()).toBe(1);
  });

  test("is kept after a redirect", async () => {
    const moved = "HTTP/1.1 307 Temporary Redirect\r\nlocation: /there\r\n";
    const ways = [
      `${moved}content-length: 2\r\n\r\n{}`,
      `${moved}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      `${moved}content-length: 0\r\n\r\n`,
    ];
    await answering((socket, nth) => void socket.write(ways[nth] ?? ok));
    expect(await send({ method: "POST", body: "{}" })).toMatchObject(answered);
    expect(upstream.requests).toHaveLength(4);
    // The redirect is followed in the same turn, so a second connection serves it.
    expect([upstream.opened(), upstream.open()]).toEqual([2, 2]);
  });

  test("is closed by a redirect whose body is too large, corrupt or incomplete", async () => {
    const moved = "HTTP/1.1 302 Found\r\nlocation: /there\r\n";
    const ways = [
      `${moved}content-length: 1000000\r\n\r\n${"x".repeat(500_000)}`,
      `${moved}content-encoding: gzip\r\ncontent-length: 100\r\n\r\nno gzip`,
      `${moved}content-length: 100\r\n\r\nSee`,
      `${moved}transfer-encoding: chunked\r\n\r\n`,
    ];
    await answering((socket, nth) => void socket.write(ways[nth] ?? ok));
    expect(await send()).toMatchObject(answered);
    expect(upstream.requests).toHaveLength(5);
    // undici opens a connection in place of each one that it aborts.
    await expect.poll(() => upstream.opened()).toBeGreaterThan(4);
  });

  test("is not kept when the request has Connection: close", async () => {
    await answering((socket) => void socket.write(ok));
    for (let i = 0; i < 2; i++)
      expect(await send({ headers: [["Connection", "close"]] })).toMatchObject(answered);
    await expect.poll(() => [upstream.opened(), upstream.open()]).toEqual([2, 0]);
  });

  test.each(["POST", "PATCH"])(
    "that the API closes right after its response does not get the next %s",
    async (method) => {
      await answering((socket) => void socket.end(ok));
      for (let i = 0; i < 5; i++)
        expect(await send({ method, body: "{}" })).toMatchObject(answered);
    },
  );

  test.each([
    [
      "sends Connection: close",
      "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok",
    ],
    ["speaks HTTP/1.0", "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok"],
    ["sends a keep-alive timeout of 0", ok.replace("\r\n", "\r\nkeep-alive: timeout=0\r\n")],
    ["sends a keep-alive timeout of a second", ok.replace("\r\n", "\r\nkeep-alive: timeout=1\r\n")],
  ])("is not kept when the API %s", async (_, answer) => {
    await answering((socket) => void socket.write(answer));
    for (let i = 0; i < 3; i++) expect(await send()).toMatchObject({ status: 200 });
    expect(upstream.opened()).toBe(3);
  });

  test("exists for each concurrent request", async () => {
    const waiting: Socket[] = [];
    await answering(
      (socket) =>
        void (
          waiting.push(socket) === 20 && waiting.forEach((waitingSocket) => waitingSocket.write(ok))
        ),
    );
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => send()));
    expect(outcomes.every((outcome) => "status" in outcome)).toBe(true);
    expect(upstream.opened()).toBe(20);
  });
});

describe("a response that comes before the end of the request", () => {
  const tooLarge =
    "HTTP/1.1 413 Content Too Large\r\ncontent-type: text/plain\r\ncontent-length: 7\r\n\r\ntoo big";
  const ways: readonly (readonly [what: string, run: (socket: Socket) => void])[] = [
    ["goes on reading", (socket) => void socket.write(tooLarge)],
    [
      "does not read on for a while",
      (socket) => void socket.pause().write(tooLarge, () => setTimeout(() => socket.resume(), 200)),
    ],
    ["says that it closes, and goes on reading", (socket) => void socket.end(tooLarge)],
    [
      "closes without reading",
      (socket) => void socket.pause().end(tooLarge, () => setTimeout(() => socket.destroy(), 100)),
    ],
    [
      "resets without reading",
      (socket) =>
        void socket.pause().write(tooLarge, () => setTimeout(() => socket.resetAndDestroy(), 100)),
    ],
  ];

  test.each(ways)("is returned when the API %s", async (_, run) => {
    const sockets: Socket[] = [];
    const eager = createNetServer(
      (socket) => void sockets.push(socket.on("error", () => {}).once("data", () => run(socket))),
    ).listen(0, "127.0.0.1");
    await once(eager, "listening");
    await answering(() => {});
    const url = `http://127.0.0.1:${(eager.address() as AddressInfo).port}/`;
    expect(await send({ method: "POST", body: "x".repeat(20_000_000), url })).toMatchObject({
      status: 413,
      body: "too big",
    });
    // A late error of the upload must not become an uncaught exception.
    await new Promise((later) => setTimeout(later, 300));
    await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true);
    expect(sockets.every(({ bytesRead }) => bytesRead < 20_000_000)).toBe(true);
    eager.close();
  });
});

/** The connection serves one request, and is reset instead of serving another; a new one serves. */
const resets: RawAnswer = (socket, _, nthOfConnection) =>
  void (nthOfConnection === 0 ? socket.write(ok) : socket.resetAndDestroy());

describe("a kept-alive connection that turns out to be closed", () => {
  test.each(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])("is replaced for %s", async (method) => {
    await answering(resets);
    await send();
    expect(await send({ method })).toMatchObject({ status: 200 });
    expect(upstream.requests.map((request) => request.split(" ")[0])).toEqual([
      "GET",
      method,
      method,
    ]);
    expect([upstream.opened(), upstream.requests[2]?.includes("connection: close")]).toEqual([
      2,
      true,
    ]);
  });

  test("is replaced with the whole body", async () => {
    await answering(resets);
    await send();
    expect(await send({ method: "PUT", body: "x".repeat(100_000) })).toMatchObject(answered);
    expect(upstream.requests[2]?.endsWith("x".repeat(100_000))).toBe(true);
  });

  test.each(["POST", "PATCH"])(
    "is not replaced for %s, which the API may have received",
    async (method) => {
      await answering(resets);
      await send();
      expect(await send({ method, body: "{}" })).toEqual(closed);
      expect(upstream.requests).toHaveLength(2);
    },
  );

  test.each([
    ["a POST with an idempotency key", "POST", true, 3],
    ["a GET that changes something", "GET", false, 2],
  ])("is replaced for a repeatable request only: %s", async (_, method, repeatable, sent) => {
    await answering(resets);
    await send();
    expect(await send({ method, repeatable })).toMatchObject(repeatable ? answered : closed);
    expect(upstream.requests).toHaveLength(sent);
  });

  test("is replaced once", async () => {
    await answering(
      (socket, nth) => void (nth === 0 ? socket.write(ok) : socket.resetAndDestroy()),
    );
    await send();
    expect(await send()).toEqual(closed);
    expect(upstream.requests).toHaveLength(3);
  });

  test("is not replaced when a response has begun", async () => {
    await answering(
      (socket, nth) =>
        void (nth === 0
          ? socket.write(ok)
          : socket.write("HTTP/1.1 2", () => socket.resetAndDestroy())),
    );
    await send();
    expect(await send()).toEqual(closed);
    expect(upstream.requests).toHaveLength(2);
  });

  test("is not replaced when it was new", async () => {
    await answering((socket) => void socket.resetAndDestroy());
    expect(await send()).toEqual(closed);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe("unsolicited data", () => {
  test("closes the connection, and is not a response", async () => {
    await answering((socket, nth) => {
      if (nth > 0) return void socket.write(ok);
      socket.write(ok, () => setTimeout(() => socket.write(ok.replace("\r\nok", "\r\nno")), 20));
    });
    expect(await send()).toMatchObject(answered);
    await expect.poll(() => upstream.open()).toBe(0);
    expect(await send()).toMatchObject(answered);
    expect(upstream.opened()).toBe(2);
  });

  test.each(["204 No Content", "205 Reset Content"])(
    "as the body of %s is not the next response",
    async (status) => {
      await answering((socket, nth) => {
        if (nth > 0) return void setTimeout(() => socket.write(ok), 50);
        socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 2\r\n\r\n`, () =>
          setTimeout(() => socket.write("{}"), 10),
        );
      });
      expect([await send(), await send()]).toMatchObject([
        { status: Number(status.slice(0, 3)), body: "" },
        answered,
      ]);
    },
  );

  test("is not the next response", async () => {
    await answering(
      (socket, nth) => void socket.write(nth === 0 ? ok + ok.replace("\r\nok", "\r\nno") : ok),
    );
    expect([await send(), await send()]).toMatchObject([answered, answered]);
  });
});

describe("end of a call", () => {
  const parts: readonly (readonly [where: string, part: string | Buffer])[] = [
    ["before the response", ""],
    ["in its head", "HTTP/1.1 200 OK\r\n"],
    ["in its body", slow],
    [
      "in a body of gzip",
      Buffer.concat([
        Buffer.from("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n"),
        gzipSync("ok".repeat(100)).subarray(0, 12),
      ]),
    ],
  ];

  test.each(parts)("by its deadline, %s", async (_, part) => {
    await answering((socket) => void socket.write(part));
    expect(await send({ ms: 100 })).toEqual({ kind: "timeout", afterMs: 100, sent: true });
    await expect.poll(() => upstream.open()).toBe(0);
  });

  test.each(parts)("by its client, %s", async (_, part) => {
    const client = new AbortController();
    await answering((socket) => void socket.write(part, () => client.abort()));
    expect(await send({ client: client.signal })).toEqual({ kind: "cancelled" });
    await expect.poll(() => upstream.open()).toBe(0);
  });

  test.each(parts.slice(2))("between its head and its body, which is %s", async (_, part) => {
    const client = new AbortController();
    await answering((socket) => void socket.write(part));
    const deadline = startDeadline(20_000, client.signal);
    const cancelAfterHead: SendFunction = async (request, options) => {
      const response = await sendByNode(request, options);
      client.abort();
      await expect.poll(() => upstream.open()).toBe(0);
      return response;
    };
    expect(
      await sendFollowingRedirects(
        { method: "GET", url: `http://127.0.0.1:${upstream.port}/`, headers: [] },
        { deadline, maxBytes: 1000, isRepeatable: true, send: cancelAfterHead },
      ),
    ).toEqual({ kind: "cancelled" });
    deadline.dispose();
  });

  test("before it began", async () => {
    await answering((socket) => void socket.write(ok));
    expect(await send({ client: AbortSignal.abort() })).toEqual({ kind: "cancelled" });
    expect(upstream.opened()).toBe(0);
  });

  test("while undici is loaded for the first request", async () => {
    const client = new AbortController();
    await answering(() => {});
    const deadline = startDeadline(20_000, client.signal);
    const outcome = sendFollowingRedirects(
      { method: "GET", url: `http://127.0.0.1:${upstream.port}/`, headers: [] },
      { deadline, maxBytes: 1000, isRepeatable: true, send: createNodeClient(watchFetch(false)) },
    );
    client.abort();
    expect(await outcome).toEqual({ kind: "cancelled" });
    deadline.dispose();
  });

  test("prevents a retry over another connection", async () => {
    const client = new AbortController();
    await answering((socket, nth) => void (nth === 0 ? socket.write(ok) : client.abort()));
    await send();
    expect(await send({ client: client.signal })).toEqual({ kind: "cancelled" });
    await expect.poll(() => upstream.open()).toBe(0);
    expect(upstream.requests).toHaveLength(2);
  });

  test("by the size of the response", async () => {
    await answering((socket) => void socket.write("HTTP/1.1 200 OK\r\n\r\nxxxxx"));
    expect(await send({ maxBytes: 4 })).toEqual({ kind: "tooLarge", limit: 4 });
    await expect.poll(() => upstream.open()).toBe(0);
  });

  test.each([
    ["too many codings", "gzip, gzip, gzip, gzip, gzip, gzip"],
    ["another coding than declared", "gzip"],
  ])("by a response in %s", async (_, coding) => {
    await answering(
      (socket) => void socket.write(slow.replace("\r\n", `\r\ncontent-encoding: ${coding}\r\n`)),
    );
    expect(await send()).toMatchObject({
      cause: "the API's response is not compressed as its Content-Encoding states",
    });
    await expect.poll(() => upstream.open()).toBe(0);
  });

  test("by a redirect elsewhere", async () => {
    await answering(
      (socket) =>
        void socket.write(
          "HTTP/1.1 307 Elsewhere\r\nlocation: http://evil.test/\r\ncontent-length: 1000\r\n\r\n",
        ),
    );
    expect(await send()).toMatchObject({ kind: "redirect" });
    await expect.poll(() => upstream.open()).toBe(0);
  });
});

describe("connections that cannot be opened", () => {
  const untrusted = {
    kind: "connection",
    cause: "the TLS certificate of the API is self-signed (NODE_EXTRA_CA_CERTS can name it)",
    sent: false,
    permanent: true,
  };

  test("to an untrusted certificate", async () => {
    upstream = await startRawUpstream((socket) => void socket.write(ok), { cert, key });
    expect(await send({ url: `https://127.0.0.1:${upstream.port}/` })).toEqual(untrusted);
    expect(upstream.requests).toEqual([]);
  });

  test("with TLS to a plain server, and without TLS to a TLS server", async () => {
    await answering((socket) => void socket.write(ok));
    const plain = createServer().listen(0, "127.0.0.1");
    await once(plain, "listening");
    expect(
      await send({ url: `https://127.0.0.1:${(plain.address() as AddressInfo).port}/` }),
    ).toMatchObject({ cause: "no TLS connection could be made with the API" });
    plain.close();
    upstream.close();
    upstream = await startRawUpstream((socket) => void socket.write(ok), { cert, key });
    expect(await send()).toMatchObject({ kind: "connection", sent: true });
  });

  test("with a client certificate but without TLS", async () => {
    await answering((socket) => void socket.write(ok));
    expect([await send({ tls: { cert, key } }), upstream.opened()]).toMatchObject([
      { kind: "connection", sent: false },
      0,
    ]);
  });

  test.each([
    ["damaged", { cert: cert.replace("MIIB", "!!!!"), key }],
    [
      "without its own key",
      {
        cert,
        key: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
          type: "pkcs8",
          format: "pem",
        }) as string,
      },
    ],
  ])("with a client certificate that is %s", async (_, tls) => {
    upstream = await startRawUpstream((socket) => void socket.write(ok), { cert, key });
    const unusable =
      "the client certificate and its key cannot be used: one of them is damaged or encrypted, or they do not belong together";
    expect(await send({ url: `https://127.0.0.1:${upstream.port}/`, tls })).toEqual({
      kind: "connection",
      cause: unusable,
      sent: false,
      permanent: true,
    });
  });

  test.each<readonly [string, (socket: Socket) => void, object]>([
    ["closed", (socket) => void socket.end(), { ...closed, sent: false }],
    ["reset", (socket) => void socket.resetAndDestroy(), { ...closed, sent: false }],
    ["silent", () => {}, { kind: "timeout", afterMs: 300, sent: false }],
  ])(
    "over which nothing was sent, because they are %s before the TLS handshake",
    async (_, run, want) => {
      await answering(() => {});
      const silent = createNetServer(
        (socket) => void socket.on("error", () => {}).once("data", () => run(socket)),
      ).listen(0, "127.0.0.1");
      await once(silent, "listening");
      expect(
        await send({
          method: "POST",
          body: "{}",
          ms: 300,
          url: `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`,
        }),
      ).toEqual(want);
      silent.close();
    },
  );
});

test("IPv6", async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer(
    (request, response) => void (seen.push(request.headers.host), response.end("ok")),
  );
  const listens = await new Promise<boolean>((ready) =>
    server.listen(0, "::1", () => ready(true)).once("error", () => ready(false)),
  );
  await answering((socket) => void socket.write(ok));
  const { port } = listens ? (server.address() as AddressInfo) : upstream;
  const outcome = await send({ url: `http://[::1]:${port}/` });
  server.close();
  if (listens) expect([outcome, seen]).toMatchObject([{ status: 200 }, [`[::1]:${port}`]]);
  else expect(outcome).toMatchObject({ kind: "connection", sent: false });
});

describe("a replaced global fetch", () => {
  const isByFetch = async (): Promise<boolean> => {
    await send();
    // Only undici asks for Brotli.
    return !upstream.requests.at(-1)?.includes(", br");
  };
  const dispatcher = Symbol.for("undici.globalDispatcher.1");

  test("is used when it is a stub", async () => {
    await answering((socket) => void socket.write(ok));
    const { fetch } = globalThis;
    const stubbed: unknown[] = [];
    globalThis.fetch = (url, init) => (stubbed.push(url), fetch(url, init));
    await send();
    globalThis.fetch = fetch;
    expect([stubbed.length, await isByFetch()]).toEqual([1, false]);
  });

  test("is used when its global dispatcher is a proxy", async () => {
    await answering((socket) => void socket.write(ok));
    await fetch(`http://127.0.0.1:${upstream.port}/`);
    const globals = globalThis as { [dispatcher]?: object };
    const globalDispatcher = globals[dispatcher] as object;
    expect(await isByFetch()).toBe(false);
    Object.defineProperty(globals, dispatcher, {
      value: new (class ProxyAgent {
        dispatch = (globalDispatcher as { dispatch: () => boolean }).dispatch.bind(
          globalDispatcher,
        );
      })(),
    });
    expect(await isByFetch()).toBe(true);
    Object.defineProperty(globals, dispatcher, { value: globalDispatcher });
    expect(await isByFetch()).toBe(false);
  });

  test("is not needed by tracers, which see the requests of undici", async () => {
    await answering((socket) => void socket.write(ok));
    const requests = channel("undici:request:create");
    const seen: unknown[] = [];
    const watch = (message: unknown): void => void seen.push(message);
    requests.subscribe(watch);
    expect([await isByFetch(), seen.length]).toEqual([false, 1]);
    requests.unsubscribe(watch);
  });
});
