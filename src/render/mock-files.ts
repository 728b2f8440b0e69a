/** Files of the mock: `test/api.json`, and `test/mock.ts` from the modules of `src/mock`. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject } from "../json.js";
import type { Content, Operation, Parameter, RequestBody, Response } from "../model/types.js";
import type { ToolPlan } from "../plan/types.js";
import { compactJson, type Json } from "./code/index.js";
import type { GeneratedFile } from "./types.js";

/** Maximum characters of an example. The mock generates a value instead of a longer one. */
const MAX_EXAMPLE_LENGTH = 2000;

/**
 * `test/api.json`: the API that the mock serves, one operation or schema per line, so that a change
 * of the document gives a readable diff. Omits descriptions of operations, long examples, and all
 * examples but one. Schemas are complete, because filtering them takes longer than writing them.
 */
export function mockApiFile(
  { mock, tools }: Pick<ToolPlan, "mock" | "tools">,
  path = "test/api.json",
): GeneratedFile {
  const states = mockStates(tools);
  const writer = new OperationWriter();
  const operations = mock.operations.map((operation) => writer.operation(operation)).join(",\n");
  const schemas = members(mock.schemas);
  const securitySchemes = members(mock.securitySchemes, (scheme) =>
    isObject(scheme) ? { ...scheme, description: undefined, flows: undefined } : scheme,
  );
  const content = [
    "{",
    `"operations": [\n${operations}\n],`,
    `"schemas": {\n${schemas}\n},`,
    `"securitySchemes": {\n${securitySchemes}\n}${states.length > 0 ? "," : ""}`,
    ...(states.length > 0 ? [`"states": {\n${members(Object.fromEntries(states))}\n}`] : []),
    "}\n",
  ].join("\n");
  return { path, content };
}

/** State of the work of an operation, as the mock reads it. */
type OperationState = readonly [
  operation: string,
  state: { readonly field: readonly string[]; readonly values: readonly unknown[] },
];

/** States of the work that tools wait for: of the writes, and of the reads that follow them. */
function mockStates(tools: ToolPlan["tools"]): readonly OperationState[] {
  const bindings = tools.flatMap(({ definition }) => definition.operations);
  const readers = new Map(tools.map(({ definition }) => [definition.name, definition]));
  const states = bindings.flatMap(({ job, request }): readonly OperationState[] => {
    const [going, done] = [job?.running?.[0], job?.done?.[0]];
    if (!job || going === undefined || done === undefined) return [];
    const inputs = [...Object.keys(job.follow.fields), ...Object.keys(job.follow.inputs)];
    const reader = readers
      .get(job.follow.tool)
      ?.operations.find(({ whenProvided }) => whenProvided.every((name) => inputs.includes(name)));
    const { started = [] } = job;
    const write = { field: [started].flat(), values: [going], starts: true } as const;
    const read = { field: [job.state].flat(), values: [going, done] };
    return [[keyOf(request), write], ...(reader ? [[keyOf(reader.request), read] as const] : [])];
  });
  return states.filter(([, { field }]) => field.length > 0);
}

const keyOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path}`;

function members(
  object: Readonly<Record<string, unknown>>,
  slim = (value: unknown): unknown => value,
): string {
  return Object.entries(object)
    .map(([name, value]) => `${compactJson(name)}: ${compactJson(slim(value))}`)
    .join(",\n");
}

/** Serializes operations. Shared parameters, bodies and responses are serialized once. */
class OperationWriter {
  readonly #known = new Map<object, Json>();

  operation({
    operationId,
    method,
    path,
    fixedQuery,
    parameters,
    body,
    responses,
    security,
  }: Operation): string {
    const start = compactJson({ operationId, method, path, fixedQuery, security }).slice(0, -1);
    const fields = [
      start,
      `"parameters": ${this.#list(parameters, slimParameter)}`,
      ...(body ? [`"body": ${this.#once(body, slimBody)}`] : []),
      `"responses": ${this.#list(responses, slimResponse)}`,
    ];
    return `${fields.join(", ")}}`;
  }

  #list<Item extends object>(items: readonly Item[], slim: (item: Item) => object): string {
    return `[${items.map((item) => this.#once(item, slim)).join(", ")}]`;
  }

  #once<Item extends object>(item: Item, slim: (item: Item) => object): Json {
    const known = this.#known.get(item);
    if (known !== undefined) return known;
    const json = compactJson(slim(item));
    this.#known.set(item, json);
    return json;
  }
}

function slimParameter({
  name,
  in: location,
  required,
  schema,
  style,
  explode,
  contentType,
  encoding,
}: Parameter): object {
  return { name, in: location, required, schema, style, explode, contentType, encoding };
}

function slimBody({ required, contents }: RequestBody): object {
  return { required, contents: contents.map(slimContent) };
}

