import { DOMParser, type Element } from "@xmldom/xmldom";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { XmlNode } from "../../../src/runtime/types.js";
import { seed } from "../../seed.js";
import { body, refused, type Input } from "./sent.js";

const PROLOG = '<?xml version="1.0" encoding="UTF-8"?>\n';
const xml = (node: XmlNode | undefined, value: unknown): string =>
  (body({ contentType: "application/xml", from: "v", xml: node }, { v: value }).text ?? "").replace(
    PROLOG,
    "",
  );

describe("OpenAPI 3.1.1, XML Object Examples", () => {
  const animals = (node: XmlNode): string =>
    xml({ name: "zoo", properties: { animals: node } }, { animals: ["a", "b"] }).replace(
      /<\/?zoo>/g,
      "",
    );
  test.each<readonly [string, XmlNode, string]>([
    ["string array", {}, "<animals>a</animals><animals>b</animals>"],
    ["item names", { items: { name: "animal" } }, "<animal>a</animal><animal>b</animal>"],
    [
      "the external name has no effect",
      { name: "aliens", items: { name: "animal" } },
      "<animal>a</animal><animal>b</animal>",
    ],
    ["wrapped", { wrapped: true }, "<animals><animals>a</animals><animals>b</animals></animals>"],
    [
      "wrapped, item names",
      { wrapped: true, items: { name: "animal" } },
      "<animals><animal>a</animal><animal>b</animal></animals>",
    ],
    [
      "wrapped, both names",
      { name: "aliens", wrapped: true, items: { name: "animal" } },
      "<aliens><animal>a</animal><animal>b</animal></aliens>",
    ],
    [
      "wrapped, external name",
      { name: "aliens", wrapped: true },
      "<aliens><aliens>a</aliens><aliens>b</aliens></aliens>",
    ],
  ])("%s", (_, node, want) => expect(animals(node)).toBe(want));

  test("basic string, and name replacement", () => {
    expect(xml({ name: "zoo" }, { animals: "x" })).toBe("<zoo><animals>x</animals></zoo>");
    expect(
      xml({ name: "zoo", properties: { animals: { name: "animal" } } }, { animals: "x" }),
    ).toBe("<zoo><animal>x</animal></zoo>");
  });
  test("attribute, prefix and namespace", () => {
    const node = {
      name: "Person",
      properties: {
        id: { attribute: true },
        name: { namespace: "https://example.com/schema/sample", prefix: "sample" },
      },
    };
    expect(xml(node, { id: 123, name: "example" })).toBe(
      '<Person id="123"><sample:name xmlns:sample="https://example.com/schema/sample">example</sample:name></Person>',
    );
  });
  test("3.2: null", () => {
    const node = { name: "product", properties: { count: { attribute: true } } };
    expect(xml(node, { count: null, description: "Thing", related: null })).toBe(
      '<product><description>Thing</description><related xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"></related></product>',
    );
    expect(xml(node, { count: 42, description: "Thing", related: {} })).toBe(
      '<product count="42"><description>Thing</description><related></related></product>',
    );
  });
});

