import { hash } from "node:crypto";
import { isObject } from "../json.js";
import type { GeneratedFile } from "../render/types.js";
import { version } from "../version.js";
import { fingerprintMembers, withoutVersion } from "./package-json.js";
import { byCodeUnit, isLegalPath } from "./paths.js";
import { fingerprintParts } from "../source-parts.js";

/** Fingerprints of a generated file. */
export interface Fingerprints {
  /** SHA-256 of the generated text without the package version. */
  readonly digest: string;
  /**
   * Fingerprints of the parts of TypeScript files (`fingerprintParts`) and of package.json
   * (`fingerprintMembers`), to detect which of them were edited.
   */
  readonly parts?: string;
  /** Digest of the other side of an unresolved merge conflict. */
  readonly other?: string;
}

/**
 * Fingerprints of the files of the last run, by relative path. User files are not in it. Files with
 * carried-over declarations differ from their digest.
 */
export type Manifest = ReadonlyMap<string, Fingerprints>;

/** Version of the manifest's format. */
const LAYOUT = 1;

/**
 * Fingerprint of a text, independent of line endings.
 * @returns 64 hexadecimal digits
 */
export function fingerprint(text: string): string {
  return hash("sha256", normalizeLineEndings(text), "hex");
}

/** Fingerprints of a generated file. Reuses those of the last run for an unchanged text. */
export function fingerprintsOf(
  { path, content, fingerprints }: GeneratedFile,
  previous?: Manifest,
): Fingerprints {
  const text = withoutVersion(path, content);
  const digest = fingerprint(text);
  const format =
    path === "package.json"
      ? fingerprintMembers
      : path.endsWith(".ts")
        ? fingerprintParts
        : undefined;
  if (!format) return { digest };
  const previousEntry = previous?.get(path);
  if (previousEntry?.digest === digest && previousEntry.parts !== undefined) return previousEntry;
  const parts = fingerprints ?? format(normalizeLineEndings(text));
  return parts === undefined ? { digest } : { digest, parts };
}

/** True when a text is as generated, apart from the package version. */
export function isGenerated(path: string, text: string, { digest, other }: Fingerprints): boolean {
  const digestOfText = fingerprint(withoutVersion(path, text));
  return digestOfText === digest || digestOfText === other;
}

/** Converts CRLF line endings to LF. */
export function normalizeLineEndings(text: string): string {
  return text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
}

/**
 * Formats the manifest with one file per line, sorted, so that it is reproducible and merges well.
 */
export function formatManifest(manifest: Manifest): string {
  const entries = [...manifest].sort(([a], [b]) => byCodeUnit(a, b));
  const files = formatObject(entries.map(([path, { digest }]) => [path, digest]));
  const parts = formatObject(
    entries.flatMap(([path, { parts: prints }]) => (prints === undefined ? [] : [[path, prints]])),
  );
  const members = [
    `"layout": ${LAYOUT}`,
    `"generator": "mcp-gen ${version}"`,
    `"files": ${files}`,
    `"parts": ${parts}`,
  ];
  return `{\n  ${members.join(",\n  ")}\n}\n`;
}

function formatObject(entries: readonly (readonly string[])[]): string {
  return entries.length === 0
    ? "{}"
    : `{\n${entries.map(([key, value]) => `    ${JSON.stringify(key)}: "${value}"`).join(",\n")}\n  }`;
}

/**
 * Parses a manifest, which may have been edited. With an unresolved merge conflict, a file may
 * match either side.
 * @returns the manifest, or its fault as a clause
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

/** Combines both sides. Parts are dropped, because it is unknown which text they belong to. */
function mergeSides(ours: Manifest, theirs: Manifest): Manifest {
  const entries = [...ours].map(([path, fingerprints]): [string, Fingerprints] => {
    const other = theirs.get(path)?.digest;
    return [
      path,
      other === undefined || other === fingerprints.digest
        ? fingerprints
        : { digest: fingerprints.digest, other },
    ];
  });
  return new Map([...theirs, ...entries]);
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
  if (bad) return `lists ${JSON.stringify(bad[0])}, which mcp-gen did not write`;
  const parts = new Map(isObject(data.parts) ? Object.entries(data.parts) : []);
  return new Map(
    (files as [string, string][]).map(([path, digest]) => [
      path,
      { digest, ...readParts(parts.get(path)) },
    ]),
  );
}

/** Reads the fingerprints of parts; invalid ones are treated as absent. */
function readParts(value: unknown): { readonly parts?: string } {
  return typeof value === "string" && /^(?:[0-9a-f]{12})*$/.test(value) ? { parts: value } : {};
}

/**
 * Splits a text with git conflict markers into its two sides; undefined without markers.
 * https://git-scm.com/docs/git-merge#_how_conflicts_are_presented
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
