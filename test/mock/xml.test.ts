import { describe, expect, test } from "vitest";
import { SchemaSet } from "../../src/mock/schema-set.js";
import { toXml, xmlError } from "../../src/mock/xml.js";

describe("xmlError", () => {
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
    ["<a>1 < 2</a>", "has an unescaped <"],
    ["<a>1 & 2</a>", "has an unescaped &"],
    ['<a b="1" b="2"/>', "<a> repeats an attribute"],
    ['<a b="&x;"/>', "<a> has an attribute with an unescaped &"],
    ["<a b=1/>", "has an unescaped <"],
    ["<1a/>", "has an unescaped <"],
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
  test("writes attributes, namespaces, wrapped and unwrapped arrays", () => {
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
  test("writes an array of named elements", () => {
    expect(
      toXml([{ id: 2 }], { type: "array", items: { $ref: "#/$defs/Pet" } }, schemas),
    ).toContain('<root><p:pet xmlns:p="urn:pets" id="2"></p:pet></root>');
  });
});
