import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { generate, type GenerateResult } from "../../src/index.js";
import { duplicates, portabilityFaults } from "../corpus/checks.js";
import { calls as callsIn, parse } from "../render/parse.js";
import { document } from "./document.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-fuzz-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Files copied verbatim into every project. Other tests cover them. */
const copiedFiles = /^(src\/runtime|test\/mock)\//;
// oxlint-disable-next-line no-control-regex
const invisibleCharacters =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\udb40[\udc00-\udc7f]/u;

/** Generates a project from the text of a document, in memory. */
export async function generateProject(text: string | Uint8Array): Promise<GenerateResult> {
  const path = join(folder, "openapi.json");
  writeFileSync(path, text);
  return await generate(path, undefined);
}

/**
 * Code generated from a harmless document. That of any other document must contain no other calls,
 * and is not parsed where it is the same.
 */
const harmless = generateProject(JSON.stringify(document())).then((result) => ({
  calls: new Set(callsOf(result)),
  contents: new Set(result.files?.map(({ content }) => content)),
}));

function callsOf(
  { files = [] }: GenerateResult,
  known: ReadonlySet<string> = new Set(),
): readonly string[] {
  return files.flatMap(({ path, content }) =>
    path.endsWith(".ts") && !copiedFiles.test(path) && !known.has(content)
      ? callsIn(parse(content, path))
      : [],
  );
}

/**
 * Lists the faults of a result. A rejected document needs a clear error. Generated code must parse,
 * contain no calls other than those of a harmless document, and be portable.
 * @param calls "any calls" for workflows, which are compiled to calls
 */
export async function faultsOf(
  result: GenerateResult,
  calls: "known calls" | "any calls" = "known calls",
): Promise<readonly string[]> {
  const unclearMessages = result.diagnostics.flatMap(({ message, hint = "" }) =>
    invisibleCharacters.test(message + hint) || /\n\s+at /.test(message)
      ? [`unclear message: ${JSON.stringify(message)}`]
      : [],
  );
  if (!result.ok)
    return [
      ...unclearMessages,
      ...(result.diagnostics.some(({ severity, message }) => severity === "error" && message !== "")
        ? []
        : ["rejected without an error"]),
    ];
  const allowed = await harmless;
  const newCalls = callsOf(result, allowed.contents).filter((call) => !allowed.calls.has(call));
  return [
    ...unclearMessages,
    ...(calls === "any calls" ? [] : newCalls.map((call) => `calls ${call.slice(0, 200)}`)),
    ...(result.files ?? []).flatMap(({ path, content }) =>
      copiedFiles.test(path) ? [] : fileFaults(path, content),
    ),
    ...duplicates(result).map((name) => `duplicate name: ${name}`),
    ...(result.plan?.tools ?? []).flatMap(portabilityFaults),
  ];
}

function fileFaults(path: string, content: string): readonly string[] {
  const faults: string[] = [];
  if (!/^[\w.@/-]+$/.test(path) || path.includes("..") || path.startsWith("/"))
    faults.push(`path ${JSON.stringify(path)}`);
  if (invisibleCharacters.test(content)) faults.push(`invisible characters in ${path}`);
  if (path.endsWith(".json")) JSON.parse(content);
  return faults;
}
