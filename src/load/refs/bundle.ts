import { formatPointerFragment, resolvePointer } from "../../json-pointer.js";
import { measureGraph } from "../limits.js";
import { failure, type Outcome, type SpecVersion, success } from "../types.js";
import type { FileStore, StoredFile } from "./file-store.js";
import { ComponentHoister, inlineContainers, type Origin } from "./hoist-components.js";
import { BROKEN_REF_PREFIX } from "./crawl-references.js";
import type { RefOccurrence, RefTarget } from "./scan-references.js";

type Dictionary = Record<string, unknown>;

/** Maximum number of references for swagger-parser, whose time grows quadratically. */
const MAX_UNNAMED = 10_000;

/**
 * Bundles a document with several files into one whose references are all local. All files are read
 * and all references resolved before. Named parts move into the document's components. Parts
 * without a name (path items, operations, lists) are inlined by swagger-parser's `bundle`, which
 * gets the data under internal addresses and no access to files or network.
 * @param origins receives the original location of objects from other files
 */
export async function bundle(
  store: FileStore,
  resolved: ReadonlyMap<RefOccurrence, RefTarget>,
  version: SpecVersion,
  origins: Map<object, Origin>,
): Promise<Outcome<Dictionary>> {
  const root = store.main.source.root as Dictionary;
  const references = inlineContainers(root, resolved, origins);
  const hoister = new ComponentHoister(root, version, origins);
  hoister.hoist(references);
  const unnamed = new Set<object>();
  for (const [occurrence, target] of references) {
    const pointer = hoister.pointerOf(target);
    if (occurrence.use === "mapping") occurrence.holder[occurrence.key] = pointer ?? occurrence.ref;
    else {
      occurrence.holder.$ref =
        pointer?.replaceAll("%", "%25") ??
        addressIn(target.file, formatPointerFragment(target.tokens));
      if (pointer === undefined) unnamed.add(occurrence.holder);
    }
    if (pointer === undefined && typeof target.value === "object" && target.value !== null)
      origins.set(target.value, target);
  }
  const files = store.all;
  const referring = new Set([...references.keys()].map(({ holder }) => holder));
  return await hideOtherRefs(unnamed, referring, files, () =>
    unnamed.size === 0
      ? success(root)
      : unnamed.size > MAX_UNNAMED
        ? bundleFailure()
        : join(root, files),
  );
}

const ADDRESS_PREFIX = "mem://document/";

/**
 * Internal address for `join`. Percent signs are escaped, because swagger-parser decodes pointers.
 */
function addressIn(file: StoredFile, pointer: string): string {
  return `${ADDRESS_PREFIX}${file.id}${pointer.replaceAll("%", "%25")}`;
}

/**
 * Runs the join with all other `$ref`s hidden: local ones, which would cost time, and those that
 * are data (in examples, extensions and unused parts of files). Then validates the result.
 */
async function hideOtherRefs(
  unnamed: ReadonlySet<object>,
  referring: ReadonlySet<object>,
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
  show((holder) => referring.has(holder));
  const checked = joined.problem ? joined : validateBundle(joined.value);
  show((holder) => !referring.has(holder));
  return checked;
}

function allHolders(roots: readonly unknown[]): Dictionary[] {
  const holders: Dictionary[] = [];
  const visited = new Set<unknown>();
  const stack = [...roots];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value !== "object" || value === null || visited.has(value)) continue;
    visited.add(value);
    const holder = value as Dictionary;
    if (typeof holder.$ref === "string") holders.push(holder);
    for (const key in holder) stack.push(holder[key]);
  }
  return holders;
}

/** Checks that the result has a bounded depth and that all references resolve in it. */
function validateBundle(root: Dictionary): Outcome<Dictionary> {
  const stats = measureGraph(root);
  if ("kind" in stats)
    return failure(
      "load-bundle",
      "The bundled document is nested too deep or too large",
      { pointer: "#" },
      "Bundle the document with another tool first.",
    );
  return [...stats.refs].every(
    (ref) => ref.startsWith(BROKEN_REF_PREFIX) || resolvePointer(root, ref) !== undefined,
  )
    ? success(root)
    : bundleFailure();
}

function bundleFailure(): Outcome<never> {
  return failure(
    "load-bundle",
    "The files of this document could not be bundled",
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
  const passThrough = {
    order: 1,
    canParse: true,
    allowEmpty: true,
    parse: (file: { data: unknown }) => file.data,
  };
  const none = { json: false, yaml: false, text: false, binary: false } as const;
  // swagger-parser accepts only versions that it knows, and ignores `$id` in this one.
  const shell: Dictionary = {
    ...root,
    openapi: "3.0.3",
    info: { title: "", version: "" },
    paths: root.paths ?? {},
  };
  delete shell.swagger;
  try {
    const options = {
      resolve: { file: false, http: false, memory },
      parse: { ...none, passThrough },
    };
    const joined = (await parser.bundle(
      `${ADDRESS_PREFIX}0`,
      shell as never,
      options as never,
    )) as unknown as Dictionary;
    const document = restoreHeader(joined, root);
    for (const holder of allHolders([document]))
      if (typeof holder.$ref === "string" && !holder.$ref.includes("%25"))
        holder.$ref = holder.$ref.replaceAll("%", "%25");
    return success(document);
  } catch {
    return bundleFailure();
  }
}

/** Restores the header fields that the shell replaced. */
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
