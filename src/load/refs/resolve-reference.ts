import { canParseUrl } from "../../runtime/data/urls.js";
import { describeType, type Diagnostic, quoteText } from "../../diagnostics/index.js";
import { decodePercent, getChild, parsePointerFragment } from "../../json-pointer.js";
import { isObject } from "../../json.js";
import { failure, type Outcome, success } from "../types.js";
import type { FileStore, StoredFile } from "./file-store.js";
import type { RefTarget } from "./scan-references.js";

/** Path of keys and indexes in a file. */
type TokenPath = readonly string[];

const MAX_CHAIN = 100;

/**
 * Targets of the references followed while one reference is resolved, by the object of the `$ref`.
 * `undefined` while a target is being resolved: a reference back to it is circular. Each is
 * followed once.
 */
type FollowedRefs = Map<object, RefTarget | undefined>;

/**
 * Resolves references across files by pointer (also through other references), anchor and `$id`.
 */
export class RefResolver {
  private readonly identifiers = new Map<StoredFile, SchemaIdentifiers>();
  /** Targets of objects whose `$ref` has been rewritten. */
  readonly targets = new Map<object, RefTarget>();

  constructor(private readonly store: FileStore) {}

  /**
   * Resolves one reference.
   * @param from path of the reference in `file`; identifiers are relative to the enclosing schemas
   */
  async resolve(
    file: StoredFile,
    ref: string,
    from: TokenPath,
    followed: FollowedRefs = new Map(),
  ): Promise<Outcome<RefTarget>> {
    if (ref === "")
      return brokenRef("A $ref is empty", "Give its target, such as #/components/schemas/Pet.");
    if (followed.size > MAX_CHAIN) return missingTarget(ref);
    const hash = ref.indexOf("#");
    const address = hash === -1 ? ref : ref.slice(0, hash);
    const fragment = hash === -1 ? "" : ref.slice(hash + 1);
    const identified = address === "" ? undefined : this.identifiersOf(file).schema(address, from);
    if (identified)
      return (await this.inResource(file, [identified], fragment, followed)) ?? missingTarget(ref);
    if (address === "")
      return (
        (await this.inResource(
          file,
          this.resourcesAround(file, from, fragment),
          fragment,
          followed,
        )) ?? missingTarget(ref)
      );
    const target = await this.store.open(file, address);
    if (target.problem) return openFailure(file, ref, target.problem);
    return (await this.inResource(target.value, [[]], fragment, followed)) ?? missingTarget(ref);
  }

  /**
   * Schemas that a fragment may be relative to, most likely first: the nearest with an `$id`, the
   * document, and for definitions all enclosing schemas. Embedded JSON Schemas often keep their
   * `#/$defs/X`.
   */
  private resourcesAround(file: StoredFile, from: TokenPath, fragment: string): TokenPath[] {
    const candidates: TokenPath[] = [this.identifiersOf(file).resource(from), []];
    if (/^\/(?:\$defs|definitions)\//.test(fragment))
      for (let length = from.length; length > 0; length--) candidates.push(from.slice(0, length));
    return candidates;
  }

  private async inResource(
    file: StoredFile,
    resources: readonly TokenPath[],
    fragment: string,
    followed: FollowedRefs,
  ): Promise<Outcome<RefTarget> | undefined> {
    if (fragment !== "" && !fragment.startsWith("/")) {
      const anchor = this.identifiersOf(file).anchor(
        decodePercent(fragment) ?? fragment,
        resources[0] ?? [],
      );
      return anchor && (await this.walk(file, anchor, followed));
    }
    const decoded = fragment.includes("%") ? decodePercent(fragment) : undefined;
    for (const resource of resources) {
      for (const pointer of decoded === undefined ? [fragment] : [fragment, decoded]) {
        const target = await this.walk(
          file,
          [...resource, ...parsePointerFragment(pointer)],
          followed,
        );
        if (target) return target;
      }
    }
    return undefined;
  }

  /** Follows tokens from the root of a file, through a `$ref` where the next token is missing. */
  private async walk(
    start: StoredFile,
    tokens: readonly string[],
    followed: FollowedRefs,
  ): Promise<Outcome<RefTarget> | undefined> {
    let file = start;
    let value = start.source.root;
    let path: string[] = [];
    for (const token of tokens) {
      let next = getChild(value, token);
      if (next === undefined && isObject(value) && typeof value.$ref === "string") {
        const through =
          this.targets.get(value) ?? (await this.through(file, value, value.$ref, path, followed));
        if (!through) return undefined;
        ({ file, value } = through);
        path = [...through.tokens];
        next = getChild(value, token);
      }
      if (next === undefined) return undefined;
      value = next;
      path.push(token);
    }
    return success({ file, tokens: path, value });
  }

  private async through(
    file: StoredFile,
    holder: object,
    ref: string,
    path: TokenPath,
    followed: FollowedRefs,
  ): Promise<RefTarget | undefined> {
    if (followed.has(holder)) return followed.get(holder);
    followed.set(holder, undefined);
    const { value } = await this.resolve(file, ref, path, followed);
    followed.set(holder, value);
    return value;
  }

  private identifiersOf(file: StoredFile): SchemaIdentifiers {
    let identifiers = this.identifiers.get(file);
    if (!identifiers)
      this.identifiers.set(file, (identifiers = new SchemaIdentifiers(file.source.root)));
    return identifiers;
  }
}

/** Problem of a target that cannot be used; `undefined` otherwise. */
export function rejectTarget(ref: string, value: unknown): Outcome<never> | undefined {
  if (isObject(value) || Array.isArray(value) || typeof value === "boolean") return undefined;
  return brokenRef(
    `The $ref ${quoteText(ref)} refers to ${describeType(value)}, not to an object`,
    "Correct the $ref.",
  );
}

/** Locates an error inside a file there, and any other at the reference. */
function openFailure(file: StoredFile, ref: string, problem: Diagnostic): Outcome<never> {
  if (problem.code === "load-ref-rejected" || problem.location?.line !== undefined)
    return { problem };
  if (problem.code === "load-not-found")
    return brokenRef(
      `The file of the $ref ${quoteText(ref)} does not exist`,
      missingRefHint(file, ref, problem.hint),
    );
  const reason = problem.message.charAt(0).toLowerCase() + problem.message.slice(1);
  return failure(
    problem.code,
    `The $ref ${quoteText(ref)} cannot be resolved: ${reason}`,
    undefined,
    "Correct the $ref or its target.",
  );
}

function missingTarget(ref: string): Outcome<never> {
  return brokenRef(
    `The target of the $ref ${quoteText(ref)} does not exist`,
    "Correct the $ref, or add its target.",
  );
}

function brokenRef(message: string, hint: string): Outcome<never> {
  return failure("load-ref-broken", message, undefined, hint);
}

/** Suggests a component for a bare name, as in Swagger 1. */
function missingRefHint(file: StoredFile, ref: string, near: string | undefined): string {
  for (const path of ["#/components/schemas", "#/definitions"]) {
    const component = [...parsePointerFragment(path), ref].reduce<unknown>(
      getChild,
      file.source.root,
    );
    if (component !== undefined) return `Write "${path}/${ref}" if you mean that component.`;
  }
  return near?.startsWith("Did you mean") ? near : "Correct the path, or add the file.";
}

/**
 * `$id`s, `$anchor`s and `$self` of one file with the paths of their schemas (JSON Schema 2020-12
 * core, section 8.2; OpenAPI 3.2, "$self").
 */
class SchemaIdentifiers {
  private readonly ids = new Map<string, TokenPath>();
  private readonly anchors: {
    readonly name: string;
    readonly path: TokenPath;
    readonly resource: TokenPath;
  }[] = [];
  /** Absolute URIs of schemas with an `$id`, by path. */
  private readonly bases = new Map<string, string>();