describe("bodies", () => {
  const binding = {
    contentType: "application/xml",
    fields: { id: "id", tags: "tags" },
    xml: {
      name: "Pet",
      prefix: "p",
      namespace: "urn:p",
      properties: {
        id: { attribute: true, prefix: "p", namespace: "urn:p" },
        tags: { wrapped: true, items: { name: "tag" } },
      },
    },
  };
  test("of fields", () => {
    expect(body(binding, { id: 1, tags: ["a"] })).toEqual({
      type: "application/xml",
      text: `${PROLOG}<p:Pet xmlns:p="urn:p" p:id="1"><tags><tag>a</tag></tags></p:Pet>`,
    });
  });
  test.each<readonly [string, XmlNode | undefined, unknown, string]>([
    [
      "a list has a root",
      { name: "pets", items: { name: "pet" } },
      [{ a: 1 }, { a: 2 }],
      "<pets><pet><a>1</a></pet><pet><a>2</a></pet></pets>",
    ],
    ["a list without names", {}, [1], "<root><root>1</root></root>"],
    ["a scalar", { name: "n" }, 1.5, "<n>1.5</n>"],
    [
      "nested lists",
      {
        name: "m",
        properties: { r: { items: { wrapped: true, name: "row", items: { name: "c" } } } },
      },
      { r: [[1, 2], [3]] },
      "<m><row><c>1</c><c>2</c></row><row><c>3</c></row></m>",
    ],
    [
      "3.2: text, CDATA and what has no element",
      {
        name: "a",
        properties: {
          t: { nodeType: "text" },
          c: { nodeType: "cdata" },
          g: { nodeType: "none", properties: { q: { attribute: true } } },
          n: { nodeType: "text" },
        },
      },
      { t: "<", c: "]]>", g: { q: 1, r: 2 }, n: null },
      '<a q="1">&lt;<![CDATA[]]]]><![CDATA[>]]><r>2</r></a>',
    ],
    [
      "3.2: items in order",
      { name: "a", prefixItems: [{ name: "one" }, { nodeType: "text" }], items: { name: "more" } },
      [1, "two", 3, null],
      '<a><one>1</one>two<more>3</more><more xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"></more></a>',
    ],
    ["a default namespace", { name: "a", namespace: "urn:a" }, {}, '<a xmlns="urn:a"></a>'],
    ["a ready-made document", undefined, "<a>&amp;</a>", "<a>&amp;</a>"],
    ["no node", undefined, { a: 1 }, "<root><a>1</a></root>"],
    [
      "a property named like what objects inherit",
      { name: "a" },
      JSON.parse('{"constructor":1,"__proto__":2}'),
      "<a><constructor>1</constructor><__proto__>2</__proto__></a>",
    ],
    [
      "markup",
      { name: "a", properties: { q: { attribute: true } } },
      { q: '"<&\n\t', t: "]]> <b>&amp;\r" },
      '<a q="&#34;&lt;&amp;&#10;&#9;"><t>]]&gt; &lt;b&gt;&amp;amp;&#13;</t></a>',
    ],
  ])("%s", (_, node, value, want) => expect(xml(node, value)).toBe(want));
  test("+xml", () =>
    expect(
      body(
        { contentType: "application/soap+xml", from: "v", xml: { name: "soap:Envelope" } },
        { v: {} },
      ).text,
    ).toBe(`${PROLOG}<soap:Envelope></soap:Envelope>`));

  test.each<readonly [string, Input]>([
    ["a control character", { id: "\x01" }],
    ["a noncharacter", { id: "\uffff" }],
    ["a key that is no name", { tags: [{ "a b": 1 }] }],
    ["an empty key", { tags: { "": 1 } }],
    ["a key with markup", { tags: { "a><b": 1 } }],
  ])("%s is refused", (_, input) =>
    expect(refused({ body: binding }, input).map(({ input: name }) => name)).toEqual(
      Object.keys(input),
    ),
  );
  test("an invalid element name of the document is rejected", () =>
    expect(refused({ body: { ...binding, xml: { name: "a b" } } }, { id: 1 })[0]?.input).toBe(""));
});

test("an independent parser reads back every text", () => {
  const legal = fc.string({ unit: "binary" }).filter((text) => !/[^\t\n\r\x20-\uFFFD]/.test(text));
  fc.assert(
    fc.property(legal, legal, (attribute, text) => {
      const document = new DOMParser().parseFromString(
        xml({ name: "r", properties: { a: { attribute: true } } }, { a: attribute, t: text }),
        "text/xml",
      );
      const root = document.documentElement as Element;
      expect(root.getAttribute("a")).toBe(attribute);
      expect(root.getElementsByTagName("t")[0]?.textContent).toBe(text);
    }),
    { seed },
  );
});

test("an independent parser resolves the namespaces", () => {
  const node = {
    name: "Person",
    prefix: "p",
    namespace: "urn:p",
    properties: {
      id: { attribute: true, prefix: "q", namespace: "urn:q" },
      n: { prefix: "q", namespace: "urn:q" },
    },
  };
  const root = new DOMParser().parseFromString(xml(node, { id: 1, n: 2 }), "text/xml")
    .documentElement as Element;
  expect([root.namespaceURI, root.localName, root.getAttributeNS("urn:q", "id")]).toEqual([
    "urn:p",
    "Person",
    "1",
  ]);
  expect(root.getElementsByTagNameNS("urn:q", "n")[0]?.textContent).toBe("2");
});
