/* One kind of damage per row: what is broken, and the sound document that must give the same tools. */

export type Json = Record<string, unknown>;

/** Places of a prepared document that are damaged. */
export interface Sites {
  readonly root: Json;
  readonly paths: Record<string, Json>;
  /** Path item, method and operation with a JSON body. */
  readonly item: Json;
  readonly method: string;
  readonly operation: Json;
  readonly requestBody: Json;
  readonly media: Json;
  /** Inline schema of the body. */
  readonly body: Json & { readonly properties: Record<string, Json> };
  /** Name of the first field of the body. */
  readonly field: string;
  /** Operation with parameters and a JSON result. */
  readonly reading: Json;
  readonly parameters: unknown[];
  readonly response: Json;
  readonly responseMedia: Json;
}

export interface Damage {
  readonly name: string;
  readonly lost: "operation" | "input" | "type" | "result" | "detail" | "nothing";
  /** Makes the sound document, in which the lost part is absent. */
  readonly sound: (sites: Sites) => void;
  readonly damage: (sites: Sites) => void;
  /** Changes the text of the damaged document. */
  readonly rewrite?: (text: string) => string;
  readonly says: RegExp;
}

const missing = { $ref: "#/components/nothing/Here" };
const leaveOut = ({ item, method }: Sites): void => void delete item[method];
const forgetResult = ({ responseMedia }: Sites): void => void delete responseMedia.schema;
const forgetField = ({ body, field }: Sites): void => void (body.properties[field] = {});
const nothing = (): void => {};

function addComponent({ root }: Sites, kind: string, parts: Json): void {
  const components = (root.components ??= {}) as Record<string, Json>;
  components[kind] = { ...components[kind], ...parts };
}

const result = (name: string, schema: unknown, says: RegExp): Damage => ({
  name: `result: ${name}`,
  lost: "result",
  sound: forgetResult,
  damage: ({ responseMedia }) => void (responseMedia.schema = schema),
  says,
});

const body = (name: string, damage: Damage["damage"], says: RegExp): Damage => ({
  name: `body: ${name}`,
  lost: "operation",
  sound: leaveOut,
  damage,
  says,
});

const field = (name: string, schema: unknown, says: RegExp, like: unknown = {}): Damage => ({
  name: `field: ${name}`,
  lost: "type",
  sound: ({ body: { properties }, field: key }) => void (properties[key] = like as Json),
  damage: ({ body: { properties }, field: key }) => void (properties[key] = schema as Json),
  says,
});

const parameter = (name: string, value: unknown, says: RegExp, like?: unknown): Damage => ({
  name: `parameter: ${name}`,
  lost: like === undefined ? "input" : "type",
  sound: ({ parameters }) => void (like !== undefined && parameters.push(like)),
  damage: ({ parameters }) => void parameters.push(value),
  says,
});

const path = (name: string, key: string, value: unknown, says: RegExp): Damage => ({
  name: `path: ${name}`,
  lost: "operation",
  sound: nothing,
  damage: ({ paths }) => void (paths[key] = value as Json),
  says,
});

const query = { name: "added", in: "query" };
const text = { type: "string" };

