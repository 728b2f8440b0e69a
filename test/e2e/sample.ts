import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const cli = fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));

/** Runs the built program on a sample, as its lesson says: by `mcp-gen.yaml` when it has one, else by its document. */
export function runSample(folder: string, ...more: string[]): SpawnSyncReturns<string> {
  const document = ["openapi.yaml", "swagger.yaml"].find((file) => existsSync(path.join(folder, file))) ?? "openapi.yaml";
  const args = existsSync(path.join(folder, "mcp-gen.yaml")) ? [] : [document, "-o", "server"];
  return spawnSync(process.execPath, [cli, ...args, ...more], { cwd: folder, encoding: "utf8" });
}
