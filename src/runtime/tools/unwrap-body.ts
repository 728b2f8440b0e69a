/** Fields that a call gives inside the object around them, as the API takes them. */
import { isObject } from "../data/values.js";
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
