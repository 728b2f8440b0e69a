import { describe, expect, test } from "vitest";
import { headerParameter } from "../../src/mock/media-types.js";
import { parseMultipart } from "../../src/mock/multipart.js";

describe("parseMultipart", () => {
  const body = (text: string): Buffer => Buffer.from(text.replaceAll("\n", "\r\n"), "latin1");
  const type = "multipart/form-data; boundary=B";

  test("reads names, file names, media types and bytes", () => {
    const parts = parseMultipart(
      body(
        'preamble\n--B\nContent-Disposition: form-data; name="a"\n\n1\n\n2\n--B\ncontent-disposition: form-data; name="f"; filename="a %22b%22.png"\nContent-Type: image/png; x=y\n\n\u00ff\u0000\n--B--\n',
      ),
      type,
    );
    expect(
      typeof parts === "string"
        ? parts
        : parts.map(({ name, filename, mediaType, content }) => [
            name,
            filename,
            mediaType,
            content.toString("latin1"),
          ]),
    ).toEqual([
      ["a", undefined, "text/plain", "1\r\n\r\n2"],
      ["f", 'a "b".png', "image/png", "\u00ff\u0000"],
    ]);
  });
  test("reads what FormData writes", async () => {
    const form = new FormData();
    form.append("text", "zürich\n2");
    form.append(
      "file",
      new Blob([new Uint8Array([0, 13, 10, 255])], { type: "image/gif" }),
      "ü.gif",
    );
    const response = new Response(form);
    const parts = parseMultipart(
      new Uint8Array(await response.clone().arrayBuffer()),
      response.headers.get("content-type") ?? "",
    );
    expect(
      typeof parts === "string"
        ? parts
        : parts.map((p) => [p.name, p.filename, p.mediaType, [...p.content].length]),
    ).toEqual([
      ["text", undefined, "text/plain", 10],
      ["file", "ü.gif", "image/gif", 4],
    ]);
  });
  const broken: readonly [string, string, string][] = [
    ["--B\n\nx\n--B--", "multipart/form-data", "has no boundary in its Content-Type"],
    ["nothing", type, "does not contain its boundary"],
    ["--B\n\nx", type, "has no closing boundary"],
    ["--Bx\n\nx\n--B--", type, "has a boundary that no CRLF follows"],
    ["--B\nnonsense\n\nx\n--B--", type, "has a part with a malformed header"],
  ];
  test.each(broken)("%j", (text, contentType, want) =>
    expect(parseMultipart(body(text), contentType)).toBe(want),
  );

  test.each([
    ["x; name=a", "a"],
    ['x; name="a;b"', "a;b"],
    ['x; filename="f"', undefined],
    ['x; name="a\\"b"', 'a"b'],
  ])("headerParameter %s", (header, want) => {
    expect(headerParameter(header, "name")).toBe(want);
  });
});
