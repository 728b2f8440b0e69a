import { isObject } from "../../json.js";
import { child } from "../pointer.js";
import { type Context, slotOf } from "./context.js";
import type { StoredFile } from "./file-store.js";
import type { Site } from "./site.js";

/** A part of a file that is to be searched. */
export interface Part {
  readonly file: StoredFile;
  readonly parent: Record<string, unknown> | unknown[];
  readonly key: string;
  readonly tokens: readonly string[];
  readonly context: Context;
}

/**
 * Finds the `$ref`s in parsed data, reading keys as OpenAPI does: not in examples, defaults and
 * extensions, and properties may be called `description` or `example`. Every object is searched
 * once.
 */
export class Search {
  private readonly visited = new Set<object>();
  /** Parts that no operation needs: searched only when asked for. */
  readonly postponed: Part[] = [];
  needed = true;

  constructor(private readonly emit: (site: Site) => void) {}

  /** Searches one key of an object: the reference that stands there, or what is inside. */
  key(
    file: StoredFile,
    parent: Record<string, unknown>,
    key: string,
    tokens: readonly string[],
  ): void {
    if (child(parent, key) !== undefined)
      this.slot(file, parent, key, { mode: "keywords", of: "" }, [...tokens]);
  }

  /** Searches the target of a reference, which may be one itself. */
  target(file: StoredFile, value: unknown, tokens: readonly string[], via: Site): void {
    if (isObject(value) && typeof value.$ref === "string") {
      this.emit({
        ...via,
        file,
        tokens,
        use: via.use === "example" ? "example" : "structure",
        holder: value,
        parent: value,
        key: "$ref",
        ref: value.$ref,
        needed: this.needed,
      });
    }
    this.value(file, value, tokens, via.context);
  }

  /** Searches a whole value. */
  value(file: StoredFile, value: unknown, tokens: readonly string[], context: Context): void {
    const actual: Context = Array.isArray(value)
      ? { mode: "list", of: context.of }
      : context.mode === "list"
        ? { mode: "keywords", of: context.of }
        : context;
    if (typeof value === "object" && value !== null) this.inside(file, value, [...tokens], actual);
  }

  /** Searches what was postponed. */
  part(part: Part): void {
    this.slot(part.file, part.parent, part.key, part.context, [...part.tokens], true);
  }

  private inside(file: StoredFile, value: object, path: string[], context: Context): void {
    if (this.visited.has(value)) return;
    this.visited.add(value);
    const parent = value as Record<string, unknown>;
    for (const key of Object.keys(parent)) this.slot(file, parent, key, context, path);
  }

  private slot(
    file: StoredFile,
    parent: Record<string, unknown> | unknown[],
    key: string,
    context: Context,
    path: string[],
    now = false,
  ): void {
    const value = child(parent, key);
    if (typeof value !== "object" || value === null) return;
    const slot = slotOf(context, key, value);
    if (slot.kind === "literal") return;
    if (slot.kind === "part" && slot.later && !now)
      return void this.postponed.push({ file, parent, key, tokens: [...path], context });
    path.push(key);
    if (slot.kind === "mapping") this.mapping(file, value, path);
    else {
      const isPart = slot.kind === "part";
      const inner: Context = isPart ? slot.context : { mode: "keywords", of: key };
      const holds = isObject(value) && typeof value.$ref === "string";
      if (holds) {
        const use =
          slot.kind !== "part"
            ? slot.kind
            : context.mode === "names" && context.of === "examples"
              ? "example"
              : "structure";
        this.emit({
          file,
          tokens: [...path],
          use,
          holder: value,
          parent,
          key,
          ref: value.$ref as string,
          schema: isPart && slot.schema,
          context: inner,
          parentContext: context,
          needed: this.needed,
        });
      }
      if (isPart) this.inside(file, value, path, inner);
    }
    path.pop();
  }

  private mapping(file: StoredFile, mapping: object, path: string[]): void {
    if (this.visited.has(mapping)) return;
    this.visited.add(mapping);
    const holder = mapping as Record<string, unknown>;
    for (const [key, ref] of Object.entries(holder)) {
      if (typeof ref !== "string" || !/[/#]|\.(?:json|ya?ml)$/i.test(ref)) continue; // a plain schema name
      this.emit({
        file,
        tokens: [...path, key],
        use: "mapping",
        holder,
        parent: holder,
        key,
        ref,
        schema: true,
        context: { mode: "keywords", of: "mapping" },
        parentContext: { mode: "keywords", of: "mapping" },
        needed: this.needed,
      });
    }
  }
}
