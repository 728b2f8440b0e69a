/**
 * Requests from the specification: one case per cell of OpenAPI 3.2 "Style Examples", and per kind
 * of body. `want` is copied from the specification, never from a program's output.
 */
export interface WireCase {
  readonly name: string;
  /** A Parameter Object without `in: path` boilerplate, or a Request Body Object. */
  readonly parameter?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Referenced schemas. */
  readonly schemas?: Readonly<Record<string, object>>;
  /** The parameter's value, the body's fields, or a whole body that is not an object. */
  readonly value: unknown;
  readonly want: {
    /** Last path segment. */
    readonly path?: string;
    /** Without `?`. */
    readonly query?: string | RegExp;
    readonly headers?: Readonly<Record<string, string | RegExp>>;
    readonly body?: string | RegExp;
    /**
     * A multipart body with normalized boundaries `B1`, `B2` in order of occurrence, and `\n` line
     * ends.
     */
    readonly parts?: string;
  };
  /** openapi-backend supports this case too. */
  readonly judged?: boolean;
}

const string = { type: "string" };
const array = { type: "array", items: string };
const object = {
  type: "object",
  properties: { R: { type: "integer" }, G: { type: "integer" }, B: { type: "integer" } },
};
const values = {
  string: "blue",
  array: ["blue", "black", "brown"],
  object: { R: 100, G: 200, B: 150 },
};
const schemas = { string, array, object };
type Type = keyof typeof values;

