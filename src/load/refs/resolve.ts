import { type Diagnostic, quoteText } from "../../diagnostics/index.js";
import { isObject } from "../../json.js";
import { failed, ok, type Outcome } from "../outcome.js";
import { child, percentDecode, pointerTokens } from "../pointer.js";
import { kindOf } from "../version.js";
import type { FileStore, StoredFile } from "./file-store.js";
import { Identifiers } from "./identifiers.js";
import type { Target } from "./site.js";

const longestChain = 100;

type Path = readonly string[];

/**
 * Where the `$ref`s of holders lead that one reference goes through: nowhere while that is being
 * found out, for then they lead back to themselves. Each is followed once, from however many places
 * it may be meant.
 */
type Followed = Map<object, Target | undefined>;

/**
 * Resolves references across files: pointers, also through other references, anchors and `$id`s.
 */
export class Resolver {
  private readonly identifiers = new Map<StoredFile, Identifiers>();
  /** What is known of holders whose `$ref` was rewritten since. */
  readonly targets = new Map<object, Target>();

  constructor(private readonly store: FileStore) {}

  /**
   * The target of a reference.
   * @param from where it stands in `file`: identifiers are relative to the schemas around it
   */
  async resolve(
    file: StoredFile,
    ref: string,
    from: Path,
    followed: Followed = new Map(),
  ): Promise<Outcome<Target>> {
    if (ref === "")
      return broken("A $ref is empty", "Name its target, such as #/components/schemas/Pet.");
    if (followed.size > longestChain) return missing(ref);
    const hash = ref.indexOf("#");
    const address = hash === -1 ? ref : ref.slice(0, hash);
    const fragment = hash === -1 ? "" : ref.slice(hash + 1);
    const named = address === "" ? undefined : this.identifiersOf(file).schema(address, from);
    if (named) return (await this.inResource(file, [named], fragment, followed)) ?? missing(ref);
    if (address === "")
      return (
        (await this.inResource(
          file,
          this.resourcesAround(file, from, fragment),
          fragment,
          followed,
        )) ?? missing(ref)
      );
    const opened = await this.store.open(file, address);
    if (opened.problem) return unopened(file, ref, opened.problem);
    return (await this.inResource(opened.value, [[]], fragment, followed)) ?? missing(ref);
  }

  /**
   * The schemas in which a fragment may be meant, the likeliest first: the nearest with an `$id`,
   * the document, and, for definitions, all schemas around, because embedded JSON Schemas often
   * keep their `#/$defs/X` as it was.
   */
  private resourcesAround(file: StoredFile, from: Path, fragment: string): Path[] {
    const around: Path[] = [this.identifiersOf(file).resource(from), []];
    if (/^\/(?:\$defs|definitions)\//.test(fragment))
      for (let length = from.length; length > 0; length--) around.push(from.slice(0, length));
    return around;
  }

  private async inResource(
    file: StoredFile,
    resources: readonly Path[],
    fragment: string,
    followed: Followed,
  ): Promise<Outcome<Target> | undefined> {
    if (fragment !== "" && !fragment.startsWith("/")) {
      const anchor = this.identifiersOf(file).anchor(
        percentDecode(fragment) ?? fragment,
        resources[0] ?? [],
      );
      return anchor && (await this.walk(file, anchor, followed));
    }
    const decoded = fragment.includes("%") ? percentDecode(fragment) : undefined;
    for (const resource of resources) {
      for (const pointer of decoded === undefined ? [fragment] : [fragment, decoded]) {
        const target = await this.walk(file, [...resource, ...pointerTokens(pointer)], followed);
        if (target) return target;
      }
    }
    return undefined;
  }

  /**
   * Follows tokens from the root of a file, and through a `$ref` where the next token is not beside
   * it.
   */
  private async walk(
    start: StoredFile,
    tokens: readonly string[],
    followed: Followed,
  ): Promise<Outcome<Target> | undefined> {
    let file = start;
    let value = start.source.root;
    let path: string[] = [];
    for (const token of tokens) {
      let next = child(value, token);
      if (next === undefined && isObject(value) && typeof value.$ref === "string") {
        const through =
          this.targets.get(value) ?? (await this.through(file, value, value.$ref, path, followed));
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

  private async through(
    file: StoredFile,
    holder: object,
    ref: string,
    path: Path,
    followed: Followed,
  ): Promise<Target | undefined> {
    if (followed.has(holder)) return followed.get(holder);
    followed.set(holder, undefined);
    const { value } = await this.resolve(file, ref, path, followed);
    followed.set(holder, value);
    return value;
  }

  private identifiersOf(file: StoredFile): Identifiers {
    let identifiers = this.identifiers.get(file);
    if (!identifiers) this.identifiers.set(file, (identifiers = new Identifiers(file.source.root)));
    return identifiers;
  }
}

/** Problem of a target that is there but of no use; `undefined` when it can be used. */
export function targetObjection(ref: string, value: unknown): Outcome<never> | undefined {
  if (isObject(value) || Array.isArray(value) || typeof value === "boolean") return undefined;
  return broken(
    `The $ref ${quoteText(ref)} leads to ${kindOf(value)}, not to an object`,
    "Correct the $ref.",
  );
}

/** A mistake inside of the file is told where it is; anything else where the reference is. */
function unopened(file: StoredFile, ref: string, problem: Diagnostic): Outcome<never> {
  if (problem.code === "load-ref-refused" || problem.place?.line !== undefined) return { problem };
  if (problem.code === "load-not-found")
    return broken(
      `The file of the $ref ${quoteText(ref)} does not exist`,
      hintForMissing(file, ref, problem.hint),
    );
  const what = problem.message.charAt(0).toLowerCase() + problem.message.slice(1);
  return failed(
    problem.code,
    `The $ref ${quoteText(ref)} cannot be followed: ${what}`,
    undefined,
    "Correct the $ref, or what it names.",
  );
}

function missing(ref: string): Outcome<never> {
  return broken(
    `The target of the $ref ${quoteText(ref)} does not exist`,
    "Correct the $ref, or add what it names.",
  );
}

function broken(message: string, hint: string): Outcome<never> {
  return failed("load-ref-broken", message, undefined, hint);
}

/** Swagger 1 wrote bare names; people still do. */
function hintForMissing(file: StoredFile, ref: string, near: string | undefined): string {
  for (const path of ["#/components/schemas", "#/definitions"]) {
    const named = [...pointerTokens(path), ref].reduce<unknown>(child, file.source.root);
    if (named !== undefined) return `Write "${path}/${ref}", if that is meant.`;
  }
  return near?.startsWith("Did you mean") ? near : "Correct the path, or add the file.";
}