  constructor(root: unknown) {
    const self = isObject(root) && typeof root.$self === "string" ? root.$self : undefined;
    if (self !== undefined) {
      this.ids.set(resolveUri(self, undefined), []);
      this.bases.set("", self);
    }
    if (hasIdentifiers(root)) this.collect(root, [], [], self, new Set());
  }

  private collect(
    value: unknown,
    path: TokenPath,
    resource: TokenPath,
    base: string | undefined,
    visited: Set<object>,
  ): void {
    if (typeof value !== "object" || value === null || visited.has(value)) return;
    visited.add(value);
    const object = value as Record<string, unknown>;
    const id = typeof object.$id === "string" ? resolveUri(object.$id, base) : undefined;
    if (id !== undefined) {
      if (!this.ids.has(id)) this.ids.set(id, path);
      this.bases.set(path.join("\n"), id);
    }
    const enclosing = id === undefined ? resource : path;
    for (const name of [object.$anchor, object.$dynamicAnchor])
      if (typeof name === "string") this.anchors.push({ name, path, resource: enclosing });
    for (const key of Object.keys(object))
      this.collect(object[key], [...path, key], enclosing, id ?? base, visited);
  }

  /** Path of the schema with an `$id`, resolved from a path. */
  schema(address: string, from: TokenPath): TokenPath | undefined {
    if (this.ids.size === 0) return undefined;
    return (
      this.ids.get(resolveUri(address, this.bases.get(this.resource(from).join("\n")))) ??
      this.ids.get(address)
    );
  }

  /** Path of the nearest enclosing schema with an `$id`, or of the root. */
  resource(from: TokenPath): TokenPath {
    for (let length = this.bases.size === 0 ? 0 : from.length; length > 0; length--) {
      const path = from.slice(0, length);
      if (this.bases.has(path.join("\n"))) return path;
    }
    return [];
  }

  /** Path of the schema with an anchor, preferably in the given resource. */
  anchor(name: string, resource: TokenPath): TokenPath | undefined {
    const matches = this.anchors.filter((anchor) => anchor.name === name);
    return (
      matches.find((anchor) => anchor.resource.join("\n") === resource.join("\n")) ?? matches[0]
    )?.path;
  }
}

function resolveUri(uri: string, base: string | undefined): string {
  const reference = uri.replace(/#$/, "");
  return base !== undefined && canParseUrl(reference, base)
    ? new URL(reference, base).href
    : reference;
}

/** Fast check without paths; most documents have no identifiers. */
function hasIdentifiers(root: unknown): boolean {
  const visited = new Set<unknown>();
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value !== "object" || value === null || visited.has(value)) continue;
    visited.add(value);
    if ("$id" in value || "$anchor" in value || "$dynamicAnchor" in value) return true;
    for (const key in value) stack.push((value as Record<string, unknown>)[key]);
  }
  return false;
}
