import { isObject, type JsonObject, stepsOf, unescapeToken } from "../json.js";
import { At, pointerOf } from "./at.js";
import { indexIdentifiers, type Identifiers } from "./identifiers.js";
import type { SpecVersion } from "../load/types.js";

/** What a `$ref` points at. */
export interface Target {
  readonly value: unknown;
  readonly at: At;
}

/** Where a chain of `$ref`s broke, and the references on the way, as written. */
export interface BrokenChain {
  readonly broken: "missing" | "circular";
  readonly chain: readonly string[];
  readonly at: At;
}

/** Pointers that go through other references in the middle: how many of those are followed. */
const LONGEST_DETOUR = 50;

/**
 * Finds what references point at. All of them are local: `load` has bundled the document. RFC 6901
 * pointers; from 3.1 on also `$id`, `$anchor` and `$dynamicAnchor` (JSON Schema 2020-12 core,
 * section 8.2), and `$self` (OpenAPI 3.2).
 */
export class References {
  private readonly memo = new Map<string, Target | undefined>();
  private readonly identifiers: Identifiers | undefined;
  private readonly self: string | undefined;

  constructor(
    private readonly root: JsonObject,
    version: SpecVersion,
  ) {
    this.identifiers = version === "3.1" || version === "3.2" ? indexIdentifiers(root) : undefined;
    this.self = version === "3.2" && typeof root.$self === "string" ? root.$self : undefined;
  }

  /** One step: the value that `ref`, which stands at `from`, points at. */
  find(ref: string, from: At): Target | undefined {
    return (this.identifiers ? undefined : this.memo.get(ref)) ?? this.search(ref, from);
  }

  private search(ref: string, from: At): Target | undefined {
    const fragment =
      this.self && ref.startsWith(`${this.self}#`) ? ref.slice(this.self.length) : ref;
    if (!fragment.startsWith("#")) return this.byUri(fragment, from);
    if (fragment === "#" || fragment.startsWith("#/")) return this.byPointer(fragment, from);
    return this.at(this.identifiers?.anchor(fragment, from));
  }

  /** Follows `value` while it is a reference. `value` may be anything. */
  follow(value: unknown, at: At): Target | BrokenChain {
    const first =
      isObject(value) && typeof value.$ref === "string" ? this.find(value.$ref, at) : undefined;
    return first && !(isObject(first.value) && typeof first.value.$ref === "string")
      ? first
      : this.followChain(value, at);
  }

  private followChain(value: unknown, at: At): Target | BrokenChain {
    let here: Target = { value, at };
    const chain = new Set<string>();
    while (isObject(here.value) && typeof here.value.$ref === "string") {
      const ref = here.value.$ref;
      if (chain.has(ref)) return { broken: "circular", chain: [...chain, ref], at };
      chain.add(ref);
      const next = this.find(ref, here.at);
      if (!next) return { broken: "missing", chain: [...chain], at: here.at };
      here = next;
    }
    return here;
  }

  /**
   * The schema that `$recursiveRef: "#"` means (JSON Schema 2019-09), as a pointer: the nearest
   * `$recursiveAnchor` around.
   */
  recursiveAnchor(from: At): string | undefined {
    const tokens = stepsOf(from.pointer);
    while (tokens.length > 0) {
      const value = this.walk(pointerOf(tokens))?.value;
      if (isObject(value) && value.$recursiveAnchor === true) return pointerOf(tokens);
      tokens.pop();
    }
    return undefined;
  }

  private byPointer(fragment: string, from: At): Target | undefined {
    if (fragment === "#") return this.wholeResource(from);
    const resource = this.identifiers?.resourceOf(from);
    if (resource && resource !== "#") {
      const inside = this.walk(resource + fragment.slice(1));
      if (inside) return inside;
    }
    if (!this.memo.has(fragment)) this.memo.set(fragment, this.walk(fragment));
    return this.memo.get(fragment) ?? this.byEnclosingDefinitions(fragment, from);
  }

  /**
   * `#` alone: the schema resource around. Without an `$id` that would be the document; the named
   * schema is meant.
   */
  private wholeResource(from: At): Target | undefined {
    const resource = this.identifiers?.resourceOf(from) ?? "#";
    const named = /^#\/(components\/schemas|definitions)\/[^/]*/.exec(from.pointer)?.[0];
    return this.at(resource === "#" ? named : resource);
  }

  private byUri(uri: string, from: At): Target | undefined {
    const hash = uri.indexOf("#");
    const resource = this.identifiers?.resource(hash < 0 ? uri : uri.slice(0, hash), from);
    if (resource === undefined) return undefined;
    const fragment = hash < 0 ? "" : uri.slice(hash);
    if (fragment === "" || fragment === "#") return this.at(resource);
    if (fragment.startsWith("#/")) return this.walk(resource + fragment.slice(1));
    return this.at(this.identifiers?.anchor(fragment, At.of(resource)));
  }

  /**
   * Generators embed whole JSON Schemas and leave their `#/$defs/X` as it was: look in the schemas
   * around.
   */
  private byEnclosingDefinitions(fragment: string, from: At): Target | undefined {
    if (!/^#\/(\$defs|definitions)\//.test(fragment)) return undefined;
    const tokens = stepsOf(from.pointer);
    while (tokens.length > 0) {
      const found = this.walk(pointerOf(tokens) + fragment.slice(1));
      if (found) return found;
      tokens.pop();
    }
    return undefined;
  }

  private at(pointer: string | undefined): Target | undefined {
    return pointer === undefined ? undefined : this.walk(pointer);
  }

  private walk(pointer: string, detours = 0): Target | undefined {
    let value: unknown = this.root;
    const taken: string[] = [];
    const tokens = stepsOf(pointer);
    for (const [index, written] of tokens.entries()) {
      const token = stepInto(value, written);
      if (token === undefined) return this.detour(value, taken, tokens.slice(index), detours);
      taken.push(token);
      value = (value as Record<string, unknown>)[token];
    }
    return { value, at: At.of(pointerOf(taken)) };
  }

  /**
   * `#/components/schemas/A/properties/b` where `A` is itself a reference: go on from where that
   * leads.
   */
  private detour(
    value: unknown,
    taken: readonly string[],
    left: readonly string[],
    detours: number,
  ): Target | undefined {
    if (!isObject(value) || typeof value.$ref !== "string" || detours >= LONGEST_DETOUR)
      return undefined;
    if (!value.$ref.startsWith("#/") || value.$ref === pointerOf(taken)) return undefined;
    const next = this.walk(value.$ref, detours + 1);
    return next && this.walk(pointerOf([...stepsOf(next.at.pointer), ...left]), detours + 1);
  }
}

/** The key that `token` names in `value`: as written, or percent-decoded (RFC 6901 section 6). */
function stepInto(value: unknown, token: string): string | undefined {
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
    return unescapeToken(decodeURIComponent(token));
  } catch {
    return undefined;
  }
}
