import { splitPointer, unescapePointerToken } from "../json-pointer.js";
import { isObject, type JsonObject } from "../json.js";
import type { ApiDocument } from "../load/types.js";
import { type Identifiers, indexIdentifiers } from "./identifiers.js";
import { Pointer, pointerFromSteps } from "./pointer.js";

/** The target of a `$ref`. */
export interface ReferenceTarget {
  readonly value: unknown;
  readonly pointer: Pointer;
}

/** A chain of `$ref`s that does not resolve, with its references as written. */
export interface BrokenReference {
  readonly reason: "missing" | "circular";
  readonly chain: readonly string[];
  readonly pointer: Pointer;
}

/** Maximum references followed inside one pointer. */
const MAX_INNER_REFERENCES = 50;

/**
 * Resolves references. All of them are local, because `load` has bundled the document. Supports RFC
 * 6901 pointers; from 3.1 on `$id`, `$anchor` and `$dynamicAnchor` (JSON Schema 2020-12 core,
 * section 8.2); and `$self` (OpenAPI 3.2).
 */
export class ReferenceResolver {
  private readonly memo = new Map<string, ReferenceTarget | undefined>();
  private readonly identifiers: Identifiers | undefined;
  private readonly self: string | undefined;
  private readonly root: JsonObject;
  private readonly broken: ApiDocument["brokenRefs"];

  constructor({ root, version, brokenRefs }: ApiDocument) {
    this.root = root;
    this.broken = brokenRefs;
    this.identifiers = version === "3.1" || version === "3.2" ? indexIdentifiers(root) : undefined;
    this.self = version === "3.2" && typeof root.$self === "string" ? root.$self : undefined;
  }

  /** Resolves one reference `ref` at `from`, without following further references. */
  find(ref: string, from: Pointer): ReferenceTarget | undefined {
    if (this.broken?.has(ref)) return undefined;
    return (this.identifiers ? undefined : this.memo.get(ref)) ?? this.locate(ref, from);
  }

  private locate(ref: string, from: Pointer): ReferenceTarget | undefined {
    const fragment =
      this.self && ref.startsWith(`${this.self}#`) ? ref.slice(this.self.length) : ref;
    if (!fragment.startsWith("#")) return this.byUri(fragment, from);
    if (fragment === "#" || fragment.startsWith("#/")) return this.byPointer(fragment, from);
    return this.resolvePointer(this.identifiers?.anchor(fragment, from));
  }

  /** Follows `value`, which may have any type, while it is a reference. */
  follow(value: unknown, pointer: Pointer): ReferenceTarget | BrokenReference {
    const first =
      isObject(value) && typeof value.$ref === "string"
        ? this.find(value.$ref, pointer)
        : undefined;
    return first && !(isObject(first.value) && typeof first.value.$ref === "string")
      ? first
      : this.followChain(value, pointer);
  }

  private followChain(value: unknown, pointer: Pointer): ReferenceTarget | BrokenReference {
    let current: ReferenceTarget = { value, pointer };
    const chain = new Set<string>();
    while (isObject(current.value) && typeof current.value.$ref === "string") {
      const ref = current.value.$ref;
      if (chain.has(ref)) return { reason: "circular", chain: [...chain, ref], pointer };
      chain.add(ref);
      const next = this.find(ref, current.pointer);
      if (!next) return { reason: "missing", chain: [...chain], pointer: current.pointer };
      current = next;
    }
    return current;
  }

  /**
   * Pointer of the schema that `$recursiveRef: "#"` means (JSON Schema 2019-09): the nearest
   * enclosing `$recursiveAnchor`.
   */
  recursiveAnchor(from: Pointer): string | undefined {
    const tokens = splitPointer(from.text);
    while (tokens.length > 0) {
      const value = this.walk(pointerFromSteps(tokens))?.value;
      if (isObject(value) && value.$recursiveAnchor === true) return pointerFromSteps(tokens);
      tokens.pop();
    }
    return undefined;
  }

  private byPointer(fragment: string, from: Pointer): ReferenceTarget | undefined {
    if (fragment === "#") return this.enclosingResource(from);
    const resource = this.identifiers?.resourceOf(from);
    if (resource && resource !== "#") {
      const inner = this.walk(resource + fragment.slice(1));
      if (inner) return inner;
    }
    if (!this.memo.has(fragment)) this.memo.set(fragment, this.walk(fragment));
    return this.memo.get(fragment) ?? this.byEnclosingDefinitions(fragment, from);
  }

