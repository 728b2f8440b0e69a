import { type Diagnostic, isError } from "../diagnostics/index.js";
import { parsePointerFragment } from "../json-pointer.js";
import type { JsonObject } from "../json.js";
import type { Overlay } from "../overlay/index.js";
import { limits, measureGraph } from "./limits.js";
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
    for (const found of step.diagnostics) diagnostics.push(found);
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

/** Values by which a small document may grow until it is measured again. */
const MIN_GROWTH = 10_000;

/** Applies the actions of one overlay. The result is measured at the end, and whenever it doubles. */
async function applyActions(document: ParsedFile, overlay: Overlay): Promise<OverlayResult> {
  const { applyOverlay } = await import("../overlay/index.js");
  let { stats } = document;
  let measuredAt = 0;
  const applied = applyOverlay(document.root as JsonObject, overlay, {
    checkGrowth(root, growth, action) {
      const hasDoubled = growth.values - measuredAt > Math.max(MIN_GROWTH, stats.keys);
      const isLast = action === overlay.actions.at(-1);
      if (!hasDoubled && growth.depth <= limits.depth && !isLast) return undefined;
      const measured = measureGraph(root);
      if ("kind" in measured) return graphFailure(measured.kind, action.location).problem;
      stats = measured;
      measuredAt = growth.values;
      return undefined;
    },
  });
  return { file: { ...document, root: applied.root, stats }, diagnostics: applied.diagnostics };
}

function withPosition(d: Diagnostic, source: ParsedFile): Diagnostic {
  return d.location && d.location.line === undefined
    ? {
        ...d,
        location: { ...d.location, ...source.positionOf(parsePointerFragment(d.location.pointer)) },
      }
    : d;
}
