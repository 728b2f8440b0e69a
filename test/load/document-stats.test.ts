import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
import { codes, formatDiagnostics } from "../../src/diagnostics/index.js";
import { load, type LoadOptions, resolvePointer } from "../../src/load/index.js";
import { areRefsLocalAndValid } from "../../src/load/refs/reference-cycles.js";
import { measureGraph } from "../../src/load/limits.js";
import { problemsOf } from "./folder.js";

// Larger collections that are not part of the project; their cases exist only where the folder
// does. Every lesson in them has a small case of its own beside this file.
const shared = process.env.MCP_GEN_SHARED ?? "../shared";

/** The code of the one error, or `ok`; then codes of warnings. */
const outcomes: Readonly<Record<string, readonly [string, ...string[]]>> = {
  "invalid/01-swagger-version-3.0.yaml": ["load-unsupported-version"],
  "invalid/02-numeric-swagger-version.yaml": ["ok", "load-version-format"],
  "invalid/03-swagger-1.2.yaml": ["load-unsupported-version"],
  "invalid/04-not-an-openapi-file.yaml": ["load-not-openapi"],
  "invalid/05-no-paths-or-webhooks.yaml": ["load-no-operations"],
  "invalid/13-dangling-refs-burgershop.yaml": ["ok", "load-ref-broken-unused", "load-ref-broken"],
  "invalid/14-petstorev2-badref.json": ["ok", "load-ref-broken"],
  "invalid/15-missing-ref-swagger2.yaml": ["ok", "load-ref-broken"],
  "invalid/16-openapi-4.0.0.yaml": ["load-unsupported-version"],
  "invalid/17-petstore-with-errors.yaml": ["ok", "load-ref-omitted"],
  "invalid/18-unparseable.yaml": ["load-syntax"],
  "invalid/19-invalid-oas.json": ["ok", "load-ref-broken"],
  "invalid/20-invalid.txt": ["load-not-openapi"],
  "invalid/22-empty.json": ["load-empty"],
  "invalid/26-invalid-yaml.yaml": ["load-syntax"],
  "invalid/27-truncated.json": ["load-syntax"],
  "invalid/28-duplicate-path-keys.yaml": ["ok", "load-duplicate-key"],
  "invalid/29-tab-indent.yaml": ["load-syntax"],
  "hostile/A13-ref-file-etc-passwd.json": ["ok", "load-ref-broken"],
  "hostile/A14-ref-ssrf-metadata.json": ["ok", "load-ref-broken"],
  "hostile/A14b-ref-ssrf-loopback.json": ["ok", "load-ref-broken"],
  "hostile/A15-ref-relative-escape.json": ["ok", "load-ref-broken"],
  "hostile/A15b-ref-missing-pointer.json": ["ok", "load-ref-broken"],
  "hostile/A15c-ref-badtype.json": ["ok", "load-ref-broken"],
  "hostile/A16b-ref-alias-loop.json": ["ok", "load-ref-circular"],
  "hostile/A16c-allof-self.json": ["ok", "load-ref-circular"],
  "hostile/A17-yaml-alias-bomb.yaml": ["load-alias"],
  "hostile/A18-yaml-deep.yaml": ["load-too-deep"],
  "hostile/A18b-json-deep.json": ["load-too-deep"],
  "hostile/A20-deep-composition.json": ["load-too-deep"],
  "hostile/A28a-empty.yaml": ["load-empty"],
  "hostile/A28b-null.yaml": ["load-not-openapi"],
  "hostile/A28d-truncated.json": ["load-syntax"],
  "hostile/A28e-html.yaml": ["load-not-text"],
  "hostile/A28f-binary.yaml": ["load-not-text"],
  "hostile/A28i-bad-utf8.json": ["load-not-utf8"],
  "hostile/A28j-tabs.yaml": ["load-syntax"],
  "hostile/A28l-multidoc.yaml": ["load-multiple-documents"],
  "hostile/A28m-version-float.yaml": ["ok", "load-version-format"],
  "hostile/A28n-openapi4.json": ["load-unsupported-version"],
  "hostile/A28o-asyncapi.yaml": ["load-not-openapi"],
  "hostile/A28p-no-paths.json": ["load-no-operations"],
  "hostile/A28q-paths-null.yaml": ["load-no-operations"],
  "hostile/A28s-wrong-types.json": ["ok", "load-part-omitted"],
  "hostile/A28t-js-tag.yaml": ["load-syntax"],
};

const broken = ["invalid", "hostile"].flatMap((folder) =>
  existsSync(join(shared, folder))
    ? readdirSync(join(shared, folder))
        .filter((name) => /^(?:\d|[A-C]\d).*\.(?:json|ya?ml|txt)$/.test(name))
        .map((name) => `${folder}/${name}`)
    : [],
);

