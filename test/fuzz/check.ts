import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { generate, type GenerateResult } from "../../src/index.js";
import { duplicates, portabilityFaults } from "../corpus/checks.js";
import { calls, parse } from "../render/parse.js";
import { document } from "./document.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-fuzz-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Copied into every project as they are, and held by tests of their own. */
const copied = /^(src\/runtime|test\/mock)\//;
// oxlint-disable-next-line no-control-regex
const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\udb40[\udc00-\udc7f]/u;

/** Generates a project from a document's text, in memory. */
export async function generated(text: string | Uint8Array): Promise<GenerateResult> {
  const path = join(folder, "openapi.json");
  writeFileSync(path, text);
  return await generate(path, undefined);
}

/**
 * What generated code calls when the document is harmless: nothing else may be called, whatever a
 * document holds.
 */
const harmless = generated(JSON.stringify(document())).then((result) => new Set(callsOf(result)));

function callsOf(result: GenerateResult): readonly string[] {
  return (result.files ?? []).flatMap(({ path, content }) =>
    path.endsWith(".ts") && !copied.test(path) ? calls(parse(content, path)) : [],
  );
}

/**
 * What is wrong with a result; empty when all is well. A document may be refused, but with a clear
 * sentence; what is made of it parses, calls nothing that a harmless one would not, and is
 * portable.
 */
export async function faultsOf(result: GenerateResult): Promise<readonly string[]> {
  const spoken = result.diagnostics.flatMap(({ message, hint = "" }) =>
    unseen.test(message + hint) || /\n\s+at /.test(message)
      ? [`unclear sentence: ${JSON.stringify(message)}`]
      : [],
  );
  if (!result.ok)
    return [
      ...spoken,
      ...(result.diagnostics.some(({ severity, message }) => severity === "error" && message !== "")
        ? []
        : ["refused without an error"]),
    ];
  const allowed = await harmless;
  return [
    ...spoken,
    ...callsOf(result).flatMap((call) =>
      allowed.has(call) ? [] : [`calls ${call.slice(0, 200)}`],
    ),
    ...(result.files ?? []).flatMap(({ path, content }) =>
      copied.test(path) ? [] : fileFaults(path, content),
    ),
    ...duplicates(result).map((name) => `twice: ${name}`),
    ...(result.plan?.tools ?? []).flatMap(portabilityFaults),
  ];
}

function fileFaults(path: string, content: string): readonly string[] {
  const faults: string[] = [];
  if (!/^[\w.@/-]+$/.test(path) || path.includes("..") || path.startsWith("/"))
    faults.push(`path ${JSON.stringify(path)}`);
  if (unseen.test(content)) faults.push(`unseen characters in ${path}`);
  if (path.endsWith(".json")) JSON.parse(content);
  return faults;
}
