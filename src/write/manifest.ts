import { hash } from "node:crypto";
import { isObject } from "../json.js";
import { version } from "../version.js";
import { fingerprintMembers } from "./npm/package-json.js";
import { withoutVersion } from "./npm/version.js";
import { byCodeUnit, isLegalPath } from "./paths.js";
import { fingerprintParts } from "./source-parts.js";
import type { StagedFile } from "./types.js";

/** What the manifest knows of a file. */
export interface Fingerprints {
  /** SHA-256 of the generated text, less the version of the package. */
  readonly digest: string;
  /**
   * Those of its parts, for TypeScript (`formatParts`) and package.json (`formatMembers`): which of
   * them an owner changed.
   */
  readonly parts?: string;
  /** The digest on the other side of a merge that is not finished. */
  readonly other?: string;
}

/**
 * What the last run generated, by relative path. Owned files are not in it: they are not ours any
 * more. Where declarations of the owner were carried over, what is on disk has another digest.
 */
export type Manifest = ReadonlyMap<string, Fingerprints>;

/** Layout of the manifest file; a later layout gets a later number. */
const LAYOUT = 1;

/**
 * Fingerprint of a text. Line endings do not count, so that a checkout with CRLF is the same text.
 * @returns 64 hexadecimal digits
 */
export function fingerprint(text: string): string {
  return hash("sha256", normalizeLineEndings(text), "hex");
}

/** Those of a generated file; parts are those of the last run when the text is. */
export function fingerprintsOf(
  { path, content, fingerprints }: StagedFile,
  before?: Manifest,
): Fingerprints {
  if (fingerprints) return fingerprints;
  const text = withoutVersion(path, content);
  const digest = fingerprint(text);
  const format =
    path === "package.json"
      ? fingerprintMembers
      : path.endsWith(".ts")
        ? fingerprintParts
        : undefined;
  if (!format) return { digest };
  const known = before?.get(path);
  if (known?.digest === digest && known.parts !== undefined) return known;
  const parts = format(normalizeLineEndings(text));
  return parts === undefined ? { digest } : { digest, parts };
}

/** Whether the text of a file is one that was generated, whatever the version of the package. */
export function isGenerated(path: string, text: string, { digest, other }: Fingerprints): boolean {
  const found = fingerprint(withoutVersion(path, text));
  return found === digest || found === other;
}

/** `text` with LF line endings; the same string when it has no others. */
export function normalizeLineEndings(text: string): string {
  return text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
}

/**
 * The manifest as text: one file per line, sorted, so that two runs and two machines agree and a
 * merge is readable.
 */
export function formatManifest(manifest: Manifest): string {
  const entries = [...manifest].sort(([a], [b]) => byCodeUnit(a, b));
  const files = formatObject(entries.map(([path, { digest }]) => [path, digest]));
  const parts = formatObject(
    entries.flatMap(([path, { parts: prints }]) => (prints === undefined ? [] : [[path, prints]])),
  );
  return `{\n  "layout": ${LAYOUT},\n  "generator": "mcp-gen ${version}",\n  "files": ${files},\n  "parts": ${parts}\n}\n`;
}

function formatObject(entries: readonly (readonly string[])[]): string {
  return entries.length === 0
    ? "{}"
    : `{\n${entries.map(([key, value]) => `    ${JSON.stringify(key)}: "${value}"`).join(",\n")}\n  }`;
}

/**
 * Reads a manifest's text, which anybody may have edited. In the middle of a merge, a file may be
 * as either side generated it.
 * @returns the manifest, or a clause that says what is wrong with it
 */
export function parseManifest(text: string): Manifest | string {
  const sides = splitMergeConflict(text);
  if (!sides) return parseOne(text);
  const [ours, theirs] = sides.map(parseOne) as [Manifest | string, Manifest | string];
  return typeof ours === "string"
    ? ours
    : typeof theirs === "string"
      ? theirs
      : mergeSides(ours, theirs);
}

/** Parts are of one text, and nobody knows which one stands there. */
function mergeSides(ours: Manifest, theirs: Manifest): Manifest {
  const both = [...ours].map(([path, found]): [string, Fingerprints] => {
    const other = theirs.get(path)?.digest;
    return [
      path,
      other === undefined || other === found.digest ? found : { digest: found.digest, other },
    ];
  });
  return new Map([...theirs, ...both]);
}

function parseOne(text: string): Manifest | string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return "is not JSON";
  }
  if (!isObject(data) || !isObject(data.files)) return "has no `files`";
  if (data.layout !== LAYOUT) return `has a layout that mcp-gen ${version} does not know`;
  const files = Object.entries(data.files);
  const bad = files.find(
    ([path, digest]) =>
      !isLegalPath(path) || typeof digest !== "string" || !/^[0-9a-f]{64}$/.test(digest),
  );
  if (bad) return `lists ${JSON.stringify(bad[0])}, which mcp-gen cannot have written`;
  const parts = new Map(isObject(data.parts) ? Object.entries(data.parts) : []);
  return new Map(
    (files as [string, string][]).map(([path, digest]) => [
      path,
      { digest, ...readParts(parts.get(path)) },
    ]),
  );
}

/** Parts that are none are as good as absent: nothing is carried over by them. */
function readParts(value: unknown): { readonly parts?: string } {
  return typeof value === "string" && /^(?:[0-9a-f]{12})*$/.test(value) ? { parts: value } : {};
}

/**
 * The two sides of a text that git could not merge, with their conflict markers taken out;
 * undefined when there are none. https://git-scm.com/docs/git-merge#_how_conflicts_are_presented
 */
export function splitMergeConflict(
  text: string,
): readonly [ours: string, theirs: string] | undefined {
  if (!/^<{7} /m.test(text)) return undefined;
  const ours: string[] = [];
  const theirs: string[] = [];
  let side: "both" | "ours" | "base" | "theirs" = "both";
  for (const line of text.split(/\r?\n/)) {
    const marker = /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/.exec(line)?.[0][0];
    if (marker === "<") side = "ours";
    else if (marker === "|") side = "base";
    else if (marker === "=") side = "theirs";
    else if (marker === ">") side = "both";
    else {
      if (side === "both" || side === "ours") ours.push(line);
      if (side === "both" || side === "theirs") theirs.push(line);
    }
  }
  return [ours.join("\n"), theirs.join("\n")];
}
