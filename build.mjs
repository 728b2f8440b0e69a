// Builds the package into dist/: the program as one script, the library as ES modules, its types,
// and the licences of the packages inside. What is loaded on rare occasions only stays outside, as
// a dependency.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const started = new Date();
const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, "dist");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const { dependencies } = manifest;

/** Needed by every run: inside the bundle they load without being looked for. */
const inside = new Set(["commander", "js-yaml", "handlebars/runtime.js"]);

/**
 * Other dependencies stay outside: they are loaded on rare occasions only. Of handlebars that is
 * the compiler.
 */
const external = {
  name: "external",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      const name = path
        .split("/")
        .slice(0, path.startsWith("@") ? 2 : 1)
        .join("/");
      return kind !== "entry-point" && !inside.has(path) && name in dependencies
        ? { path, external: true }
        : undefined;
    });
  },
};

/**
 * commander loads what it would start other programs with, which is more than half of its own
 * loading: mcp-gen has no commands of that kind.
 */
const withoutPrograms = {
  name: "without-programs",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]commander[\\/]/.test(importer)
        ? { path: "child_process", namespace: "absent" }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: "absent" }, () => ({
      contents: "module.exports = {};",
      loader: "js",
    }));
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
  banner: {
    js:
      'import { createRequire as __createRequire } from "node:module"; ' +
      "const require = __createRequire(import.meta.url);",
  },
};

/** Part of the sources as a module of this process. */
async function imported(source) {
  const result = await build({ ...common, entryPoints: [source], packages: "external" });
  const program = join(
    root,
    "node_modules",
    `.mcp-gen-build-${process.pid}-${basename(source, ".ts")}.mjs`,
  );
  writeFileSync(program, result.outputFiles[0].text);
  try {
    return await import(pathToFileURL(program).href);
  } finally {
    rmSync(program);
  }
}

/**
 * Prepares what every run needs: the default templates as code, and the files
 * that are copied in one piece.
 */
async function prepared() {
  const { precompileModule } = await imported("src/render/templates/compile.ts");
  const { readSharedFiles, writeVerbatimBundle } = await imported("src/render/package-files.ts");
  return {
    templates: precompileModule(join(root, "templates")),
    verbatim: writeVerbatimBundle(readSharedFiles(root)),
  };
}

/** Replaces the module that stands for the prepared files in the sources. */
function inPlace(templates) {
  return {
    name: "prepared",
    setup({ onLoad }) {
      onLoad({ filter: /src[\\/]render[\\/]prebuilt\.ts$/ }, () => ({
        contents: `export const verbatimBundle = "dist/verbatim.txt";\n${templates}`,
        loader: "js",
      }));
    },
  };
}

async function bundle() {
  const { templates, verbatim } = await prepared();
  const plugins = [withoutPrograms, external, inPlace(templates)];
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: { index: "src/index.ts" },
    outdir: "dist",
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    metafile: true,
    legalComments: "none",
    plugins,
  });
  const [started, vendored] = [await program(plugins), await vendor()];
  const inputs = [metafile, started.metafile, vendored.metafile].flatMap((meta) =>
    Object.keys(meta.inputs),
  );
  return [
    ...[...outputFiles, ...vendored.outputFiles].map(({ path, text }) => [
      relative(dist, path),
      text,
    ]),
    ...started.files,
    ["verbatim.txt", verbatim],
    ["THIRD-PARTY-LICENSES.txt", licences(inputs)],
  ];
}

/**
 * The program as one script, whose compiled code can be kept, and what starts it: see
 * src/launch.ts. Its name has its content in it.
 */
async function program(plugins) {
  const script = {
    ...common,
    format: "cjs",
    charset: "ascii",
    outdir: "dist",
    legalComments: "none",
  };
  const aboutUrl = {
    banner: { js: 'const __url = require("node:url").pathToFileURL(__filename).href;' },
    define: { "import.meta.url": "__url" },
  };
  const { outputFiles, metafile } = await build({
    ...script,
    ...aboutUrl,
    entryPoints: ["src/cli.ts"],
    metafile: true,
    plugins,
  });
  const text = withImports(inAscii(outputFiles[0].text), metafile);
  const name = `program-${createHash("sha256").update(text).digest("hex").slice(0, 12)}.cjs`;
  const launcher = await build({
    ...script,
    banner: {},
    define: { PROGRAM: JSON.stringify(name) },
    entryPoints: ["src/launch.ts"],
  });
  return {
    files: [
      [name, text],
      ["cli.cjs", launcher.outputFiles[0].text],
    ],
    metafile,
  };
}

