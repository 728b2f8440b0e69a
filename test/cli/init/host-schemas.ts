/**
 * Schemas of the entries that hosts document. Unknown keys are refused, because a host ignores or
 * rejects them.
 */
import type { Schema } from "@cfworker/json-schema";

const text = { type: "string", minLength: 1 } as const;
const texts = { type: "array", items: { type: "string" } } as const;
const map = { type: "object", additionalProperties: { type: "string" } } as const;

function closed(properties: Record<string, object>, required: readonly string[]): Schema {
  return { type: "object", properties, required: [...required], additionalProperties: false };
}

const process = { command: text, args: texts, env: map };
const stdio = { const: "stdio" };
const http = { const: "http" };

function file(
  key: string,
  entries: readonly Schema[],
  others: Record<string, object> = {},
): Schema {
  const servers = {
    type: "object",
    minProperties: 1,
    additionalProperties: { anyOf: [...entries] },
  };
  return closed({ ...others, [key]: servers }, [key]);
}

/** By the name of the host. */
export const hostSchemas: Readonly<Record<string, Schema>> = {
  /** https://modelcontextprotocol.io/quickstart/user */
  "claude-desktop": file("mcpServers", [closed(process, ["command"])]),
  /** https://code.claude.com/docs/en/mcp */
  "claude-code": file("mcpServers", [
    closed({ type: stdio, ...process, alwaysLoad: { type: "boolean" } }, ["command"]),
    closed({ type: http, url: text, headers: map, alwaysLoad: { type: "boolean" } }, [
      "type",
      "url",
    ]),
  ]),
  /** https://cursor.com/docs/mcp */
  cursor: file("mcpServers", [
    closed({ type: stdio, ...process, envFile: text }, ["command"]),
    closed({ url: text, headers: map, auth: { type: "object" } }, ["url"]),
  ]),
  /** https://code.visualstudio.com/docs/copilot/reference/mcp-configuration */
  vscode: file(
    "servers",
    [
      closed({ type: stdio, ...process, envFile: text }, ["type", "command"]),
      closed({ type: http, url: text, headers: map }, ["type", "url"]),
    ],
    {
      inputs: {
        type: "array",
        items: closed(
          {
            type: { enum: ["promptString"] },
            id: text,
            description: text,
            password: { type: "boolean" },
          },
          ["type", "id", "description"],
        ),
      },
    },
  ),
  /** https://developers.openai.com/codex/mcp */
  codex: file("mcp_servers", [
    closed(
      { ...process, cwd: text, startup_timeout_sec: { type: "number" }, enabled_tools: texts },
      ["command"],
    ),
    closed({ url: text, bearer_token_env_var: text, http_headers: map }, ["url"]),
  ]),
  /** https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md */
  gemini: file("mcpServers", [
    closed({ ...process, cwd: text, trust: { type: "boolean" }, includeTools: texts }, ["command"]),
    closed({ httpUrl: text, headers: map, includeTools: texts }, ["httpUrl"]),
  ]),
};
