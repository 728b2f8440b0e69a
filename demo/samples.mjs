// `npm run samples`: brings the committed output of every sample up to date.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const samples = path.join(root, "samples");

for (const entry of readdirSync(samples, { withFileTypes: true })) {
  if (!entry.isDirectory()) continue;
  const folder = path.join(samples, entry.name);
  const document = ["openapi.yaml", "swagger.yaml"].find((file) => existsSync(path.join(folder, file)));
  const args = existsSync(path.join(folder, "mcp-gen.yaml")) ? [] : [document, "-o", "server"];
  const { status } = spawnSync(process.execPath, [path.join(root, "dist/cli.cjs"), ...args], { cwd: folder, stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
