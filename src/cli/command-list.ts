import type { ExitCode } from "./exit-codes.js";
import type { Terminal } from "./terminal.js";

/** Runs a command with the arguments after its name. */
export type CommandRunner = (args: readonly string[], terminal: Terminal) => Promise<ExitCode>;

interface CommandEntry {
  /** Description in `mcp-gen --help`. */
  readonly about: string;
  /** Loads the command on demand. */
  readonly load: () => Promise<CommandRunner>;
}

/**
 * Commands besides the default one, which generates. A document with the name of a command is
 * `./report`.
 */
export const commands: ReadonlyMap<string, CommandEntry> = new Map<string, CommandEntry>([
  [
    "diff",
    {
      about: "say what changed for agents: breaking, additive or cosmetic",
      load: async () => (await import("./diff.js")).runDiff,
    },
  ],
  [
    "plan",
    {
      about: "print what is inferred, as an mcp-gen.yaml to start from",
      load: async () => (await import("./plan.js")).runPlan,
    },
  ],
  [
    "report",
    {
      about: "one HTML page: operations, tools, what they cost, what was found",
      load: async () => (await import("./report.js")).runReport,
    },
  ],
  [
    "templates",
    {
      about: "list the default templates, or copy them to be changed",
      load: async () => (await import("./templates.js")).runTemplates,
    },
  ],
  [
    "try",
    {
      about: "run the server against a mock of the API, and call its tools",
      load: async () => (await import("./try.js")).runTry,
    },
  ],
]);
