import { type Diagnostic, isError } from "../diagnostics/index.js";
import type { JsonObject } from "../json.js";
import { isObject } from "../json.js";
import type { Overlay } from "../overlay/index.js";
import { graphProblem, parseFile, type SourceFile } from "./file.js";
import { limits } from "./limits.js";
import { pointerTokens } from "./pointer.js";
import { readFile } from "./source/read-file.js";
import { surveyGraph } from "./survey.js";

/** A document with its overlays, or why there is none. */
export interface Overlaid {
  /**
   * Absent when an overlay cannot be used. Its positions are those of the text, as if there were no
   * overlay.
   */
  readonly file?: SourceFile;
  /** Each with its place in the overlay that it is about. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Applies overlays to a parsed document, in order, before anything else looks at it (Overlay
 * Specification 1.0, 1.1, 1.2). Every fault of an overlay is an error in that overlay; the first
 * overlay that has one is the last to be read.
 * @param paths of the overlay files, as messages call them
 */
export async function applyOverlays(file: SourceFile, paths: readonly string[]): Promise<Overlaid> {
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

async function applyFile(document: SourceFile, path: string): Promise<Overlaid> {
  const read = await readFile(path, path, limits);
  const parsed = read.problem ? read : await parseFile(read.value, path);
  if (parsed.problem) return { diagnostics: [parsed.problem] };
  const source = parsed.value;
  const { readOverlay } = await import("../overlay/index.js");
  const { overlay, diagnostics } = readOverlay(source.root, path);
  const applied = overlay ? await applyActions(document, overlay) : { diagnostics: [] };
  const all = [
    ...source.warnings,
    ...[...diagnostics, ...applied.diagnostics].map((d) => located(d, source)),
  ];
  return { ...(applied.file && !all.some(isError) && { file: applied.file }), diagnostics: all };
}

/**
 * What an action makes is measured before the next where it may double what the one before made.
 */
async function applyActions(document: SourceFile, { actions }: Overlay): Promise<Overlaid> {
  const { applyOverlay } = await import("../overlay/index.js");
  const diagnostics: Diagnostic[] = [];
  let root = document.root;
  for (const [i, action] of actions.entries()) {
    if (!isObject(root)) break; // the next step of loading says what is wrong with such a document
    const applied = applyOverlay(root as JsonObject, { actions: [action] });
    diagnostics.push(...applied.diagnostics);
    root = applied.root;
    if (i < actions.length - 1 && !mayMultiply(action)) continue;
    const survey = surveyGraph(root);
    if ("kind" in survey)
      return { diagnostics: [...diagnostics, graphProblem(survey.kind, action.place).problem] };
    document = { ...document, root, survey };
  }
  return { file: document, diagnostics };
}

const mayMultiply = ({ target, copy }: Overlay["actions"][number]): boolean =>
  copy !== undefined || /[*?]|\.\./.test(target);

function located(d: Diagnostic, source: SourceFile): Diagnostic {
  return d.place && d.place.line === undefined
    ? { ...d, place: { ...d.place, ...source.positionOf(pointerTokens(d.place.pointer)) } }
    : d;
}