/** Rows of the table: `in`, style, explode, then string, array, object; `undefined` for n/a. */
const table: readonly [
  string,
  string,
  boolean,
  (string | undefined)?,
  (string | undefined)?,
  (string | undefined)?,
][] = [
  ["path", "matrix", false, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"],
  [
    "path",
    "matrix",
    true,
    ";color=blue",
    ";color=blue;color=black;color=brown",
    ";R=100;G=200;B=150",
  ],
  ["path", "label", false, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"],
  ["path", "label", true, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"],
  ["path", "simple", false, "blue", "blue,black,brown", "R,100,G,200,B,150"],
  ["path", "simple", true, "blue", "blue,black,brown", "R=100,G=200,B=150"],
  ["query", "form", false, "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"],
  ["query", "form", true, "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"],
  [
    "query",
    "spaceDelimited",
    false,
    undefined,
    "color=blue%20black%20brown",
    "color=R%20100%20G%20200%20B%20150",
  ],
  [
    "query",
    "pipeDelimited",
    false,
    undefined,
    "color=blue%7Cblack%7Cbrown",
    "color=R%7C100%7CG%7C200%7CB%7C150",
  ],
  [
    "query",
    "deepObject",
    true,
    undefined,
    undefined,
    "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
  ],
  ["header", "simple", false, "blue", "blue,black,brown", "R,100,G,200,B,150"],
  ["header", "simple", true, "blue", "blue,black,brown", "R=100,G=200,B=150"],
  // Appendix D: cookies are separated by "; ", and a comma is not a valid cookie character, so
  // unexploded lists are excluded.
  ["cookie", "form", false, "color=blue"],
  ["cookie", "form", true, "color=blue"],
];

/**
 * Cells that openapi-backend parses as the table requires: no objects except `deepObject`, no
 * matrix, no label.
 */
function isJudged(place: string, style: string, explode: boolean, type: Type): boolean {
  if (style === "deepObject") return true;
  if (type === "string") return style === "simple" || (style === "form" && explode);
  return type === "array" && place === "query" && (style === "form" || !explode);
}

const styleCases = table.flatMap(([place, style, explode, ...cells]) =>
  (["string", "array", "object"] as const).flatMap((type, column): readonly WireCase[] => {
    const cell = cells[column];
    if (cell === undefined) return [];
    const name = place === "header" ? "X-Color" : "color";
    return [
      {
        name: `${place} ${style} explode=${explode} ${type}`,
        parameter: {
          name,
          in: place,
          style,
          explode,
          schema: schemas[type],
          ...(place === "path" && { required: true }),
        },
        value: values[type],
        want:
          place === "header"
            ? { headers: { "x-color": cell } }
            : place === "cookie"
              ? { headers: { cookie: cell } }
              : { [place]: cell },
        judged: isJudged(place, style, explode, type),
      },
    ];
  }),
);

const cookieStyleCases: readonly WireCase[] = [
  ["string", "color=blue"] as const,
  ["array", "color=blue; color=black; color=brown"] as const,
  ["object", "R=100; G=200; B=150"] as const,
].map(([type, cookie]) => ({
  name: `cookie cookie explode=true ${type}`,
  parameter: { name: "color", in: "cookie", style: "cookie", explode: true, schema: schemas[type] },
  value: values[type],
  want: { headers: { cookie } },
}));

/** Percent-encoding by location (RFC 3986, RFC 6570; OpenAPI "URL Percent-Encoding"). */
const encodingCases: readonly WireCase[] = [
  {
    name: "path text",
    parameter: { name: "color", in: "path", required: true, schema: string },
    value: "a/b ?#%ü",
    want: { path: "a%2Fb%20%3F%23%25%C3%BC" },
    judged: true,
  },
  {
    name: "path items with commas",
    parameter: { name: "color", in: "path", required: true, schema: array },
    value: ["a,b", "c"],
    want: { path: "a%2Cb,c" },
  },
  {
    name: "query text",
    parameter: { name: "color", in: "query", schema: string },
    value: "a&b=c+d é/?",
    want: { query: "color=a%26b%3Dc%2Bd%20%C3%A9%2F%3F" },
    judged: true,
  },
  {
    name: "query items with commas",
    parameter: { name: "color", in: "query", explode: false, schema: array },
    value: ["a,b", "c"],
    want: { query: "color=a%2Cb,c" },
  },
  {
    name: "query name",
    parameter: { name: "filter[color]", in: "query", schema: string },
    value: "blue",
    want: { query: "filter%5Bcolor%5D=blue" },
  },
  {
    name: "query reserved",
    parameter: { name: "color", in: "query", allowReserved: true, schema: string },
    value: "a/b:c?d@e,f",
    want: { query: "color=a/b:c?d@e,f" },
    judged: true,
  },
  {
    name: "query reserved, but not what ends it",
    parameter: { name: "color", in: "query", allowReserved: true, schema: string },
    value: "a&b#c d+e",
    want: { query: "color=a%26b%23c%20d%2Be" },
    judged: true,
  },
  {
    name: "header unencoded",
    parameter: { name: "X-Color", in: "header", schema: string },
    value: "light blue, 100%",
    want: { headers: { "x-color": "light blue, 100%" } },
    judged: true,
  },
  {
    name: "cookie form is encoded",
    parameter: { name: "color", in: "cookie", schema: string },
    value: "Hello, world!",
    want: { headers: { cookie: /^color=Hello%2C%20world(!|%21)$/u } },
  },
];

const scalarCases: readonly WireCase[] = [
  {
    name: "boolean",
    parameter: { name: "color", in: "query", schema: { type: "boolean" } },
    value: false,
    want: { query: "color=false" },
    judged: true,
  },
  {
    name: "integer",
    parameter: { name: "color", in: "query", schema: { type: "integer" } },
    value: 42,
    want: { query: "color=42" },
    judged: true,
  },
  {
    name: "number",
    parameter: { name: "color", in: "query", schema: { type: "number" } },
    value: -0.5,
    want: { query: "color=-0.5" },
    judged: true,
  },
  {
    name: "empty string",
    parameter: { name: "color", in: "query", schema: string },
    value: "",
    want: { query: "color=" },
  },
  {
    name: "content",
    parameter: {
      name: "coordinates",
      in: "query",
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: { lat: { type: "number" }, long: { type: "number" } },
          },
        },
      },
    },
    value: { lat: 40.6, long: -73.9 },
    want: { query: "coordinates=%7B%22lat%22%3A40.6%2C%22long%22%3A-73.9%7D" },
    judged: true,
  },
  {
    name: "open object",
    parameter: {
      name: "freeForm",
      in: "query",
      style: "form",
      schema: { type: "object", additionalProperties: { type: "integer" } },
    },
    value: { page: 4, pageSize: 50 },
    want: { query: "page=4&pageSize=50" },
  },
];

