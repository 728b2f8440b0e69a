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
 * Plans the body of a step; undefined without one.
 * @param declaredType media type of a `Content-Type` parameter
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
    if (operation.body?.required) reportMissingBody(step, operation, diagnostics);
    return undefined;
  }
  const requestedType = body.contentType ?? declaredType;
  const declared = operation.body && contentOfMediaType(operation.body, requestedType);
  if (!declared) reportUndeclaredBody(operation, requestedType, body, diagnostics);
  const plan = declared && planBody({ ...operation, body: declared }, schemas, diagnostics);
  const mediaType = plan?.content.mediaType ?? requestedType ?? "application/json";
  const binding = plan ? bindWholeBody(plan, "body") : { contentType: mediaType, from: "body" };
  const payload = planPayload(body, mediaType);
  if (payload.isText && body.replacements.length > 0 && /[/+]xml\b/.test(mediaType))
    reportXPath(operation, body, diagnostics);
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

function reportMissingBody(
  step: LinkedStep,
  operation: Operation,
  diagnostics: StepContext["diagnostics"],
): void {
  diagnostics.add(
    "workflow-parameter",
    `The step ${quoteText(step.id)} has no requestBody, but ${operationTitle(operation)} requires one.`,
    step.location,
    "Add a requestBody to the step.",
  );
}

/** Reports a body that the operation does not declare, at all or in this media type. */
function reportUndeclaredBody(
  operation: Operation,
  mediaType: string | undefined,
  { location }: StepBody,
  diagnostics: StepContext["diagnostics"],
): void {
  const title = operationTitle(operation);
  if (!operation.body)
    diagnostics.add(
      "workflow-body",
      `${title} declares no body; that of the step is sent anyway.`,
      location,
    );
  else
    diagnostics.add(
      "workflow-body",
      `${title} does not declare a body of ${quoteText(mediaType ?? "")}; it is sent anyway.`,
      location,
      `It takes ${operation.body.contents.map((content) => content.mediaType).join(", ")}.`,
    );
}

function reportXPath(
  operation: Operation,
  { location }: StepBody,
  diagnostics: StepContext["diagnostics"],
): void {
  diagnostics.add(
    "workflow-xpath",
    `The body of ${operationTitle(operation)} is XML, in which targets are XPath. XPath is not supported.`,
    location,
    "Write the values into the payload as expressions in braces.",
  );
}

/** Converts `"{$inputs.count}"` to the value itself where the schema does not accept text. */
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

/** Content of a body. */
interface Payload {
  readonly value: Value;
  /** True when it is text that stays as it is: XML, or a form that cannot be parsed. */
  readonly isText: boolean;
  /** Reason why it could not be parsed. */
  readonly fault?: string;
}

/**
 * Plans the payload of a step. JSON and form texts are parsed, so that inserted values cannot break
 * out of their position. Replacements are applied to known payloads.
 */
function planPayload(body: StepBody, mediaType: string): Payload {
  const base =
    body.payload === undefined
      ? ({ value: { kind: "record", entries: [] }, isText: false } as Payload)
      : parsePayload(body.payload, mediaType);
  if (body.replacements.length === 0) return base;
  return base.isText
    ? {
        ...base,
        fault: [base.fault, "is a text and cannot have replacements"]
          .filter(Boolean)
          .join(", and "),
      }
    : { ...base, value: applyReplacements(base.value, body.replacements) };
}

/** Applies replacements to a known payload, and otherwise when the step runs. */
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

/** Placeholder of the nth expression while a text is parsed, in private use characters. */
const placeholder = (n: number): string => `\ue000${n}\ue001`;
const PLACEHOLDER = /\ue000(\d+)\ue001/;

/** Parses a JSON text with expressions inside strings and as values. */
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
    return { value: payload, isText: true, fault: "is not JSON" };
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

/** Parses `a={$inputs.a}&b=c` into fields. */
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
