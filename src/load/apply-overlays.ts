import { type Diagnostic, isError } from "../diagnostics/index.js";
import { parsePointerFragment } from "../json-pointer.js";
import { isObject, type JsonObject } from "../json.js";
import type { Overlay } from "../overlay/index.js";
import { measureGraph } from "./document-stats.js";
import { limits } from "./limits.js";
import { graphFailure, type ParsedFile, parseFile } from "./parse-file.js";
import { readFile } from "./source/read-file.js";

/** Result of applying overlays to a document. */
export interface OverlayResult {
  /** Absent after an error. Positions are those of the original text. */
  readonly file?: ParsedFile;
  /** Located in the overlay. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Applies overlays to a parsed document, in order (Overlay Specification 1.0, 1.1, 1.2). Every
 * fault of an overlay is an error. Overlays after the first with an error are not read.
 * @param paths overlay files, as named in messages
 */
export async function applyOverlays(
  file: ParsedFile,
  paths: readonly string[],
): Promise<OverlayResult> {
  const diagnostics: Diagnostic[] = [];
  let current = file;
  for (const path of paths) {
    const step = await applyFile(current, path);
    diagnostics.push(...step.diagnostics);
    if (!step.file) return { diagnostics };
    current = step.file;
  }
  return { file: current, diagnostics };
}

async function applyFile(document: ParsedFile, path: string): Promise<OverlayResult> {
  const read = await readFile(path, path, limits);
  const parsed = read.problem ? read : await parseFile(read.value, path);
  if (parsed.problem) return { diagnostics: [parsed.problem] };
  const source = parsed.value;
  const { readOverlay } = await import("../overlay/index.js");
  const { overlay, diagnostics } = readOverlay(source.root, path);
  const applied = overlay ? await applyActions(document, overlay) : { diagnostics: [] };
  const all = [
    ...source.warnings,
    ...[...diagnostics, ...applied.diagnostics].map((d) => withPosition(d, source)),
  ];
  return { ...(applied.file && !all.some(isError) && { file: applied.file }), diagnostics: all };
}

/**
 * Applies the actions of one overlay. The result is measured after each action that may multiply
 * its size.
 */
async function applyActions(document: ParsedFile, { actions }: Overlay): Promise<OverlayResult> {
  const { applyOverlay } = await import("../overlay/index.js");
  const diagnostics: Diagnostic[] = [];
  let root = document.root;
  for (const [i, action] of actions.entries()) {
    if (!isObject(root)) break; // the next step of loading says what is wrong with such a document
    const applied = applyOverlay(root as JsonObject, { actions: [action] });
    diagnostics.push(...applied.diagnostics);
    root = applied.root;
    if (i < actions.length - 1 && !mayMultiply(action)) continue;
    const stats = measureGraph(root);
    if ("kind" in stats)
      return { diagnostics: [...diagnostics, graphFailure(stats.kind, action.location).problem] };
    document = { ...document, root, stats };
  }
  return { file: document, diagnostics };
}

const mayMultiply = ({ target, copy }: Overlay["actions"][number]): boolean =>
  copy !== undefined || /[*?]|\.\./.test(target);

function withPosition(d: Diagnostic, source: ParsedFile): Diagnostic {
  return d.location && d.location.line === undefined
    ? {
        ...d,
        location: { ...d.location, ...source.positionOf(parsePointerFragment(d.location.pointer)) },
      }
    : d;
}
