import { describe, expect, test } from "vitest";
import type { BodyMapping } from "../../../src/runtime/types.js";
import { body, formData, refused, type Input } from "./sent.js";

const form = (more: Partial<BodyMapping>): BodyMapping => ({
  contentType: "multipart/form-data",
  ...more,
});

/** The body with its boundary, which is random, as `B`. */
function parts(binding: BodyMapping, input: Input): string {
  const { type, text } = body(binding, input);
  const boundary = /; boundary=([\w-]{10,70})$/.exec(type ?? "")?.[1] ?? "";
  expect(boundary).not.toBe("");
  return (text ?? "").replaceAll(boundary, "B").replaceAll("\r\n", "\n");
}

describe("a body that is multipart when it has a file", () => {
  const message: BodyMapping = {
    contentType: "application/json",
    fileType: "multipart/form-data",
    fields: { text: "text", file: "file" },
    encoding: { file: { file: true } },
  };
  test("without a file it is JSON", () => {
    expect(body(message, { text: "hi" })).toEqual({
      type: "application/json",
      text: '{"text":"hi"}',
    });
  });
  test("with a file all fields are parts", async () => {
    const { type } = body(message, { text: "hi", file: "AP8=" });
    expect(type).toMatch(/^multipart\/form-data; boundary=/u);
    const data = await formData(message, { text: "hi", file: "AP8=" });
    expect(data.get("text")).toBe("hi");
    const file = data.get("file") as File;
    expect([...new Uint8Array(await file.arrayBuffer())]).toEqual([0, 255]);
  });
});

describe("parts, byte for byte", () => {
  test.each<readonly [string, BodyMapping, Input, string]>([
    [
      "text",
      form({ fields: { a: "a" } }),
      { a: "é" },
      '--B\nContent-Disposition: form-data; name="a"\n\né\n--B--\n',
    ],
    [
      "array",
      form({ fields: { a: "a" } }),
      { a: [1, true] },
      '--B\nContent-Disposition: form-data; name="a"\n\n1\n--B\nContent-Disposition: form-data; name="a"\n\ntrue\n--B--\n',
    ],
    [
      "object",
      form({ fields: { a: "a" } }),
      { a: { b: 1 } },
      '--B\nContent-Disposition: form-data; name="a"\nContent-Type: application/json\n\n{"b":1}\n--B--\n',
    ],
    [
      "null and nothing",
      form({ fields: { a: "a", b: "b" }, required: true }),
      { a: null },
      "--B--\n",
    ],
    [
      "file",
      form({ fields: { a: "a" }, encoding: { a: { file: true } } }),
      { a: "aGVsbG8=" },
      '--B\nContent-Disposition: form-data; name="a"; filename="file"\nContent-Type: application/octet-stream\n\nhello\n--B--\n',
    ],
    [
      "headers",
      form({
        fields: { a: "a" },
        encoding: {
          a: { contentType: "text/csv", headers: { "X-Rate": "5", "Content-Type": "no/no" } },
        },
      }),
      { a: "b" },
      '--B\nContent-Disposition: form-data; name="a"\nContent-Type: text/csv\nX-Rate: 5\n\nb\n--B--\n',
    ],
    [
      "a string as JSON",
      form({
        fields: { a: "a" },
        encoding: { a: { contentType: "application/json; charset=utf-8" } },
      }),
      { a: "b" },
      '--B\nContent-Disposition: form-data; name="a"\nContent-Type: application/json; charset=utf-8\n\n"b"\n--B--\n',
    ],
    [
      "XML",
      form({ fields: { a: "a" }, encoding: { a: { contentType: "application/xml" } } }),
      { a: { b: 1 } },
      '--B\nContent-Disposition: form-data; name="a"\nContent-Type: application/xml\n\n<?xml version="1.0" encoding="UTF-8"?>\n<a><b>1</b></a>\n--B--\n',
    ],
    [
      "one of several types",
      form({
        fields: { a: "a" },
        encoding: { a: { contentType: "text/plain, application/json" } },
      }),
      { a: ["b", { c: 1 }] },
      '--B\nContent-Disposition: form-data; name="a"\nContent-Type: text/plain\n\nb\n--B\nContent-Disposition: form-data; name="a"\nContent-Type: application/json\n\n{"c":1}\n--B--\n',
    ],
    [
      "style deepObject, without percent-encoding",
      form({ fields: { m: "m" }, encoding: { m: { style: "deepObject", explode: true } } }),
      { m: { "a b": "c d" } },
      '--B\nContent-Disposition: form-data; name="m[a b]"\n\nc d\n--B--\n',
    ],
    [
      "style pipeDelimited",
      form({ fields: { m: "m" }, encoding: { m: { style: "pipeDelimited" } } }),
      { m: ["a b", "c"] },
      '--B\nContent-Disposition: form-data; name="m"\n\na b|c\n--B--\n',
    ],
    [
      "B15: names cannot leave their quotes",
      form({
        fields: { 'n"\r\nX: 1': "a" },
        encoding: { 'n"\r\nX: 1': { file: true, filenameInput: "name" } },
      }),
      { a: "?", name: 'a"\r\nX: 1' },
      '--B\nContent-Disposition: form-data; name="n%22%0D%0AX: 1"; filename="a%22%0D%0AX: 1"\nContent-Type: application/octet-stream\n\n?\n--B--\n',
    ],
    [
      "mixed: every part says its type",
      { contentType: "multipart/mixed", fields: { a: "a", b: "b" } },
      { a: "x", b: {} },
      '--B\nContent-Disposition: form-data; name="a"\nContent-Type: text/plain; charset=utf-8\n\nx\n--B\nContent-Disposition: form-data; name="b"\nContent-Type: application/json\n\n{}\n--B--\n',
    ],
    [
      "related: a sequence without names",
      { contentType: 'multipart/related; type="application/json"', from: "v" },
      { v: [{ a: 1 }, "x"] },
      '--B\nContent-Type: application/json\n\n{"a":1}\n--B\nContent-Type: text/plain; charset=utf-8\n\nx\n--B--\n',
    ],
    [
      "a whole object",
      form({ from: "v" }),
      { v: { a: 1, b: [2, null] } },
      '--B\nContent-Disposition: form-data; name="a"\n\n1\n--B\nContent-Disposition: form-data; name="b"\n\n2\n--B--\n',
    ],
  ])("%s", (_, binding, input, want) => expect(parts(binding, input)).toBe(want));
});

