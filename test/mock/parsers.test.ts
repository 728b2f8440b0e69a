import { describe, expect, test } from "vitest";
import { SchemaSet } from "../../src/mock/schema-set.js";
import { toXml, xmlError } from "../../src/mock/xml.js";
import { headerParameter } from "../../src/mock/media-types.js";
import { parseMultipart } from "../../src/mock/multipart.js";

describe("xmlFault", () => {
  const fine = [
    "<a/>",
    '<?xml version="1.0"?>\n<!-- c --><a b="1" c=\'2\'><b:c xmlns:b="urn:x">t &amp; &#65; &#x41;</b:c><![CDATA[ < & ]]></a>\n',
    "<größe>1</größe>",
    "<a >\n</a >",
  ];
  test.each(fine)("well-formed: %s", (xml) => expect(xmlError(xml)).toBeUndefined());
  const broken: readonly [string, string][] = [
    ["", "has no root element"],
    ["text", "has text outside of its root element"],
    ["<a>", "does not close <a>"],
    ["<a></b>", "closes <b> that is not open"],
    ["<a/><b/>", "has more than one root element"],
    ["<a>1 < 2</a>", "has a < that starts no markup"],
    ["<a>1 & 2</a>", "has a & that starts no reference"],
    ['<a b="1" b="2"/>', "<a> repeats an attribute"],
    ['<a b="&x;"/>', "<a> has an attribute with a & that starts no reference"],
    ["<a b=1/>", "has a < that starts no markup"],
    ["<1a/>", "has a < that starts no markup"],
    ["<a/>x", "has text outside of its root element"],
  ];
  test.each(broken)("%s", (xml, want) => expect(xmlError(xml)).toBe(want));
});

describe("toXml", () => {
  const schemas = new SchemaSet(
    {
      Pet: {
        type: "object",
        xml: { name: "pet", namespace: "urn:pets", prefix: "p" },
        properties: {
          id: { type: "integer", xml: { attribute: true } },
          name: { type: "string" },
          tags: {
            type: "array",
            xml: { wrapped: true },
            items: { type: "string", xml: { name: "tag" } },
          },
          photos: { type: "array", items: { type: "string", xml: { name: "photo" } } },
        },
      },
    },
    "response",
  );
  test("attributes, namespaces, wrapped and bare arrays", () => {
    const xml = toXml(
      { id: 1, name: "A & B", tags: ["x"], photos: ["u", "v"] },
      { $ref: "#/$defs/Pet" },
      schemas,
    );
    expect(xml).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><p:pet xmlns:p="urn:pets" id="1"><name>A &amp; B</name><tags><tag>x</tag></tags><photo>u</photo><photo>v</photo></p:pet>',
    );
    expect(xmlError(xml)).toBeUndefined();
  });
  test("a list of named elements", () => {
    expect(
      toXml([{ id: 2 }], { type: "array", items: { $ref: "#/$defs/Pet" } }, schemas),
    ).toContain('<root><p:pet xmlns:p="urn:pets" id="2"></p:pet></root>');
  });
});

describe("parseMultipart", () => {
  const body = (text: string): Buffer => Buffer.from(text.replaceAll("\n", "\r\n"), "latin1");
  const type = "multipart/form-data; boundary=B";

  test("names, file names, types, bytes", () => {
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
  test("agrees with the platform's own encoder", async () => {
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