  /**
   * Resolves `#` alone to the enclosing schema resource. Without an `$id` the named schema is
   * meant, not the document.
   */
  private enclosingResource(from: Pointer): ReferenceTarget | undefined {
    const resource = this.identifiers?.resourceOf(from) ?? "#";
    const component = /^#\/(components\/schemas|definitions)\/[^/]*/.exec(from.text)?.[0];
    return this.resolvePointer(resource === "#" ? component : resource);
  }

  private byUri(uri: string, from: Pointer): ReferenceTarget | undefined {
    const hash = uri.indexOf("#");
    const resource = this.identifiers?.resource(hash < 0 ? uri : uri.slice(0, hash), from);
    if (resource === undefined) return undefined;
    const fragment = hash < 0 ? "" : uri.slice(hash);
    if (fragment === "" || fragment === "#") return this.resolvePointer(resource);
    if (fragment.startsWith("#/")) return this.walk(resource + fragment.slice(1));
    return this.resolvePointer(this.identifiers?.anchor(fragment, Pointer.of(resource)));
  }

  /**
   * Resolves `#/$defs/X` in an enclosing schema. Generators embed whole JSON Schemas without
   * adjusting these.
   */
  private byEnclosingDefinitions(fragment: string, from: Pointer): ReferenceTarget | undefined {
    if (!/^#\/(\$defs|definitions)\//.test(fragment)) return undefined;
    const tokens = splitPointer(from.text);
    while (tokens.length > 0) {
      const found = this.walk(pointerFromSteps(tokens) + fragment.slice(1));
      if (found) return found;
      tokens.pop();
    }
    return undefined;
  }

  private resolvePointer(pointer: string | undefined): ReferenceTarget | undefined {
    return pointer === undefined ? undefined : this.walk(pointer);
  }

  private walk(pointer: string, innerReferences = 0): ReferenceTarget | undefined {
    let value: unknown = this.root;
    const visited: string[] = [];
    const tokens = splitPointer(pointer);
    for (const [index, rawToken] of tokens.entries()) {
      const token = childKey(value, rawToken);
      if (token === undefined)
        return this.followInnerReference(value, visited, tokens.slice(index), innerReferences);
      visited.push(token);
      value = (value as Record<string, unknown>)[token];
    }
    return { value, pointer: Pointer.of(pointerFromSteps(visited)) };
  }

  /**
   * Follows a pointer through an inner reference: `#/components/schemas/A/properties/b` where `A`
   * is a `$ref`.
   */
  private followInnerReference(
    value: unknown,
    visited: readonly string[],
    remaining: readonly string[],
    innerReferences: number,
  ): ReferenceTarget | undefined {
    if (
      !isObject(value) ||
      typeof value.$ref !== "string" ||
      innerReferences >= MAX_INNER_REFERENCES
    )
      return undefined;
    if (!value.$ref.startsWith("#/") || value.$ref === pointerFromSteps(visited)) return undefined;
    const next = this.walk(value.$ref, innerReferences + 1);
    return (
      next &&
      this.walk(
        pointerFromSteps([...splitPointer(next.pointer.text), ...remaining]),
        innerReferences + 1,
      )
    );
  }
}

/** The key that `token` names in `value`, as written or percent-decoded (RFC 6901, section 6). */
function childKey(value: unknown, token: string): string | undefined {
  if (Array.isArray(value))
    return /^(0|[1-9]\d*)$/.test(token) && Number(token) < value.length ? token : undefined;
  if (!isObject(value)) return undefined;
  if (Object.hasOwn(value, token)) return token;
  const decoded = percentDecoded(token);
  return decoded !== undefined && Object.hasOwn(value, decoded) ? decoded : undefined;
}

function percentDecoded(token: string): string | undefined {
  if (!token.includes("%")) return undefined;
  try {
    // `%2F` inside a token is a slash of the key; `~1` may itself be written `%7E1`.
    return unescapePointerToken(decodeURIComponent(token));
  } catch {
    return undefined;
  }
}
