import { formatPointerFragment, resolvePointer } from "../../json-pointer.js";
import { measureGraph } from "../document-stats.js";
import { failure, type Outcome, success } from "../outcome.js";
import type { SpecVersion } from "../types.js";
import type { FileStore, StoredFile } from "./file-store.js";
import { ComponentHoister, inlineContainers, type Origin } from "./hoist-components.js";
import type { RefOccurrence, RefTarget } from "./scan-references.js";

type Dictionary = Record<string, unknown>;

/** References that are left to swagger-parser, at most: its time grows with their square. */
const MAX_UNNAMED = 10_000;

/**
 * Joins a document that is spread over files into one whose references are all local. Everything is
 * read and resolved already. Named parts are moved into the document; what has no name (path items,
 * operations, lists) is put in its place by swagger-parser's `bundle`, which gets data under
 * made-up addresses and no access to anything.
 * @param origins receives where the objects of other files were written
 */
export async function bundle(
  store: FileStore,
  resolved: ReadonlyMap<RefOccurrence, RefTarget>,
  version: SpecVersion,
  origins: Map<object, Origin>,
): Promise<Outcome<Dictionary>> {
  const root = store.main.source.root as Dictionary;
  const references = inlineContainers(root, resolved, origins);
  const adoption = new ComponentHoister(root, version, origins);
  adoption.hoist(references);
  const unnamed = new Set<object>();
  for (const [site, target] of references) {
    const pointer = adoption.pointerOf(target);
    if (site.use === "mapping") site.holder[site.key] = pointer ?? site.ref;
    else {
      site.holder.$ref =
        pointer?.replaceAll("%", "%25") ??
        addressIn(target.file, formatPointerFragment(target.tokens));
      if (pointer === undefined) unnamed.add(site.holder);
    }
    if (pointer === undefined && typeof target.value === "object" && target.value !== null)
      origins.set(target.value, target);
  }
  const files = store.all;
  const known = new Set([...references.keys()].map(({ holder }) => holder));
  return await hideOtherRefs(unnamed, known, files, () =>
    unnamed.size === 0
      ? success(root)
      : unnamed.size > MAX_UNNAMED
        ? bundleFailure()
        : join(root, files),
  );
}

const ADDRESS_PREFIX = "mem://document/";

/** An address that only `join` knows. A percent sign in a pointer would be decoded. */
function addressIn(file: StoredFile, pointer: string): string {
  return `${ADDRESS_PREFIX}${file.id}${pointer.replaceAll("%", "%25")}`;
}

/**
 * Runs the join while every other `$ref` is out of sight: those that are local already, which would
 * cost time, and those that are mere data (in examples, in extensions, in unused parts of files).
 * Then checks the result.
 */
async function hideOtherRefs(
  unnamed: ReadonlySet<object>,
  known: ReadonlySet<object>,
  files: readonly StoredFile[],
  run: () => Outcome<Dictionary> | Promise<Outcome<Dictionary>>,
): Promise<Outcome<Dictionary>> {
  const hidden = allHolders(files.map(({ source }) => source.root)).filter(
    (holder) => !unnamed.has(holder),
  );
  const refs = hidden.map((holder) => holder.$ref);
  for (const holder of hidden) holder.$ref = null;
  const joined = await run();
  const show = (which: (holder: object) => boolean): void =>
    hidden.forEach((holder, index) => which(holder) && (holder.$ref = refs[index]));
  show((holder) => known.has(holder));
  const checked = joined.problem ? joined : validateBundle(joined.value);
  show((holder) => !known.has(holder));
  return checked;
}

function allHolders(roots: readonly unknown[]): Dictionary[] {
  const found: Dictionary[] = [];
  const seen = new Set<unknown>();
  const stack = [...roots];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    const holder = value as Dictionary;
    if (typeof holder.$ref === "string") found.push(holder);
    for (const key in holder) stack.push(holder[key]);
  }
  return found;
}

/** The result must be a tree of bounded depth whose references all lead somewhere in it. */
function validateBundle(root: Dictionary): Outcome<Dictionary> {
  const stats = measureGraph(root);
  if ("kind" in stats)
    return failure(
      "load-bundle",
      "The files of this document, joined, are nested too deep or too large",
      { pointer: "#" },
      "Bundle the document with another tool first.",
    );
  return [...stats.refs].every((ref) => resolvePointer(root, ref) !== undefined)
    ? success(root)
    : bundleFailure();
}

function bundleFailure(): Outcome<never> {
  return failure(
    "load-bundle",
    "The files of this document could not be joined into one",
    { pointer: "#" },
    "Bundle the document with another tool first.",
  );
}

async function join(root: Dictionary, files: readonly StoredFile[]): Promise<Outcome<Dictionary>> {
  const { default: parser } = await import("@apidevtools/swagger-parser");
  const data = new Map(files.map((file) => [`${ADDRESS_PREFIX}${file.id}`, file.source.root]));
  const memory = {
    order: 1,
    canRead: true,
    read: ({ url }: { url: string }) => data.get(url) as string,
  };
  const asItIs = {
    order: 1,
    canParse: true,
    allowEmpty: true,
    parse: (file: { data: unknown }) => file.data,
  };
  const none = { json: false, yaml: false, text: false, binary: false } as const;
  // Any version would do for joining; this one is known to swagger-parser, and `$id` means nothing
  // in it.
  const shell: Dictionary = {
    ...root,
    openapi: "3.0.3",
    info: { title: "", version: "" },
    paths: root.paths ?? {},
  };
  delete shell.swagger;
  try {
    const options = { resolve: { file: false, http: false, memory }, parse: { ...none, asItIs } };
    const joined = (await parser.bundle(
      `${ADDRESS_PREFIX}0`,
      shell as never,
      options as never,
    )) as unknown as Dictionary;
    const whole = restoreHeader(joined, root);
    for (const holder of allHolders([whole]))
      if (typeof holder.$ref === "string" && !holder.$ref.includes("%25"))
        holder.$ref = holder.$ref.replaceAll("%", "%25");
    return success(whole);
  } catch {
    return bundleFailure();
  }
}

/** Puts back what the shell stood in for. */
function restoreHeader(joined: Dictionary, root: Dictionary): Dictionary {
  const result: Dictionary = {};
  for (const key of Object.keys(root)) {
    const isHead = key === "openapi" || key === "swagger" || key === "info";
    Object.defineProperty(result, key, {
      value: isHead ? root[key] : joined[key],
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return result;
}
