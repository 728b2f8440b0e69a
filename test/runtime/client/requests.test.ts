/** Requests byte for byte, as undici and `fetch` send them. */
import { describe, expect, test } from "vitest";
import type { BoundRequest } from "../../../src/runtime/request/types.js";
import { sendByFetch, sendFollowingRedirects } from "../../../src/runtime/client/send.js";
import { startDeadline } from "../../../src/runtime/client/limits.js";
import { sendByNode } from "../support/by-node.js";
import { startRawUpstream } from "../support/raw-upstream.js";

const codings = `gzip, deflate, br${process.versions["zstd"] === undefined ? "" : ", zstd"}`;

type Sketch = Partial<Omit<BoundRequest, "url">> & { readonly target?: string };

/** The request as the API receives it, without the port and the headers that only `fetch` adds, or the failure. */
async function sent(
  { target = "/a?b=c", method = "GET", headers = [], body }: Sketch,
  send = sendByNode,
): Promise<string> {
  const upstream = await startRawUpstream(
    (socket) => void socket.end("HTTP/1.1 204 No Content\r\n\r\n"),
  );
  const deadline = startDeadline(20_000);
  const url = target.startsWith("/")
    ? `http://127.0.0.1:${upstream.port}${target}`
    : target.replace("PORT", String(upstream.port));
  const got = await sendFollowingRedirects(
    { method, url, headers, ...(body !== undefined && { body }) },
    { deadline, maxBytes: 1000, isRepeatable: false, send },
  );
  deadline.dispose();
  upstream.close();
  const [request] = upstream.requests;
  return (
    request?.replaceAll(String(upstream.port), "PORT").replace(addedByFetch, "") ??
    ("cause" in got ? (got.cause ?? "") : JSON.stringify(got))
  );
}

const addedByFetch = /^(?:accept-language: \*|sec-fetch-mode: cors|user-agent: node)\r\n/gm;

const defaults = (but: string = codings): readonly string[] => [
  "accept: */*",
  `accept-encoding: ${but}`,
];
const head = (first: string, ...lines: readonly string[]): string =>
  [`${first} HTTP/1.1`, "host: 127.0.0.1:PORT", "connection: keep-alive", ...lines, "", ""].join(
    "\r\n",
  );
const json = ["Content-Type", "application/json"] as const;

const rows: readonly (readonly [name: string, sketch: Sketch, want: string])[] = [
  ["only a path", {}, head("GET /a?b=c", ...defaults())],
  [
    "headers",
    {
      headers: [
        ["User-Agent", "clinic-mcp/1"],
        ["Accept", "application/json"],
      ],
    },
    head(
      "GET /a?b=c",
      "User-Agent: clinic-mcp/1",
      "Accept: application/json",
      `accept-encoding: ${codings}`,
    ),
  ],
  [
    "headers in place of every default",
    {
      headers: [
        ["accept-encoding", "br"],
        ["Accept-Language", "de"],
        ["accept", "a/b"],
        ["user-agent", "x"],
      ],
    },
    head(
      "GET /a?b=c",
      "accept-encoding: br",
      "Accept-Language: de",
      "accept: a/b",
      "user-agent: x",
    ),
  ],
  [
    "a repeated name",
    {
      headers: [
        ["X-A", "1"],
        ["Cookie", "a=1"],
        ["x-a", "2"],
        ["cookie", "b=2"],
      ],
    },
    head("GET /a?b=c", "X-A: 1, 2", "Cookie: a=1; b=2", ...defaults()),
  ],
  [
    "spaces and line ends around a value",
    { headers: [["X-A", " \t1 2\r\n"]] },
    head("GET /a?b=c", "X-A: 1 2", ...defaults()),
  ],
  [
    "Latin-1, with a body of UTF-8",
    { method: "POST", headers: [["X-A", "é"], json], body: '{"a":"é"}' },
    `${head("POST /a?b=c", "X-A: \xe9", "Content-Type: application/json", ...defaults(), "content-length: 10")}{"a":"\xc3\xa9"}`,
  ],
  [
    "a range",
    { headers: [["Range", "bytes=0-1"]] },
    head("GET /a?b=c", "Range: bytes=0-1", ...defaults("identity")),
  ],
  [
    "bytes",
    { method: "PUT", headers: [["content-type", "a/b"]], body: new Uint8Array([0, 255, 13, 10]) },
    `${head("PUT /a?b=c", "content-type: a/b", ...defaults(), "content-length: 4")}\x00\xff\r\n`,
  ],
  [
    "text without a Content-Type",
    { method: "POST", body: "x" },
    `${head("POST /a?b=c", "content-type: text/plain;charset=UTF-8", ...defaults(), "content-length: 1")}x`,
  ],
  [
    "empty text",
    { method: "POST", headers: [json], body: "" },
    head("POST /a?b=c", "Content-Type: application/json", ...defaults(), "content-length: 0"),
  ],
  [
    "no bytes",
    { method: "PATCH", headers: [json], body: new Uint8Array(0) },
    head("PATCH /a?b=c", "Content-Type: application/json", ...defaults(), "content-length: 0"),
  ],
  [
    "DELETE with a body",
    { method: "DELETE", headers: [json], body: "{}" },
    `${head("DELETE /a?b=c", "Content-Type: application/json", ...defaults(), "content-length: 2")}{}`,
  ],
  ...["POST", "PUT", "PATCH", "QUERY"].map(
    (method) =>
      [
        `${method} without a body`,
        { method },
        head(`${method} /a?b=c`, ...defaults(), "content-length: 0"),
      ] as const,
  ),
  ...["DELETE", "OPTIONS"].map(
    (method) =>
      [`${method} without a body`, { method }, head(`${method} /a?b=c`, ...defaults())] as const,
  ),
  ["a method in mixed case", { method: "Copy" }, head("Copy /a?b=c", ...defaults())],
  [
    "Connection: close",
    { headers: [["Connection", "close"]] },
    head("GET /a?b=c", ...defaults()).replace("keep-alive", "close"),
  ],
  ["a fragment", { target: "/a%2Fb;c?d=%20#e" }, head("GET /a%2Fb;c?d=%20", ...defaults())],
  [
    "a host name",
    { target: "http://localhost:PORT/" },
    head("GET /", ...defaults()).replace("127.0.0.1", "localhost"),
  ],
  [
    "a Host header, which is ignored",
    { headers: [["Host", "evil.test"]] },
    head("GET /a?b=c", ...defaults()),
  ],
  [
    "a Content-Length of its own",
    { method: "POST", headers: [json, ["Content-Length", "1"]], body: "x" },
    `${head("POST /a?b=c", "Content-Type: application/json", ...defaults(), "content-length: 1")}x`,
  ],
];

