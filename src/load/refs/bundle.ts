import { failed, ok, type Outcome } from "../outcome.js";
import { resolvePointer, toPointer } from "../pointer.js";
import { surveyGraph } from "../survey.js";
import type { SpecVersion } from "../types.js";
import { adoptContainers, type Origin } from "./adopt.js";
import type { FileStore, StoredFile } from "./file-store.js";
import { hoistSchemas, schemaContainer } from "./hoist.js";
import type { Site, Target } from "./site.js";

type Dictionary = Record<string, unknown>;

/**
 * Joins a document that is spread over files into one whose references are all local, with swagger-parser's
 * `bundle`. Everything is read and resolved already: it gets data under made-up addresses, no access to anything, and
 * only references that are known to lead somewhere.
 * @param origins receives where the objects of other files were written
 */
export async function bundle(store: FileStore, references: ReadonlyMap<Site, Target>, version: SpecVersion, origins: Map<object, Origin>): Promise<Outcome<Dictionary>> {
  const root = store.main.source.root as Dictionary;
  const targets = new Map([...references].filter(([site]) => site.use !== "mapping").map(([site, target]) => [site.holder, target]));
  const adopted = adoptContainers(root, targets, origins);
  const own = (target: Target): string | undefined => adopted.get(target.value as object) ?? (target.file.id === 0 ? toPointer(target.tokens) : undefined);
  for (const [holder, target] of targets) {
    holder.$ref = own(target) === undefined ? addressIn(target.file, toPointer(target.tokens)) : addressIn(store.main, own(target) ?? "#");
    if (target.file.id !== 0 && typeof target.value === "object" && target.value !== null && !origins.has(target.value)) origins.set(target.value, target);
  }
  const { pointer, schemas } = schemaContainer(root, version);
  const foreign = (target: Target): string | undefined => (own(target) === undefined ? addressIn(target.file, toPointer(target.tokens)) : undefined);
  const names = hoistSchemas(schemas, references, foreign);
  for (const [site, target] of references) {
    const name = names.get(foreign(target) ?? "");
    if (site.use === "mapping") site.holder[site.key] = own(target) ?? (name === undefined ? site.ref : `${pointer}/${name}`);
  }
  return await withoutOthers(store.all, targets, schemas, () => join(root, store.all));
}

/** An address that only `join` knows. A percent sign in a pointer would be decoded. */
function addressIn(file: StoredFile, pointer: string): string {
  return `${scheme}${file.id}${pointer.replaceAll("%", "%25")}`;
}

const scheme = "mem://document/";

/** Runs the join while every `$ref` that is mere data (in examples, in extensions, in unused parts of files) is out of sight. */
async function withoutOthers(files: readonly StoredFile[], targets: ReadonlyMap<object, Target>, schemas: Dictionary, run: () => Promise<Outcome<Dictionary>>): Promise<Outcome<Dictionary>> {
  const hoisted = new Set<unknown>(Object.values(schemas));
  const hidden: [Dictionary, unknown][] = [];
  const seen = new Set<unknown>();
  const stack: unknown[] = files.map(({ source }) => source.root);
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    const holder = value as Dictionary;
    if (typeof holder.$ref === "string" && !targets.has(holder) && !hoisted.has(holder)) {
      hidden.push([holder, holder.$ref]);
      holder.$ref = null;
    }
    for (const key in holder) stack.push(holder[key] ?? null);
  }
  const joined = await run();
  const checked = joined.problem ? joined : check(joined.value);
  for (const [holder, ref] of hidden) holder.$ref = ref;
  return checked;
}

/** What swagger-parser made must be a tree of bounded depth whose references all lead somewhere. */
function check(root: Dictionary): Outcome<Dictionary> {
  const survey = surveyGraph(root);
  if ("kind" in survey) return failed("load-bundle", "The files of this document, joined, are nested too deep or too large", { pointer: "#" }, "Bundle the document with another tool first.");
  for (const ref of survey.refs) {
    if (!ref.startsWith("#") || resolvePointer(root, ref) === undefined) return cannotJoin();
  }
  return ok(root);
}

function cannotJoin(): Outcome<never> {
  return failed("load-bundle", "The files of this document could not be joined into one", { pointer: "#" }, "Bundle the document with another tool first.");
}

async function join(root: Dictionary, files: readonly StoredFile[]): Promise<Outcome<Dictionary>> {
  const { default: parser } = await import("@apidevtools/swagger-parser");
  const data = new Map(files.map((file) => [`${scheme}${file.id}`, file.source.root]));
  const memory = { order: 1, canRead: true, read: ({ url }: { url: string }) => data.get(url) as string };
  const asItIs = { order: 1, canParse: true, allowEmpty: true, parse: (file: { data: unknown }) => file.data };
  const none = { json: false, yaml: false, text: false, binary: false } as const;
  // Any version would do for joining; this one is known to swagger-parser, and `$id` means nothing in it.
  const shell = { ...root, openapi: "3.0.3", info: { title: "", version: "" }, paths: root.paths ?? {} };
  delete (shell as Dictionary).swagger;
  try {
    const options = { resolve: { file: false, http: false, memory }, parse: { ...none, asItIs } };
    const joined = (await parser.bundle(`${scheme}0`, shell as never, options as never)) as unknown as Dictionary;
    return ok(withOwnHead(joined, root));
  } catch {
    return cannotJoin();
  }
}

/** Puts back what the shell stood in for. */
function withOwnHead(joined: Dictionary, root: Dictionary): Dictionary {
  const result: Dictionary = {};
  for (const key of Object.keys(root)) {
    const isHead = key === "openapi" || key === "swagger" || key === "info";
    Object.defineProperty(result, key, { value: isHead ? root[key] : joined[key], writable: true, enumerable: true, configurable: true });
  }
  return result;
}
