import { hash } from "node:crypto";
import { isObject } from "../json.js";
import { version } from "../version.js";
import { byCodeUnit, isLegalPath } from "./paths.js";

/** What the last run wrote: relative path → SHA-256 of the text. Owned files are not in it: they are not ours any more. */
export type Manifest = ReadonlyMap<string, string>;

/** Layout of the manifest file; a later layout gets a later number. */
const LAYOUT = 1;

/**
 * Fingerprint of a text. Line endings do not count, so that a checkout with CRLF is the same text.
 * @returns 64 hexadecimal digits
 */
export function fingerprint(text: string): string {
  return hash("sha256", withoutCarriageReturns(text), "hex");
}

/** `text` with LF line endings; the same string when it has no others. */
export function withoutCarriageReturns(text: string): string {
  return text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
}

/** The manifest as text: one file per line, sorted, so that two runs and two machines agree and a merge is readable. */
export function formatManifest(manifest: Manifest): string {
  const lines = [...manifest].sort(([a], [b]) => byCodeUnit(a, b)).map(([path, digest]) => `    ${JSON.stringify(path)}: "${digest}"`);
  const files = lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n  }`;
  return `{\n  "layout": ${LAYOUT},\n  "generator": "mcp-gen ${version}",\n  "files": ${files}\n}\n`;
}

/**
 * Reads a manifest's text, which anybody may have edited.
 * @returns the manifest, or a clause that says what is wrong with it
 */
export function parseManifest(text: string): Manifest | string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return "is not JSON";
  }
  if (!isObject(data) || !isObject(data.files)) return "has no `files`";
  if (data.layout !== LAYOUT) return `has a layout that mcp-gen ${version} does not know`;
  const files = Object.entries(data.files);
  const bad = files.find(([path, digest]) => !isLegalPath(path) || typeof digest !== "string" || !/^[0-9a-f]{64}$/.test(digest));
  return bad ? `lists ${JSON.stringify(bad[0])}, which mcp-gen cannot have written` : new Map(files as [string, string][]);
}
