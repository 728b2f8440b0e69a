import type { ToolPlan } from "../../plan/index.js";
import type { Host } from "./hosts.js";

/** Decisions of the person who runs `mcp-gen init`. */
export interface Answers {
  /** Folder of the generated project. */
  readonly output: string;
  /** Toolsets to list; empty for all. */
  readonly toolsets: readonly string[];
  /** Values of `.env`, by variable. */
  readonly variables: Readonly<Record<string, string>>;
  readonly hosts: readonly Host[];
  readonly ci: boolean;
}

/** Variables to ask for: the required ones, and those of credentials. */
export function variablesToAsk({ environment }: ToolPlan): ToolPlan["environment"] {
  return environment.filter(({ required, secret }) => required || secret);
}