function slimResponse({ status, contents, headers }: Response): object {
  return {
    status,
    contents: contents.map(slimContent),
    headers: headers.map(({ name, schema }) => ({ name, schema })),
  };
}

function slimContent({ mediaType, schema, examples, encoding }: Content): object {
  const example = examples?.find((value) => remainingLength(value, MAX_EXAMPLE_LENGTH) >= 0);
  return { mediaType, schema, examples: example === undefined ? undefined : [example], encoding };
}

/** Remaining characters of `left` after a JSON value; negative as soon as the value is too long. */
function remainingLength(value: unknown, left: number): number {
  if (typeof value === "string") return left - value.length - 2;
  if (typeof value !== "object" || value === null) return left - 5;
  let rest = left - 2;
  for (const name of Object.keys(value)) {
    rest = remainingLength(
      (value as Readonly<Record<string, unknown>>)[name],
      rest - name.length - 3,
    );
    if (rest < 0) return rest;
  }
  return rest;
}

/** Modules of `src/mock` that a generated project uses. Their exports are those of its file. */
const entryModules = ["index.ts", "contract.ts"];

const banner = `// A mock of the API and the contract tests of this server, for test/tools.test.ts.
// One file generated from src/mock of mcp-gen (https://www.npmjs.com/package/mcp-gen), which does not
// depend on src/runtime: the mock checks the requests of the runtime independently.
// Do not edit: mcp-gen replaces this file. Put your own tests next to it.
`;

/**
 * `test/mock.ts`: the modules of `src/mock` as one TypeScript file. Types stay, so that tests of the
 * project are type-checked against it; no two modules declare the same name.
 * @param root the package's folder
 */
export function mockFile(root: string): GeneratedFile {
  const folder = join(root, "src/mock");
  const modules = inDependencyOrder((path) => readModule(join(folder, path)), entryModules);
  const exported = exportedNames(modules);
  const imports = [...modules.values()].flatMap(packageImports).sort();
  const bodies = [...modules]
    .map(([path, text]) => [path, moduleBody(text, exported)] as const)
    .filter(([, body]) => body !== "")
    .map(([path, body]) => `// ---- src/mock/${path} ----\n\n${body}`);
  const content = `${banner}\n${imports.join("\n")}\n\n${bodies.join("\n\n")}\n`;
  return { path: "test/mock.ts", content };
}

function readModule(path: string): string {
  return readFileSync(path, "utf8").replaceAll("\r\n", "\n");
}

const importOrReexport =
  /^(?:import|export)\s(?:type\s)?(?:\{[^}]*\}|\*|[\w\s,{}]+?)\sfrom\s"([^"]+)";\n?/gm;

/** The text of each module by its path: a module is after the modules that it imports. */
function inDependencyOrder(
  read: (path: string) => string,
  entries: readonly string[],
): ReadonlyMap<string, string> {
  const ordered = new Map<string, string>();
  const visited = new Set<string>();
  const visit = (path: string): void => {
    if (visited.has(path)) return;
    visited.add(path);
    const text = read(path);
    for (const [, specifier = ""] of text.matchAll(importOrReexport))
      if (specifier.startsWith(".")) visit(moduleAt(path, specifier));
    ordered.set(path, text);
  };
  entries.forEach(visit);
  return ordered;
}

function moduleAt(from: string, specifier: string): string {
  return join(dirname(from), specifier).replaceAll("\\", "/").replace(/\.js$/, ".ts");
}

/** Names that an entry module declares or exports from another module. */
function exportedNames(modules: ReadonlyMap<string, string>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const path of entryModules) {
    const text = modules.get(path) ?? "";
    for (const name of declaredExports(text)) names.add(name);
    for (const [, list = ""] of text.matchAll(/^export (?:type )?\{([^}]*)\} from/gm))
      for (const [, name = ""] of list.matchAll(/(?:type\s+)?(\w+)\s*(?:,|$)/g)) names.add(name);
    for (const [, specifier = ""] of text.matchAll(/^export (?:type )?\* from "([^"]+)";/gm))
      for (const name of declaredExports(modules.get(moduleAt(path, specifier)) ?? ""))
        names.add(name);
  }
  return names;
}

const exportedDeclaration = /^export ((?:async )?(?:function|class|const|interface|type) (\w+))/gm;

function declaredExports(text: string): readonly string[] {
  return [...text.matchAll(exportedDeclaration)].map(([, , name = ""]) => name);
}

function packageImports(text: string): readonly string[] {
  const statements = [...text.matchAll(importOrReexport)];
  return statements
    .filter(([, specifier = ""]) => !specifier.startsWith("."))
    .map(([statement]) => statement.trim());
}

/** A module without its imports, and without `export` where the name is internal. */
function moduleBody(text: string, exported: ReadonlySet<string>): string {
  return text
    .replace(importOrReexport, "")
    .replace(exportedDeclaration, (statement, declaration: string, name: string) =>
      exported.has(name) ? statement : declaration,
    )
    .trim();
}
