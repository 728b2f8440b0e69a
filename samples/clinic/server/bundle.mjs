// `npm run bundle`, `npm run build:worker`: bundles the server into one file. The tools of
// src/tools become JSON text that is parsed when a tool is listed or called (see
// src/runtime/tools.ts). As code, a thousand tools would take most of the time and
// memory of a start. The search index is also built here; the first search loads it. The texts of
// many tools are compressed, and read by demand.
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import v8 from "node:v8";
import { Worker } from "node:worker_threads";
import { build, stop } from "esbuild";

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
const target = process.argv[2] === "worker" ? worker : server;
// The server reports the version of package.json, or that of the API for 0.0.0.
const { version } = JSON.parse(await readFile("package.json", "utf8"));
const define = version && version !== "0.0.0" ? { PACKAGE_VERSION: JSON.stringify(version) } : {};

/** Number of tools that one thread evaluates. */
const toolsPerThread = 500;
/** Number of tools above which memory counts more than time. */
const largeApi = 3000;
let isLarge = false;
/** Megabytes for new objects of a thread. With more, garbage would take most of its memory. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

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
  const code = await readFile(`${folder}/index.ts`, "utf8");
  const importLine = /^import \{ (\w+) \} from "\.[^"]*";$/gm;
  const imports = [...code.matchAll(importLine)].map(([line, name]) => ({ line, name }));
  isLarge = imports.length > largeApi;
  if (isLarge) saveMemory();
  // The list of the tools with an empty object in place of each.
  const { tools, stubs, ToolBundle, readIndex, ...others } = await import(
    await bundleCode(
      `${code.replace(importLine, "const $1 = {};")}
      export const stubs = { ${imports.map(({ name }) => name)} };
      export { readIndex, ToolBundle } from "../runtime/bundle.js";`,
      folder,
    )
  );
  const nameOf = new Map(Object.entries(stubs).map(([name, stub]) => [stub, name]));
  const order = tools.map((tool) => nameOf.get(tool));
  if (Object.keys(others).length > 0 || order.some((name) => !name)) return null;
  const bundle = new ToolBundle();
  for (let i = 0; i < imports.length; i += toolsPerThread)
    bundle.add(await readTools(imports.slice(i, i + toolsPerThread), folder));
  const collected = bundle.finish(order);
  const makeIndex = imports.length > toolsPerThread ? readIndexInThread : readIndex;
  const modules = bundle.modules(collected, await makeIndex(collected, folder), target === server);
  const asCode = imports.filter(({ name }) => !bundle.isSerialized(name)).map(({ line }) => line);
  const onLoad = (contents) => ({ contents, loader: "ts", resolveDir: folder });
  return { tools: onLoad([...asCode, modules.tools].join("\n")), index: onLoad(modules.index) };
}

/**
 * Makes Node and esbuild, a program in Go that the first bundle starts, collect garbage earlier. It
 * takes a third more processor time.
 */
function saveMemory() {
  v8.setFlagsFromString("--optimize-for-size");
  process.env.GOGC ??= "30";
}

/** Evaluates tools in a thread. */
function readTools(imports, folder) {
  return runThread(
    `import { readTools as run } from "../runtime/bundle.js";
    ${imports.map(({ line }) => line).join("\n")}
    const input = { ${imports.map(({ name }) => name)} };`,
    folder,
  );
}

/** Makes the search index in a thread. */
function readIndexInThread(collected, folder) {
  return runThread(
    `import { workerData as input } from "node:worker_threads";
    import { readIndex as run } from "../runtime/bundle.js";`,
    folder,
    collected,
  );
}

/** Returns what `run` of a module makes of `input`, in a thread whose memory ends with it. */
async function runThread(module, folder, workerData) {
  const code = await bundleCode(
    `import { parentPort } from "node:worker_threads";
    ${module}
    parentPort.postMessage(await run(input));`,
    folder,
  );
  const [result] = await once(new Worker(new URL(code), { workerData, resourceLimits }), "message");
  return result;
}

/**
 * Bundles code that imports from the project, as a URL to import. For a large API, esbuild ends after
 * each bundle and gives its memory back.
 */
async function bundleCode(contents, resolveDir) {
  const { outputFiles } = await build({
    ...common,
    stdin: { contents, resolveDir, loader: "ts" },
    platform: "node",
    alias: server.alias,
    write: false,
    logLevel: "silent",
  });
  if (isLarge) await stop();
  return `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`;
}