/**
 * Lets the launcher import packages that stay outside: compiled code that was kept has forgotten
 * how to (ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING).
 */
function withImports(text, metafile) {
  const outside = Object.values(metafile.outputs).flatMap(({ imports }) =>
    imports.filter(({ kind }) => kind === "dynamic-import"),
  );
  const paths = [...new Set(outside.map(({ path }) => path))];
  return paths.reduce(
    (all, path) =>
      all.replaceAll(`import(${JSON.stringify(path)})`, `__import(${JSON.stringify(path)})`),
    text,
  );
}

/**
 * A script that V8 keeps with one byte a character. esbuild leaves regular expressions as they are.
 */
function inAscii(text) {
  return text.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Bundles the packages of generated servers for `mcp-gen try`, which runs one where nothing is
 * installed.
 */
function vendor() {
  const packages = {
    "mcp-server": ["@modelcontextprotocol/server"],
    "mcp-server-stdio": ["@modelcontextprotocol/server/stdio"],
    jose: ["jose"],
    oauth4webapi: ["oauth4webapi"],
    "undici-agent": ["undici/lib/dispatcher/agent.js", "default"],
    "undici-connect": ["undici/lib/api/api-connect.js", "default"],
    "undici-connector": ["undici/lib/core/connect.js", "default"],
    "undici-pool": ["undici/lib/dispatcher/pool.js", "default"],
    "undici-proxy-agent": ["undici/lib/dispatcher/env-http-proxy-agent.js", "default"],
    "json-p3": ["json-p3", "query"],
  };
  const texts = new Map(
    Object.entries(packages).map(([name, [from, also]]) => [
      name,
      `export * from "${from}";${also ? ` export { ${also} } from "${from}";` : ""}`,
    ]),
  );
  const entries = {
    name: "vendor-entries",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^vendor:/ }, ({ path }) => ({
        path: path.slice(7),
        namespace: "vendor",
      }));
      onLoad({ filter: /.*/, namespace: "vendor" }, ({ path }) => ({
        contents: texts.get(path),
        resolveDir: root,
        loader: "js",
      }));
    },
  };
  // As the bundles of generated projects have them. There, too, all of the SDK shares one zod;
  // here, other versions may push copies of it apart.
  const zod = dirname(
    createRequire(join(root, "node_modules/@modelcontextprotocol/server/package.json")).resolve(
      "zod/package.json",
    ),
  );
  const alias = {
    "@modelcontextprotocol/server/_shims": join(root, "src/runtime/server/sdk-shims.ts"),
    "zod/v4": join(zod, "v4/index.js"),
  };
  const entryPoints = [...texts.keys()].map((name) => ({ in: `vendor:${name}`, out: name }));
  return build({
    ...common,
    entryPoints,
    outdir: "dist/vendor",
    splitting: true,
    chunkNames: "[name]-[hash]",
    metafile: true,
    minify: true,
    legalComments: "none",
    alias,
    plugins: [entries],
  });
}

