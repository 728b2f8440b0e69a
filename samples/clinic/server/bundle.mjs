// `npm run bundle`, `npm run build:worker`: bundles the server into one file.
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
const target = process.argv[2] === "worker" ? worker : server;
// The server reports the version of package.json, or that of the API for 0.0.0.
const { version } = JSON.parse(await readFile("package.json", "utf8"));
const define = version && version !== "0.0.0" ? { PACKAGE_VERSION: JSON.stringify(version) } : {};

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
