import {
  diagnostic,
  type Diagnostic,
  type DiagnosticCode,
  isError,
  quoteText,
  type SourceLocation,
} from "../../diagnostics/index.js";
import { formatPointerFragment, resolvePointer } from "../../json-pointer.js";
import type { SpecVersion } from "../types.js";
import {
  BROKEN_REF_PREFIX,
  type BrokenRef,
  crawlReferences,
  type ResolvedRefs,
} from "./crawl-references.js";
import type { FileStore } from "./file-store.js";
import type { Origin } from "./hoist-components.js";
import { areRefsLocalAndValid } from "./reference-cycles.js";
import type { RefOccurrence, RefTarget } from "./scan-references.js";

interface ResolvedDocument {
  /** Document with local references only. Absent after an error. */
  readonly root?: Readonly<Record<string, unknown>>;
  readonly diagnostics: readonly Diagnostic[];
  /** See `ApiDocument.brokenRefs`. */
  readonly brokenRefs?: ReadonlyMap<string, Diagnostic>;
  /** Original location of objects from other files. */
  readonly origins: ReadonlyMap<object, Origin>;
}

/**
 * Resolves all references of the store's main document. Opens other files only for references to
 * them.
 * @param added references that were added to the document after parsing
 */
export async function resolveRefs(
  store: FileStore,
  version: SpecVersion,
  added: readonly string[] = [],
): Promise<ResolvedDocument> {
  const root = store.main.source.root as Record<string, unknown>;
  const origins = new Map<object, Origin>();
  if (added.length === 0 && areRefsLocalAndValid(root, store.main.source.stats.refs))
    return { root, diagnostics: [], origins };
  const crawled = await crawlReferences(store);
  const warnings = store.all.filter(({ id }) => id !== 0).flatMap(({ source }) => source.warnings);
  const diagnostics = [...warnings, ...reportBrokenRefs(crawled.broken)];
  if (diagnostics.some(isError)) return { diagnostics, origins };
  const brokenRefs = markBrokenRefs(crawled.broken);
  const references = inlineTexts(crawled, root);
  if (![...references.values()].some(({ file }) => file.id !== 0))
    return { root, diagnostics, brokenRefs, origins };
  const { bundle } = await import("./bundle.js");
  const joined = await bundle(store, references, version, origins);
  return joined.problem
    ? { diagnostics: [...diagnostics, joined.problem], origins }
    : { root: joined.value, diagnostics, brokenRefs, origins };
}

/**
 * Inlines texts and whole examples, and rewrites indirect local references and anchors as plain
 * pointers.
 * @returns the remaining references
 */
function inlineTexts(
  crawled: ResolvedRefs,
  root: Record<string, unknown>,
): ReadonlyMap<RefOccurrence, RefTarget> {
  const remaining = new Map<RefOccurrence, RefTarget>();
  for (const [occurrence, text] of crawled.texts) setProperty(occurrence, text);
  // Circular references have a target, but they are removed.
  const removed = new Set(crawled.broken.map(({ occurrence }) => occurrence));
  for (const [occurrence, target] of crawled.targets) {
    if (removed.has(occurrence)) continue;
    const isLocal = occurrence.file.id === 0 && target.file.id === 0;
    if (occurrence.use !== "payload") remaining.set(occurrence, target);
    else if (!isLocal) setProperty(occurrence, target.value);
    if (
      isLocal &&
      occurrence.use !== "payload" &&
      occurrence.use !== "mapping" &&
      resolvePointer(root, occurrence.ref) !== target.value
    )
      occurrence.holder.$ref = formatPointerFragment(target.tokens).replaceAll("%", "%25");
  }
  return remaining;
}