/** The licence texts of every package that a bundle took code from. */
function licences(inputs) {
  const folders = inputs
    .map((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
    .filter((folder) => folder !== undefined);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(root, folder, "package.json"), "utf8"),
    );
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(root, folder, file), "utf8").trim() : ""}\n`;
  });
  return `The program contains code of these packages.\n\n${texts.join(`\n${"-".repeat(79)}\n\n`)}`;
}

/** Declarations of what `src/index.ts` exports. */
function declarations() {
  const options = ["--emitDeclarationOnly", "--outDir", "dist/types", "--rootDir", "src"];
  return compile(["src/index.ts"], options);
}

/** Modules of the package `mcp-gen-runtime`, by the name that they are imported by. */
const runtimeExports = {
  ".": "index",
  "./serve": "serve",
  "./node": "node",
  "./bundle": "bundle",
  "./dev": "dev/index",
  "./sign-in": "auth/sign-in/index",
  "./sdk-shims": "server/sdk-shims",
  "./workflow": "workflow/index",
  "./json-path": "workflow/json-path",
  "./mock": "mock/index",
  "./mock/contract": "mock/contract",
};

const runtimeFolder = join(dist, "runtime");

/**
 * The package `mcp-gen-runtime`: the runtime and the mock as modules with declarations, file by
 * file, so that a bundler leaves out the modules that a project does not use. `mcp-gen try` and
 * `mcp-gen serve` use these modules, too.
 */
async function runtime() {
  const mocks = ["index", "contract"].map((name) => `src/mock/${name}.ts`);
  const sources = Object.values(runtimeExports).filter((name) => !name.startsWith("mock/"));
  await Promise.all([
    compile(
      sources.map((name) => `src/runtime/${name}.ts`),
      ["--outDir", "dist/runtime", "--rootDir", "src/runtime"],
    ),
    compile(mocks, ["--outDir", "dist/runtime/mock", "--rootDir", "src/mock"]),
  ]);
  writeFileSync(join(runtimeFolder, "package.json"), runtimePackage());
  cpSync(join(root, "scripts/runtime-package.md"), join(runtimeFolder, "README.md"));
  cpSync(join(root, "LICENSE"), join(runtimeFolder, "LICENSE"));
}

/** package.json of `mcp-gen-runtime`: none of the dependencies of the generator. */
function runtimePackage() {
  const { version, license, engines, dependencies: own, devDependencies } = manifest;
  const versions = (...names) =>
    Object.fromEntries(names.map((name) => [name, { ...devDependencies, ...own }[name]]));
  const tools = versions("@cfworker/json-schema", "@modelcontextprotocol/client", "esbuild");
  const optional = Object.keys(tools).map((name) => [name, { optional: true }]);
  const entries = Object.entries(runtimeExports).map(([name, path]) => [
    name,
    { types: `./${path}.d.ts`, default: `./${path}.js` },
  ]);
  const content = {
    ...{ name: "mcp-gen-runtime", version },
    description: "The runtime of MCP servers that mcp-gen generates, and a mock of their API.",
    ...{ license, type: "module", sideEffects: false, engines },
    exports: { ...Object.fromEntries(entries), "./package.json": "./package.json" },
    files: ["**/*.js", "**/*.d.ts"],
    dependencies: versions(
      "@modelcontextprotocol/server",
      "jose",
      "json-p3",
      "oauth4webapi",
      "undici",
    ),
    peerDependencies: tools,
    peerDependenciesMeta: Object.fromEntries(optional),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** Runs TypeScript. Types are checked by `npm run typecheck`, not here. */
function compile(sources, output) {
  const args = [...sources, "--declaration", "--noCheck", ...output];
  const options = [
    "--ignoreConfig",
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--moduleResolution",
    "nodenext",
    "--strict",
    "--skipLibCheck",
    "--types",
    "node",
  ];
  return new Promise((done, fail) => {
    spawn(
      process.execPath,
      [join(root, "node_modules", "typescript", "bin", "tsc"), ...args, ...options],
      { cwd: root, stdio: "inherit" },
    ).on("exit", (code) => (code === 0 ? done() : fail(new Error(`tsc ended with ${code}`))));
  });
}

/**
 * Writes what is new and removes what is old, but for compiled code of the same program, so that a
 * program that is running from dist/ is not disturbed by a build that changes nothing.
 */
function update(files) {
  const wanted = new Map(files.map(([path, text]) => [join(dist, path), text]));
  for (const [path, text] of wanted) {
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: path.endsWith("cli.cjs") ? 0o755 : 0o644 });
  }
  const compiledFolders = [resolve(dist, "types"), resolve(dist, "runtime")];
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const compiled = wanted.has(path.replace(/-v[^-]*-\w+\.bin$/, ".cjs"));
    const isEmitted = compiledFolders.some((folder) => path.startsWith(folder));
    if (entry.isFile() && !wanted.has(path) && !compiled && !isEmitted) rmSync(path);
  }
}

/** Removes what TypeScript emitted for sources that are gone. */
function removeStaleModules(folder, sources, isOther = (_path) => false) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name));
    if (isOther(path) || !/\.[jt]s$/.test(path)) continue;
    const source = join(sources, path.replace(/(?:\.d)?\.[jt]s$/, ".ts"));
    if (entry.isFile() && !existsSync(source)) rmSync(join(folder, path));
  }
}

const [files] = await Promise.all([bundle(), declarations(), runtime()]);
removeStaleModules(join(runtimeFolder, "mock"), join(root, "src/mock"));
removeStaleModules(runtimeFolder, join(root, "src/runtime"), (path) => /^mock[\\/]/.test(path));
update(files);
// Tests build again if a source has changed since the start of this build.
const stamp = join(root, "node_modules/.mcp-gen-built");
writeFileSync(stamp, "");
utimesSync(stamp, started, started);
