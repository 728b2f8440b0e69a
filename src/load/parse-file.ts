import { failure, type Outcome, success } from "./types.js";
import {
  type Diagnostic,
  diagnostic,
  type SourceLocation,
  quoteText,
} from "../diagnostics/index.js";
import {
  type DocumentStats,
  type GraphLimit,
  limits,
  measureGraph,
  measureTree,
} from "./limits.js";
import { validateText } from "./text/validate-text.js";
import { parseJson } from "./text/parse-json.js";
import { duplicateKeys } from "./text/scan-json.js";
import { LineTable, type TextPosition } from "./text/position.js";
import { formatPointerFragment } from "../json-pointer.js";
import { FlowIndex } from "./text/flow-index.js";
import { YamlIndex } from "./text/yaml-index.js";

/**
 * Parsed file of a document. `$ref`s in its data are rewritten in place until the document is
 * returned.
 */
export interface ParsedFile {
  /** File name in messages. */
  readonly label: string;
  readonly root: unknown;
  readonly stats: DocumentStats;
  readonly warnings: readonly Diagnostic[];
  /** Position of a pointer in the text, or of its nearest existing ancestor. */
  readonly positionOf: (tokens: readonly string[]) => TextPosition;
}

/**
 * Parses a file as JSON if it starts like JSON, otherwise as YAML. Never throws because of the
 * content.
 */
export async function parseFile(bytes: Uint8Array, label: string): Promise<Outcome<ParsedFile>> {
  const text = validateText(bytes, label);
  if (text.problem) return text;
  if (!startsLikeJson(text.value)) return await parseYamlFile(text.value, label);
  const json = parseJsonFile(text.value, label);
  if (!json.problem || json.problem.code !== "load-syntax" || label.toLowerCase().endsWith(".json"))
    return json;
  const yaml = await parseYamlFile(text.value, label); // flow style: comments, single quotes, trailing commas
  return yaml.problem ? json : yaml;
}

function startsLikeJson(bytes: Uint8Array): boolean {
  const first = bytes.findIndex(
    (byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d,
  );
  return bytes[first] === 0x7b || bytes[first] === 0x5b;
}

function parseJsonFile(bytes: Uint8Array, label: string): Outcome<ParsedFile> {
  const parsed = parseJson(bytes, label);
  if (parsed.problem) return parsed;
  const { root, scan } = parsed.value;
  const stats = measureTree(root);
  const index = memoize(() => ({
    offsets: new FlowIndex(bytes, scan.ends),
    lines: new LineTable(bytes, scan.marks),
  }));
  const warnings = scan.keys === stats.keys ? [] : duplicateWarnings(bytes, label);
  return success({
    label,
    root,
    stats,
    warnings,
    positionOf: (tokens) => index().lines.position(index().offsets.find(tokens)),
  });
}

function duplicateWarnings(bytes: Uint8Array, label: string): Diagnostic[] {
  const lines = new LineTable(bytes);
  return duplicateKeys(bytes, MAX_DUPLICATES).map(({ key, offset }) =>
    duplicateWarning(key, lines.position(offset), label),
  );
}

const MAX_DUPLICATES = 1000;

function duplicateWarning(key: string, position: TextPosition, label: string): Diagnostic {
  return diagnostic(
    "load-duplicate-key",
    `The key ${quoteText(key)} occurs twice in the same object; the first one is left out`,
    { file: label, pointer: "#", ...position },
    "Merge the two or rename one.",
  );
}

async function parseYamlFile(bytes: Uint8Array, label: string): Promise<Outcome<ParsedFile>> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
  const { parseYaml } = await import("./text/parse-yaml.js");
  const parsed = await parseYaml(text, label);
  if (parsed.problem) return parsed;
  const { root, duplicates } = parsed.value;
  const warnings = duplicates
    .slice(0, MAX_DUPLICATES)
    .map(({ key, line, column }) => duplicateWarning(key, { line, column }, label));
  const index = memoize(() => new YamlIndex(text));
  const positionOf = (tokens: readonly string[]): TextPosition => index().find(tokens);
  const stats = measureGraph(root);
  if (!("kind" in stats)) return success({ label, root, stats, warnings, positionOf });
  const tokens = stats.path.map(String);
  const location: SourceLocation = {
    file: label,
    pointer: formatPointerFragment(tokens),
    ...positionOf(tokens),
  };
  return graphFailure(stats.kind, location);
}

/** Explains why data with shared parts exceeds a limit. */
export function graphFailure(
  kind: GraphLimit["kind"],
  location: SourceLocation | undefined,
): { readonly problem: Diagnostic } {
  switch (kind) {
    case "depth":
      return failure(
        "load-too-deep",
        `Nesting too deep: more than ${limits.depth} levels after expansion`,
        location,
        "Flatten this part of the document.",
      );
    case "cycle":
      return failure(
        "load-alias",
        "A YAML alias contains itself",
        location,
        "Use a $ref for recursion.",
      );
    case "expansion":
      return failure(
        "load-alias",
        `The aliases expand to more than ${limits.expanded} values`,
        location,
        "Replace aliases by their content, or use $ref.",
      );
  }
}

function memoize<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}