test("the expected codes exist", () => {
  const known = Object.keys(codes);
  expect(
    Object.values(outcomes)
      .flat()
      .filter((code) => code !== "ok" && !known.includes(code)),
  ).toEqual([]);
});

test.each(broken)("%s", async (name) => {
  const source = join(shared, name);
  const loaded = await load(source);
  const { document } = loaded;
  const diagnostics = problemsOf(loaded);
  const [want, ...warnings] = outcomes[name] ?? ["ok"];
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.length > 0 ? errors.map(({ code }) => code) : ["ok"]).toEqual([want]);
  expect(document === undefined).toBe(want !== "ok");
  expect([
    ...new Set(diagnostics.filter((d) => !errors.includes(d)).map(({ code }) => code)),
  ]).toEqual(warnings);
  for (const { location, hint } of errors)
    expect([location?.file, typeof hint]).toEqual([source, "string"]);
  expect(formatDiagnostics(diagnostics)).not.toMatch(/root:|hunter2|^\s+at /m);
});

const multiple: readonly {
  readonly path: string;
  readonly options?: LoadOptions;
  readonly schemas: number;
  readonly warns?: readonly string[];
}[] = [
  { path: "digitalocean-multifile/DigitalOcean-public.v2.yaml", schemas: 800 },
  { path: "redocly-cafe-3.2/cafe-split/cafe.yaml", schemas: 15 },
  { path: "redocly-starter-multifile-3.1/openapi.yaml", schemas: 15 },
  {
    path: "petstore-separate-2.0/spec/swagger.yaml",
    options: { refRoot: join(shared, "corpus/petstore-separate-2.0") },
    schemas: 3,
  },
];

test.each(multiple.filter(({ path }) => existsSync(join(shared, "corpus", path))))(
  "bundles the files of $path",
  async ({ path, options, schemas }) => {
    const { document, diagnostics, locate } = await load(join(shared, "corpus", path), options);
    expect(diagnostics).toEqual([]);
    const named = (document?.root.definitions ??
      resolvePointer(document?.root, "#/components/schemas")) as Record<string, object>;
    expect(Object.keys(named).length).toBeGreaterThanOrEqual(schemas);
    const survey = measureGraph({
      ...document?.root,
      paths: withoutExtensions(document?.root.paths),
    });
    expect("refs" in survey && areRefsLocalAndValid(document?.root, survey.refs)).toBe(true);
    const pointer = document?.version === "2.0" ? "#/definitions" : "#/components/schemas";
    for (const name of Object.keys(named).slice(0, 20))
      expect(locate({ pointer: `${pointer}/${name}` }).line).toBeGreaterThan(0);
  },
);

/** Extensions such as code samples may contain text that looks like references. */
function withoutExtensions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExtensions);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      key.startsWith("x-") ? [] : [[key, withoutExtensions(item)]],
    ),
  );
}

const single = [
  "github/api.github.com.json",
  "stripe/spec3.json",
  "openai/openapi.yaml",
  "docker-engine/swagger.yaml",
  "figma/openapi.yaml",
  "box/openapi.json",
  "feature-micro-docs/3.0-circular-paths.json",
];

test.each(single.map((path) => join(shared, "corpus", path)).filter((path) => existsSync(path)))(
  "loads %s",
  async (path) => {
    const { document, diagnostics } = await load(path);
    expect(diagnostics).toEqual([]);
    expect(document).toBeDefined();
  },
);

const located = [
  "openai/openapi.yaml",
  "spotify/official-spotify-open-api.yml",
  "train-travel/openapi.yaml",
].map((path) => join(shared, "corpus", path));

test.each(located.filter((path) => existsSync(path)))(
  "finds the paths and operations of %s where a parser with positions does",
  async (path) => {
    const { locate } = await load(path);
    const lines = new LineCounter();
    const paths = parseDocument(readFileSync(path, "utf8"), { lineCounter: lines }).get("paths");
    if (!isMap(paths)) throw new Error("no paths");
    for (const { key, value } of paths.items) {
      if (!isScalar(key) || !key.range || !isMap(value)) continue;
      const pointer = `#/paths/${String(key.value).replaceAll("/", "~1")}`;
      expect(locate({ pointer })).toMatchObject({
        line: lines.linePos(key.range[0]).line,
        column: lines.linePos(key.range[0]).col,
      });
      for (const { key: method } of value.items) {
        if (isScalar(method) && method.range)
          expect(locate({ pointer: `${pointer}/${String(method.value)}` }).line).toBe(
            lines.linePos(method.range[0]).line,
          );
      }
    }
  },
);
