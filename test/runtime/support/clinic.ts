import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ApiDefinition } from "../../../src/runtime/api-definition.js";
import type { Platform } from "../../../src/runtime/auth/types.js";
import {
  type AnyTool,
  type CallContext,
  type Hooks,
  type ServerContext,
  callTool,
  createServerContext,
} from "../../../src/runtime/index.js";
import type {
  JsonSchema,
  RequestMapping,
  ResponseMapping,
  ToolDefinition,
} from "../../../src/runtime/types.js";
import { testNodePlatform } from "./by-node.js";

/** A small API: its servers are set by `CLINIC_BASE_URL`. */
export const api: ApiDefinition = {
  name: "clinic",
  title: "Clinic",
  version: "1.2.3",
  envPrefix: "CLINIC",
  servers: [],
  securitySchemes: {
    token: { kind: "bearer", env: "CLINIC_TOKEN" },
    key: { kind: "apiKey", in: "header", name: "X-Api-Key", env: "CLINIC_API_KEY" },
  },
};

export interface ToolSketch extends Partial<Omit<ToolDefinition, "operations">> {
  readonly send?: Partial<RequestMapping>;
  readonly read?: ResponseMapping;
  readonly properties?: JsonSchema;
  readonly required?: readonly string[];
}

/** A tool with what the test is about, and ordinary things everywhere else. */
export function toolOf({
  send,
  read = {},
  properties = {},
  required = [],
  ...rest
}: ToolSketch): ToolDefinition {
  return {
    name: "get_pet",
    title: "Get a pet",
    description: "Get a pet.",
    annotations: {
      readOnlyHint: !send?.unsafe && /^(?:GET|HEAD|QUERY)$/.test(send?.method ?? "GET"),
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    },
    inputSchema: { type: "object", properties, required, additionalProperties: false },
    operations: [
      { whenProvided: [], request: { method: "GET", path: "/", ...send }, response: read },
    ],
    ...rest,
  };
}

export interface CallSketch {
  readonly env?: Record<string, string>;
  readonly custom?: Hooks;
  readonly context?: CallContext;
  /** Instead of those of the API. */
  readonly schemes?: ApiDefinition["securitySchemes"];
  /** Further tools of the server. */
  readonly others?: readonly AnyTool[];
  /** Node by default. */
  readonly platform?: Platform;
}

/** @throws when the settings are wrong */
export function createTestContext(
  tools: readonly AnyTool[],
  env: Record<string, string> = {},
  custom?: Hooks,
  securitySchemes = api.securitySchemes,
  platform: Platform = testNodePlatform,
): ServerContext {
  const created = createServerContext({
    api: { ...api, securitySchemes },
    tools,
    custom,
    platform,
    env: { LOG_LEVEL: "silent", ...env },
  });
  if (!created.ok) throw new Error(created.problems.join(" "));
  return created.context;
}

/** Calls a tool in this process. */
export async function call(
  tool: AnyTool,
  input: unknown,
  { env, custom, context, schemes, others = [], platform }: CallSketch = {},
): Promise<CallToolResult> {
  const app = createTestContext([tool, ...others], env, custom, schemes, platform);
  return callTool(app, app.tools.find(tool.name), input, context);
}

/** All text of a result. */
export function textOf({ content }: CallToolResult): string {
  return content
    .map((block) => (block.type === "text" ? block.text : `[${block.type}]`))
    .join("\n");
}
