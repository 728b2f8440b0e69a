import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { generate, type GenerateResult, readConfiguration } from "../../src/index.js";
import { load } from "../../src/load/index.js";
import type { Inputs } from "./companions.js";
import type { Growing } from "./growing.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-fuzz-inputs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, value: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
};

/** Generates a project in memory from a document with an overlay, workflows and a configuration. */
export async function generateFrom(inputs: Inputs): Promise<GenerateResult> {
  const document = write("openapi.json", inputs.document);
  const overlay = write("overlay.json", inputs.overlay);
  const workflows = write("arazzo.json", inputs.workflows);
  const read = await readConfiguration(write("mcp-gen.yaml", inputs.configuration));
  if (!read.configuration) return { ok: false, diagnostics: read.diagnostics };
  const { configuration } = read;
  return await generate(document, undefined, {
    configuration,
    overlays: [overlay],
    workflows: [workflows],
  });
}

/** Loads a document, given as data or as text, with its overlay. */
async function loadFrom({ document, overlay }: Inputs): Promise<void> {
  const overlays = overlay === undefined ? [] : [write("overlay.json", overlay)];
  await load(write("openapi.yaml", document), { overlays });
}

/** Processor time of a run in milliseconds. Other processes do not count. */
export async function processorTimeOf(inputs: Inputs, until: Growing["until"]): Promise<number> {
  const start = process.cpuUsage();
  await (until === "load" ? loadFrom : generateFrom)(inputs);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
