import { getChild } from "../../json-pointer.js";
import { isObject } from "../../json.js";
import type { StoredFile } from "./file-store.js";

/**
 * A `$ref`, or a `mapping` value of a discriminator, in a position where references are resolved.
 */
export interface RefOccurrence {
  readonly file: StoredFile;
  /** Path in its file. */
  readonly tokens: readonly string[];
  /** `example`: an Example Object; `payload`: data, such as the value of `example`. */
  readonly use: "structure" | "example" | "payload" | "text" | "mapping";
  /** Object with the `$ref`, or the mapping itself. Rewritten in place. */
  readonly holder: Record<string, unknown>;
  readonly parent: Record<string, unknown> | unknown[];
  readonly key: string;
  readonly ref: string;
  /** True when the target is a schema, which keeps its name. */
  readonly schema: boolean;
  /** Interpretation of the target's keys, and of those of the referring object. */
  readonly context: KeyContext;
  readonly parentContext: KeyContext;
  /** False when no operation needs the reference. */
  readonly isNeeded: boolean;
}

/** Target of a `$ref`. */
export interface RefTarget {
  readonly file: StoredFile;
  readonly tokens: readonly string[];
  readonly value: unknown;
}

/** Part of a file that is scanned later. */
interface PostponedPart {
  readonly file: StoredFile;
  readonly parent: Record<string, unknown> | unknown[];
  readonly key: string;
  readonly tokens: readonly string[];
  readonly context: KeyContext;
}

/**
 * Finds `$ref`s in parsed data. Keys are interpreted as in OpenAPI: a `$ref` in examples, defaults
 * and extensions is data, and properties may have names such as `description`. Every object is
 * scanned once.
 */
export class RefScanner {
  private readonly visited = new Set<object>();
  /** Parts that no operation needs, scanned on request. */
  readonly postponed: PostponedPart[] = [];
  isNeeded = true;

  constructor(private readonly emit: (occurrence: RefOccurrence) => void) {}

  /** Scans one key of an object: a reference, or its content. */
  scanKey(
    file: StoredFile,
    parent: Record<string, unknown>,
    key: string,
    tokens: readonly string[],
  ): void {
    if (getChild(parent, key) !== undefined)
      this.visitKey(file, parent, key, { mode: "keywords", of: "" }, [...tokens]);
  }

  /** Scans the target of a reference, which may be a reference itself. */
  scanTarget(
    file: StoredFile,
    value: unknown,
    tokens: readonly string[],
    via: RefOccurrence,
  ): void {
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
        isNeeded: this.isNeeded,
      });
    }
    this.scanValue(file, value, tokens, via.context);
  }

  scanValue(
    file: StoredFile,
    value: unknown,
    tokens: readonly string[],
    context: KeyContext,
  ): void {
    const actual: KeyContext = Array.isArray(value)
      ? { mode: "list", of: context.of }
      : context.mode === "list"
        ? { mode: "keywords", of: context.of }
        : context;
    if (typeof value === "object" && value !== null)
      this.scanInside(file, value, [...tokens], actual);
  }

  scanPart(part: PostponedPart): void {
    this.visitKey(part.file, part.parent, part.key, part.context, [...part.tokens], true);
  }

  private scanInside(file: StoredFile, value: object, path: string[], context: KeyContext): void {
    if (this.visited.has(value)) return;
    this.visited.add(value);
    const parent = value as Record<string, unknown>;
    for (const key of Object.keys(parent)) this.visitKey(file, parent, key, context, path);
  }

  private visitKey(
    file: StoredFile,
    parent: Record<string, unknown> | unknown[],
    key: string,
    context: KeyContext,
    path: string[],
    includePostponed = false,
  ): void {
    const value = getChild(parent, key);
    if (typeof value !== "object" || value === null) return;
    const slot = classifyKey(context, key, value);
    if (slot.kind === "literal") return;
    if (slot.kind === "part" && slot.later && !includePostponed)
      return void this.postponed.push({ file, parent, key, tokens: [...path], context });
    path.push(key);
    if (slot.kind === "mapping") this.scanMapping(file, value, path);
    else {
      const isPart = slot.kind === "part";
      const inner: KeyContext = isPart ? slot.context : { mode: "keywords", of: key };
      if (isObject(value) && typeof value.$ref === "string")
        this.emit({
          file,
          tokens: [...path],
          use: isPart ? useOfPart(context) : slot.kind,
          holder: value,
          parent,
          key,
          ref: value.$ref,
          schema: isPart && slot.schema,
          context: inner,
          parentContext: context,
          isNeeded: this.isNeeded,
        });
      if (isPart) this.scanInside(file, value, path, inner);
    }
    path.pop();
  }

  private scanMapping(file: StoredFile, mapping: object, path: string[]): void {
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
        isNeeded: this.isNeeded,
      });
    }
  }
}