const badHeader = /^the request has a header that cannot be sent$|^the request to the API failed$/;
const refused: readonly (readonly [what: string, sketch: Sketch, want: RegExp])[] = [
  [
    "credentials in the URL",
    { target: "http://user:hunter2@127.0.0.1:PORT/" },
    /^the request to the API failed$/,
  ],
  ["TRACE", { method: "TRACE" }, /^the request to the API failed$/],
  ["CONNECT", { method: "CONNECT" }, /^the request to the API failed$/],
  ["an invalid method", { method: "GET / HTTP/1.1\r\nX:" }, /^the request to the API failed$/],
  ["HEAD with a body", { method: "HEAD", body: "x" }, /^the request to the API failed$/],
  [
    "a port of another protocol",
    { target: "http://127.0.0.1:6667/" },
    /^the API's port belongs to another protocol/,
  ],
  [
    "a port of another protocol below 1024",
    { target: "http://127.0.0.1:25/" },
    /^the API's port belongs to another protocol/,
  ],
  ["another protocol", { target: "ftp://127.0.0.1:PORT/" }, /^the request to the API failed$/],
  ["an invalid header name", { headers: [["X A", "1"]] }, badHeader],
  ["a line break in a header", { headers: [["X-A", "1\r\nX-B: 2"]] }, badHeader],
  ["a header beyond Latin-1", { headers: [["X-A", "€"]] }, badHeader],
];

describe.each([
  ["undici", sendByNode, codings],
  ["fetch", sendByFetch, "gzip, deflate"],
] as const)("by %s", (by, send, asked) => {
  test.each(rows)("%s", async (_, sketch, want) =>
    expect(await sent(sketch, send)).toBe(
      want.replace(`accept-encoding: ${codings}`, `accept-encoding: ${asked}`),
    ),
  );
  test.each(refused)("%s is not sent", async (_, sketch, want) =>
    expect(await sent(sketch, send)).toMatch(want),
  );

  test("a body of GET arrives, or is refused with a sentence", async () => {
    const request = await sent({ headers: [json], body: '{"q":1}' }, send);
    if (by === "fetch")
      expect(request).toBe("only Node can send a GET request with a body, as the document has it");
    else expect(request).toMatch(/^GET [^]*content-length: 7\r\n[^]*\{"q":1\}$/);
  });

  test("a body of one megabyte arrives complete", async () => {
    const body = new Uint8Array(1_000_000).map((_, i) => i * 7);
    const request = await sent({ method: "POST", headers: [json], body }, send);
    expect(Buffer.from(request.slice(request.indexOf("\r\n\r\n") + 4), "latin1").equals(body)).toBe(
      true,
    );
  });

  test("connection headers are not sent", async () => {
    for (const [name, value] of [
      ["Transfer-Encoding", "chunked"],
      ["Keep-Alive", "timeout=1"],
      ["Expect", "100-continue"],
      ["Upgrade", "h2c"],
    ] as const) {
      expect(await sent({ headers: [[name, value]] }, send)).toBe(
        by === "fetch"
          ? "the request has a header that cannot be sent"
          : head("GET /a?b=c", ...defaults()),
      );
    }
  });
});
