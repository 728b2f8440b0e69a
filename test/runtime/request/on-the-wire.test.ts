/** Requests as a real server receives them, sent with the platform's `fetch`. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RequestMapping } from "../../../src/runtime/types.js";
import { sent, type Input } from "./sent.js";

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const echo = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(chunks).toString("utf8");
    response.end(
      JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }),
    );
  });
});
let origin = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(echo.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  echo.close();
  echo.closeAllConnections();
});

async function received(send: Partial<RequestMapping>, input: Input): Promise<Received> {
  const request = sent(send, input, { CLINIC_BASE_URL: origin });
  const response = await fetch(request.url, {
    method: request.method,
    headers: request.headers.map(([name, value]): [string, string] => [name, value]),
    body: request.body,
  });
  return (await response.json()) as Received;
}

describe("group B", () => {
  test.each([
    ["B01", "%2e%2e", "/v1/users/%252e%252e/profile"],
    ["B02", "a/b", "/v1/users/a%2Fb/profile"],
    ["B02", "a?b#c", "/v1/users/a%3Fb%23c/profile"],
    ["B02", "@evil.test:80", "/v1/users/%40evil.test%3A80/profile"],
  ])("%s: %s stays in its segment", async (_, id, url) => {
    expect(
      await received({ path: "/users/{id}/profile", pathParams: { id: "id" } }, { id }),
    ).toMatchObject({ method: "GET", url });
  });
  test.each(["a&admin=1#x", "+ %00", "😀", "é=&?"])("B06: %s is one q", async (q) => {
    const { url } = await received({ path: "/search", query: { q: "q" } }, { q });
    expect([...new URL(url, "http://x.test").searchParams]).toEqual([["q", q]]);
  });
  test("B05: headers and cookies arrive unchanged", async () => {
    const { headers } = await received(
      { headers: { "X-Trace": "trace" }, cookies: { sid: "sid", b: "b" } },
      { trace: "é ok", sid: "a; admin=1", b: [1, 2] },
    );
    expect(headers["x-trace"]).toBe("é ok");
    expect(headers["cookie"]).toBe("sid=a%3B%20admin%3D1; b=1; b=2");
  });
  test("B08: keys of any name arrive byte for byte", async () => {
    const nested: unknown = JSON.parse(
      '{"__proto__":{"a":1},"constructor":{"prototype":{}},"toString":"x"}',
    );
    const { body, headers } = await received(
      {
        method: "POST",
        path: "/items",
        body: { contentType: "application/json", fields: { name: "name", nested: "nested" } },
      },
      { name: "é", nested },
    );
    expect(body).toBe(
      '{"name":"é","nested":{"__proto__":{"a":1},"constructor":{"prototype":{}},"toString":"x"}}',
    );
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
    });
  });
  test("B14, B15: a file has its text as content and one name", async () => {
    const upload = {
      contentType: "multipart/form-data",
      fields: { file: "file" },
      encoding: { file: { file: true, filenameInput: "name" } },
    };
    const { body, headers } = await received(
      { method: "POST", path: "/upload", body: upload },
      { file: "file:///etc/passwd", name: 'a"\r\nX: 1' },
    );
    expect(headers["content-type"]).toMatch(/^multipart\/form-data; boundary=[\w-]+$/);
    expect(body.split("\r\n").slice(1, -2)).toEqual([
      'Content-Disposition: form-data; name="file"; filename="a%22%0D%0AX: 1"',
      "Content-Type: application/octet-stream",
      "",
      "file:///etc/passwd",
    ]);
  });
});
