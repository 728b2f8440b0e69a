// Builds the package into dist/: the program as one script, the library as ES modules, its types, and the
// licences of the packages inside. What is loaded on rare occasions only stays outside, as a dependency.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, "dist");
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Needed by every run: inside the bundle they load without being looked for. */
const inside = new Set(["commander", "js-yaml", "handlebars/runtime.js"]);

/** Other dependencies stay outside: they are loaded on rare occasions only. Of handlebars that is the compiler. */
const external = {
  name: "external",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      const name = path.split("/").slice(0, path.startsWith("@") ? 2 : 1).join("/");
      return kind !== "entry-point" && !inside.has(path) && name in dependencies ? { path, external: true } : undefined;
    });
  },
};

/** Common options: modern Node, and `require` for the CommonJS packages inside. */
const common = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  logLevel: "warning",
  write: false,
  banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' },
};

/** The default templates as code, made by the sources themselves. */
async function precompileTemplates() {
  const result = await build({ ...common, entryPoints: ["src/render/templates/precompile.ts"], packages: "external" });
  const program = join(root, "node_modules", `.mcp-gen-precompile-${process.pid}.mjs`);
  writeFileSync(program, result.outputFiles[0].text);
  try {
    const { precompileModule } = await import(pathToFileURL(program).href);
    return await precompileModule(join(root, "templates"));
  } finally {
    rmSync(program);
  }
}

function precompiledTemplates(contents) {
  return {
    name: "precompiled-templates",
    setup({ onLoad }) {
      onLoad({ filter: /src[\\/]render[\\/]templates[\\/]precompiled\.ts$/ }, () => ({ contents, loader: "js" }));
    },
  };
}

async function bundle() {
  const templates = precompiledTemplates(await precompileTemplates());
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: { index: "src/index.ts", "ahead-thread": "src/write/ahead-thread.ts" },
    outdir: "dist",
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    metafile: true,
    legalComments: "none",
    plugins: [external, templates],
  });
  const [started, vendored] = [await program(templates), await vendor()];
  const inputs = [metafile, started.metafile, vendored.metafile].flatMap((meta) => Object.keys(meta.inputs));
  return [...[...outputFiles, ...started.outputFiles, ...vendored.outputFiles].map(({ path, text }) => [relative(dist, path), text]), ["THIRD-PARTY-LICENSES.txt", licences(inputs)]];
}

/** Functions that come from compiled code that was kept know no loader: what they load, they require. */
const IN_KEPT_CODE = { "dynamic-import": false };

/** The program as one script, whose compiled code can be kept, and what starts it: see src/launch.ts. */
async function program(templates) {
  const script = { ...common, banner: { js: 'const __url = require("node:url").pathToFileURL(__filename).href;' }, define: { "import.meta.url": "__url" }, format: "cjs", charset: "ascii", outdir: "dist", legalComments: "none", supported: IN_KEPT_CODE };
  const { outputFiles, metafile } = await build({ ...script, entryPoints: { program: "src/cli.ts" }, entryNames: "[name]-[hash]", outExtension: { ".js": ".cjs" }, metafile: true, plugins: [external, templates] });
  const PROGRAM = JSON.stringify(basename(outputFiles[0].path));
  const launcher = await build({ ...script, banner: {}, define: { PROGRAM }, entryPoints: { cli: "src/launch.ts" }, outExtension: { ".js": ".cjs" } });
  return { outputFiles: [...outputFiles, ...launcher.outputFiles].map(({ path, text }) => ({ path, text: inAscii(text) })), metafile };
}

/** A script that V8 keeps with one byte a character. esbuild leaves regular expressions as they are. */
function inAscii(text) {
  return text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** What generated servers import when they run, for `mcp-gen try`: it runs one where nothing is installed. */
function vendor() {
  const packages = { "mcp-server": ["@modelcontextprotocol/server"], "mcp-server-stdio": ["@modelcontextprotocol/server/stdio"], minisearch: ["minisearch", "default"], "json-p3": ["json-p3", "query"] };
  const texts = new Map(Object.entries(packages).map(([name, [from, also]]) => [name, `export * from "${from}";${also ? ` export { ${also} } from "${from}";` : ""}`]));
  const entries = {
    name: "vendor-entries",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^vendor:/ }, ({ path }) => ({ path: path.slice(7), namespace: "vendor" }));
      onLoad({ filter: /.*/, namespace: "vendor" }, ({ path }) => ({ contents: texts.get(path), resolveDir: root, loader: "js" }));
    },
  };
  // As the bundles of generated projects have them. There, too, all of the SDK shares one zod; here, other versions may push copies of it apart.
  const zod = dirname(createRequire(join(root, "node_modules/@modelcontextprotocol/server/package.json")).resolve("zod/package.json"));
  const alias = { "@modelcontextprotocol/server/_shims": join(root, "src/runtime/node/sdk-platform.ts"), "zod/v4": join(zod, "v4/index.js") };
  const entryPoints = [...texts.keys()].map((name) => ({ in: `vendor:${name}`, out: name }));
  return build({ ...common, entryPoints, outdir: "dist/vendor", splitting: true, chunkNames: "[name]-[hash]", metafile: true, minify: true, legalComments: "none", alias, plugins: [entries] });
}

/** The licence texts of every package that a bundle took code from. */
function licences(inputs) {
  const folders = inputs.map((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]).filter((folder) => folder !== undefined);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(root, folder, file), "utf8").trim() : ""}\n`;
  });
  return `The program contains code of these packages.\n\n${texts.join(`\n${"-".repeat(79)}\n\n`)}`;
}

/** Declarations of what `src/index.ts` exports. Types are checked by `npm run typecheck`, not here. */
function declarations() {
  const args = ["src/index.ts", "--declaration", "--emitDeclarationOnly", "--noCheck", "--outDir", "dist/types", "--rootDir", "src"];
  const options = ["--ignoreConfig", "--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext", "--strict", "--skipLibCheck", "--types", "node"];
  return new Promise((done, fail) => {
    spawn(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), ...args, ...options], { cwd: root, stdio: "inherit" }).on("exit", (code) =>
      code === 0 ? done() : fail(new Error(`tsc ended with ${code}`)),
    );
  });
}

/** Writes what is new and removes what is old, but for compiled code of the same program, so that a program that is running from dist/ is not disturbed by a build that changes nothing. */
function update(files) {
  const wanted = new Map(files.map(([path, text]) => [join(dist, path), text]));
  for (const [path, text] of wanted) {
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: path.endsWith("cli.cjs") ? 0o755 : 0o644 });
  }
  const types = resolve(dist, "types");
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const compiled = wanted.has(path.replace(/-v[^-]*-\w+\.bin$/, ".cjs"));
    if (entry.isFile() && !wanted.has(path) && !compiled && !path.startsWith(types)) rmSync(path);
  }
}

const [files] = await Promise.all([bundle(), declarations()]);
update(files);