/** The whole query from one input; OpenAPI 3.2 "Parameter Object Examples". */
const querystringCases: readonly WireCase[] = [
  {
    name: "querystring form",
    parameter: {
      name: "metadata",
      in: "querystring",
      content: {
        "application/x-www-form-urlencoded": {
          schema: { type: "object", properties: { foo: string, bar: { type: "boolean" } } },
        },
      },
    },
    value: { foo: "a + b", bar: true },
    want: { query: /^foo=a(\+|%20)%2B(\+|%20)b&bar=true$/u },
  },
  {
    name: "querystring JSON",
    parameter: {
      name: "json",
      in: "querystring",
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: {
              numbers: { type: "array", items: { type: "integer" } },
              flag: { type: ["boolean", "null"] },
            },
          },
        },
      },
    },
    value: { numbers: [1, 2], flag: null },
    want: { query: "%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D" },
  },
];

/** 3.2: `allowReserved` wherever values are percent-encoded; Encoding Objects of a whole query. */
const newerCases: readonly WireCase[] = [
  {
    name: "cookie reserved",
    parameter: { name: "color", in: "cookie", allowReserved: true, schema: string },
    value: "a/b:c?d@e f",
    want: { headers: { cookie: "color=a/b:c?d@e%20f" } },
  },
  {
    name: "querystring form with encodings",
    parameter: {
      name: "q",
      in: "querystring",
      content: {
        "application/x-www-form-urlencoded": {
          schema: {
            type: "object",
            properties: { tags: array, size: object, notes: { type: "object" } },
          },
          encoding: { tags: { explode: false }, size: { style: "deepObject" } },
        },
      },
    },
    value: { tags: ["a b", "c"], size: { R: 1 }, notes: { k: "v" } },
    want: { query: "tags=a%20b,c&size%5BR%5D=1&notes=%7B%22k%22%3A%22v%22%7D" },
  },
];

const content = (mediaType: string, media: object): Readonly<Record<string, unknown>> => ({
  required: true,
  content: { [mediaType]: media },
});
const fields = {
  type: "object",
  properties: {
    id: { type: "string" },
    count: { type: "integer" },
    address: { type: "object", properties: { street: string, zip: string } },
    tags: array,
  },
};
const form = { "content-type": /^application\/x-www-form-urlencoded/u };

