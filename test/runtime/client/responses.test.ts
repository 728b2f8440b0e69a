/** Responses byte for byte, as undici and `fetch` read them. */
import * as zlib from "node:zlib";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { startDeadline } from "../../../src/runtime/client/limits.js";
import { sendByFetch, sendFollowingRedirects } from "../../../src/runtime/client/send.js";
import { isRepeatable } from "../../../src/runtime/client/failures.js";
import type { SendFunction } from "../../../src/runtime/request/types.js";
import { sendByNode } from "../support/by-node.js";
import { startRawUpstream } from "../support/raw-upstream.js";

const most = 1_000_000;

/** Outcome of a request: status and body, or the text for the agent. */
async function outcomeOf(
  answer: string | Buffer,
  send: SendFunction,
  method: string,
  ms = 20_000,
): Promise<string> {
  const upstream = await startRawUpstream(
    (socket) =>
      void socket.end(typeof answer === "string" ? Buffer.from(answer, "latin1") : answer),
  );
  const deadline = startDeadline(ms);
  const got = await sendFollowingRedirects(
    { method, url: `http://127.0.0.1:${upstream.port}/`, headers: [] },
    { deadline, maxBytes: most, isRepeatable: isRepeatable({ method, path: "/" }), send },
  );
  deadline.dispose();
  upstream.close();
  if ("kind" in got)
    return "cause" in got
      ? `${got.cause}${"permanent" in got && got.permanent ? ", for good" : ""}`
      : got.kind;
  const others = [...got.headers]
    .filter(([name]) => /^(?:x|set-cookie|$)/.test(name))
    .map(([name, value]) => `${name}=${value}`);
  const text = typeof got.body === "string" ? got.body : Buffer.from(got.body).toString("latin1");
  return [
    got.status,
    got.statusText,
    ...others,
    text.length > 100 ? `${text.length} characters` : text,
  ].join("|");
}

const ok = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const short = "content-length: 2\r\n\r\n{}";
const text = '{"a":"é"}';
const coded = (coding: string, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`${ok}content-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`),
    body,
  ]);
const zeros = Buffer.alloc(30_000_000);
const six = Array.from({ length: 6 }).reduce<Buffer>((body) => gzipSync(body), Buffer.from(text));

const invalid = "the API's response is not valid HTTP, for good";
const badLength = "the API's response does not have the length that it declares, for good";
const closed = "the API closed the connection";
const notCoded = "the API's response is not compressed as its Content-Encoding states, for good";
const unknown = "the request to the API failed";

interface Row {
  readonly name: string;
  readonly answer: string | Buffer;
  readonly want: string;
  /** The outcome with `fetch`, where it differs; `null` where versions of Node differ. */
  readonly fetch?: string | null;
  readonly method?: string;
}

