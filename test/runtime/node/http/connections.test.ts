/** Connections that node:http keeps: who gets them, when they are replaced, and how they end. */
import { generateKeyPairSync } from "node:crypto";
import { channel } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer } from "node:http";
import { request as httpsRequest } from "node:https";
import { type AddressInfo, createServer as createNetServer, type Socket } from "node:net";
import { connect } from "node:tls";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import type { BoundRequest, ClientCertificate } from "../../../../src/runtime/request/types.js";
import { startDeadline } from "../../../../src/runtime/client/deadline.js";
import { sendFollowingRedirects } from "../../../../src/runtime/client/redirect.js";
import { isRepeatable } from "../../../../src/runtime/client/retry.js";
import type { ApiResponse, Failure, SendFunction } from "../../../../src/runtime/client/types.js";
import { Attempt } from "../../../../src/runtime/node/http/attempt.js";
import { sendFromNode } from "../../../../src/runtime/node/http/index.js";
import { watchFetch } from "../../../../src/runtime/node/http/own-fetch.js";
import { cert, key } from "../../../hostile/support/certificate.js";
import { byNode } from "../../support/by-node.js";
import { type RawAnswer, type RawUpstream, startRawUpstream } from "../../support/raw-upstream.js";

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

interface How {
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

async function got({
  method = "GET",
  body,
  ms = 20_000,
  client,
  maxBytes = 1000,
  repeatable = isRepeatable({ method, path: "/" }),
  url = `http://127.0.0.1:${upstream.port}/`,
  headers = [],
  tls,
}: How = {}): Promise<ApiResponse | Failure> {
  const deadline = startDeadline(ms, client);
  const outcome = await sendFollowingRedirects(
    { method, url, headers, ...(body !== undefined && { body }) },
    { deadline, maxBytes, isRepeatable: repeatable, send: byNode, ...(tls && { tls }) },
  );
  deadline.dispose();
  return outcome;
}

describe("a kept connection", () => {
  test.each(["GET", "HEAD", "POST", "DELETE"])("serves one %s after the other", async (method) => {
    await answering(
      (socket) =>
        void socket.write(
          method === "HEAD" ? ok.replace("\r\nok", "\r\n").slice(0, -2) + "\r\n" : ok,
        ),
    );
    for (let i = 0; i < 3; i++) expect(await got({ method })).toMatchObject({ status: 200 });
    expect([upstream.requests.length, upstream.opened()]).toEqual([3, 1]);
  });

  test.each(["timeout=3, max=100", "timeout=60", "max=100", "nonsense"])(
    "is kept when the API says %s",
    async (hint) => {
      await answering(
        (socket) => void socket.write(ok.replace("\r\n", `\r\nkeep-alive: ${hint}\r\n`)),
      );
      for (let i = 0; i < 3; i++) await got();
      expect(upstream.opened()).toBe(1);
    },
  );

  test("is kept after chunks, and after an answer without a body", async () => {
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
    for (let i = 0; i < 4; i++) await got();
    expect(upstream.opened()).toBe(1);
  });

  test("serves where a redirect leads to", async () => {
    const moved = "HTTP/1.1 307 Temporary Redirect\r\nlocation: /there\r\n";
    const ways = [
      `${moved}content-length: 2\r\n\r\n{}`,
      `${moved}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      `${moved}content-length: 0\r\n\r\n`,
    ];
    await answering((socket, nth) => void socket.write(ways[nth] ?? ok));
    expect(await got({ method: "POST", body: "{}" })).toMatchObject(answered);
    expect([upstream.requests.length, upstream.opened()]).toEqual([4, 1]);
  });

  test("is closed by a redirect that says more than anybody reads, not what it promises, or never all of it", async () => {
    const moved = "HTTP/1.1 302 Found\r\nlocation: /there\r\n";
    const ways = [
      `${moved}content-length: 1000000\r\n\r\n${"x".repeat(500_000)}`,
      `${moved}content-encoding: gzip\r\ncontent-length: 100\r\n\r\nno gzip`,
      `${moved}content-length: 100\r\n\r\nSee`,
      `${moved}transfer-encoding: chunked\r\n\r\n`,
    ];
    await answering((socket, nth) => void socket.write(ways[nth] ?? ok));
    expect(await got()).toMatchObject(answered);
    expect([upstream.requests.length, upstream.opened(), upstream.open()]).toEqual([5, 5, 1]);
  });

  test("is none when the request asks for that", async () => {
    await answering((socket) => void socket.write(ok));
    for (let i = 0; i < 2; i++)
      expect(await got({ headers: [["Connection", "close"]] })).toMatchObject(answered);
    await expect.poll(() => [upstream.opened(), upstream.open()]).toEqual([2, 0]);
  });

  test.each(["POST", "PATCH"])(
    "that the API closes right behind its answer, without a word, does not get the next %s",
    async (method) => {
      await answering((socket) => void socket.end(ok));
      for (let i = 0; i < 5; i++) expect(await got({ method, body: "{}" })).toMatchObject(answered);
    },
  );

  test.each([
    ["says that it closes", "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok"],
    ["is HTTP/1.0", "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok"],
    ["says that it closes at once", ok.replace("\r\n", "\r\nkeep-alive: timeout=0\r\n")],
    [
      "says that it closes before another request could be there",
      ok.replace("\r\n", "\r\nkeep-alive: timeout=1\r\n"),
    ],
  ])("is none when the API %s", async (_, answer) => {
    await answering((socket) => void socket.write(answer));
    for (let i = 0; i < 3; i++) expect(await got()).toMatchObject({ status: 200 });
    expect(upstream.opened()).toBe(3);
  });

  test("are as many as there are requests at a time", async () => {
    const waiting: Socket[] = [];
    await answering(
      (socket) => void (waiting.push(socket) === 20 && waiting.forEach((one) => one.write(ok))),
    );
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => got()));
    expect(outcomes.every((outcome) => "status" in outcome)).toBe(true);
    expect(upstream.opened()).toBe(20);
  });
});

describe("an answer that is there before all of the request is sent", () => {
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

  test.each(ways)("is the answer when the API %s", async (_, run) => {
    const sockets: Socket[] = [];
    const eager = createNetServer(
      (socket) => void sockets.push(socket.on("error", () => {}).once("data", () => run(socket))),
    ).listen(0, "127.0.0.1");
    await once(eager, "listening");
    await answering(() => {});
    const url = `http://127.0.0.1:${(eager.address() as AddressInfo).port}/`;
    expect(await got({ method: "POST", body: "x".repeat(20_000_000), url })).toMatchObject({
      status: 413,
      body: "too big",
    });
    // What goes wrong with the rest is no exception that nobody catches, which would be the end of
    // this run as of a server.
    await new Promise((later) => setTimeout(later, 300));
    await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true);
    expect(sockets.every(({ bytesRead }) => bytesRead < 20_000_000)).toBe(true);
    eager.close();
  });
});

/** The connection serves one request, and is reset instead of serving another; a new one serves. */
const resets: RawAnswer = (socket, _, own) =>
  void (own === 0 ? socket.write(ok) : socket.resetAndDestroy());

describe("a kept connection that turns out to be closed", () => {
  test.each(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])("is replaced for %s", async (method) => {
    await answering(resets);
    await got();
    expect(await got({ method })).toMatchObject({ status: 200 });
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
    await got();
    expect(await got({ method: "PUT", body: "x".repeat(100_000) })).toMatchObject(answered);
    expect(upstream.requests[2]?.endsWith("x".repeat(100_000))).toBe(true);
  });

  test.each(["POST", "PATCH"])("is not for %s, which the API may have got", async (method) => {
    await answering(resets);
    await got();
    expect(await got({ method, body: "{}" })).toEqual(closed);
    expect(upstream.requests).toHaveLength(2);
  });

  test.each([
    ["a POST with a key that tells repetitions", "POST", true, 3],
    ["a GET that changes something", "GET", false, 2],
  ])("is replaced where sending again is harmless: %s", async (_, method, repeatable, sent) => {
    await answering(resets);
    await got();
    expect(await got({ method, repeatable })).toMatchObject(repeatable ? answered : closed);
    expect(upstream.requests).toHaveLength(sent);
  });

  test("is replaced once", async () => {
    await answering(
      (socket, nth) => void (nth === 0 ? socket.write(ok) : socket.resetAndDestroy()),
    );
    await got();
    expect(await got()).toEqual(closed);
    expect(upstream.requests).toHaveLength(3);
  });

  test("is not when an answer has begun", async () => {
    await answering(
      (socket, nth) =>
        void (nth === 0
          ? socket.write(ok)
          : socket.write("HTTP/1.1 2", () => socket.resetAndDestroy())),
    );
    await got();
    expect(await got()).toEqual(closed);
    expect(upstream.requests).toHaveLength(2);
  });

  test("is not when it was new", async () => {
    await answering((socket) => void socket.resetAndDestroy());
    expect(await got()).toEqual(closed);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe("what nobody asked for", () => {
  test("closes the connection over which it comes, and answers nothing", async () => {
    await answering((socket, nth) => {
      if (nth > 0) return void socket.write(ok);
      socket.write(ok, () => setTimeout(() => socket.write(ok.replace("\r\nok", "\r\nno")), 20));
    });
    expect(await got()).toMatchObject(answered);
    await expect.poll(() => upstream.open()).toBe(0);
    expect(await got()).toMatchObject(answered);
    expect(upstream.opened()).toBe(2);
  });

  test.each(["204 No Content", "205 Reset Content"])(
    "as the body of %s is not the next answer",
    async (status) => {
      await answering((socket, nth) => {
        if (nth > 0) return void setTimeout(() => socket.write(ok), 50);
        socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 2\r\n\r\n`, () =>
          setTimeout(() => socket.write("{}"), 10),
        );
      });
      expect([await got(), await got()]).toMatchObject([
        { status: Number(status.slice(0, 3)), body: "" },
        answered,
      ]);
      expect(upstream.opened()).toBe(2);
    },
  );

  test("right behind an answer is not the next one", async () => {
    await answering(
      (socket, nth) => void socket.write(nth === 0 ? ok + ok.replace("\r\nok", "\r\nno") : ok),
    );
    expect([await got(), await got()]).toMatchObject([answered, answered]);
  });
});

describe("the end of a call", () => {
  const parts: readonly (readonly [where: string, part: string | Buffer])[] = [
    ["before the answer", ""],
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
    expect(await got({ ms: 100 })).toEqual({ kind: "timeout", afterMs: 100, sent: true });
    await expect.poll(() => upstream.open()).toBe(0);
  });

  test.each(parts)("by its client, %s", async (_, part) => {
    const client = new AbortController();
    await answering((socket) => void socket.write(part, () => client.abort()));
    expect(await got({ client: client.signal })).toEqual({ kind: "cancelled" });
    await expect.poll(() => upstream.open()).toBe(0);
  });

  test.each(parts.slice(2))("between its head and its body, which is %s", async (_, part) => {
    const client = new AbortController();
    await answering((socket) => void socket.write(part));
    const deadline = startDeadline(20_000, client.signal);
    const send: SendFunction = async (request, how) => {
      const incoming = await byNode(request, how);
      client.abort();
      await expect.poll(() => upstream.open()).toBe(0);
      return incoming;
    };
    expect(
      await sendFollowingRedirects(
        { method: "GET", url: `http://127.0.0.1:${upstream.port}/`, headers: [] },
        { deadline, maxBytes: 1000, isRepeatable: true, send },
      ),
    ).toEqual({ kind: "cancelled" });
    deadline.dispose();
  });

  test("before it began", async () => {
    await answering((socket) => void socket.write(ok));
    expect(await got({ client: AbortSignal.abort() })).toEqual({ kind: "cancelled" });
    expect(upstream.opened()).toBe(0);
  });

  test("while node:http is loaded for the first request", async () => {
    const client = new AbortController();
    await answering(() => {});
    const deadline = startDeadline(20_000, client.signal);
    const outcome = sendFollowingRedirects(
      { method: "GET", url: `http://127.0.0.1:${upstream.port}/`, headers: [] },
      { deadline, maxBytes: 1000, isRepeatable: true, send: sendFromNode(watchFetch(false)) },
    );
    client.abort();
    expect(await outcome).toEqual({ kind: "cancelled" });
    deadline.dispose();
  });

  test("does not send again over another connection", async () => {
    const client = new AbortController();
    await answering((socket, nth) => void (nth === 0 ? socket.write(ok) : client.abort()));
    await got();
    expect(await got({ client: client.signal })).toEqual({ kind: "cancelled" });
    await expect.poll(() => upstream.open()).toBe(0);
    expect(upstream.requests).toHaveLength(2);
  });

  test("by the size of its answer", async () => {
    await answering((socket) => void socket.write("HTTP/1.1 200 OK\r\n\r\nxxxxx"));
    expect(await got({ maxBytes: 4 })).toEqual({ kind: "tooLarge", limit: 4 });
    await expect.poll(() => upstream.open()).toBe(0);
  });

  test.each([
    ["more codings than are taken off", "gzip, gzip, gzip, gzip, gzip, gzip"],
    ["another coding than it says", "gzip"],
  ])("by an answer in %s", async (_, coding) => {
    await answering(
      (socket) => void socket.write(slow.replace("\r\n", `\r\ncontent-encoding: ${coding}\r\n`)),
    );
    expect(await got()).toMatchObject({ cause: "the API's answer is not compressed as it says" });
    await expect.poll(() => upstream.open()).toBe(0);
  });

  test("by a redirect elsewhere", async () => {
    await answering(
      (socket) =>
        void socket.write(
          "HTTP/1.1 307 Elsewhere\r\nlocation: http://evil.test/\r\ncontent-length: 1000\r\n\r\n",
        ),
    );
    expect(await got()).toMatchObject({ kind: "redirect" });
    await expect.poll(() => upstream.open()).toBe(0);
  });
});

describe("connections that cannot be", () => {
  const untrusted = {
    kind: "connection",
    cause: "the TLS certificate of the API is self-signed (NODE_EXTRA_CA_CERTS can name it)",
    sent: false,
    permanent: true,
  };

  test("to a certificate that nobody trusts", async () => {
    upstream = await startRawUpstream((socket) => void socket.write(ok), { cert, key });
    expect(await got({ url: `https://127.0.0.1:${upstream.port}/` })).toEqual(untrusted);
    expect(upstream.requests).toEqual([]);
  });

  test("with TLS to what has none, and without to what has it", async () => {
    await answering((socket) => void socket.write(ok));
    const plain = createServer().listen(0, "127.0.0.1");
    await once(plain, "listening");
    expect(
      await got({ url: `https://127.0.0.1:${(plain.address() as AddressInfo).port}/` }),
    ).toMatchObject({ cause: "no TLS connection could be made with the API" });
    plain.close();
    upstream.close();
    upstream = await startRawUpstream((socket) => void socket.write(ok), { cert, key });
    expect(await got()).toMatchObject({ kind: "connection", sent: true });
  });

  test.each([
    [
      "0.0.0.0",
      "HTTP_PROXY",
      "the API refused the connection; HTTP_PROXY names a proxy, which Node (from 22.21 and 24.5 on) goes through only where NODE_USE_ENV_PROXY=1 is set before it starts",
    ],
    ["0.0.0.0", "HTTPS_PROXY", "the API refused the connection"],
    ["127.0.0.1", "HTTP_PROXY", "the API refused the connection"],
  ])("to %s without the proxy that %s names", async (host, variable, cause) => {
    await answering(() => {});
    upstream.close();
    process.env[variable] = "http://proxy.test:3128";
    const outcome = await got({ url: `http://${host}:${upstream.port}/` });
    delete process.env[variable];
    expect(outcome).toEqual({ kind: "connection", cause, sent: false, permanent: false });
  });

  test("with a client certificate but without TLS", async () => {
    await answering((socket) => void socket.write(ok));
    expect([await got({ tls: { cert, key } }), upstream.opened()]).toMatchObject([
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
    expect(await got({ url: `https://127.0.0.1:${upstream.port}/`, tls })).toEqual({
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
  ])("over which nothing was sent, because it is %s before TLS has begun", async (_, run, want) => {
    await answering(() => {});
    const silent = createNetServer(
      (socket) => void socket.on("error", () => {}).once("data", () => run(socket)),
    ).listen(0, "127.0.0.1");
    await once(silent, "listening");
    expect(
      await got({
        method: "POST",
        body: "{}",
        ms: 300,
        url: `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`,
      }),
    ).toEqual(want);
    silent.close();
  });

  test("are there already when a proxy has made them", async () => {
    upstream = await startRawUpstream(() => {}, { cert, key });
    const socket = connect({ port: upstream.port, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const deadline = startDeadline(20_000);
    const request = httpsRequest({ port: upstream.port, createConnection: () => socket });
    const { answered } = new Attempt(request, deadline);
    request.end();
    await expect.poll(() => deadline.sent).toBe(true);
    request.destroy();
    await expect(answered).rejects.toMatchObject({ code: "ECONNRESET" });
    deadline.dispose();
  });
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
  const outcome = await got({ url: `http://[::1]:${port}/` });
  server.close();
  if (listens) expect([outcome, seen]).toMatchObject([{ status: 200 }, [`[::1]:${port}`]]);
  else expect(outcome).toMatchObject({ kind: "connection", sent: false });
});

describe("where fetch is not Node's own, it is used", () => {
  const isByFetch = async (): Promise<boolean> => {
    await got();
    // What only node:http asks for.
    return !upstream.requests.at(-1)?.includes(", br");
  };
  const dispatcher = Symbol.for("undici.globalDispatcher.1");

  test("as a stub", async () => {
    await answering((socket) => void socket.write(ok));
    const { fetch } = globalThis;
    const stubbed: unknown[] = [];
    globalThis.fetch = (url, init) => (stubbed.push(url), fetch(url, init));
    await got();
    globalThis.fetch = fetch;
    expect([stubbed.length, await isByFetch()]).toEqual([1, false]);
  });

  test("as one that goes through a proxy", async () => {
    await answering((socket) => void socket.write(ok));
    await fetch(`http://127.0.0.1:${upstream.port}/`);
    const globals = globalThis as { [dispatcher]?: object };
    const own = globals[dispatcher] as object;
    expect(await isByFetch()).toBe(false);
    Object.defineProperty(globals, dispatcher, {
      value: new (class ProxyAgent {
        dispatch = (own as { dispatch: () => boolean }).dispatch.bind(own);
      })(),
    });
    expect(await isByFetch()).toBe(true);
    Object.defineProperty(globals, dispatcher, { value: own });
    expect(await isByFetch()).toBe(false);
  });

  test("as one that a tracer watches", async () => {
    await answering((socket) => void socket.write(ok));
    const requests = channel("undici:request:create");
    const seen: unknown[] = [];
    const watch = (message: unknown): void => void seen.push(message);
    requests.subscribe(watch);
    expect([await isByFetch(), seen.length]).toEqual([true, 1]);
    requests.unsubscribe(watch);
    expect(await isByFetch()).toBe(false);
  });
});
