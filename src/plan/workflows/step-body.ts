import { quoteText } from "../../diagnostics/text.js";
import { type JsonSchema, type JsonValue } from "../../json.js";
import type { Operation, RequestBody } from "../../model/types.js";
import type { BodyMapping } from "../../runtime/types.js";
import {
  toJsonPointer,
  type StepBody,
  type Expression,
  type LinkedStep,
  selectPointers,
  type Replacement,
  type Value,
} from "../../workflow/index.js";
import { bindWholeBody, planBody } from "../requests/body.js";
import { resolveSchema, type Schemas, typesOf } from "../schemas/refs.js";
import { operationTitle, type RequestDraft, type StepContext } from "./step-request.js";
import { schemaAt } from "./value-schema.js";
import { splitPointer } from "../../json-pointer.js";

/**
 * Binds the body of a step; undefined when it has none. @param declaredType the media type that a
 * `Content-Type` among its parameters says
 */
export function bindBody(
  step: LinkedStep,
  operation: Operation,
  declaredType: string | undefined,
  draft: RequestDraft,
  { schemas, diagnostics }: StepContext,
): BodyMapping | undefined {
  const { body } = step;
  if (!body) {
    if (operation.body?.required)
      diagnostics.add(
        "workflow-parameter",
        `The step ${quoteText(step.id)} gives no body, which ${operationTitle(operation)} needs.`,
        step.location,
        "Add a requestBody to the step.",
      );
    return undefined;
  }
  const declared =
    operation.body && contentOfMediaType(operation.body, body.contentType ?? declaredType);
  if (!operation.body)
    diagnostics.add(
      "workflow-body",
      `${operationTitle(operation)} declares no body; that of the step is sent all the same.`,
      body.location,
    );
  else if (!declared)
    diagnostics.add(
      "workflow-body",
      `${operationTitle(operation)} does not declare a body of ${quoteText(body.contentType ?? declaredType ?? "")}; it is sent all the same.`,
      body.location,
      `It takes ${operation.body.contents.map(({ mediaType }) => mediaType).join(", ")}.`,
    );
  const plan = declared && planBody({ ...operation, body: declared }, schemas, diagnostics);
  const mediaType =
    plan?.content.mediaType ?? body.contentType ?? declaredType ?? "application/json";
  const binding = plan ? bindWholeBody(plan, "body") : { contentType: mediaType, from: "body" };
  const payload = planPayload(body, mediaType);
  if (payload.isText && body.replacements.length > 0 && /[/+]xml\b/.test(mediaType))
    diagnostics.add(
      "workflow-xpath",
      `The body of ${operationTitle(operation)} is XML, in which targets are XPath. XPath is not served.`,
      body.location,
      "Put the values into the payload by expressions in braces.",
    );
  else if (payload.fault)
    diagnostics.add(
      "workflow-body",
      `The payload of the step ${quoteText(step.id)} ${payload.fault}; it is sent as one text.`,
      body.location,
    );
  const schema = plan?.content.schema;
  draft.input.push([
    "body",
    schema ? coercePayload(payload.value, schema, schemas) : payload.value,
  ]);
  if (!payload.isText) return { ...binding, required: true };
  const { xml: _, ...asText } = binding;
  return { ...asText, required: true };
}

/** `"{$inputs.count}"` in the place of a number is that number: a text would be refused. */
function coercePayload(value: Value, schema: JsonSchema, schemas: Schemas): Value {
  if (value.kind === "record")
    return {
      kind: "record",
      entries: value.entries.map(
        ([key, part]) =>
          [key, coercePayload(part, schemaAt(schema, [key], schemas), schemas)] as const,
      ),
    };
  if (value.kind === "list")
    return {
      kind: "list",
      items: value.items.map((item, i) =>
        coercePayload(item, schemaAt(schema, [String(i)], schemas), schemas),
      ),
    };
  const [only, ...more] = value.kind === "template" ? value.parts : [];
  if (
    value.kind !== "template" ||
    only === undefined ||
    typeof only === "string" ||
    more.length > 0
  )
    return value;
  const types = typesOf(resolveSchema(schemas, schema));
  return types.length > 0 && !types.includes("string")
    ? { kind: "expression", expression: only, location: value.location }
    : value;
}

function contentOfMediaType(
  body: RequestBody,
  mediaType: string | undefined,
): RequestBody | undefined {
  if (mediaType === undefined) return body;
  const essence = (text: string): string => (text.split(";", 1)[0] as string).trim().toLowerCase();
  const contents = body.contents.filter(
    (content) => essence(content.mediaType) === essence(mediaType),
  );
  return contents.length > 0 ? { ...body, contents } : undefined;
}

/**
 * What a body is put together from, and how it goes out when it is a text that must stay as it is.
 */
export interface Payload {
  readonly value: Value;
  /** It is text that is written already: XML, or a form that could not be taken apart. */
  readonly isText: boolean;
  /** Why it could not be read as what it says it is. */
  readonly fault?: string;
}

/**
 * The payload of a step. Texts of JSON and of forms are taken apart, so that what is put into them
 * cannot break out of its place; places that are replaced are replaced at once where the payload is
 * known.
 */
