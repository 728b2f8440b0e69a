import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type AnyClient, clients } from "../e2e/clients.js";
import { buildProject, run } from "./install.js";
import type { LiveCall, LiveServer, Variant } from "./types.js";

/** A generated and bundled project. */
export interface LiveProject {
  /** First words of its environment variables. */
  readonly prefix: string;
  /** Starts the project for a client. The caller closes the client. */
  connect(credentials: LiveCall["credentials"]): Promise<AnyClient>;
}

/** Generates a project by the command line from the document that a server serves, and builds it. */
export async function makeProject(
  server: LiveServer,
  variant: Variant,
  url: string,
  folder: string,
  secrets: Readonly<Record<string, string>>,
): Promise<LiveProject> {
  await writeInputs(server, variant, url, folder);
  await generateProject(server, variant, url, folder);
  const project = join(folder, "server");
  await buildProject(project, !server.packages && !server.debian);
  const prefix = await readPrefix(project);
  const bundle = join(project, "dist/server.js");
  return {
    prefix,
    connect: (credentials) =>
      connectTo(variant, bundle, {
        [`${prefix}_FILES_DIR`]: join(folder, "files"),
        ...selectSecrets(secrets, credentials),
      }),
  };
}

async function generateProject(
  server: LiveServer,
  { configuration }: Variant,
  url: string,
  folder: string,
): Promise<void> {
  const document = server.documentHeaders ? "openapi.json" : `${url}${server.document}`;
  const base = server.basePath === undefined ? [] : ["--base-url", `${url}${server.basePath}`];
  const configured = configuration === undefined ? [] : ["--config", "mcp-gen.yaml"];
  const options = ["-o", "server", "--features", "files", ...base, ...configured];
  await run(folder, process.execPath, resolve("dist/cli.cjs"), document, ...options);
}

/** Writes the protected document, the configuration, the workflows and the files that tools can send. */
async function writeInputs(
  server: LiveServer,
  variant: Variant,
  url: string,
  folder: string,
): Promise<void> {
  const at = (text: string): string => text.replaceAll("{url}", url);
  await mkdir(join(folder, "files"));
  if (server.documentHeaders) {
    const response = await fetch(url + server.document, { headers: server.documentHeaders });
    await writeFile(join(folder, "openapi.json"), await response.text());
  }
  for (const [name, text] of Object.entries(server.files ?? {}))
    await writeFile(join(folder, "files", name), text);
  if (variant.configuration !== undefined)
    await writeFile(join(folder, "mcp-gen.yaml"), at(variant.configuration));
  if (variant.workflows !== undefined)
    await writeFile(join(folder, "tasks.arazzo.yaml"), at(variant.workflows));
}

async function readPrefix(project: string): Promise<string> {
  const example = await readFile(join(project, ".env.example"), "utf8");
  const prefix = /^# ?([A-Z0-9_]+)_BASE_URL=|^([A-Z0-9_]+)_BASE_URL=/m.exec(example);
  if (!prefix) throw new Error(".env.example names no base URL");
  return prefix[1] ?? prefix[2] ?? "";
}

/** Projects without configuration are called by SDK 2, configured ones by SDK 1. */
function connectTo(
  variant: Variant,
  bundle: string,
  env: Record<string, string>,
): Promise<AnyClient> {
  const [, connect] = clients[variant.name === "plain" ? clients.length - 1 : 0]!;
  return connect({ command: process.execPath, args: [bundle], env });
}

function selectSecrets(
  secrets: Readonly<Record<string, string>>,
  credentials: LiveCall["credentials"],
): Readonly<Record<string, string>> {
  if (credentials === "none") return {};
  if (credentials === undefined) return secrets;
  return Object.fromEntries(Object.keys(secrets).map((name) => [name, "wrong-credential"]));
}
