/** Fields that a call gives inside the object around them, or outside of it, as the API takes them. */
import { isNearMiss, isObject } from "../data/values.js";
import { inputOf } from "../request/parameter-source.js";
import { propertiesOf } from "../schema/subschemas.js";
import type { ToolDefinition } from "../types.js";

/**
 * The arguments with the fields of the body in place of the object around them: `{issue_id,
 * subject}` for `{issue_id, issue: {subject}}`, where the body of a tool is `{issue: {subject}}` and
 * its inputs are the fields. Other arguments, and those that name a field twice, stay as they are.
 */
export function unwrapBody(tool: ToolDefinition, args: unknown): unknown {
  const [name, ...others] = new Set(tool.operations.map(({ request }) => envelopeOf(request)));
  if (name === undefined || others.length > 0 || !isObject(args)) return args;
  const { [name]: wrapped, ...rest } = args;
  if (!isObject(wrapped) || Object.hasOwn(propertiesOf(tool.inputSchema), name)) return args;
  const sources = Object.assign({}, ...tool.operations.map(({ request }) => request.body?.fields));
  const fields = Object.entries(wrapped).map(
    ([field, value]) => [inputOf(sources[field] ?? field) ?? field, value] as const,
  );
  if (fields.some(([input]) => Object.hasOwn(rest, input))) return args;
  return Object.fromEntries([...Object.entries(rest), ...fields]);
}

/** The only object around the fields of a body. */
const envelopeOf = ({
  body,
}: ToolDefinition["operations"][number]["request"]): string | undefined =>
  body?.envelope?.length === 1 ? body.envelope[0] : undefined;

/**
 * The arguments with unknown inputs as fields of the body: `{id, body: {subject}}` for `{id,
 * subject}`, where the body of a tool is one input that takes any field. Other arguments, and those
 * with a misspelt input, stay as they are.
 */
export function wrapFields({ operations, inputSchema }: ToolDefinition, args: unknown): unknown {
  const [name, ...others] = new Set(operations.map(({ request }) => request.body?.from));
  if (name === undefined || others.length > 0 || !isObject(args)) return args;
  const declared = propertiesOf(inputSchema);
  const { [name]: body = {}, ...rest } = args;
  const given = Object.entries(rest).filter(([input]) => Object.hasOwn(declared, input));
  const fields = Object.entries(rest).filter(([input]) => !Object.hasOwn(declared, input));
  const isMisspelt = fields.some(([field]) =>
    Object.keys(declared).some((input) => !Object.hasOwn(args, input) && isNearMiss(field, input)),
  );
  const isOpen = takesAnyField(declared[name]) || operations.every(hasUntypedJson(declared[name]));
  if (fields.length === 0 || isMisspelt || !isOpen) return args;
  if (!isObject(body) || fields.some(([field]) => Object.hasOwn(body, field))) return args;
  return { ...Object.fromEntries(given), [name]: { ...body, ...Object.fromEntries(fields) } };
}

/** A schema that states nothing about the type: `unknown` for an agent. */
const hasUntypedJson =
  (schema: unknown) =>
  ({ request: { body } }: ToolDefinition["operations"][number]): boolean =>
    isObject(schema) &&
    Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword)) &&
    /json/i.test(body?.contentType ?? "");

/** Keywords that any value satisfies. */
const ANNOTATIONS = new Set(["description", "examples", "title"]);

const takesAnyField = (schema: unknown): boolean =>
  isObject(schema) && schema["type"] === "object" && schema["additionalProperties"] !== false;