function setProperty(occurrence: RefOccurrence, value: unknown): void {
  if (!Array.isArray(occurrence.parent))
    Object.defineProperty(occurrence.parent, occurrence.key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
}

/** Problems that stop the run: exceeded limits, and files that may be readable next time. */
const FATAL: ReadonlySet<DiagnosticCode> = new Set([
  "load-fetch-failed",
  "load-unreadable",
  "load-too-large",
  "load-too-deep",
  "load-alias",
]);

/**
 * Reports broken references. The first that stops the run is an error, further
 * ones are warnings. References that only documentation or unused parts need are warnings.
 * `markBrokenRefs` returns the others.
 */
function reportBrokenRefs(broken: readonly BrokenRef[]): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  let hasError = false;
  for (const { occurrence, problem } of broken) {
    if (occurrence.use === "mapping") continue; // checked where discriminators are read
    if (occurrence.use !== "structure") diagnostics.push(omittedContent(occurrence));
    else if (namesNoSchema(occurrence))
      diagnostics.push({ ...problem, ...unnamedSchema, location: locationOf(occurrence) });
    else if (!occurrence.isNeeded)
      diagnostics.push(
        secondaryProblem("load-ref-broken-unused", occurrence, problem, "no operation uses it"),
      );
    else if (!FATAL.has(problem.code)) continue;
    else if (hasError)
      diagnostics.push(secondaryProblem("load-ref-also-broken", occurrence, problem));
    else {
      hasError = true;
      diagnostics.push({ ...problem, location: problem.location ?? locationOf(occurrence) });
    }
  }
  return diagnostics;
}

/**
 * Replaces broken references that operations need by unique ones, and removes others from the data.
 * @returns the problems by the new `$ref`; the reader of the document knows their effect
 */
function markBrokenRefs(broken: readonly BrokenRef[]): ReadonlyMap<string, Diagnostic> {
  const problems = new Map<string, Diagnostic>();
  for (const { occurrence, problem } of broken) {
    if (occurrence.use === "mapping") continue;
    if (occurrence.use !== "structure") {
      if (!Array.isArray(occurrence.parent)) delete occurrence.parent[occurrence.key];
    } else if (occurrence.isNeeded && !namesNoSchema(occurrence)) {
      const code = problem.code === "load-ref-circular" ? problem.code : "load-ref-broken";
      const marker = `${BROKEN_REF_PREFIX}${problems.size}`;
      problems.set(
        marker,
        diagnostic(code, problem.message, problem.location ?? locationOf(occurrence), problem.hint),
      );
      occurrence.holder.$ref = marker;
    } else delete occurrence.holder.$ref;
  }
  return problems;
}

const unnamedSchema = {
  message: "The $ref names no schema; any value is accepted",
  hint: "Name the schema, or describe it in place.",
};

/**
 * True for a reference to the container of all schemas, which generators of documents write for a
 * type that they do not know (`Object` or an interface in NestJS). No schema was meant.
 */
function namesNoSchema({ ref, isNeeded }: RefOccurrence): boolean {
  return isNeeded && (ref === "#/components/schemas/" || ref === "#/definitions/");
}

function locationOf(occurrence: RefOccurrence): SourceLocation {
  return { file: occurrence.file.source.label, pointer: formatPointerFragment(occurrence.tokens) };
}

function omittedContent(occurrence: RefOccurrence): Diagnostic {
  const content =
    occurrence.use === "text"
      ? `The ${occurrence.key} in ${quoteText(occurrence.ref)}`
      : `The example in ${quoteText(occurrence.ref)}`;
  return diagnostic(
    "load-ref-omitted",
    `${content} could not be read and is omitted`,
    locationOf(occurrence),
    "Add the file, or remove the $ref.",
  );
}

function secondaryProblem(
  code: "load-ref-broken-unused" | "load-ref-also-broken",
  occurrence: RefOccurrence,
  problem: Diagnostic,
  why?: string,
): Diagnostic {
  return diagnostic(
    code,
    why ? `${problem.message}; it is omitted, because ${why}` : problem.message,
    problem.location ?? locationOf(occurrence),
    problem.hint,
  );
}
