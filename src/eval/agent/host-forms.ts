/** Results of tools as hosts pass them on to models; docs/hosts.md has the sources. */
import type { ToolResult } from "../../try/index.js";

type Form = "structure" | "text" | "both";

/** Parts of a successful result that models read, by host. */
export const hosts = {
  "claude-code": "structure",
  codex: "structure",
  vscode: "structure",
  gemini: "text",
  opencode: "text",
  "claude.ai": "both",
  chatgpt: "both",
} as const satisfies Readonly<Record<string, Form>>;

export type Host = keyof typeof hosts;

/** The text that a model reads. Of an error it is always the text. */
export function formatResult({ isError, text, structured }: ToolResult, host: Host): string {
  const form: Form = hosts[host];
  if (isError || structured === undefined || form === "text") return text;
  const json = JSON.stringify(structured);
  return form === "structure" || text === json ? json : `${text}\n${json}`;
}
