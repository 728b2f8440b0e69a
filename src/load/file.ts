import { ok, failed, type Outcome } from "./outcome.js";
import { type Diagnostic, diagnostic, type Place, quoteText } from "../diagnostics/index.js";
import { limits } from "./limits.js";
import { type GraphProblem, surveyGraph, surveyTree, type Survey } from "./survey.js";
import { checkText } from "./text/decode.js";
import { parseJson } from "./text/json.js";
import { duplicateKeys } from "./text/json-scan.js";
import { LineTable, type Position } from "./text/position.js";
import { toPointer } from "./pointer.js";
import { FlowIndex } from "./text/flow-index.js";
import { YamlIndex } from "./text/yaml-index.js";

/**
 * One parsed file of a document. The data is ours alone until it is handed out: `$ref`s in it are
 * rewritten in place.
 */
export interface SourceFile {
  /** How messages call it. */
  readonly label: string;
  readonly root: unknown;
  readonly survey: Survey;
  readonly warnings: readonly Diagnostic[];
  /** Where a pointer stands in the text, or the nearest part above it that exists. */
  readonly positionOf: (tokens: readonly string[]) => Position;
}

/**
 * Parses a file of a document, as JSON when it begins like JSON, otherwise as YAML (of which JSON
 * is nearly a part). Never throws for what a text holds.
 */
export async function parseFile(bytes: Uint8Array, label: string): Promise<Outcome<SourceFile>> {
  const text = checkText(bytes, label);
  if (text.problem) return text;
  if (!looksLikeJson(text.value)) return await yamlFile(text.value, label);
  const json = jsonFile(text.value, label);
  if (!json.problem || json.problem.code !== "load-syntax" || label.toLowerCase().endsWith(".json"))
    return json;
  const yaml = await yamlFile(text.value, label); // flow style: comments, single quotes, commas at the end
  return yaml.problem ? json : yaml;
}

function looksLikeJson(bytes: Uint8Array): boolean {
  const first = bytes.findIndex(
    (byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d,
  );
  return bytes[first] === 0x7b || bytes[first] === 0x5b;
}

function jsonFile(bytes: Uint8Array, label: string): Outcome<SourceFile> {
  const parsed = parseJson(bytes, label);
  if (parsed.problem) return parsed;
  const { root, scan } = parsed.value;
  const survey = surveyTree(root);
  const index = lazily(() => ({
    offsets: new FlowIndex(bytes, scan.ends),
    lines: new LineTable(bytes, scan.marks),
  }));
  const warnings = scan.keys === survey.keys ? [] : duplicateWarnings(bytes, label);
  return ok({
    label,
    root,
    survey,
    warnings,
    positionOf: (tokens) => index().lines.position(index().offsets.find(tokens)),
  });
}

function duplicateWarnings(bytes: Uint8Array, label: string): Diagnostic[] {
  const lines = new LineTable(bytes);
  return duplicateKeys(bytes, 1000).map(({ key, offset }) =>
    diagnostic(
      "load-duplicate-key",
      `The key ${quoteText(key)} occurs twice in the same object; the last one counts`,
      { file: label, pointer: "#", ...lines.position(offset) },
      "Merge the two or rename one.",
    ),
  );
}

async function yamlFile(bytes: Uint8Array, label: string): Promise<Outcome<SourceFile>> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
  const { parseYaml } = await import("./text/yaml.js");
  const parsed = await parseYaml(text, label);
  if (parsed.problem) return parsed;
  const root = parsed.value;
  const index = lazily(() => new YamlIndex(text));
  const positionOf = (tokens: readonly string[]): Position => index().find(tokens);
  const survey = surveyGraph(root);
  if (!("kind" in survey)) return ok({ label, root, survey, warnings: [], positionOf });
  const tokens = survey.path.map(String);
  const place: Place = { file: label, pointer: toPointer(tokens), ...positionOf(tokens) };
  return graphProblem(survey.kind, place);
}

/** Why data with shared parts cannot be used. */
export function graphProblem(
  kind: GraphProblem["kind"],
  place: Place | undefined,
): { readonly problem: Diagnostic } {
  switch (kind) {
    case "depth":
      return failed(
        "load-too-deep",
        `Nesting too deep: more than ${limits.depth} levels with everything expanded`,
        place,
        "Flatten this part of the document.",
      );
    case "cycle":
      return failed(
        "load-alias",
        "A YAML alias contains itself",
        place,
        "Use a $ref for recursion.",
      );
    case "expansion":
      return failed(
        "load-alias",
        `The aliases and copies expand to more than the limit of ${limits.expanded} values`,
        place,
        "Write the parts out, or use $ref.",
      );
  }
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