const bodyCases: readonly WireCase[] = [
  {
    name: "JSON object",
    body: content("application/json", { schema: fields }),
    value: { id: "a", count: 2, address: { street: "x" }, tags: ["p", "q"] },
    want: {
      headers: { "content-type": /^application\/json/u },
      body: '{"id":"a","count":2,"address":{"street":"x"},"tags":["p","q"]}',
    },
    judged: true,
  },
  {
    name: "JSON with an envelope",
    body: content("application/json", {
      schema: { type: "object", required: ["data"], properties: { data: fields } },
    }),
    value: { id: "a", tags: ["p"] },
    want: { body: '{"data":{"id":"a","tags":["p"]}}' },
  },
  {
    name: "JSON with a parameter",
    body: content("application/json;version=2; charset=utf-8", { schema: fields }),
    value: { id: "a" },
    want: { headers: { "content-type": "application/json; version=2" }, body: '{"id":"a"}' },
  },
  {
    name: "text with a parameter",
    body: content("text/plain; format=flowed", { schema: string }),
    value: "a",
    want: { headers: { "content-type": "text/plain; format=flowed; charset=utf-8" } },
  },
  {
    name: "JSON array",
    body: content("application/json", { schema: { type: "array", items: { type: "integer" } } }),
    value: [1, 2],
    want: { body: "[1,2]" },
    judged: true,
  },
  {
    name: "JSON text",
    body: content("application/json", { schema: string }),
    value: "blue",
    want: { body: '"blue"' },
  },
  {
    name: "JSON by suffix",
    body: content("application/vnd.x+json", { schema: fields }),
    value: { id: "a" },
    want: { headers: { "content-type": /^application\/vnd\.x\+json/u }, body: '{"id":"a"}' },
  },
  // "Encoding the x-www-form-urlencoded Media Type": objects are JSON, names are in order, spaces
  // are +.
  {
    name: "form",
    body: content("application/x-www-form-urlencoded", { schema: fields }),
    value: { id: "f81d4fae", address: { street: "123 Example Dr.", zip: "99999+1234" } },
    want: {
      headers: form,
      body: /^id=f81d4fae&address=%7B%22street%22(:|%3A)%22123(\+|%20)Example(\+|%20)Dr.%22(,|%2C)%22zip%22(:|%3A)%2299999%2B1234%22%7D$/u,
    },
  },
  {
    name: "form array",
    body: content("application/x-www-form-urlencoded", { schema: fields }),
    value: { tags: ["a b", "c&d"] },
    want: { headers: form, body: /^tags=a(\+|%20)b&tags=c%26d$/u },
  },
  {
    name: "form with styles",
    body: content("application/x-www-form-urlencoded", {
      schema: fields,
      encoding: {
        address: { style: "deepObject", explode: true },
        tags: { style: "form", explode: false },
      },
    }),
    value: { address: { street: "x", zip: "1" }, tags: ["a", "b"] },
    want: { headers: form, body: "address%5Bstreet%5D=x&address%5Bzip%5D=1&tags=a,b" },
  },
  {
    name: "form with delimiters",
    body: content("application/x-www-form-urlencoded", {
      schema: fields,
      encoding: { tags: { style: "pipeDelimited", explode: false } },
    }),
    value: { tags: ["a", "b"] },
    want: { headers: form, body: "tags=a%7Cb" },
  },
  {
    name: "multipart fields",
    body: content("multipart/form-data", { schema: fields }),
    value: { id: "ü", count: 2, address: { street: "x" }, tags: ["a", "b"] },
    want: {
      headers: { "content-type": /^multipart\/form-data; ?boundary=/u },
      body: /name="id"\r\n(Content-Type: text\/plain[^\r]*\r\n)?\r\nü\r\n.*name="count"[^]*\r\n\r\n2\r\n[^]*name="address"\r\n[^]*Content-Type: application\/json\r\n\r\n\{"street":"x"\}\r\n[^]*name="tags"[^]*\r\n\r\na\r\n[^]*name="tags"[^]*\r\n\r\nb\r\n/su,
    },
  },
  {
    name: "multipart file",
    body: content("multipart/form-data", {
      schema: {
        type: "object",
        properties: { photo: { type: "string", format: "binary" } },
        required: ["photo"],
      },
      encoding: { photo: { contentType: "image/png" } },
    }),
    value: { photo: "AAEC/w==" },
    want: {
      body: /Content-Disposition: form-data; name="photo"; filename="[^"]+"\r\n(?:[^\r]+\r\n)*Content-Type: image\/png\r\n(?:[^\r]+\r\n)*\r\n\u0000\u0001\u0002\u00ff\r\n--/u,
    },
  },
  {
    name: "multipart header",
    body: content("multipart/form-data", {
      schema: { type: "object", properties: { note: string } },
      encoding: { note: { headers: { "X-Kind": { schema: { type: "string", enum: ["memo"] } } } } },
    }),
    value: { note: "n" },
    want: { body: /name="note"\r\n(?:[^\r]+\r\n)*X-Kind: memo\r\n(?:[^\r]+\r\n)*\r\nn\r\n/u },
  },
  {
    name: "octet-stream",
    body: content("application/octet-stream", { schema: { type: "string", format: "binary" } }),
    value: "AAEC/w==",
    want: {
      headers: { "content-type": "application/octet-stream" },
      body: "\u0000\u0001\u0002\u00ff",
    },
  },
  {
    name: "image",
    body: content("image/png", {}),
    value: "AAEC/w==",
    want: { headers: { "content-type": "image/png" }, body: "\u0000\u0001\u0002\u00ff" },
  },
  {
    name: "text",
    body: content("text/plain", { schema: string }),
    value: "zürich <&>\n",
    want: { headers: { "content-type": /^text\/plain/u }, body: "zürich <&>\n" },
  },
  {
    // "XML Object": attributes, prefixes and namespaces, wrapped arrays with renamed items.
    name: "XML",
    body: content("application/xml", {
      schema: {
        type: "object",
        xml: { name: "person" },
        properties: {
          id: { type: "integer", format: "int32", xml: { attribute: true } },
          name: {
            type: "string",
            xml: { namespace: "https://example.com/schema/sample", prefix: "sample" },
          },
          animals: {
            type: "array",
            items: { type: "string", xml: { name: "animal" } },
            xml: { name: "aliens", wrapped: true },
          },
        },
      },
    }),
    value: { id: 123, name: "A & B", animals: ["x", "y"] },
    want: {
      headers: { "content-type": /^application\/xml/u },
      body: /^(<\?xml[^>]*\?>\s*)?<person id="123">\s*<sample:name xmlns:sample="https:\/\/example\.com\/schema\/sample">A &amp; B<\/sample:name>\s*<aliens>\s*<animal>x<\/animal>\s*<animal>y<\/animal>\s*<\/aliens>\s*<\/person>\s*$/u,
    },
  },
];

