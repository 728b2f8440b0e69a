import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { load, type LoadOptions, resolvePointer } from "../../src/load/index.js";
import { api, type Files, folder, problemsOf, schemaOfApi } from "./folder.js";

const pet = { type: "object", properties: { name: { type: "string" } } };
const ref = ($ref: string): { $ref: string } => ({ $ref });

interface Bad {
  readonly name: string;
  readonly given: object;
  readonly files?: Files;
  readonly options?: LoadOptions;
  readonly code: string;
  readonly says: RegExp;
  readonly pointer?: string;
}

const bad: readonly Bad[] = [
  {
    name: "a missing local target",
    given: api(ref("#/components/schemas/None")),
    code: "load-ref-broken",
    says: /"#\/components\/schemas\/None" does not exist/,
  },
  {
    name: "an inherited property",
    given: api(ref("#/components/constructor"), { components: {} }),
    code: "load-ref-broken",
    says: /does not exist/,
  },
  {
    name: "text as a target",
    given: api(ref("#/info/title")),
    code: "load-ref-broken",
    says: /refers to a string/,
  },
  { name: "an empty reference", given: api(ref("")), code: "load-ref-broken", says: /is empty/ },
  {
    name: "a bare name",
    given: api(ref("Pet"), { components: { schemas: { Pet: pet } } }),
    code: "load-ref-broken",
    says: /file of the \$ref "Pet" does not exist/,
  },
  {
    name: "a missing file",
    given: api(ref("./none.yaml#/Pet")),
    code: "load-ref-broken",
    says: /file of the \$ref ".\/none.yaml#\/Pet" does not exist/,
  },
  {
    name: "a missing target in a file",
    given: api(ref("b.json#/None")),
    files: { "b.json": {} },
    code: "load-ref-broken",
    says: /target of the \$ref "b.json#\/None"/,
  },
  {
    name: "text in a file",
    given: api(ref("b.txt")),
    files: { "b.txt": "secret text" },
    code: "load-ref-broken",
    says: /refers to a string/,
  },
  {
    name: "a folder",
    given: api(ref("sub")),
    files: { "sub/x.json": {} },
    code: "load-ref-broken",
    says: /"sub" cannot be resolved: this is a folder/,
  },
  {
    name: "a web page",
    given: api(ref("b.html")),
    files: { "b.html": "<html>secret</html>" },
    code: "load-ref-broken",
    says: /cannot be resolved: this is a web page/,
  },
  {
    name: "a file: address",
    given: api(ref("file:///etc/passwd")),
    code: "load-ref-broken",
    says: /file: address/,
  },
  {
    name: "an absolute path",
    given: api(ref("/etc/passwd")),
    code: "load-ref-broken",
    says: /absolute path/,
  },
  {
    name: "a Windows path",
    given: api(ref("C:\\x.json")),
    code: "load-ref-broken",
    says: /absolute path|only relative paths/,
  },
  {
    name: "a path out of the folder",
    given: api(ref("../../../../../../etc/hostname")),
    code: "load-ref-broken",
    says: /is outside of the document's folder/,
  },
  {
    name: "an encoded path out of the folder",
    given: api(ref("..%2f..%2f..%2fetc/hostname")),
    code: "load-ref-broken",
    says: /does not exist/,
  },
  {
    name: "a host",
    given: api(ref("http://169.254.169.254/latest")),
    code: "load-ref-broken",
    says: /"http:\/\/169.254.169.254\/latest" refers to a host that is not allowed/,
  },
  {
    name: "a host that looks allowed",
    given: api(ref("https://a.example.evil.test/x")),
    options: { allowRemoteRefs: ["a.example"] },
    code: "load-ref-broken",
    says: /host that is not allowed/,
  },
  {
    name: "an allowed host without encryption",
    given: api(ref("http://a.example/x")),
    options: { allowRemoteRefs: ["a.example"] },
    code: "load-ref-broken",
    says: /only for loopback/,
  },
  {
    name: "credentials in an address",
    given: api(ref("https://me:hunter2@a.example/x")),
    code: "load-ref-broken",
    says: /"https:\/\/a.example\/x" refers to a host that is not allowed/,
  },
  {
    name: "another protocol",
    given: api(ref("ftp://a.example/x")),
    code: "load-ref-broken",
    says: /ftp: address/,
  },
  {
    name: "an address without protocol",
    given: api(ref("//a.example/x")),
    code: "load-ref-broken",
    says: /not a valid address/,
  },
  {
    name: "a cycle of two",
    given: api(ref("#/components/schemas/A"), {
      components: {
        schemas: { A: ref("#/components/schemas/B"), B: ref("#/components/schemas/A") },
      },
    }),
    code: "load-ref-circular",
    says: /Circular \$ref: A -> B -> A/,
    pointer: "#/components/schemas/A",
  },
  {
    name: "a reference to itself",
    given: api(ref("#/components/schemas/A"), {
      components: { schemas: { A: ref("#/components/schemas/A") } },
    }),
    code: "load-ref-circular",
    says: /A -> A/,
    pointer: "#/components/schemas/A",
  },
  {
    name: "a cycle through allOf",
    given: api(ref("#/components/schemas/A"), {
      components: {
        schemas: { A: { allOf: [{ type: "object" }, ref("#/components/schemas/A")] } },
      },
    }),
    code: "load-ref-circular",
    says: /A -> A/,
    pointer: "#/components/schemas/A/allOf/1",
  },
  {
    name: "a cycle through files",
    given: api(ref("b.json#/A")),
    files: { "b.json": { A: ref("c.json#/B") }, "c.json": { B: ref("b.json#/A") } },
    code: "load-ref-circular",
    says: /-> B -> A|-> A -> B/,
    pointer: "#/A",
  },
];

