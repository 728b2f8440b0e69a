// `npm run bundle`, `npm run build:worker`: bundles the server into one file. The tools of
// src/tools become JSON text that is parsed when a tool is listed or called (see
// src/runtime/tools.ts). As code, a thousand tools would take most of the time and
// memory of a start. The search index is also built here; the first search loads it.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const server = {
  entryPoints: ["src/main.ts"],
  outfile: "dist/server.js",
  platform: "node",
  target: "node20",
  banner: {
    js: [
      // The first statement that runs, so that older versions of Node print the requirement.
      "const [__major, __minor] = process.versions.node.split('.').map(Number);",
      "if (__major < 20 || (__major === 20 && __minor < 19)) {",
      "  console.error(`This server needs Node 20.19 or newer; this is ${process.versions.node}.`);",
      "  process.exit(2);",
      "}",
      // undici is CommonJS and needs `require`.
      'import { createRequire as __createRequire } from "node:module";',
      "const require = __createRequire(import.meta.url);",
    ].join("\n"),
  },
  // The SDK uses Ajv on Node, which is large and generates code at run time.
  alias: { "@modelcontextprotocol/server/_shims": "./src/runtime/server/sdk-shims.ts" },
};
const worker = {
  entryPoints: ["src/worker.ts"],
  outfile: "dist/worker.js",
  platform: "neutral",
  target: "es2022",
  mainFields: ["module", "main"],
  conditions: ["workerd", "worker", "browser"],
};
const common = { bundle: true, format: "esm", logLevel: "warning" };
// The server reports the version of package.json, or that of the API for 0.0.0.
const { version } = JSON.parse(await readFile("package.json", "utf8"));
const define = version && version !== "0.0.0" ? { PACKAGE_VERSION: JSON.stringify(version) } : {};

// If the tools cannot be evaluated, their source is bundled.
const serialized = await serializedTools("src/tools").catch(() => null);
const pack = {
  name: "pack",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]tools[\\/]index\.ts$/ }, () => serialized?.tools);
    onLoad({ filter: /[\\/]search[\\/]stored-index\.[jt]s$/ }, () => serialized?.index);
  },
};
// Without comments and indentation, because V8 keeps the source text in memory.
const target = process.argv[2] === "worker" ? worker : server;
const result = await build({
  ...common,
  ...target,
  define,
  minifyWhitespace: true,
  lineLimit: 160,
  legalComments: "none",
  sourcemap: process.argv.includes("--sourcemap") && "linked",
  metafile: true,
  plugins: [pack],
}).catch(() => (process.exitCode = 1));
if (result.metafile)
  await writeFile(
    `${target.outfile}.LEGAL.txt`,
    await collectLicenses(Object.keys(result.metafile.inputs)),
  );

/** Returns the licenses of the bundled packages. */
async function collectLicenses(inputs) {
  const folders = new Set(
    inputs.flatMap((path) => /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0] ?? []),
  );
  const texts = [...folders].sort().map(async (folder) => {
    const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, "utf8"));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version} (${license})\n\n${file ? (await readFile(`${folder}/${file}`, "utf8")).trim() : ""}\n`;
  });
  return `This program contains code of these packages.\n\n${(await Promise.all(texts)).join(`\n${"-".repeat(79)}\n\n`)}`;
}

/**
 * Returns src/tools/index.ts with serialized tools, and the module of the search index; null if it
 * has other exports. Tools with functions, such as workflows, remain imports.
 */
async function serializedTools(folder) {
  const imports = [
    ...(await readFile(`${folder}/index.ts`, "utf8")).matchAll(
      /^import \{ (\w+) \} from "\.[^"]*";$/gm,
    ),
  ];
  const names = imports.map(([, name]) => name);
  const { index, named, serializeTool, storeIndex } = await load(
    `${imports.map(([line]) => line).join("\n")}
    export * as index from "./index.js";
    export { serializeTool, storeIndex } from "../runtime/bundle.js";
    export const named = { ${names} };`,
    folder,
  );
  const { tools, ...others } = index;
  const nameOf = new Map(Object.entries(named).map(([name, tool]) => [tool, name]));
  const packed = await Promise.all(
    tools.map(async (tool) => {
      const serialized = await serializeTool(tool);
      return serialized ? JSON.stringify(serialized) : nameOf.get(tool);
    }),
  );
  if (Object.keys(others).length > 0 || packed.some((code) => !code)) return null;
  const kept = imports.filter(([, name]) => packed.includes(name)).map(([line]) => line);
  const stored = JSON.stringify(storeIndex(tools.filter(({ hidden }) => !hidden)));
  return {
    tools: {
      contents: `${kept.join("\n")}\nexport const tools = [\n${packed.join(",\n")}\n];`,
      loader: "ts",
      resolveDir: folder,
    },
    index: {
      contents: `export const readStoredIndex = () => JSON.parse(${JSON.stringify(stored)});`,
      loader: "js",
    },
  };
}

/** Evaluates code that imports from the project, and returns its exports. */
async function load(contents, resolveDir) {
  const { outputFiles } = await build({
    ...common,
    stdin: { contents, resolveDir, loader: "ts" },
    platform: "node",
    alias: server.alias,
    write: false,
    logLevel: "silent",
  });
  return import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`
  );
}