export function planPayload(body: StepBody, mediaType: string): Payload {
  const base =
    body.payload === undefined
      ? ({ value: { kind: "record", entries: [] }, isText: false } as Payload)
      : parsePayload(body.payload, mediaType);
  if (body.replacements.length === 0) return base;
  return base.isText
    ? {
        ...base,
        fault: [base.fault, "is a text, in which nothing can be replaced"]
          .filter(Boolean)
          .join(", and "),
      }
    : { ...base, value: applyReplacements(base.value, body.replacements) };
}

/** At once where the payload is known; else when the step runs. */
function applyReplacements(payload: Value, replacements: readonly Replacement[]): Value {
  if (!isStatic(payload)) return { kind: "replaced", payload, replacements };
  return replacements.reduce((document, { target, language, value }) => {
    const pointers =
      language === "jsonpointer"
        ? [target]
        : [toJsonPointer(target) ?? selectPointers(target, staticValue(document))].flat();
    return pointers.reduce(
      (current, pointer) => replaceAt(current, splitPointer(pointer), value),
      document,
    );
  }, payload);
}

const isStatic = ({ kind }: Value): boolean =>
  kind === "literal" || kind === "list" || kind === "record";

/** The payload as far as it is known now. */
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

/** A constant as the parts that it is made of. */
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

function parsePayload(payload: Value, mediaType: string): Payload {
  const parts =
    payload.kind === "template"
      ? payload.parts
      : payload.kind === "literal" && typeof payload.value === "string"
        ? [payload.value]
        : undefined;
  if (!parts) return { value: payload, isText: false };
  if (/[/+]json\b/.test(mediaType)) return parseJsonPayload(parts, payload);
  if (mediaType.startsWith("application/x-www-form-urlencoded"))
    return parseFormPayload(parts, payload);
  return { value: payload, isText: true };
}

/**
 * Stands for the nth expression while a text is read: private use characters, which texts do not
 * have.
 */
const placeholder = (n: number): string => `\ue000${n}\ue001`;
const PLACEHOLDER = /\ue000(\d+)\ue001/;

/** A text of JSON with expressions in it, inside of strings and in the place of values. */
function parseJsonPayload(parts: readonly (string | Expression)[], payload: Value): Payload {
  const expressions: Expression[] = [];
  let text = "";
  let inString = false;
  for (const part of parts) {
    if (typeof part === "string") {
      for (const token of part.match(/\\[^]|"|[^"\\]+/g) ?? [])
        if (token === '"') inString = !inString;
      text += part;
    } else {
      text += inString
        ? placeholder(expressions.length)
        : JSON.stringify(`\ue002${placeholder(expressions.length)}`);
      expressions.push(part);
    }
  }
  try {
    return {
      value: fillPlaceholders(JSON.parse(text) as JsonValue, expressions, payload),
      isText: false,
    };
  } catch {
    return { value: payload, isText: true, fault: "is no JSON" };
  }
}

function fillPlaceholders(
  value: JsonValue,
  expressions: readonly Expression[],
  payload: Value,
): Value {
  const location = "location" in payload ? payload.location : { pointer: "#" };
  if (typeof value === "string") {
    if (value.startsWith("\ue002"))
      return {
        kind: "expression",
        expression: expressions[Number(PLACEHOLDER.exec(value)?.[1])] as Expression,
        location,
      };
    const parts = value
      .split(/(\ue000\d+\ue001)/)
      .filter(Boolean)
      .map((part) =>
        PLACEHOLDER.test(part)
          ? (expressions[Number(PLACEHOLDER.exec(part)?.[1])] as Expression)
          : part,
      );
    return parts.every((part) => typeof part === "string")
      ? { kind: "literal", value }
      : { kind: "template", parts, inJson: true, location };
  }
  if (typeof value !== "object" || value === null) return { kind: "literal", value };
  if (Array.isArray(value))
    return {
      kind: "list",
      items: value.map((item) => fillPlaceholders(item as JsonValue, expressions, payload)),
    };
  return {
    kind: "record",
    entries: Object.entries(value).map(
      ([key, part]) => [key, fillPlaceholders(part as JsonValue, expressions, payload)] as const,
    ),
  };
}

/** `a={$inputs.a}&b=c`: fields, each with its text. */
function parseFormPayload(parts: readonly (string | Expression)[], payload: Value): Payload {
  const expressions = parts.filter((part) => typeof part !== "string");
  let n = 0;
  const text = parts.map((part) => (typeof part === "string" ? part : placeholder(n++))).join("");
  const pairs = text
    .trim()
    .split("&")
    .map((pair) => pair.split("="));
  const names = pairs.map(([name = ""]) => decodeFormText(name));
  const isPlain =
    pairs.every(([name, , more]) => name !== "" && more === undefined) &&
    new Set(names).size === names.length &&
    !names.some((name) => PLACEHOLDER.test(name));
  if (!isPlain) return { value: payload, isText: true };
  return {
    value: {
      kind: "record",
      entries: pairs.map(
        ([, value = ""], i) =>
          [
            names[i] as string,
            fillPlaceholders(decodeFormText(value), expressions, payload),
          ] as const,
      ),
    },
    isText: false,
  };
}

function decodeFormText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