test.each(bad)(
  "reports $name",
  async ({ given, files = {}, options = {}, code, says, pointer = schemaOfApi }) => {
    const root = folder({ "a.json": given, ...files });
    const loaded = await load(join(root, "a.json"), options);
    expect(loaded.document).toBeDefined();
    const [error, ...others] = problemsOf(loaded);
    expect([error?.code, ...others]).toEqual([code]);
    expect(error?.message).toMatch(says);
    expect(error?.hint).toBeTruthy();
    expect(error?.location).toMatchObject({
      pointer,
      line: expect.any(Number) as number,
      column: expect.any(Number) as number,
    });
    expect(JSON.stringify({ ...error, location: undefined })).not.toMatch(/secret|hunter2/);
  },
);

test("broken references keep the rest of the document", async () => {
  const root = folder({
    "a.json": api(
      { anyOf: [ref("#/x"), ref("#/y"), pet] },
      { components: { schemas: { Unused: ref("#/z") } } },
    ),
  });
  const loaded = await load(join(root, "a.json"));
  expect(loaded.document).toBeDefined();
  expect(problemsOf(loaded).map(({ code, severity }) => `${severity} ${code}`)).toEqual([
    "warning load-ref-broken-unused",
    "warning load-ref-broken",
    "warning load-ref-broken",
  ]);
});

test.each(["#/components/schemas/", "#/definitions/"])(
  "%s names no schema, so any value is accepted",
  async ($ref) => {
    const { document, diagnostics } = await load(
      join(folder({ "a.json": api(ref($ref)) }), "a.json"),
    );
    expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      "load-ref-broken: The $ref names no schema; any value is accepted",
    ]);
    expect(document && resolvePointer(document.root, schemaOfApi)).toEqual({});
  },
);

test("an error in a referenced file is located in that file", async () => {
  const root = folder({ "a.json": api(ref("parts/b.yaml")), "parts/b.yaml": "a: 'x'\nb: @\n" });
  expect(problemsOf(await load(join(root, "a.json")))[0]).toMatchObject({
    code: "load-ref-broken",
    location: { file: join(root, "parts/b.yaml"), line: 2 },
  });
});

const left: readonly {
  name: string;
  given: object;
  code: string;
  pointer: string;
  gone: string;
}[] = [
  {
    name: "a missing description",
    given: {
      ...api(pet),
      info: { title: "x", version: "1", description: ref("./description.md") },
    },
    code: "load-ref-omitted",
    pointer: "#/info/description",
    gone: "#/info/description",
  },
  {
    name: "a missing example",
    given: api({ ...pet, example: ref("./example.json") }),
    code: "load-ref-omitted",
    pointer: `${schemaOfApi}/example`,
    gone: `${schemaOfApi}/example`,
  },
  {
    name: "a forbidden example",
    given: api({ ...pet, example: ref("/etc/passwd") }),
    code: "load-ref-omitted",
    pointer: `${schemaOfApi}/example`,
    gone: `${schemaOfApi}/example`,
  },
  {
    name: "an unused schema",
    given: api(pet, { components: { schemas: { Unused: ref("#/none") } } }),
    code: "load-ref-broken-unused",
    pointer: "#/components/schemas/Unused",
    gone: "#/components/schemas/Unused/$ref",
  },
  {
    name: "a webhook",
    given: api(pet, { webhooks: { x: ref("https://a.example/x") } }),
    code: "load-ref-broken-unused",
    pointer: "#/webhooks/x",
    gone: "#/webhooks/x/$ref",
  },
  {
    name: "a folder of schemas that refers into itself",
    given: api(pet, { components: { schemas: { ...ref("#/components/schemas/B"), C: pet } } }),
    code: "load-ref-broken-unused",
    pointer: "#/components/schemas",
    gone: "#/components/schemas/$ref",
  },
  {
    name: "an unused cycle",
    given: api(pet, { components: { schemas: { A: ref("#/components/schemas/A") } } }),
    code: "load-ref-broken-unused",
    pointer: "#/components/schemas/A",
    gone: "#/components/schemas/A/$ref",
  },
];