export const damages: readonly Damage[] = [
  result("a missing target", missing, /does not exist; the result is unknown/),
  result("a target that is text", { $ref: "#/info/title" }, /a string.*; the result is unknown/),
  result("a missing file", { $ref: "gone.yaml#/Pet" }, /file.*not exist; the result is unknown/),
  result("another host", { $ref: "https://a.example/x" }, /not allowed; the result is unknown/),
  result("a file elsewhere", { $ref: "/etc/passwd" }, /absolute path.*; the result is unknown/),
  result("an empty reference", { $ref: "" }, /is empty; the result is unknown/),
  result("a list as schema", [text], /an array; the result is unknown/),
  result("text as schema", "string", /a string; the result is unknown/),
  {
    name: "result: a circular reference",
    lost: "result",
    sound: forgetResult,
    damage: (sites) => {
      addComponent(sites, "schemas", {
        ZzA: { $ref: "#/components/schemas/ZzB" },
        ZzB: { $ref: "#/components/schemas/ZzA" },
      });
      sites.responseMedia.schema = { $ref: "#/components/schemas/ZzA" };
    },
    says: /circular.*; the result is unknown/i,
  },
  {
    name: "result: content that is a list",
    lost: "result",
    sound: ({ response }) => void delete response.content,
    damage: ({ response }) => void (response.content = []),
    says: /`content` must be an object.*; the result is unknown/,
  },
  {
    name: "result: a missing response",
    lost: "result",
    sound: ({ operation }) => void delete (operation.responses as Json)["299"],
    damage: ({ operation }) => void ((operation.responses as Json)["299"] = missing),
    says: /does not exist; the result is unknown/,
  },
  {
    name: "result: responses that are a list",
    lost: "result",
    sound: ({ reading }) => void delete reading.responses,
    damage: ({ reading }) => void (reading.responses = ["200"]),
    says: /`responses` must be an object.*; the result is unknown/,
  },
  {
    name: "result: a status that is none",
    lost: "detail",
    sound: nothing,
    damage: ({ operation }) => void ((operation.responses as Json)["2O0"] = { description: "" }),
    says: /not an HTTP status.*the response is left out/,
  },
  {
    name: "result: a missing header",
    lost: "detail",
    sound: nothing,
    damage: ({ response }) =>
      void (response.headers = { ...(response.headers as object), Zz: missing }),
    says: /does not exist; the header is left out/,
  },
  body(
    "a missing request body",
    ({ operation }) => void (operation.requestBody = missing),
    /does not exist; the operation \w+ \S+ is left out/,
  ),
  body(
    "a missing schema",
    ({ media }) => void (media.schema = missing),
    /does not exist; the operation \w+ \S+ is left out/,
  ),
  body(
    "a list as schema",
    ({ media }) => void (media.schema = [text]),
    /A schema must be an object.*; the operation \w+ \S+ is left out/,
  ),
  body(
    "a schema that includes itself",
    (sites) => {
      addComponent(sites, "schemas", {
        ZzA: { allOf: [{ $ref: "#/components/schemas/ZzA" }, { type: "object" }] },
      });
      sites.media.schema = { $ref: "#/components/schemas/ZzA" };
    },
    /circular.*; the operation \w+ \S+ is left out/i,
  ),
  body(
    "content that is a list",
    ({ requestBody }) => void (requestBody.content = []),
    /`content` must be an object.*; the operation \w+ \S+ is left out/,
  ),
  body(
    "an invalid media type",
    ({ requestBody, media }) => void (requestBody.content = { "not a type": media }),
    /not a valid media type; the operation \w+ \S+ is left out/,
  ),
  body(
    "parameters that are an object",
    ({ operation }) => void (operation.parameters = { a: text }),
    /`parameters` must be an array.*; the operation \w+ \S+ is left out/,
  ),
  body(
    "an operation that is a list",
    ({ item, method }) => void (item[method] = ["x"]),
    /operation must be an object.*; the operation is left out/,
  ),
  field("a missing schema", missing, /does not exist; any value is accepted/),
  field("text as schema", "string", /must be an object.*; any value is accepted/),
  field("an unknown type", { type: "strnig" }, /"strnig"/),
  field("a type that is an object", { type: { a: 1 } }, /`type`|"type"/),
  field("a pattern that is a number", { ...text, pattern: 1 }, /pattern/, text),
  field("an enum that is text", { ...text, enum: "a" }, /enum/, text),
  field("a length that is text", { ...text, minLength: "many" }, /minLength/, text),
  field("a default of another type", { type: "integer", default: "x" }, /default/, {
    type: "integer",
  }),
  {
    name: "field: a union with a missing member",
    lost: "type",
    sound: forgetField,
    damage: ({ body: { properties }, field: key }) =>
      void (properties[key] = { anyOf: [text, missing] }),
    says: /does not exist; any value is accepted/,
  },
  {
    name: "field: required that is true as text",
    lost: "nothing",
    sound: ({ body: schema, field: key }) =>
      void (schema.required = [
        ...new Set([...((schema.required as string[] | undefined) ?? []), key]),
      ]),
    damage: ({ body: schema, field: key }) =>
      void (schema.properties[key] = { ...schema.properties[key], required: "true" }),
    says: /but is "true"; the property is required in its parent/,
  },
  parameter("a missing target", missing, /does not exist; the parameter is left out/),
  parameter("no name", { in: "query", schema: text }, /parameter without a name is left out/),
  parameter("no location", { name: "a", schema: text }, /without a location.*left out/),
  parameter("text", "page", /parameter must be an object.*left out/),
  parameter("a missing schema", { ...query, schema: missing }, /any value is accepted/, {
    ...query,
    schema: {},
  }),
  parameter("required as text", { ...query, required: "true", schema: text }, /"true" is read/, {
    ...query,
    required: true,
    schema: text,
  }),
  path("a missing path item", "/zz", missing, /the operations of "\/zz" are left out/),
  path("text", "/zz", "GET", /path item.*must be an object.*; it is left out/),
  path("no slash", "zz", { get: {} }, /does not start with a slash; its operations are left out/),
  {
    name: "path: an unknown method",
    lost: "operation",
    sound: nothing,
    damage: ({ item }) => void (item.gett = { responses: {} }),
    says: /"gett" is not an HTTP method.*left out/,
  },
  {
    name: "document: tags that are text",
    lost: "detail",
    sound: ({ root }) => void delete root.tags,
    damage: ({ root }) => void (root.tags = "pets"),
    says: /`tags` must be an array.*left out/,
  },
  {
    name: "document: headers that are a list",
    lost: "nothing",
    sound: nothing,
    damage: (sites) => {
      addComponent(sites, "links", {});
      (sites.root.components as Json).links = ["x"];
    },
    says: /"links" must be an object.*left out/,
  },
  {
    name: "document: an unused broken schema",
    lost: "nothing",
    sound: nothing,
    damage: (sites) => addComponent(sites, "schemas", { ZzUnused: missing }),
    says: /no operation uses it/,
  },
  {
    name: "document: a duplicate key",
    lost: "nothing",
    sound: nothing,
    damage: nothing,
    rewrite: (source) => source.replace('"paths":', '"paths": {"/zz": {"get": {}}}, "paths":'),
    says: /"paths" occurs twice.*the first one is left out/,
  },
];
