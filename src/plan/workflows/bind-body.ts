import { quoteText } from "../../diagnostics/clean.js";
import type { JsonSchema } from "../../json.js";
import type { Operation, RequestBody } from "../../model/types.js";
import type { BodyBinding } from "../../runtime/types.js";
import type { LinkedStep, Value } from "../../workflow/index.js";
import { planBody, wholeBody } from "../binding/body.js";
import { resolve, type Schemas, typesOf } from "../schema/refs.js";
import { type Draft, titleOf } from "./bind-arguments.js";
import type { StepContext } from "./bind-step.js";
import { payloadOf } from "./payload.js";
import { inside } from "./schema-of.js";

/**
 * Binds the body of a step; undefined when it has none. @param said the media type that a
 * `Content-Type` among its parameters says
 */
export function bindBody(
  step: LinkedStep,
  operation: Operation,
  said: string | undefined,
  draft: Draft,
  { schemas, findings }: StepContext,
): BodyBinding | undefined {
  const { body } = step;
  if (!body) {
    if (operation.body?.required)
      findings.add(
        "workflow-parameter",
        `The step ${quoteText(step.id)} gives no body, which ${titleOf(operation)} needs.`,
        step.place,
        "Add a requestBody to the step.",
      );
    return undefined;
  }
  const declared = operation.body && contentFor(operation.body, body.contentType ?? said);
  if (!operation.body)
    findings.add(
      "workflow-body",
      `${titleOf(operation)} declares no body; that of the step is sent all the same.`,
      body.place,
    );
  else if (!declared)
    findings.add(
      "workflow-body",
      `${titleOf(operation)} does not declare a body of ${quoteText(body.contentType ?? said ?? "")}; it is sent all the same.`,
      body.place,
      `It takes ${operation.body.contents.map(({ mediaType }) => mediaType).join(", ")}.`,
    );
  const plan = declared && planBody({ ...operation, body: declared }, schemas, findings);
  const mediaType = plan?.content.mediaType ?? body.contentType ?? said ?? "application/json";
  const binding = plan ? wholeBody(plan, "body") : { contentType: mediaType, from: "body" };
  const payload = payloadOf(body, mediaType);
  if (payload.isText && body.replacements.length > 0 && /[/+]xml\b/.test(mediaType))
    findings.add(
      "workflow-xpath",
      `The body of ${titleOf(operation)} is XML, in which targets are XPath. XPath is not served.`,
      body.place,
      "Put the values into the payload by expressions in braces.",
    );
  else if (payload.fault)
    findings.add(
      "workflow-body",
      `The payload of the step ${quoteText(step.id)} ${payload.fault}; it is sent as one text.`,
      body.place,
    );
  const schema = plan?.content.schema;
  draft.input.push(["body", schema ? typed(payload.value, schema, schemas) : payload.value]);
  if (!payload.isText) return { ...binding, required: true };
  const { xml: _, ...asText } = binding;
  return { ...asText, required: true };
}

/** `"{$inputs.count}"` in the place of a number is that number: a text would be refused. */
function typed(value: Value, schema: JsonSchema, schemas: Schemas): Value {
  if (value.kind === "record")
    return {
      kind: "record",
      entries: value.entries.map(
        ([key, part]) => [key, typed(part, inside(schema, [key], schemas), schemas)] as const,
      ),
    };
  if (value.kind === "list")
    return {
      kind: "list",
      items: value.items.map((item, i) =>
        typed(item, inside(schema, [String(i)], schemas), schemas),
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
  const types = typesOf(resolve(schemas, schema));
  return types.length > 0 && !types.includes("string")
    ? { kind: "expression", expression: only, place: value.place }
    : value;
}

function contentFor(body: RequestBody, mediaType: string | undefined): RequestBody | undefined {
  if (mediaType === undefined) return body;
  const essence = (text: string): string => (text.split(";", 1)[0] as string).trim().toLowerCase();
  const contents = body.contents.filter(
    (content) => essence(content.mediaType) === essence(mediaType),
  );
  return contents.length > 0 ? { ...body, contents } : undefined;
}
