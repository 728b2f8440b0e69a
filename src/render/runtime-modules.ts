/** Joining of the runtime's files: a generated project has a module for each subject. */
import { posix } from "node:path";
import { memoize } from "../memoize.js";
import { fingerprintParts } from "../source-parts.js";
import { ImportList } from "./import-list.js";
import {
  bodyFingerprints,
  keptBody,
  keptComment,
  type KeptFile,
  keptImports,
  textOf,
} from "./reachable-code.js";
import { targetOf } from "./runtime-scopes.js";
import type { GeneratedFile } from "./types.js";

/**
 * Modules by the start of the paths of their files; the first row that matches counts. Other files
 * become the module of their folder. Files are apart from their folder if they are loaded on
 * demand, run on Node only, or are imported by their path.
 */
const modulesByPath: readonly (readonly [start: string, module: string])[] = [
  ["api-definition.ts", "types.ts"],
  ["approvals/", "server.ts"],
  ["auth/sign-in/", "auth/sign-in/index.ts"],
  ["cluster/index.ts", "serve.ts"],
  ["client/dispatchers.ts", "client/undici.ts"],
  ["client/node-client.ts", "node.ts"],
  ["client/undici-modules.d.ts", "client/undici-modules.d.ts"],
  ["client/undici", "client/undici.ts"],
  ["commands/", "serve.ts"],
  ["dev/", "dev/index.ts"],
  ["discovery/match-count.ts", "data.ts"],
  ["discovery/search/stored-index.ts", "discovery/search/stored-index.ts"],
  ["discovery/search/", "discovery/search.ts"],
  ["discovery/signature.ts", "tools.ts"],
  ["discovery/store-index.ts", "bundle.ts"],
  ["files/", "request.ts"],
  ["language/verbs.ts", "discovery/search.ts"],
  ["language/", "data.ts"],
  ["left-out.ts", "data.ts"],
  ["security-schemes.ts", "types.ts"],
  ["server/flags.ts", "node.ts"],
  ["server/files-folder.ts", "node.ts"],
  ["server/node-platform.ts", "node.ts"],
  ["server/sdk-shims.ts", "server/sdk-shims.ts"],
  ["store/durable-object.ts", "transport.ts"],
  ["store/encrypted.ts", "store/encrypted.ts"],
  ["store/file", "store/file.ts"],
  ["store/open.ts", "serve.ts"],
  ["store/redis.ts", "store/redis.ts"],
  ["store/worker-store.", "transport.ts"],
  ["store/", "data.ts"],
  ["tasks/", "server.ts"],
  ["tools/compressed-tools.ts", "bundle.ts"],
  ["transport/http/direct-exchange.ts", "node.ts"],
  ["transport/http/node-handler.ts", "node.ts"],
  ["transport/http/serve-http.ts", "node.ts"],
  ["transport/http/serve-metrics.ts", "node.ts"],
  ["transport/http/trusted-proxies.ts", "node.ts"],
  ["transport/stdio/", "node.ts"],
  ["workflow/json-path.ts", "workflow/json-path.ts"],
  ["workflow/", "workflow/index.ts"],
];

/** The same for files that stand in for a folder that is left out. */
const modulesOfStandIns: typeof modulesByPath = [
  ["discovery/", "tools.ts"],
  ["pagination/", "server.ts"],
];

/** Path of the module that a file of the runtime becomes a part of. */
export function moduleOf(path: string, isStandIn = false): string {
  const rows = isStandIn ? [...modulesOfStandIns, ...modulesByPath] : modulesByPath;
  const row = rows.find((one) => path.startsWith(one[0]));
  if (row) return row[1];
  return path.includes("/") ? `${path.slice(0, path.indexOf("/"))}.ts` : path;
}

/**
 * Joins the files of each subject into one module. Names and declarations stay as they are, because
 * no two files of a module declare the same name.
 * @param files what a project keeps of the runtime's files
 * @returns the modules, by their path below `src/runtime`
 */
export function joinRuntimeFiles(
  files: ReadonlyMap<string, KeptFile>,
): ReadonlyMap<string, GeneratedFile> {
  const moduleOfFile = memoize((path) =>
    moduleOf(path, files.get(path)?.scope.standIn !== undefined),
  );
  const modules = new Map<string, KeptFile[]>();
  for (const file of inDependencyOrder(files)) {
    const module = moduleOfFile(file.path);
    const parts = modules.get(module) ?? [];
    parts.push(file);
    modules.set(module, parts);
  }
  return new Map(
    [...modules].map(([path, parts]) => [
      path,
      { path, ...joined(path, parts, moduleOfFile), parts: () => parts.map(asPart) },
    ]),
  );
}

