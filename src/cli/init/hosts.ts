import { homedir } from "node:os";
import { join } from "node:path";

/** A program that runs MCP servers, and the file that lists them. */
export interface Host {
  readonly id: string;
  readonly title: string;
  /** Path of its configuration: of this project, or of the user. */
  readonly file: (system: System) => string;
  readonly format: "json" | "toml";
  /** Key of the servers in the file. */
  readonly key: "mcpServers" | "servers" | "mcp_servers";
  /** True if an entry states its transport. */
  readonly hasType?: boolean;
}

/** The part of a system that decides where configurations are. */
interface System {
  readonly platform: string;
  readonly home: string;
  /** `%APPDATA%` of Windows. */
  readonly appData?: string | undefined;
}

/** The system of this process. */
export function currentSystem(): System {
  return { platform: process.platform, home: homedir(), appData: process.env.APPDATA };
}

/** Known hosts, by the names that `--host` takes. */
export const hosts: readonly Host[] = [
  {
    id: "claude-desktop",
    title: "Claude Desktop",
    file: claudeDesktopFile,
    format: "json",
    key: "mcpServers",
  },
  {
    id: "claude-code",
    title: "Claude Code (.mcp.json)",
    file: () => ".mcp.json",
    format: "json",
    key: "mcpServers",
    hasType: true,
  },
  {
    id: "cursor",
    title: "Cursor (.cursor/mcp.json)",
    file: () => join(".cursor", "mcp.json"),
    format: "json",
    key: "mcpServers",
  },
  {
    id: "vscode",
    title: "VS Code (.vscode/mcp.json)",
    file: () => join(".vscode", "mcp.json"),
    format: "json",
    key: "servers",
    hasType: true,
  },
  {
    id: "codex",
    title: "Codex (~/.codex/config.toml)",
    file: ({ home }) => join(home, ".codex", "config.toml"),
    format: "toml",
    key: "mcp_servers",
  },
  {
    id: "gemini",
    title: "Gemini CLI (.gemini/settings.json)",
    file: () => join(".gemini", "settings.json"),
    format: "json",
    key: "mcpServers",
  },
];

/** https://modelcontextprotocol.io/quickstart/user */
function claudeDesktopFile({ platform, home, appData }: System): string {
  const name = join("Claude", "claude_desktop_config.json");
  if (platform === "darwin") return join(home, "Library", "Application Support", name);
  if (platform === "win32") return join(appData ?? join(home, "AppData", "Roaming"), name);
  return join(home, ".config", name);
}
