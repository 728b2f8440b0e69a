import { quoteText } from "../../diagnostics/text.js";
import { type JsonSchema, typesOf } from "../../json.js";
import type { Operation, RequestBody } from "../../model/types.js";
import type { BodyMapping } from "../../runtime/types.js";
import type { LinkedStep, StepBody, Value } from "../../workflow/index.js";
import { bindWholeBody, planBody } from "../requests/body.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import { applyReplacements, parsePayload, type StepPayload } from "./parse-payload.js";
import { operationTitle } from "./arguments.js";
import type { RequestDraft, StepContext } from "./step-context.js";
import { schemaAt } from "./value-schema.js";

/**
 * Plans the body of a step; undefined without one.
 * @param declaredType media type of a `Content-Type` parameter
 */
export function bindStepBody(
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
      `The payload of the step ${quoteText(step.id)} ${payload.fault}; it is sent as one string.`,
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

/**
 * Plans the payload of a step. JSON and form texts are parsed, so that inserted values cannot break
 * out of their position. Replacements are applied to known payloads.
 */
function planPayload(body: StepBody, mediaType: string): StepPayload {
  const base =
    body.payload === undefined
      ? ({ value: { kind: "record", entries: [] }, isText: false } as StepPayload)
      : parsePayload(body.payload, mediaType);
  if (body.replacements.length === 0) return base;
  return base.isText
    ? {
        ...base,
        fault: [base.fault, "is a string and cannot have replacements"]
          .filter(Boolean)
          .join(", and "),
      }
    : { ...base, value: applyReplacements(base.value, body.replacements) };
}