const framing: readonly Row[] = [
  { name: "a length", answer: `${ok}${short}`, want: "200|OK|{}" },
  {
    name: "a byte order mark",
    answer: Buffer.from(`${ok}content-length: 5\r\n\r\n\ufeff{}`),
    want: "200|OK|{}",
  },
  {
    name: "UTF-16 by its mark",
    answer: Buffer.concat([
      Buffer.from(`${ok}content-length: 6\r\n\r\n`),
      Buffer.from("\ufeff{}", "utf16le"),
    ]),
    want: "200|OK|\xff\xfe{\0}\0",
  },
  {
    name: "XML, which may say what it is",
    answer: `${ok.replace("json", "xml")}content-length: 1\r\n\r\n\xe9`,
    want: "200|OK|é",
  },
  {
    name: "no UTF-8",
    answer: `${ok}content-length: 4\r\n\r\n"\xff\xe9"`,
    want: '200|OK|"\ufffd\ufffd"',
  },
  {
    name: "chunks, with extensions and a trailer",
    answer: `${ok}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n1;x=y\r\n}\r\n0\r\nx-trailer: 1\r\n\r\n`,
    want: "200|OK|{}",
  },
  {
    name: "a chunk of no size",
    answer: `${ok}transfer-encoding: chunked\r\n\r\n1\r\n{\r\nzz\r\n}\r\n0\r\n\r\n`,
    want: invalid,
  },
  {
    name: "a chunk that breaks off",
    answer: `${ok}transfer-encoding: chunked\r\n\r\n5\r\n{`,
    want: closed,
  },
  {
    name: "chunks without an end",
    answer: `${ok}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`,
    want: closed,
  },
  { name: "less than its length", answer: `${ok}content-length: 20\r\n\r\n{}`, want: closed },
  { name: "more than its length", answer: `${ok}${short}garbage`, want: "200|OK|{}" },
  {
    name: "a second answer that nobody asked for",
    answer: `${ok}${short}${ok}content-length: 2\r\n\r\n[]`,
    want: "200|OK|{}",
  },
  { name: "the end of the connection", answer: `${ok}\r\n{}`, want: "200|OK|{}" },
  { name: "HTTP/1.0", answer: "HTTP/1.0 200 OK\r\n\r\n{}", want: "200|OK|{}" },
  {
    name: "two lengths",
    answer: `${ok}content-length: 2\r\n${short}`,
    want: badLength,
    fetch: null,
  },
  {
    name: "length and chunks",
    answer: `${ok}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    want: badLength,
    fetch: null,
  },
  { name: "a length below nothing", answer: `${ok}content-length: -2\r\n\r\n{}`, want: invalid },
  {
    name: "a length beyond everything",
    answer: `${ok}content-length: 99999999999999999999999\r\n\r\n{}`,
    want: badLength,
    fetch: null,
  },
  {
    name: "a length above the limit",
    answer: `${ok}content-length: 5000000\r\n\r\n{}`,
    want: "tooLarge",
  },
  {
    name: "more than the limit, without a length",
    answer: `${ok}\r\n${"x".repeat(most + 1)}`,
    want: "tooLarge",
  },
  {
    name: "an error above what is shown of it",
    answer: `HTTP/1.1 500 No\r\n\r\n${"x".repeat(most)}`,
    want: "500|No|65536 characters",
  },
  {
    name: "the same in many chunks",
    answer: `HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n${`3e8\r\n${"x".repeat(1000)}\r\n`.repeat(300)}`,
    want: "500|No|65536 characters",
  },
  { name: "HEAD", method: "HEAD", answer: `${ok}content-length: 5000000\r\n\r\n`, want: "200|OK|" },
  {
    name: "HEAD, compressed",
    method: "HEAD",
    answer: `${ok}content-encoding: gzip\r\ncontent-length: 50\r\n\r\n`,
    want: "200|OK|",
  },
  { name: "nothing", answer: "", want: closed },
  { name: "half a head", answer: "HTTP/1.1 200 OK\r\nx-a: ", want: closed },
];

const statuses: readonly Row[] = [
  { name: "no phrase", answer: `HTTP/1.1 200 \r\n${short}`, want: "200||{}" },
  { name: "no phrase, and no space for it", answer: `HTTP/1.1 200\r\n${short}`, want: "200||{}" },
  {
    name: "Latin-1",
    answer: `HTTP/1.1 200 Tr\xe8s bien\r\n${short}`,
    want: "200|Tr\ufffds bien|{}",
  },
  { name: "999", answer: `HTTP/1.1 999 X\r\n${short}`, want: "999|X|{}" },
  { name: "99", answer: `HTTP/1.1 099 X\r\n${short}`, want: unknown },
  { name: "1000", answer: `HTTP/1.1 1000 X\r\n${short}`, want: invalid },
  {
    name: "100",
    answer: `HTTP/1.1 100 Continue\r\n\r\n${ok}${short}`,
    want: closed,
  },
  {
    name: "102, 103",
    answer: `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nx-early: 1\r\n\r\n${ok}${short}`,
    want: "200|OK|{}",
  },
  {
    name: "101 to what was not asked for",
    answer: "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nabc",
    want: closed,
  },
  {
    name: "101 to nothing",
    answer: "HTTP/1.1 101 Switching Protocols\r\n\r\nabc",
    want: unknown,
    fetch: null,
  },
  { name: "204", answer: "HTTP/1.1 204 No Content\r\n\r\n", want: "204|No Content|" },
  {
    name: "204 with a length",
    answer: `HTTP/1.1 204 No Content\r\n${short}`,
    want: "204|No Content|",
  },
  {
    name: "205 with a body",
    answer: `HTTP/1.1 205 Reset Content\r\n${short}`,
    want: "205|Reset Content|",
  },
  {
    name: "304 with a length",
    answer: "HTTP/1.1 304 Not Modified\r\ncontent-length: 20\r\n\r\n",
    want: "304|Not Modified|",
  },
  { name: "HTTP/2", answer: "HTTP/2 200 OK\r\n\r\n", want: invalid },
  { name: "garbage", answer: "garbage\r\n\r\n", want: invalid },
  { name: "empty lines first", answer: `\r\n\r\n${ok}${short}`, want: "200|OK|{}" },
];

const headers: readonly Row[] = [
  {
    name: "several of a name",
    answer: `${ok}X-A: 1\r\nset-cookie: a=1\r\nx-a: 2\r\nSet-Cookie: b=2; Path=/\r\nx-a:\r\n${short}`,
    want: "200|OK|set-cookie=a=1|set-cookie=b=2; Path=/|x-a=1, 2, |{}",
  },
  {
    name: "two media types",
    answer: `${ok}content-type: text/html\r\n${short}`,
    want: "200|OK|{}",
  },
  {
    name: "Latin-1, and spaces around it",
    answer: `${ok}x-a:  \t\xe9\xfc  \r\n${short}`,
    want: "200|OK|x-a=éü|{}",
    fetch: "200|OK|x-a=éü  |{}",
  },
  { name: "UTF-8", answer: Buffer.from(`${ok}x-a: é\r\n${short}`), want: "200|OK|x-a=Ã©|{}" },
  { name: "no colon", answer: `${ok}abc\r\n${short}`, want: invalid },
  { name: "a control character", answer: `${ok}x-a: 1\x012\r\n${short}`, want: invalid },
  { name: "NUL", answer: `${ok}x-a: 1\x002\r\n${short}`, want: invalid },
  { name: "a carriage return", answer: `${ok}x-a: 1\r2\r\n${short}`, want: invalid },
  { name: "line feeds alone", answer: `${ok}${short}`.replaceAll("\r", ""), want: invalid },
  {
    name: "15 kB",
    answer: `${ok}x-a: ${"a".repeat(15_000)}\r\n${short}`,
    want: `200|OK|x-a=${"a".repeat(15_000)}|{}`,
  },
  {
    name: "17 kB",
    answer: `${ok}x-a: ${"a".repeat(17_000)}\r\n${short}`,
    want: "the headers of the API's response are too large, for good",
  },
  {
    name: "2,500 of them",
    answer: `${ok}${"a: 1\r\n".repeat(2500)}x-last: 1\r\n${short}`,
    want: "200|OK|x-last=1|{}",
  },
];

const codings: readonly Row[] = [
  { name: "gzip", answer: coded("gzip", gzipSync(text)), want: `200|OK|${text}` },
  { name: "X-GZip", answer: coded("X-GZip", gzipSync(text)), want: `200|OK|${text}` },
  { name: "deflate", answer: coded("deflate", deflateSync(text)), want: `200|OK|${text}` },
  {
    name: "deflate without its wrapping",
    answer: coded("deflate", deflateRawSync(text)),
    want: `200|OK|${text}`,
  },
  { name: "br", answer: coded("br", brotliCompressSync(text)), want: `200|OK|${text}` },
  {
    name: "gzip, then br",
    answer: coded("gzip, br", brotliCompressSync(gzipSync(text))),
    want: `200|OK|${text}`,
  },
  {
    name: "gzip, then br, in two lines",
    answer: coded("gzip\r\ncontent-encoding: br", brotliCompressSync(gzipSync(text))),
    want: `200|OK|${text}`,
  },
  {
    name: "deflate, then gzip",
    answer: coded("deflate, gzip", gzipSync(deflateSync(text))),
    want: `200|OK|${text}`,
  },
  {
    name: "gzip, then deflate",
    answer: coded("gzip, deflate", deflateSync(gzipSync(text))),
    want: `200|OK|${text}`,
  },
  { name: "identity", answer: coded("identity", Buffer.from(text)), want: `200|OK|${text}` },
  {
    name: "gzip in two members",
    answer: coded("gzip", Buffer.concat([gzipSync("[1,"), gzipSync("2]")])),
    want: "200|OK|[1,2]",
  },
  {
    name: "something behind the end of deflate",
    answer: coded("deflate", Buffer.concat([deflateSync(text), Buffer.alloc(100_000, "x")])),
    want: `200|OK|${text}`,
    fetch: null,
  },
  {
    name: "something behind the end of deflate without its wrapping",
    answer: coded("deflate", Buffer.concat([deflateRawSync(text), Buffer.from("x")])),
    want: `200|OK|${text}`,
    fetch: null,
  },
  {
    name: "something behind the end of br",
    answer: coded("br", Buffer.concat([brotliCompressSync(text), Buffer.alloc(100_000, "x")])),
    want: `200|OK|${text}`,
    fetch: null,
  },
  { name: "an unknown coding", answer: coded("x-own", Buffer.from("{}")), want: "200|OK|{}" },
  ...["gzip", "deflate", "br"].map((coding) => ({
    name: `nothing, in ${coding}`,
    answer: coded(coding, Buffer.alloc(0)),
    want: "200|OK|",
  })),
  {
    name: "nothing, in zstd",
    answer: coded("zstd", Buffer.alloc(0)),
    want: "200|OK|",
    fetch: null,
  },
  {
    name: "six times",
    answer: coded("gzip, gzip, gzip, gzip, gzip, gzip", six),
    want: notCoded,
    fetch: null,
  },
  { name: "no gzip", answer: coded("gzip", Buffer.from("not gzip at all")), want: notCoded },
  { name: "no br", answer: coded("br", Buffer.from("not br at all, really")), want: notCoded },
  {
    name: "no deflate",
    answer: coded("deflate", Buffer.from("xnot deflate at all")),
    want: notCoded,
  },
  {
    name: "gzip with a wrong sum",
    answer: coded("gzip", Buffer.concat([gzipSync(text).subarray(0, -8), Buffer.alloc(8)])),
    want: notCoded,
  },
  {
    name: "gzip without its end",
    answer: coded("gzip", gzipSync(text).subarray(0, -8)),
    want: `200|OK|${text}`,
  },
  {
    name: "gzip that breaks off with its connection",
    answer: coded("gzip", gzipSync(text)).subarray(0, -9),
    want: closed,
  },
  { name: "a bomb of gzip", answer: coded("gzip", gzipSync(zeros)), want: "tooLarge" },
  { name: "a bomb of deflate", answer: coded("deflate", deflateSync(zeros)), want: "tooLarge" },
  {
    name: "a bomb of br",
    answer: coded(
      "br",
      brotliCompressSync(zeros, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
    ),
    want: "tooLarge",
  },
  {
    name: "a bomb in a bomb",
    answer: coded("gzip, gzip", gzipSync(gzipSync(zeros))),
    want: "tooLarge",
  },
  {
    name: "an error, compressed",
    answer: Buffer.concat([
      Buffer.from("HTTP/1.1 500 No\r\ncontent-encoding: gzip\r\n\r\n"),
      gzipSync(zeros),
    ]),
    want: "500|No|65536 characters",
  },
];

/** Accepted by `fetch` in Node 20 and 22; rejected by later versions and by undici. */
const onlyByOldFetch = (want: string): string =>
  Number(process.versions["undici"]?.split(".")[0]) < 7 ? want : invalid;
const folded = `${ok}x-a: 1\r\n 2\r\n\t3\r\n`;
const lenient: readonly Row[] = [
  {
    name: "folded header lines",
    answer: `${folded}${short}`,
    want: invalid,
    fetch: onlyByOldFetch("200|OK|x-a=1 2\t3|{}"),
  },
  {
    name: "a folded line, and a control character",
    answer: `${folded}x-b: 1\x012\r\n${short}`,
    want: invalid,
  },
  {
    name: "a space in a header name",
    answer: `${ok}x a: 1\r\n${short}`,
    want: invalid,
    fetch: onlyByOldFetch("200|OK|x a=1|{}"),
  },
  {
    name: "an empty header name",
    answer: `${ok}: 1\r\n${short}`,
    want: invalid,
    fetch: onlyByOldFetch("200|OK|=1|{}"),
  },
];

describe.each([
  ["undici", sendByNode],
  ["fetch", sendByFetch],
] as const)("by %s", (by, send) => {
  for (const [what, rows] of Object.entries({ framing, statuses, headers, codings, lenient })) {
    test.each(rows)(`${what}: $name`, async ({ answer, want, fetch = want, method = "GET" }) => {
      const outcome = await outcomeOf(answer, send, method);
      expect(outcome).toBe(by !== "fetch" ? want : (fetch ?? outcome));
    });
  }

  test("codings: doubly declared gzip is decoded within the deadline", async () => {
    const outcome = await outcomeOf(coded("gzip, gzip", gzipSync(text)), send, "GET", 500);
    expect(outcome).toBe(by === "fetch" && outcome === "timeout" ? outcome : notCoded);
  });

  const decodes = "createZstdDecompress" in zlib;
  test(`codings: zstd, ${decodes ? "which this Node has" : "which was not asked for"}`, async () => {
    const body = Buffer.from("28b52ffd20021100007b7d", "hex");
    expect(await outcomeOf(coded("zstd", body), send, "GET")).toMatch(
      by === "fetch" ? /^200/ : decodes ? /^200\|OK\|\{\}$/ : /^200\|OK\|\(/,
    );
  });
});