/** OpenAPI 3.2, "XML Object Examples": nodes of every type, items in order, names of components. */
const xmlCases: readonly WireCase[] = [
  [
    "attributes and text",
    {
      type: "array",
      xml: { nodeType: "element", name: "animals" },
      items: {
        type: "object",
        xml: { name: "animal" },
        properties: {
          kind: { type: "string", xml: { nodeType: "attribute" } },
          name: { type: "string", xml: { nodeType: "text" } },
        },
      },
    },
    [
      { kind: "Cat", name: "Fluffy" },
      { kind: "Dog", name: "A&B" },
    ],
    '<animals><animal kind="Cat">Fluffy</animal><animal kind="Dog">A&amp;B</animal></animals>',
  ] as const,
  [
    "CDATA in a component",
    { $ref: "#/components/schemas/pet-docs" },
    { content: "<b>x]]>y</b>" },
    "<pet-docs><![CDATA[<b>x]]]]><![CDATA[>y</b>]]></pet-docs>",
  ] as const,
  [
    "a renamed component",
    {
      xml: { nodeType: "element", name: "UpdatedDocument" },
      $ref: "#/components/schemas/Nameless",
    },
    { content: "a<b" },
    "<UpdatedDocument><![CDATA[a<b]]></UpdatedDocument>",
  ] as const,
  [
    "elements in order",
    {
      type: "array",
      xml: { nodeType: "element", name: "OneTwoThree" },
      prefixItems: [
        { type: "string", xml: { name: "One" } },
        {
          type: "object",
          xml: { name: "Two" },
          properties: {
            unit: { type: "string", xml: { nodeType: "attribute" } },
            value: { type: "number", xml: { nodeType: "text" } },
          },
        },
        { type: ["boolean", "null"], xml: { name: "Three" } },
      ],
    },
    ["Some text", { unit: "cubits", value: 42 }, null],
    '<OneTwoThree><One>Some text</One><Two unit="cubits">42</Two><Three xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"></Three></OneTwoThree>',
  ] as const,
  [
    "text and elements",
    {
      type: "array",
      xml: { nodeType: "element", name: "Report" },
      prefixItems: [
        { type: "string", xml: { nodeType: "text" } },
        { type: "number", xml: { name: "data" } },
        { type: "string", xml: { nodeType: "text" } },
      ],
    },
    ["Some preamble text.", 42, "Some postamble text."],
    "<Report>Some preamble text.<data>42</data>Some postamble text.</Report>",
  ] as const,
  [
    "no XML element",
    {
      type: "object",
      xml: { name: "r" },
      properties: {
        both: {
          type: "object",
          xml: { nodeType: "none" },
          properties: {
            a: { type: "string" },
            b: { type: "string", xml: { nodeType: "attribute" } },
          },
        },
      },
    },
    { both: { a: "1", b: "2" } },
    '<r b="2"><a>1</a></r>',
  ] as const,
  [
    "elements of components",
    { $ref: "#/components/schemas/pet-item" },
    { owner: { n: "a" }, others: [{ n: "b" }] },
    "<pet-item><pet-owner><n>a</n></pet-owner><pet-owner><n>b</n></pet-owner></pet-item>",
  ] as const,
].map(([name, schema, value, xml]) => ({
  name: `XML, ${name}`,
  body: content("application/xml", { schema }),
  value,
  want: { body: `<?xml version="1.0" encoding="UTF-8"?>\n${xml}` },
  schemas: {
    "pet-docs": {
      type: "object",
      properties: { content: { type: "string", xml: { nodeType: "cdata" } } },
    },
    Nameless: {
      type: "object",
      xml: { nodeType: "none" },
      properties: { content: { type: "string", xml: { nodeType: "cdata" } } },
    },
    "pet-item": {
      type: "object",
      properties: {
        owner: { $ref: "#/components/schemas/pet-owner" },
        others: { type: "array", items: { $ref: "#/components/schemas/pet-owner" } },
      },
    },
    "pet-owner": { type: "object", properties: { n: string } },
  },
}));

