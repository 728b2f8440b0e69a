#!/usr/bin/env node
/**
 * Compares the plans of two builds of mcp-gen for the same documents: tool names, definitions,
 * request mappings, fingerprints and diagnostics.
 *
 * node scripts/compare-plans.mjs BEFORE AFTER [DOCUMENT|FOLDER …]
 *
 * BEFORE and AFTER are checkouts with a build in dist/. Folders are searched for OpenAPI documents.
 * Prints the differences by kind with counts, and one example of each. Exit code 1 when a
 * difference changes behavior (every kind but the texts of diagnostics). Renamed fields of request
 * mappings are compared under their new names (`RENAMED`).
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { dumpOf } from "./dump.mjs";

const SELF = fileURLToPath(import.meta.url);

/**
 * Renamed fields of bindings by kind of object: old name → new name. The kind of a member is its
 * name, or its entry in `KINDS`.
 */
const RENAMED = {
  tool: { requests: "operations" },
  operations: { given: "whenProvided", send: "request", read: "response", pages: "pagination" },
  response: { rest: "extraFields", keep: "projection" },
  projection: { of: "list" },
  pagination: { header: "linkHeader", size: "pageSize", more: "hasMore" },
  cursor: { at: "pointer" },
  after: { at: "pointer" },
  pageSize: { usual: "default" },
  body: { others: "alternativeTypes", least: "minProperties", most: "maxProperties" },
  source: { byOwner: "isConfigured" },
  fieldEncoding: { filename: "filenameInput" },
  xml: { bare: "nodeType", places: "prefixItems" },
  nameResolution: {
    via: "lookupTool",
    match: "nameField",
    id: "idField",
    text: "searchInput",
    get: "idInput",
    pass: "sharedInputs",
    ids: "idSchema",
    pages: "pagination",
  },
};

/** Kinds of members in objects whose keys are names from the API. */
const MEMBER_KINDS = {
  pathParams: "source",
  query: "source",
  headers: "source",
  cookies: "source",
  fields: "source",
  encoding: "fieldEncoding",
  properties: "xml",
  resolve: "nameResolution",
};

/** Kinds of members whose name differs from their kind. */
const KINDS = {
  itemEncoding: "fieldEncoding",
  prefixEncoding: "fieldEncoding",
  querystring: "source",
  prefixItems: "xml",
  items: "xml",
};

if (process.argv[2] === "--dump") await dump(process.argv[3], process.argv.slice(4));
else compareAll(process.argv[2], process.argv[3], process.argv.slice(4));

