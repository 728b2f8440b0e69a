import type { ExitCode } from "./exit-codes.js";
import type { Terminal } from "./terminal.js";

/** Runs a command with the arguments after its name. */
type CommandRunner = (args: readonly string[], terminal: Terminal) => Promise<ExitCode>;

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
      about: "list changes for agents: breaking, additive or cosmetic",
      load: async () => (await import("./diff.js")).runDiff,
    },
  ],
  [
    "init",
    {
      about: "set up a server: mcp-gen.yaml, project, credentials, hosts, CI",
      load: async () => (await import("./init/index.js")).runInit,
    },
  ],
  [
    "plan",
    {
      about: "print the inferred tools as an mcp-gen.yaml to start from",
      load: async () => (await import("./plan.js")).runPlan,
    },
  ],
  [
    "report",
    {
      about: "write an HTML page: operations, tools, token costs, diagnostics",
      load: async () => (await import("./report.js")).runReport,
    },
  ],
  [
    "serve",
    {
      about: "run the server against the real API, without writing a project",
      load: async () => (await import("./serve.js")).runServe,
    },
  ],
  [
    "templates",
    {
      about: "list the default templates, or copy them for editing",
      load: async () => (await import("./templates.js")).runTemplates,
    },
  ],
  [
    "try",
    {
      about: "run the server with a mock of the API, and call its tools",
      load: async () => (await import("./try.js")).runTry,
    },
  ],
]);