const octets = "Content-Type: application/octet-stream\n";
const formField = (name: string, more = ""): string =>
  `Content-Disposition: form-data; name="${name}"${more}\n`;

/**
 * OpenAPI 3.2, "Encoding Usage and Restrictions" and the examples of "Encoding `multipart` Media
 * Types".
 */
const multipartCases: readonly WireCase[] = [
  {
    name: "multipart by position",
    body: content("multipart/mixed", {
      schema: {
        type: "array",
        prefixItems: [{ type: "object", properties: { author: string } }, {}],
      },
      prefixEncoding: [
        {},
        { contentType: "image/*", headers: { "X-Kind": { schema: { const: "photo" } } } },
      ],
    }),
    value: [{ author: "me" }, "iVBORw0KGgo="],
    want: {
      headers: { "content-type": /^multipart\/mixed; boundary=/u },
      parts:
        '--B1\nContent-Type: application/json\n\n{"author":"me"}\n--B1\nContent-Type: image/png\nX-Kind: photo\n\n\u0089PNG\n\u001a\n\n--B1--\n',
    },
  },
  {
    name: "multipart stream",
    body: content("multipart/mixed", {
      itemSchema: {},
      itemEncoding: { contentType: "image/jpg" },
    }),
    value: ["AAEC"],
    want: { parts: "--B1\nContent-Type: image/jpg\n\n\u0000\u0001\u0002\n--B1--\n" },
  },
  {
    name: "nested multipart",
    body: content("multipart/mixed", {
      schema: {
        type: "array",
        prefixItems: [
          { type: "array" },
          { type: "array", prefixItems: [{ type: "object", xml: { name: "meta" } }, string, {}] },
        ],
      },
      prefixEncoding: [
        {},
        {
          contentType: "multipart/mixed",
          prefixEncoding: [
            { contentType: "application/xml" },
            { contentType: "text/csv" },
            { contentType: "image/png" },
          ],
        },
      ],
    }),
    value: [
      [1, 2],
      [{ a: 1 }, "text", "AAEC"],
    ],
    want: {
      parts:
        '--B1\nContent-Type: application/json\n\n[1,2]\n--B1\nContent-Type: multipart/mixed; boundary=B2\n\n--B2\nContent-Type: application/xml\n\n<?xml version="1.0" encoding="UTF-8"?>\n<meta><a>1</a></meta>\n--B2\nContent-Type: text/csv\n\ntext\n--B2\nContent-Type: image/png\n\n\u0000\u0001\u0002\n--B2--\n\n--B1--\n',
    },
  },
  {
    name: "multipart in a field",
    body: content("multipart/form-data", {
      schema: { type: "object", properties: { rows: { type: "array", items: array } } },
      encoding: {
        rows: { contentType: "multipart/mixed", itemEncoding: { contentType: "text/csv" } },
      },
    }),
    value: { rows: [["a", "b"]] },
    want: {
      parts: `--B1\n${formField("rows")}Content-Type: multipart/mixed; boundary=B2\n\n--B2\nContent-Type: text/csv\n\na\n--B2\nContent-Type: text/csv\n\nb\n--B2--\n\n--B1--\n`,
    },
  },
  {
    name: "multipart fields without a type",
    body: content("multipart/form-data", {
      schema: { type: "object", properties: { file: { type: "array", items: {} } } },
    }),
    value: { file: ["AAEC", "/w=="] },
    want: {
      parts: `--B1\n${formField("file", '; filename="file"')}${octets}\n\u0000\u0001\u0002\n--B1\n${formField("file", '; filename="file"')}${octets}\n\u00ff\n--B1--\n`,
    },
  },
  {
    name: "multipart text in base64",
    body: content("multipart/form-data", {
      schema: {
        type: "object",
        properties: { icon: { type: "string", contentEncoding: "base64" } },
      },
      encoding: { icon: { contentType: "image/png, image/jpeg" } },
    }),
    value: { icon: "AAEC" },
    want: {
      parts: `--B1\n${formField("icon")}Content-Type: image/png\nContent-Transfer-Encoding: base64\n\nAAEC\n--B1--\n`,
    },
  },
  {
    name: "multipart of one of several types",
    body: content("multipart/form-data", {
      schema: { type: "object", properties: { icon: { contentMediaType: "image/png" } } },
      encoding: { icon: { contentType: "image/png, image/jpeg" } },
    }),
    value: { icon: "data:image/jpeg;base64,AAEC" },
    want: {
      parts: `--B1\n${formField("icon", '; filename="file"')}Content-Type: image/jpeg\n\n\u0000\u0001\u0002\n--B1--\n`,
    },
  },
];

export const wireCases: readonly WireCase[] = [
  ...styleCases,
  ...cookieStyleCases,
  ...encodingCases,
  ...scalarCases,
  ...querystringCases,
  ...newerCases,
  ...bodyCases,
  ...multipartCases,
  ...xmlCases,
];

/** One document with one operation per case: `caseN` at `/cN`, or `/cN/{color}`. */
export function documentOf(cases: readonly WireCase[]): object {
  const paths: Record<string, object> = {};
  for (const [index, { parameter, body }] of cases.entries()) {
    const inPath = parameter?.["in"] === "path";
    const operation = {
      operationId: `case${index}`,
      parameters: parameter ? [parameter] : [],
      ...(body && { requestBody: body }),
      responses: { 200: { description: "Done." } },
    };
    paths[`/c${index}${inPath ? "/{color}" : ""}`] = { [body ? "post" : "get"]: operation };
  }
  return {
    openapi: "3.2.0",
    info: { title: "Wire", version: "1.0.0" },
    servers: [{ url: "https://api.example.com/base" }],
    paths,
    components: { schemas: Object.assign({}, ...cases.map((one) => one.schemas)) },
  };
}