/** Writes the plan of the build at `root` to stdout, one JSON line per document. */
async function dump(root, documents) {
  const { generate } = await import(pathToFileURL(join(resolve(root), "dist/index.js")).href);
  for (const document of documents) {
    const line = { document, ...(await planOf(generate, document)) };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
}

async function planOf(generate, document) {
  try {
    const { plan, files, diagnostics } = await generate(document, undefined, {});
    const lock = files?.find(({ path }) => path === "mcp-gen.lock.json")?.content ?? "{}";
    const tools = plan?.tools.map(({ definition }) => definition) ?? [];
    return {
      tools,
      fingerprints: { ...fingerprintsOf(tools), ...recordedFingerprints(JSON.parse(lock)) },
      diagnostics: diagnostics.map(({ code, severity, message, hint }) => ({
        code,
        severity,
        message,
        hint,
      })),
    };
  } catch (error) {
    return {
      tools: [],
      fingerprints: {},
      diagnostics: [{ code: "thrown", severity: "error", message: String(error) }],
    };
  }
}

/** Computes the fingerprints of definitions by tool name. */
function fingerprintsOf(tools) {
  return Object.fromEntries(
    tools.map(({ name, title, description, annotations, inputSchema, outputSchema }) => {
      const listed = { name, title, description, annotations, inputSchema, outputSchema };
      const json = canonicalJson(JSON.parse(JSON.stringify(listed)));
      return [name, `sha256:${createHash("sha256").update(json).digest("hex")}`];
    }),
  );
}

/** Canonical JSON (RFC 8785), independent of the project's code. */
function canonicalJson(value) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(",")}}`;
}

/** Fingerprints in a lock, until layout 2. */
function recordedFingerprints({ tools = [] }) {
  return Object.fromEntries(
    tools.flatMap(({ name, fingerprint }) => (fingerprint ? [[name, fingerprint]] : [])),
  );
}

function compareAll(before, after, paths) {
  if (!before || !after) {
    process.stderr.write("usage: compare-plans.mjs BEFORE AFTER [DOCUMENT|FOLDER …]\n");
    process.exit(2);
  }
  const documents = paths.flatMap(documentsIn);
  const differences = new Map();
  const note = (kind, document, tool, was, is) => {
    const entry = differences.get(kind) ?? { count: 0, example: { document, tool, was, is } };
    differences.set(kind, { ...entry, count: entry.count + 1 });
  };
  let tools = 0;
  for (const document of documents) {
    const [old, now] = [before, after].map((root) => dumpOf(SELF, root, document));
    tools += old.tools.length;
    compareDocument(document, old, now, note);
  }
  print(documents.length, tools, differences);
  process.exitCode = [...differences.keys()].some((kind) => !kind.startsWith("diagnostic")) ? 1 : 0;
}

/** Lists the OpenAPI documents in a folder: JSON and YAML files with a version field. */
function documentsIn(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(json|ya?ml)$/.test(name))
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile())
    .filter((file) =>
      /^\s*["']?(openapi|swagger)["']?\s*:/m.test(readFileSync(file, "utf8").slice(0, 20_000)),
    )
    .sort();
}

function compareDocument(document, before, after, note) {
  const names = (tools) => tools.map(({ name }) => name);
  const [old, now] = [before, after].map(
    ({ tools }) => new Map(tools.map((tool) => [tool.name, tool])),
  );
  for (const name of names(before.tools))
    if (!now.has(name)) note("tool removed", document, name, name, undefined);
  for (const name of names(after.tools))
    if (!old.has(name)) note("tool added", document, name, undefined, name);
  if (names(before.tools).join() !== names(after.tools).join())
    note("order of tools", document, "", "", "");
  for (const [name, tool] of old) {
    const other = now.get(name);
    if (other) compareTool(document, withRenamedFields(tool), withRenamedFields(other), note);
  }
  compareFingerprints(document, before.fingerprints, after.fingerprints, note);
  compareDiagnostics(document, before.diagnostics, after.diagnostics, note);
}

/** Returns a tool with the new names of its binding fields. */
function withRenamedFields({ requests, operations = requests, ...definition }) {
  return { ...definition, operations: withNewNames(operations ?? [], "operations") };
}

/** Returns a value of a binding with new field names. `kind` selects the table. */
function withNewNames(value, kind) {
  if (Array.isArray(value)) return value.map((item) => withNewNames(item, kind));
  if (typeof value !== "object" || value === null) return value;
  const memberKind = MEMBER_KINDS[kind];
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const name = memberKind ? key : (RENAMED[kind]?.[key] ?? key);
      return [name, withNewNames(member, memberKind ?? KINDS[name] ?? name)];
    }),
  );
}

function compareTool(document, before, after, note) {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[key], after[key]].map((value) => JSON.stringify(value));
    if (was !== is) note(`definition: ${key}`, document, before.name, was, is);
  }
}

function compareFingerprints(document, before, after, note) {
  for (const [name, fingerprint] of Object.entries(before)) {
    if (Object.hasOwn(after, name) && after[name] !== fingerprint)
      note("fingerprint", document, name, fingerprint, after[name]);
  }
}

function compareDiagnostics(document, before, after, note) {
  if (before.length !== after.length) {
    note("diagnostics: number", document, "", String(before.length), String(after.length));
    return;
  }
  before.forEach((old, index) => {
    const now = after[index];
    for (const key of ["code", "severity", "message", "hint"]) {
      if (old[key] !== now[key])
        note(`diagnostic: ${key}`, document, old.code, String(old[key]), String(now[key]));
    }
  });
}

function print(documents, tools, differences) {
  process.stdout.write(`${documents} documents, ${tools} tools\n`);
  if (differences.size === 0) process.stdout.write("no differences\n");
  for (const [kind, { count, example }] of [...differences].sort(([a], [b]) => (a < b ? -1 : 1))) {
    process.stdout.write(`${kind}: ${count}\n  first: ${example.document} ${example.tool}\n`);
    process.stdout.write(`  before: ${truncate(example.was)}\n  after:  ${truncate(example.is)}\n`);
  }
}

function truncate(text = "(none)") {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
