import type { JsonSchema } from "../../src/json.js";
import type { ApiModel, Content, Operation, Parameter, Response } from "../../src/model/types.js";
import { plan } from "../../src/plan/index.js";
import type { PlannedTool, ToolPlan } from "../../src/plan/types.js";
import type { PlanOptions } from "../../src/plan/options.js";

/** Models written by hand, with the simplest defaults. */

export function api(operations: readonly Operation[], rest: Partial<ApiModel> = {}): ApiModel {
  return {
    title: "Clinic",
    version: "1.0.0",
    source: "clinic.yaml",
    servers: [{ url: "https://clinic.example/v1", variables: {} }],
    securitySchemes: {},
    tags: [],
    schemas: {},
    ...rest,
    operations,
  };
}

/** `operation("GET /pets", …)`. */
export function operation(at: string, rest: Partial<Operation> = {}): Operation {
  const [method = "GET", path = "/"] = at.split(" ");
  const pointer = `#/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method.toLowerCase()}`;
  const named = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => parameter(`path ${name}`));
  return {
    method,
    path,
    tags: [],
    deprecated: false,
    parameters: named,
    responses: [],
    location: { pointer },
    ...rest,
  };
}

/** `parameter("query limit", { schema: … })`. */
export function parameter(at: string, rest: Partial<Parameter> = {}): Parameter {
  const [place, ...words] = at.split(" ");
  const name = words.join(" ");
  const location = place as Parameter["in"];
  const form = location === "query" || location === "cookie";
  return {
    name,
    in: location,
    required: location === "path",
    deprecated: false,
    schema: { type: "string" },
    style: form ? "form" : "simple",
    explode: form,
    allowReserved: false,
    location: { pointer: `#/parameters/${name}` },
    ...rest,
  };
}

export function content(
  schema: JsonSchema | undefined,
  mediaType = "application/json",
  rest: Partial<Content> = {},
): Content {
  return {
    mediaType,
    location: { pointer: `#/content/${mediaType.replaceAll("/", "~1")}` },
    ...(schema && { schema }),
    ...rest,
  };
}

export function ok(schema?: JsonSchema, status = "200", mediaType = "application/json"): Response {
  return {
    status,
    description: "ok",
    contents: schema ? [content(schema, mediaType)] : [],
    headers: [],
  };
}

/** A required JSON body. */
export function json(schema: JsonSchema): Pick<Operation, "body"> {
  return { body: { required: true, contents: [content(schema)] } };
}

/** Plan of an API with one operation, and its tool. */
export function planned(
  only: Operation,
  rest: Partial<ApiModel> = {},
  options: PlanOptions = {},
): { readonly tool: PlannedTool; readonly plan: ToolPlan } {
  const made = plan(api([only], rest), options);
  const [tool] = made.tools;
  if (!tool) throw new Error(`no tool: ${made.diagnostics.map((d) => d.message).join(" ")}`);
  return { tool, plan: made };
}

/** Properties of a tool's input schema. */
export function inputsOf(tool: PlannedTool): Record<string, JsonSchema> {
  return tool.definition.inputSchema.properties as Record<string, JsonSchema>;
}

export const send = (tool: PlannedTool) => tool.definition.operations[0]!.request;
export const codesOf = (made: ToolPlan): string[] => made.diagnostics.map((d) => d.code);
export const names = (made: ToolPlan): string[] => made.tools.map((tool) => tool.definition.name);