test.each(left)("continues without $name", async ({ given, code, pointer, gone }) => {
  const { document, diagnostics } = await load(join(folder({ "a.json": given }), "a.json"));
  expect(diagnostics).toMatchObject([
    { code, severity: "warning", location: { pointer, line: expect.any(Number) as number } },
  ]);
  expect(resolvePointer(document?.root, gone)).toBeUndefined();
});

test("a broken callback is not an error", async () => {
  const given = {
    openapi: "3.1.0",
    info: { title: "x", version: "1" },
    paths: { "/x": { post: { callbacks: { done: { "{$url}": ref("#/none") } } } } },
  };
  const { document, diagnostics } = await load(join(folder({ "a.json": given }), "a.json"));
  expect(document).toBeDefined();
  expect(diagnostics.map(({ code }) => code)).toEqual(["load-ref-broken-unused"]);
});

interface Local {
  readonly name: string;
  readonly schema: object | boolean;
  readonly components?: object;
  /** Resolved value of the schema. */
  readonly want?: unknown;
}

const untouched: readonly Local[] = [
  {
    name: "recursion through properties",
    schema: ref("#/components/schemas/Node"),
    components: { Node: { properties: { next: ref("#/components/schemas/Node") } } },
  },
  {
    name: "children that extend a parent that lists them",
    schema: ref("#/components/schemas/P"),
    components: {
      P: { oneOf: [ref("#/components/schemas/C")] },
      C: { allOf: [ref("#/components/schemas/P")] },
    },
  },
  { name: "a boolean schema", schema: ref("#/components/schemas/Any"), components: { Any: true } },
  {
    name: "data that looks like a reference",
    schema: {
      default: { $ref: "#/none" },
      enum: [{ $ref: "#/none" }],
      const: { a: { $ref: "x.json" } },
      example: { a: [{ $ref: "/etc/passwd" }] },
    },
  },
  {
    name: "properties called like keywords",
    schema: {
      properties: {
        $ref: { type: "string" },
        description: ref("#/components/schemas/T"),
        example: ref("#/components/schemas/T"),
        "x-y": ref("#/components/schemas/T"),
      },
    },
    components: { T: { type: "string" } },
  },
  { name: "extensions", schema: { "x-code": { $ref: "../none.sh" } } },
  {
    name: "percent-encoded pointers",
    schema: ref("#/components/schemas/a%20b"),
    components: { "a b": pet },
  },
];

test.each(untouched)("keeps unchanged: $name", async ({ schema, components }) => {
  const given = api(schema, components && { components: { schemas: components } });
  const { document, diagnostics } = await load(join(folder({ "a.json": given }), "a.json"));
  expect(diagnostics).toEqual([]);
  expect(document?.root).toEqual(JSON.parse(JSON.stringify(given)));
});

const rewritten: readonly Local[] = [
  {
    name: "a pointer through another reference",
    schema: ref("#/components/schemas/A/properties/name"),
    components: { A: ref("#/components/schemas/B"), B: pet },
    want: ref("#/components/schemas/B/properties/name"),
  },
  {
    name: "an anchor",
    schema: ref("#pet"),
    components: { Pet: { $anchor: "pet", ...pet } },
    want: ref("#/components/schemas/Pet"),
  },
  {
    name: "an $id",
    schema: ref("https://a.example/pet"),
    components: { Pet: { $id: "https://a.example/pet", ...pet } },
    want: ref("#/components/schemas/Pet"),
  },
  {
    name: "a pointer below an $id",
    schema: ref("https://a.example/pet#/properties/name"),
    components: { Pet: { $id: "https://a.example/pet", ...pet } },
    want: ref("#/components/schemas/Pet/properties/name"),
  },
  {
    name: "an $id relative to another",
    schema: ref("https://a.example/s/pet"),
    components: { Pet: { $id: "https://a.example/s/all", $defs: { p: { $id: "pet", ...pet } } } },
    want: ref("#/components/schemas/Pet/$defs/p"),
  },
  {
    name: "the document's own name",
    schema: ref("a.json#/components/schemas/Pet"),
    components: { Pet: pet },
    want: ref("#/components/schemas/Pet"),
  },
];

