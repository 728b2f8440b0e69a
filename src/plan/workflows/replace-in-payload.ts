import { splitPointer } from "../../json-pointer.js";
import type { JsonValue } from "../../json.js";
import { selectPointers, toJsonPointer } from "../../workflow/json-path.js";
import type { Replacement, Value } from "../../workflow/types.js";

/** Applies replacements to a known payload, and otherwise when the step runs. */
export function applyReplacements(payload: Value, replacements: readonly Replacement[]): Value {
  const later: Value = { kind: "replaced", payload, replacements };
  if (!isStatic(payload)) return later;
  let document = payload;
  for (const { target, language, value } of replacements) {
    const pointer = language === "jsonpointer" ? target : toJsonPointer(target);
    const pointers =
      pointer === undefined ? selectPointers(target, staticValue(document)) : [pointer];
    if (!pointers) return later;
    for (const place of pointers) document = replaceAt(document, splitPointer(place), value);
  }
  return document;
}

const isStatic = ({ kind }: Value): boolean =>
  kind === "literal" || kind === "list" || kind === "record";

/** Known part of a payload. */
function staticValue(value: Value): JsonValue {
  if (value.kind === "literal") return value.value;
  if (value.kind === "list") return value.items.map(staticValue);
  return value.kind === "record"
    ? Object.fromEntries(value.entries.map(([key, part]) => [key, staticValue(part)]))
    : null;
}

function replaceAt(document: Value, [step, ...rest]: readonly string[], value: Value): Value {
  if (step === undefined) return value;
  const expanded = expandLiteral(document);
  if (expanded.kind === "list") {
    const index = step === "-" ? expanded.items.length : Number(step);
    if (!Number.isInteger(index) || index < 0 || index > expanded.items.length) return document;
    return {
      kind: "list",
      items: expanded.items.toSpliced(
        index,
        1,
        replaceAt(expanded.items[index] ?? NOTHING, rest, value),
      ),
    };
  }
  const entries = expanded.kind === "record" ? expanded.entries : [];
  const exists = entries.some(([key]) => key === step);
  const replaced = (part: Value | undefined): Value => replaceAt(part ?? NOTHING, rest, value);
  return {
    kind: "record",
    entries: exists
      ? entries.map(([key, part]) => [key, key === step ? replaced(part) : part] as const)
      : [...entries, [step, replaced(undefined)]],
  };
}

const NOTHING: Value = { kind: "literal", value: null };

/** Constant as a list or record of constants. */
function expandLiteral(value: Value): Value {
  if (value.kind !== "literal" || typeof value.value !== "object" || value.value === null)
    return value;
  if (Array.isArray(value.value))
    return {
      kind: "list",
      items: value.value.map((item) => ({ kind: "literal", value: item as JsonValue })),
    };
  return {
    kind: "record",
    entries: Object.entries(value.value).map(
      ([key, part]) => [key, { kind: "literal", value: part as JsonValue }] as const,
    ),
  };
}
