// Builds the compared servers: the generated one, the hand-written reference, and that of
// openapi-mcp-generator.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { initialize, listTools, startServer } from "./stdio-client.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));
export const ourCli = path.join(root, "dist/cli.cjs");
export const theirCli = path.join(
  root,
  "node_modules/openapi-mcp-generator/bin/openapi-mcp-generator.js",
);

/** A fresh temporary folder whose `node_modules` is the repository's. */
export function scratchFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), "mcp-gen-bench-"));
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  return folder;
}

/**
 * Generates our server and bundles it with its own `npm run bundle`. Returns the path of the
 * bundle.
 */
export const buildOurs = (documentFile, ...options) => buildWith(ourCli, documentFile, ...options);

/** The same with the command line of another build of mcp-gen. */
export function buildWith(cli, documentFile, ...options) {
  const folder = path.join(scratchFolder(), "server");
  execFileSync(process.execPath, [cli, documentFile, "-o", folder, ...options], {
    stdio: "ignore",
  });
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  execFileSync("npm", ["run", "--silent", "bundle"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return path.join(folder, "dist/server.js");
}

/**
 * Bundles the reference server with the tools that `ours` lists.
 * @param ours arguments of Node
 * @param document synthetic document; without one the tools cannot be called
 */
export async function buildReference(ours, document, env) {
  const server = startServer(ours, env);
  await initialize(server);
  const definitions = await listTools(server);
  await server.close();
  const folder = scratchFolder();
  const catalogue = definitions.map((definition, i) => ({
    definition,
    ...(document && route(document, i)),
  }));
  writeFileSync(path.join(folder, "catalogue.json"), JSON.stringify(catalogue));
  copyFileSync(
    path.join(root, "bench/reference-server.mjs"),
    path.join(folder, "reference-server.mjs"),
  );
  const out = path.join(folder, "server.mjs");
  buildSync({
    absWorkingDir: folder,
    entryPoints: ["reference-server.mjs"],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    minifyWhitespace: true,
    lineLimit: 160,
    outfile: out,
    logLevel: "warning",
  });
  return out;
}

/** Request of the tool at an index. The server's own tools follow those of the document. */
function route(document, index) {
  const entry = Object.entries(document.paths)[index];
  if (entry === undefined) return {};
  const [template, item] = entry;
  return {
    path: template,
    query: item.get.parameters.filter((p) => p.in === "query").map((p) => p.name),
  };
}

/**
 * Generates openapi-mcp-generator's server and compiles it with its own build, which does not
 * bundle.
 */
export function buildTheirs(documentFile) {
  const folder = path.join(scratchFolder(), "server");
  execFileSync(process.execPath, [theirCli, "-i", documentFile, "-o", folder, "--force"], {
    stdio: "ignore",
  });
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  mkdirSync(path.join(folder, "build"));
  const out = path.join(folder, "build/index.js");
  buildSync({
    absWorkingDir: folder,
    entryPoints: ["src/index.ts"],
    platform: "node",
    format: "esm",
    outfile: out,
    logLevel: "error",
  });
  return out;
}

/** Writes a document where the generators can read it. */
export function documentFile(document) {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "mcp-gen-bench-")), "openapi.json");
  writeFileSync(file, JSON.stringify(document));
  return file;
}

/**
 * Resident memory of a running process in MB; undefined on systems other than Linux.
 */
export function residentMegabytes(pid) {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return kilobytes ? Number(kilobytes[1]) / 1024 : undefined;
  } catch {
    return undefined;
  }
}