const asPart = (file: KeptFile): GeneratedFile => ({
  path: file.path,
  content: textOf(file),
  ...(file.scope.standIn && { isStandIn: true }),
});

/** The files: each comes after those that it imports. */
export function inDependencyOrder(files: ReadonlyMap<string, KeptFile>): ReadonlySet<KeptFile> {
  const ordered = new Set<KeptFile>();
  const visited = new Set<string>();
  const visit = (path: string): void => {
    const file = files.get(path);
    if (visited.has(path) || !file) return;
    visited.add(path);
    for (const { path: target } of keptImports(file)) if (target !== undefined) visit(target);
    ordered.add(file);
  };
  [...files.keys()].sort().forEach(visit);
  return ordered;
}

function specifierOf(module: string, imported: string): string {
  const path = posix.relative(posix.dirname(module), imported).slice(0, -".ts".length);
  return `${path.startsWith(".") ? "" : "./"}${path}.js`;
}

/** A module: its imports, then its parts. */
function joined(
  module: string,
  parts: readonly KeptFile[],
  moduleOfFile: (path: string) => string,
): Pick<GeneratedFile, "content" | "fingerprints"> {
  const specifierOfModule = memoize((imported) => specifierOf(module, imported));
  const specifierTo = (path: string): string => specifierOfModule(moduleOfFile(path));
  const imports = new ImportList();
  for (const part of parts)
    for (const { path, ...one } of keptImports(part)) {
      if (path === undefined) imports.add(one);
      else if (moduleOfFile(path) !== module) imports.add({ ...one, from: specifierTo(path) });
    }
  const texts = parts.map((part) => {
    const body = keptBody(part, (text) =>
      text.replace(
        /(\bimport\(\s*)"(\.[^"]+)"/g,
        (_, call: string, from: string) => `${call}"${specifierTo(targetOf(part.path, from))}"`,
      ),
    );
    const fingerprints = bodyFingerprints(part, body);
    return { path: part.path, comment: keptComment(part), body, fingerprints };
  });
  const [first] = texts;
  const sections =
    texts.length === 1 && first
      ? [printed(first.comment + imports.toString()), bodyAlone(first)]
      : [printed(banner(module)), printed(imports.toString()), ...texts.map(printedSection)];
  return {
    content: sections.flatMap(({ text }) => (text === "" ? [] : [text])).join("\n"),
    // The first part of a file without a comment and imports may begin with a comment of its own.
    ...(sections[0]?.text && {
      fingerprints: sections.map(({ fingerprints }) => fingerprints).join(""),
    }),
  };
}

/** Text of a part without its imports, and the fingerprints of its declarations. */
interface PartText {
  readonly path: string;
  readonly comment: string;
  readonly body: string;
  readonly fingerprints: string;
}

/** A text between empty lines, with the fingerprints of its parts. */
interface PrintedText {
  readonly text: string;
  readonly fingerprints: string;
}

const printed = (text: string): PrintedText => ({ text, fingerprints: fingerprintParts(text) });

const bodyAlone = ({ body, fingerprints }: PartText): PrintedText => ({
  text: body && `${body}\n`,
  fingerprints,
});

const printedSection = (part: PartText): PrintedText =>
  part.body === ""
    ? { text: "", fingerprints: "" }
    : {
        text: section(part),
        fingerprints: fingerprintParts(sectionComment(part)) + part.fingerprints,
      };

const banner = (module: string): string =>
  `// ${module.slice(0, -".ts".length)}: files of the runtime of mcp-gen as one module, ` +
  "each after those that it uses.\n";

/** A part of a module below the comment about it. */
export function section(part: Omit<PartText, "fingerprints">): string {
  return part.body === "" ? "" : `${sectionComment(part)}\n${part.body}\n`;
}

/** The comment above a part. As a doc comment, it would describe the part's first declaration. */
function sectionComment({ path, comment }: Pick<PartText, "path" | "comment">): string {
  const lines = comment.split("\n").map((line) => line.replace(/^[\s/*]*|[\s/*]*$/g, ""));
  const about = lines.filter((line) => line !== "").map((line) => `// ${line}\n`);
  return `// ---- ${path} ----\n${about.join("")}`;
}
