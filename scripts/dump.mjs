import { spawnSync } from "node:child_process";

/**
 * Runs `node SCRIPT --dump ROOT DOCUMENT` and parses the JSON that it prints. A process of its own,
 * because one process cannot load two builds whose modules keep state.
 * @throws Error when the script fails
 */
export function dumpOf(script, root, document) {
  const options = { encoding: "utf8", maxBuffer: 1 << 30 };
  const args = [script, "--dump", root, document];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, options);
  if (status !== 0) throw new Error(`${root} failed on ${document}: ${stderr}`);
  return JSON.parse(stdout);
}
