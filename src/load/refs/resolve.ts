import { type Diagnostic, quoteText } from "../../diagnostics/index.js";
import { isObject } from "../../json.js";
import { failed, ok, type Outcome } from "../outcome.js";
import { child, percentDecode, pointerTokens } from "../pointer.js";
import { kindOf } from "../version.js";
import type { FileStore, StoredFile } from "./file-store.js";
import type { Target } from "./site.js";

const longestChain = 100;

/** Resolves references across files: pointers, also through other references, `$anchor`s and `$id`s. */
export class Resolver {
  private readonly names = new Map<StoredFile, ReadonlyMap<string, readonly string[]>>();
  /** What is known of holders whose `$ref` was rewritten since. */
  readonly targets = new Map<object, Target>();

  constructor(private readonly store: FileStore) {}

  /** The target of a reference that stands in `file`. */
  async resolve(file: StoredFile, ref: string, hops = 0): Promise<Outcome<Target>> {
    if (ref === "") return broken("A $ref is empty", "Name its target, such as #/components/schemas/Pet.");
    const hash = ref.indexOf("#");
    const address = hash === -1 ? ref : ref.slice(0, hash);
    const fragment = hash === -1 ? "" : ref.slice(hash + 1);
    const named = address === "" ? undefined : this.namesIn(file).get(address);
    if (named) return await this.inFile(file, named, fragment, ref, hops);
    const opened = address === "" ? ok(file) : await this.store.open(file, address);
    if (opened.problem) return unopened(file, ref, opened.problem);
    return await this.inFile(opened.value, [], fragment, ref, hops);
  }

  private async inFile(file: StoredFile, base: readonly string[], fragment: string, ref: string, hops: number): Promise<Outcome<Target>> {
    const missing = (): Outcome<never> => broken(`The target of the $ref ${quoteText(ref)} does not exist`, "Correct the $ref, or add what it names.");
    if (hops > longestChain) return missing();
    if (fragment !== "" && !fragment.startsWith("/")) {
      const anchor = this.namesIn(file).get(`#${percentDecode(fragment) ?? fragment}`);
      return anchor ? await this.walk(file, anchor, hops) ?? missing() : missing();
    }
    const raw = await this.walk(file, [...base, ...pointerTokens(fragment)], hops);
    if (raw || !fragment.includes("%")) return raw ?? missing();
    return (await this.walk(file, [...base, ...pointerTokens(percentDecode(fragment) ?? fragment)], hops)) ?? missing();
  }

  /** Follows tokens from the root of a file, and through a `$ref` where the next token is not beside it. */
  private async walk(start: StoredFile, tokens: readonly string[], hops: number): Promise<Outcome<Target> | undefined> {
    let file = start;
    let value = start.source.root;
    let path: string[] = [];
    for (const token of tokens) {
      let next = child(value, token);
      if (next === undefined && isObject(value) && typeof value.$ref === "string") {
        const through = this.targets.get(value) ?? (await this.resolve(file, value.$ref, hops + 1)).value;
        if (!through) return undefined;
        ({ file, value } = through);
        path = [...through.tokens];
        next = child(value, token);
      }
      if (next === undefined) return undefined;
      value = next;
      path.push(token);
    }
    return ok({ file, tokens: path, value });
  }

  /** `$id`s by their text and `$anchor`s by `#name`, with the paths of the schemas that have them. */
  private namesIn(file: StoredFile): ReadonlyMap<string, readonly string[]> {
    let names = this.names.get(file);
    if (!names) this.names.set(file, (names = collectNames(file.source.root)));
    return names;
  }
}

/** Problem of a target that is there but of no use; `undefined` when it can be used. */
export function targetObjection(ref: string, value: unknown): Outcome<never> | undefined {
  if (isObject(value) || Array.isArray(value) || typeof value === "boolean") return undefined;
  return broken(`The $ref ${quoteText(ref)} leads to ${kindOf(value)}, not to an object`, "Correct the $ref.");
}

/** A mistake inside of the file is told where it is; anything else where the reference is. */
function unopened(file: StoredFile, ref: string, problem: Diagnostic): Outcome<never> {
  if (problem.code === "load-ref-refused" || problem.place?.line !== undefined) return { problem };
  if (problem.code === "load-not-found") return broken(`The file of the $ref ${quoteText(ref)} does not exist`, hintForMissing(file, ref));
  const what = problem.message.charAt(0).toLowerCase() + problem.message.slice(1);
  return failed(problem.code, `The $ref ${quoteText(ref)} cannot be followed: ${what}`, undefined, "Correct the $ref, or what it names.");
}

function broken(message: string, hint: string): Outcome<never> {
  return failed("load-ref-broken", message, undefined, hint);
}

/** Swagger 1 wrote bare names; people still do. */
function hintForMissing(file: StoredFile, ref: string): string {
  for (const path of ["#/components/schemas", "#/definitions"]) {
    const named = [...pointerTokens(path), ref].reduce<unknown>(child, file.source.root);
    if (named !== undefined) return `Write "${path}/${ref}", if that is meant.`;
  }
  return "Correct the path, or add the file.";
}

function collectNames(root: unknown): Map<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  const seen = new Set<object>();
  const visit = (value: unknown, path: readonly string[]): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    for (const [key, item] of Object.entries(value)) {
      if (typeof item !== "string") visit(item, [...path, key]);
      else if (key === "$id" && !names.has(item)) names.set(item.replace(/#$/, ""), path);
      else if ((key === "$anchor" || key === "$dynamicAnchor") && !names.has(`#${item}`)) names.set(`#${item}`, path);
    }
  };
  visit(root, []);
  return names;
}
