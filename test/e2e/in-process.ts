import type { CallToolResult } from "@modelcontextprotocol/server";
import { settingsOf } from "../../src/configuration/index.js";
import { parseConfiguration } from "../../src/configuration/parse-configuration.js";
import { generate } from "../../src/generate.js";
import type { GenerateOptions, ToolPlan } from "../../src/index.js";
import { createServerContext } from "../../src/runtime/server/context.js";
import { callTool } from "../../src/runtime/call/call-tool.js";
import type { ToolDefinition } from "../../src/runtime/types.js";
import { testNodePlatform } from "../runtime/support/by-node.js";

/** The tools of a document on the real runtime, in this process. */
export interface TestServer {
  readonly plan: ToolPlan;
  readonly tools: readonly ToolDefinition[];
  /** Sets the base URL of further requests. */
  useBaseUrl(url: string): void;
  /** @throws when no tool has this operation */
  toolOf(operationId: string): ToolDefinition;
  /** @param variables further environment variables, without their prefix */
  call(
    tool: ToolDefinition,
    input: Record<string, unknown>,
    variables?: Readonly<Record<string, string>>,
  ): Promise<CallToolResult>;
}

/** Options with the configuration that a text of `mcp-gen.yaml` states. */
export function configured(text: string): GenerateOptions {
  const file = "mcp-gen.yaml";
  const { content, locationOf, diagnostics } = parseConfiguration(`version: 1\n${text}`, file);
  if (!content) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return { configuration: { content, locationOf, settings: settingsOf(content, file) } };
}

/** Generates tools from a document (as data) and serves them with made-up credentials. */
export async function startServer(
  root: object,
  options: GenerateOptions = {},
): Promise<TestServer> {
  const stdin = (): Promise<Uint8Array> => Promise.resolve(Buffer.from(JSON.stringify(root)));
  const { plan, diagnostics } = await generate("-", undefined, {
    ...options,
    stdin,
    planOnly: true,
  });
  if (!plan) throw new Error(`no plan: ${diagnostics.map((d) => d.message).join("; ")}`);
  return serverOf(plan);
}

/** Serves the tools of a plan with made-up credentials. */
export function serverOf(plan: ToolPlan): TestServer {
  const tools = plan.tools.map((tool) => tool.definition);
  let env: Record<string, string> = madeUpEnvironment(plan);
  return {
    plan,
    tools,
    useBaseUrl: (url) => (env = { ...env, [`${plan.api.envPrefix}_BASE_URL`]: url }),
    toolOf(operationId) {
      const found = plan.tools.find((tool) =>
        tool.operations.some((operation) => operation.operationId === operationId),
      );
      if (!found) throw new Error(`no tool stands for ${operationId}`);
      return found.definition;
    },
    async call(tool, input, variables = {}) {
      const prefixed = Object.entries(variables).map(([name, value]) => [
        `${plan.api.envPrefix}_${name}`,
        value,
      ]);
      const created = createServerContext({
        api: plan.api,
        tools,
        platform: testNodePlatform,
        env: { ...env, ...Object.fromEntries(prefixed) },
      });
      if (!created.ok) throw new Error(created.problems.join(" "));
      return callTool(created.context, tool, input);
    },
  };
}

/** Made-up values of all secrets, so that every security scheme is usable. */
function madeUpEnvironment(plan: ToolPlan): Record<string, string> {
  const env: Record<string, string> = { LOG_LEVEL: "silent" };
  for (const { name, secret } of plan.environment) {
    if (secret || /USER(NAME)?$/u.test(name)) env[name] = `made-up-${name.toLowerCase()}`;
  }
  return env;
}
