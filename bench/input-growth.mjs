#!/usr/bin/env node
/**
 * Measures how time grows with the size of an input: `npm run growth`, or `npm run growth --
 * --checkout FOLDER` for another build. Each row has the seconds of the processor at n, 2n, 4n and
 * 8n, the least of three runs, and the factor by which they grow for each doubling on average.
 * Linear work has a factor of about two.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { cases } from "./input-growth-cases.mjs";

const { values: options } = parseArgs({
  options: {
    checkout: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
    only: { type: "string", default: "" },
    /** Seconds after which the larger inputs of a row are skipped. */
    limit: { type: "string", default: "30" },
    runs: { type: "string", default: "3" },
  },
});
const { generate } = await import(pathToFileURL(resolve(options.checkout, "dist/index.js")).href);
const folder = mkdtempSync(join(tmpdir(), "mcp-gen-growth-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

console.log("case".padEnd(44), "n".padStart(6), "  n      2n      4n      8n    factor");
for (const [name, size, create] of cases) {
  if (!name.includes(options.only)) continue;
  const seconds = [];
  let end = "";
  for (const n of [size, 2 * size, 4 * size, 8 * size]) {
    const measured = await measure(create(n));
    seconds.push(measured.seconds);
    end = measured.end;
    if (measured.seconds > Number(options.limit)) break;
  }
  const factor = (seconds.at(-1) / seconds[0]) ** (1 / (seconds.length - 1));
  const columns = Array.from({ length: 4 }, (_, i) => seconds[i]?.toFixed(2) ?? "-");
  console.log(
    name.padEnd(44),
    String(size).padStart(6),
    ...columns.map((column) => column.padStart(7)),
    factor.toFixed(1).padStart(7),
    end,
  );
}

/** Least time of some runs, and their result: the number of tools, or the first error. */
async function measure({ document, overlay, extension = "json" }) {
  const path = join(folder, `openapi.${extension}`);
  writeFileSync(path, typeof document === "string" ? document : JSON.stringify(document));
  const overlayPath = join(folder, "overlay.json");
  if (overlay) writeFileSync(overlayPath, JSON.stringify(overlay));
  const times = [];
  let end = "";
  for (let i = 0; i < Number(options.runs); i++) {
    const start = process.cpuUsage();
    end = await run(path, overlay ? [overlayPath] : []);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1e6);
    if (times[0] > 5) break;
  }
  return { seconds: Math.min(...times), end };
}

async function run(path, overlays) {
  try {
    const { diagnostics, plan } = await generate(path, undefined, { overlays });
    const error = diagnostics.find(({ severity }) => severity === "error");
    return error ? error.code : `${plan?.tools.length ?? 0} tools`;
  } catch (error) {
    return `CRASH ${String(error).slice(0, 60)}`;
  }
}
