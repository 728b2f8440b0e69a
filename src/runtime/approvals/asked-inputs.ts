/** Inputs that the user is asked for, where a call lacks them. */
import { propertySchema } from "../schema/subschemas.js";
import { isObject } from "../data/values.js";
import type { JsonSchema, ToolDefinition } from "../types.js";
import { oneLine } from "./thing.js";

/** Sentence for agents in the description of such an input. People who fill in the form do not see it. */
export const ASKED_INPUT = "Omit it if the user has not stated it: the server asks the user.";

/** A form for the missing inputs of a call. */
export interface InputForm {
  readonly message: string;
  readonly requestedSchema: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, object>>;
    readonly required: readonly string[];
  };
}

/** Inputs of a tool that the call lacks and that the user is asked for. */
export function missingInputs(
  { asks = [] }: Pick<ToolDefinition, "asks">,
  args: unknown,
): readonly string[] {
  const given = isObject(args) ? args : {};
  return asks.filter(
    (name) => given[name] === undefined || given[name] === null || given[name] === "",
  );
}

/** The form, which says which tool needs the values, and for what. */
export function inputForm(
  { title, name, inputSchema }: Pick<ToolDefinition, "title" | "name" | "inputSchema">,
  inputs: readonly string[],
  args: unknown,
): InputForm {
  const given = Object.entries(isObject(args) ? args : {}).map(
    ([key, value]) => `${oneLine(key)}: ${oneLine(value, 200)}`,
  );
  const known = given.length > 0 ? `\nValues of the call: ${given.slice(0, 10).join(", ")}` : "";
  return {
    message: `${title || name} needs ${inputs.join(", ")}.${known}`,
    requestedSchema: {
      type: "object",
      properties: Object.fromEntries(
        inputs.map((input) => [input, flatSchema(input, propertySchema(inputSchema, input))]),
      ),
      required: inputs,
    },
  };
}

/** Keywords that forms have. MCP 2025-11-25, Elicitation, "Requested Schema". */
const KEYWORDS = ["description", "minLength", "maxLength", "minimum", "maximum", "default"];
const FORMATS: readonly unknown[] = ["email", "uri", "date", "date-time"];

/** The schema of a form's field. */
function flatSchema(name: string, schema: JsonSchema): object {
  const types = [schema["type"]].flat().filter((type) => type !== "null");
  const description = `${schema["description"] ?? ""}`.replace(ASKED_INPUT, "").trim() || undefined;
  const own: JsonSchema = { ...schema, description };
  const kept = Object.fromEntries(
    KEYWORDS.flatMap((key) => (own[key] === undefined ? [] : [[key, own[key]]])),
  );
  const values = Array.isArray(schema["enum"]) ? (schema["enum"] as readonly unknown[]) : [];
  if (values.length > 0 && values.every((value) => typeof value === "string"))
    return { type: "string", title: name, ...withoutBounds(kept), enum: values };
  const format = FORMATS.includes(schema["format"]) ? { format: schema["format"] } : {};
  const [type = "string"] = types as readonly string[];
  return { type, title: name, ...kept, ...(type === "string" && format) };
}

const withoutBounds = ({ description }: { readonly description?: unknown }): object =>
  description === undefined ? {} : { description };

/** Adds the values that the user gave. Only those that were asked for count. */
export function addInputs(
  args: unknown,
  inputs: readonly string[],
  content: unknown,
): Record<string, unknown> {
  const values = isObject(content) ? content : {};
  const entries = inputs.flatMap((name) =>
    Object.hasOwn(values, name) ? [[name, values[name]] as const] : [],
  );
  return { ...(isObject(args) ? args : {}), ...Object.fromEntries(entries) };
}
