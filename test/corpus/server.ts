import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { build, type Plugin } from "esbuild";
import path from "node:path";
import { pathToFileURL } from "node:url";
import {
  createMcpServer,
  createServerContext,
  type ServerContextOptions,
} from "../../src/runtime/index.js";
import { requireBanner } from "../esbuild-banner.js";

const serverOptions = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  banner: requireBanner,
  logLevel: "error",
} as const;

/** Bundles a generated project like its `npm run bundle`, into the same file. */
export async function bundle(folder: string): Promise<string> {
  const outfile = path.join(folder, "dist/server.js");
  await build({ ...serverOptions, entryPoints: [path.join(folder, "src/main.ts")], outfile });
  return outfile;
}

/**
 * Bundles the servers of several projects in one run, with this repository's runtime.
 *
 * @param outputs an empty folder inside of one with the packages that projects import
 * @returns the files of the servers, in the order of the projects
 */
export async function bundleTogether(
  projects: readonly string[],
  outputs: string,
): Promise<string[]> {
  await build({
    ...serverOptions,
    entryPoints: projects.map((folder, i) => ({
      in: path.join(folder, "src/main.ts"),
      out: `server${i}`,
    })),
    splitting: true,
    outdir: outputs,
    outExtension: { ".js": ".mjs" },
    plugins: [repositoryRuntime],
  });
  return projects.map((_, i) => path.join(outputs, `server${i}.mjs`));
}

/**
 * Starts a bundled server over stdio and lists the names of its tools, over all pages.
 *
 * @param flags options of Node, before the program
 */
export async function listedTools(
  server: string,
  flags: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<string[]> {
  const client = new Client({ name: "corpus", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...flags, server, "--mode", "tools"],
      env,
      stderr: "ignore",
    }),
  );
  return namesOf(client);
}

/**
 * Lists the names of tools that a client sees, by project. The projects are bundled in one run,
 * with this repository's runtime, and served in this process.
 *
 * @param projects folders inside of the workspace
 * @param workspace a folder with the packages that projects import
 */
export async function toolNamesOf(
  projects: readonly string[],
  workspace: string,
): Promise<string[][]> {
  const imports = projects.flatMap((folder, i) => [
    `import { api as api${i} } from ${JSON.stringify(path.join(folder, "src/api.js"))};`,
    `import { tools as tools${i} } from ${JSON.stringify(path.join(folder, "src/tools/index.js"))};`,
  ]);
  const servers = projects.map((_, i) => `{ api: api${i}, tools: tools${i} }`);
  const outfile = path.join(workspace, "servers.mjs");
  await build({
    ...serverOptions,
    stdin: {
      contents: `${imports.join("\n")}\nexport default [${servers.join(", ")}];\n`,
      resolveDir: workspace,
    },
    outfile,
    external: ["@modelcontextprotocol/*"],
    plugins: [repositoryRuntime],
  });
  const { default: options } = (await import(pathToFileURL(outfile).href)) as {
    readonly default: readonly ServerContextOptions[];
  };
  return Promise.all(options.map(servedNames));
}

/** Replaces the copies of the runtime in projects. */
const repositoryRuntime: Plugin = {
  name: "repository-runtime",
  setup({ onResolve }) {
    const runtime = path.join(import.meta.dirname, "../../src/runtime");
    onResolve({ filter: /^(\.\.?\/)+runtime\// }, ({ path: imported }) => ({
      path: path.join(runtime, imported.replace(/^.*?runtime\//, "").replace(/\.js$/, ".ts")),
    }));
  },
};

async function servedNames({ api, tools }: ServerContextOptions): Promise<string[]> {
  const made = createServerContext({
    api,
    tools,
    env: { [`${api.envPrefix}_MODE`]: "tools", LOG_LEVEL: "silent" },
  });
  if (!made.ok) throw new Error(made.problems.join(" "));
  const client = new Client({ name: "corpus", version: "1.0.0" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([createMcpServer(made.context).connect(there), client.connect(here)]);
  return namesOf(client);
}

/** Lists the names of tools over all pages, and ends the session. */
async function namesOf(client: Client): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    // Tools of the server itself: read_result, which has no fingerprint, and run_reads.
    const planned = page.tools.filter(
      ({ name, _meta }) => _meta?.["dev.mcp-gen/fingerprint"] && !name.endsWith("run_reads"),
    );
    names.push(...planned.map((tool) => tool.name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  await client.close();
  return names;
}
