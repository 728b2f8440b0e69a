/** Tools as their API takes them, after it has contradicted its document. */
import type { Demands } from "../errors/demands.js";
import { propertiesOf } from "../schema/subschemas.js";
import type { JsonSchema, OperationBinding, RequestMapping, ToolDefinition } from "../types.js";

/** The corrections of a server process. They have names of inputs, never values. */
export interface Corrections {
  /** Records what an API demands of a request of a tool. */
  add(tool: ToolDefinition, request: RequestMapping, demands: Demands): void;
  /** The tool with its corrections. */
  of<Tool extends object>(tool: Tool): Tool;
}

/** Creates corrections without any. The tools are those of the server, so that they are few. */
export function createCorrections(): Corrections {
  const corrected = new Map<string, ToolDefinition>();
  return {
    add: (tool, request, demands) => {
      if (demands.types.length === 0 && demands.fields.length === 0) return;
      corrected.set(tool.name, correct(tool, request, demands));
    },
    of: (tool) => {
      if (!("operations" in tool) || !("name" in tool)) return tool;
      const { inputSchema, operations } = corrected.get(tool.name as string) ?? {};
      return inputSchema ? { ...tool, inputSchema, operations } : tool;
    },
  };
}

function correct(tool: ToolDefinition, request: RequestMapping, demands: Demands): ToolDefinition {
  const { inputSchema, operations } = tool;
  const properties = { ...propertiesOf(inputSchema) };
  for (const [input] of demands.types) properties[input] = untyped(properties[input]);
  if (demands.fields.length === 0)
    return { ...tool, inputSchema: { ...inputSchema, properties } as JsonSchema };
  const { additionalProperties: _, ...open } = inputSchema;
  return {
    ...tool,
    inputSchema: { ...open, properties } as JsonSchema,
    operations: operations.map((one) => (isOf(one, request) ? withOpenBody(one) : one)),
  };
}

const untyped = (schema: unknown): object => {
  const { description } = (schema ?? {}) as { readonly description?: string };
  return description === undefined ? {} : { description };
};

const isOf = ({ request }: OperationBinding, { method, path }: RequestMapping): boolean =>
  request.method === method && request.path === path;

/** The body takes fields that the document lacks. A document without a body means JSON. */
function withOpenBody(operation: OperationBinding): OperationBinding {
  const body = operation.request.body ?? { contentType: "application/json", fields: {} };
  return { ...operation, request: { ...operation.request, body: { ...body, isOpen: true } } };
}