test.each(rewritten)("rewrites as a plain pointer: $name", async ({ schema, components, want }) => {
  const { document, diagnostics } = await load(
    join(folder({ "a.json": api(schema, { components: { schemas: components } }) }), "a.json"),
  );
  expect(diagnostics).toEqual([]);
  expect(resolvePointer(document?.root, schemaOfApi)).toEqual(want);
});

const embedded: readonly { name: string; pet: object; want: object }[] = [
  {
    name: "a pointer in a schema with an $id",
    pet: { $id: "https://a.example/pet", $defs: { n: {} }, properties: { name: ref("#/$defs/n") } },
    want: ref("#/components/schemas/Pet/$defs/n"),
  },
  {
    name: "definitions of an embedded schema",
    pet: { definitions: { n: {} }, properties: { name: ref("#/definitions/n") } },
    want: ref("#/components/schemas/Pet/definitions/n"),
  },
  {
    name: "a sibling of an $id",
    pet: {
      $id: "https://a.example/x/pet",
      $defs: { n: { $id: "name" } },
      properties: { name: ref("name") },
    },
    want: ref("#/components/schemas/Pet/$defs/n"),
  },
  {
    name: "the nearest of two anchors",
    pet: {
      $id: "https://a.example/pet",
      $defs: { n: { $anchor: "n" } },
      properties: { name: ref("#n") },
    },
    want: ref("#/components/schemas/Pet/$defs/n"),
  },
];

test.each(embedded)(
  "resolves relative to the enclosing schema: $name",
  async ({ pet: Pet, want }) => {
    const components = { schemas: { Other: { $anchor: "n" }, Pet } };
    const { document, diagnostics } = await load(
      join(folder({ "a.json": api(ref("#/components/schemas/Pet"), { components }) }), "a.json"),
    );
    expect(diagnostics).toEqual([]);
    expect(resolvePointer(document?.root, "#/components/schemas/Pet/properties/name")).toEqual(
      want,
    );
  },
);

test("a symbolic link out of the folder is not followed", async () => {
  const root = folder({ "in/a.json": api(ref("link.json")), "out/b.json": pet });
  symlinkSync(join(root, "out/b.json"), join(root, "in/link.json"));
  expect(problemsOf(await load(join(root, "in/a.json")))).toMatchObject([
    { code: "load-ref-broken", message: expect.stringContaining("symbolic link") as string },
  ]);
  const wider = await load(join(root, "in/a.json"), { refRoot: root });
  expect(wider.diagnostics).toEqual([]);
});

test.each([
  ".\\models\\pet.json",
  "models\\pet.json",
  "./models%2Fpet.json",
  "my models/pet.json",
  "my%20models/pet.json",
  "50%/pet.json",
  "50%25/pet.json",
  "caf\u00e9/pet.json",
  "cafe\u0301/pet.json",
])("a file is found by %j", async (address) => {
  const root = folder({
    "in/a.json": api(ref(address)),
    "in/models/pet.json": pet,
    "in/my models/pet.json": pet,
    "in/50%/pet.json": pet,
    "in/cafe\u0301/pet.json": pet,
  });
  expect((await load(join(root, "in/a.json"))).diagnostics).toEqual([]);
});

test.each(["..\\out\\b.json", "models\\..\\..\\out\\b.json", "..%5Cout%5Cb.json"])(
  "%j cannot leave the folder",
  async (address) => {
    const root = folder({
      "in/a.json": api(ref(address)),
      "in/models/x.json": pet,
      "out/b.json": pet,
    });
    const { document, diagnostics } = await load(join(root, "in/a.json"));
    expect(document?.brokenRefs?.size).toBe(1);
    expect(JSON.stringify([document?.root, diagnostics])).not.toContain('"name":');
  },
);

test.each([
  ["Models/pet.json", "Correct the path, or add the file."],
  ["models/Pet.json", "Did you mean pet.json?"],
  ["models/pet.jsn", "Did you mean pet.json?"],
])("a missing file with a similar name: %j", async (address, hint) => {
  const root = folder({ "a.json": api(ref(address)), "models/pet.json": pet });
  expect(problemsOf(await load(join(root, "a.json")))).toMatchObject([
    { code: "load-ref-broken", hint },
  ]);
});

test("refRoot extends the allowed folder", async () => {
  const files = { "in/a.json": api(ref("../out/b.json")), "out/b.json": pet };
  const root = folder(files);
  expect(problemsOf(await load(join(root, "in/a.json")))).toMatchObject([
    { code: "load-ref-broken" },
  ]);
  expect((await load(join(root, "in/a.json"), { refRoot: root })).diagnostics).toEqual([]);
});