/** Use of a reference in a part with these keys. */
function useOfPart({ mode, of }: KeyContext): "example" | "structure" {
  return mode === "names" && of === "examples" ? "example" : "structure";
}

/**
 * Interpretation of the keys of a value: keywords, names chosen by the author, or list indexes.
 */
interface KeyContext {
  readonly mode: "keywords" | "names" | "list";
  /** Key of the value in its parent. */
  readonly of: string;
}

/** Meaning of the value at a key. `literal` data is not scanned for references. */
type KeyMeaning =
  | { readonly kind: "literal" | "payload" | "text" }
  | { readonly kind: "mapping" }
  | {
      readonly kind: "part";
      readonly context: KeyContext;
      readonly schema: boolean;
      readonly later: boolean;
    };

/** Keys of objects whose keys are names chosen by the author. */
const NAMED_MAPS = new Set(
  (
    "paths webhooks responses properties patternProperties $defs definitions schemas " +
    "parameters examples requestBodies headers securitySchemes securityDefinitions links " +
    "callbacks pathItems content encoding dependentSchemas variables mediaTypes " +
    "additionalOperations"
  ).split(" "),
);
const SCHEMA_MAPS = new Set(
  "properties patternProperties $defs definitions schemas dependentSchemas".split(" "),
);
const SCHEMA_KEYS = new Set(
  (
    "schema items additionalProperties not itemSchema if then else contains propertyNames " +
    "unevaluatedItems unevaluatedProperties"
  ).split(" "),
);
const SCHEMA_LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems", "items"]);
/** Keys of data values, in which `$ref` has no meaning. */
const LITERAL_KEYS = new Set(["default", "const", "enum"]);
/** Keys of data values that are often in a separate file. */
const PAYLOAD_KEYS = new Set(["example", "value"]);

function classifyKey(context: KeyContext, key: string, value: unknown): KeyMeaning {
  if (context.mode === "names") return partMeaning("keywords", key, SCHEMA_MAPS.has(context.of));
  if (context.mode === "list")
    return partMeaning(
      Array.isArray(value) ? "list" : "keywords",
      context.of,
      SCHEMA_LISTS.has(context.of),
    );
  if (key.startsWith("x-") || LITERAL_KEYS.has(key)) return { kind: "literal" };
  if (PAYLOAD_KEYS.has(key)) return { kind: "payload" };
  if (key === "description" || key === "summary") return { kind: "text" };
  if (key === "mapping") return { kind: "mapping" };
  if (Array.isArray(value))
    return key === "examples" ? { kind: "literal" } : partMeaning("list", key, false);
  return {
    ...partMeaning(NAMED_MAPS.has(key) ? "names" : "keywords", key, SCHEMA_KEYS.has(key)),
    later: key === "callbacks",
  };
}

function partMeaning(
  mode: KeyContext["mode"],
  of: string,
  schema: boolean,
): KeyMeaning & { readonly kind: "part" } {
  return { kind: "part", context: { mode, of }, schema, later: false };
}