describe("a file part with several allowed media types", () => {
  const upload = form({
    fields: { f: "f" },
    encoding: {
      f: {
        file: true,
        contentType: "image/png, image/jpeg, application/pdf",
        filenameInput: "name",
      },
    },
  });
  const typeOf = (input: Input): string | undefined =>
    /Content-Type: (.*)/.exec(parts(upload, input))?.[1];
  test.each([
    {
      name: "by its first bytes",
      input: { f: Buffer.from([0xff, 0xd8, 0xff, 0xe0]).toString("base64") },
      want: "image/jpeg",
    },
    { name: "by its data: URI", input: { f: "data:image/png;base64,AAEC" }, want: "image/png" },
    { name: "by its name", input: { f: "AAEC", name: "scan.PDF" }, want: "application/pdf" },
    { name: "else as the first", input: { f: "AAEC" }, want: "image/png" },
  ])("$name", ({ input, want }) => expect(typeOf(input)).toBe(want));
});

describe("multipart bodies parsed by the platform", () => {
  const photo: BodyMapping = form({
    fields: { title: "title", photos: "photos", note: "note" },
    encoding: {
      photos: { file: true, contentType: "image/png, image/jpeg", filenameInput: "photo_names" },
    },
  });
  test("text and files", async () => {
    const data = await formData(photo, {
      title: 'a "b"\r\n--x--',
      photos: ["AP8=", "data:image/jpeg;base64,AAEC", "data:text/html;base64,AAEC"],
      photo_names: ["ü.png", "b.jpg"],
      note: "é😀",
    });
    expect(data.get("title")).toBe('a "b"\r\n--x--');
    expect(data.get("note")).toBe("é😀");
    const files = data.getAll("photos") as File[];
    expect(files.map(({ name, type }) => [name, type])).toEqual([
      ["ü.png", "image/png"],
      ["b.jpg", "image/jpeg"],
      ["file", "image/png"],
    ]);
    expect([...new Uint8Array(await files[0]!.arrayBuffer())]).toEqual([0, 255]);
    expect([...new Uint8Array(await files[1]!.arrayBuffer())]).toEqual([0, 1, 2]);
  });
  test("B15: a malicious file name stays one name", async () => {
    const data = await formData(photo, {
      photos: "AP8=",
      photo_names: 'a"\r\nX: 1\r\n\r\nboo.png',
    });
    expect([...data.keys()]).toEqual(["photos"]);
    expect((data.get("photos") as File).type).toBe("image/png");
  });
  test("B14: paths and URLs are sent as content", async () => {
    for (const text of ["/etc/passwd", "file:///etc/passwd", "http://127.0.0.1:18081/"]) {
      const file = (await formData(photo, { photos: text })).get("photos") as File;
      expect(await file.text()).toBe(text);
    }
  });
  test("a binary media type makes a part a file", async () => {
    const file = (
      await formData(
        form({ fields: { f: "f" }, encoding: { f: { contentType: "application/pdf" } } }),
        { f: "JVBERg==" },
      )
    ).get("f") as File;
    expect([file.type, await file.text()]).toEqual(["application/pdf", "%PDF"]);
  });
  test("a data URI provides the media type when none is declared", async () => {
    const file = (
      await formData(form({ fields: { f: "f" }, encoding: { f: { file: true } } }), {
        f: "data:image/webp;base64,AAAA",
      })
    ).get("f") as File;
    expect(file.type).toBe("image/webp");
  });
});

test("a data URI with an invalid media type is sent as text", async () => {
  const evil = "data:image/png\r\nX-Evil: 1;base64,AAAA";
  const file = (
    await formData(form({ fields: { f: "f" }, encoding: { f: { file: true } } }), { f: evil })
  ).get("f") as File;
  expect([file.type, await file.text()]).toEqual(["application/octet-stream", evil]);
});
test("an unpaired surrogate in a file name is a problem of its input", () => {
  expect(
    refused(
      {
        body: form({ fields: { f: "f" }, encoding: { f: { file: true, filenameInput: "name" } } }),
      },
      { f: "x", name: "\ud800" },
    ).map(({ input }) => input),
  ).toEqual(["name"]);
});
test("invalid part headers are rejected", () => {
  const evil: readonly Record<string, string>[] = [{ "X Y": "1" }, { "X-Y": "1\r\nZ: 2" }];
  for (const headers of evil)
    expect(
      refused({ body: form({ fields: { f: "f" }, encoding: { f: { headers } } }) }, { f: "x" }),
    ).toHaveLength(1);
  expect(
    refused(
      { body: form({ fields: { f: "f" }, encoding: { f: { contentType: "text/x\r\nZ: 2" } } }) },
      { f: "x" },
    ),
  ).toHaveLength(1);
});
test("each body has a unique boundary", () => {
  const binding = form({ fields: { a: "a" } });
  expect(body(binding, { a: 1 }).type).not.toBe(body(binding, { a: 1 }).type);
});
