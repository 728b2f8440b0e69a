import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { build } from "esbuild";
import path from "node:path";
import { requireBanner } from "../esbuild-banner.js";

/** Bundles a generated project like its `npm run bundle`, by default into the same file. */
export async function bundle(
  folder: string,
  outfile = path.join(folder, "dist/server.js"),
): Promise<string> {
  await build({
    entryPoints: [path.join(folder, "src/main.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    banner: requireBanner,
    outfile,
    logLevel: "error",
  });
  return outfile;
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
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    names.push(...page.tools.map((tool) => tool.name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  await client.close();
  return names;
}
