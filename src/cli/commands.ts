import { type ExitCode, exitCodes, type Terminal } from "./terminal.js";

/**
 * Commands besides the default one, which generates, with their descriptions in `mcp-gen --help`.
 * A document with the name of a command is `./report`.
 */
export const commands = {
  diff: "list changes for agents: breaking, additive or cosmetic",
  init: "set up a server: mcp-gen.yaml, project, credentials, hosts, CI",
  plan: "print the inferred tools as an mcp-gen.yaml to start from",
  report: "write an HTML page: operations, tools, token costs, diagnostics",
  serve: "run the server against the real API, without writing a project",
  templates: "list the default templates, or copy them for editing",
  try: "run the server with a mock of the API, and call its tools",
} as const;

export type CommandName = keyof typeof commands;

export const beforeHelp =
  "Generates a complete, typed TypeScript MCP server from an OpenAPI document (2.0, 3.0, 3.1 or 3.2).\n";

/** Refers to `--help` after a usage error. */
export function helpPointer(command = "mcp-gen"): string {
  return `Run ${command} --help for the options.`;
}

const commandLines = Object.entries(commands)
  .map(([name, about]) => `  mcp-gen ${name.padEnd(10)} ${about}\n`)
  .join("");

export const afterHelp = `
Other commands, each with its own --help:
${commandLines}
Examples:
  mcp-gen init                              set up a server for the document here, with questions
  mcp-gen serve openapi.yaml --http         use the API at once, without a project
  mcp-gen openapi.yaml -o ./server          generate, or regenerate after a change
  mcp-gen openapi.yaml -o ./server --check  check in CI that the server is up to date
  mcp-gen diff openapi.yaml -o ./server     list changes for agents
  mcp-gen                                   read the options from ./mcp-gen.yaml
  mcp-gen openapi.yaml --dry-run            list the tools and files, write nothing
  mcp-gen openapi.yaml -o ./server --watch  regenerate when the document changes
  mcp-gen https://api.example.com/openapi.json -o ./server --only pets --skip "DELETE /**"
  cat openapi.json | mcp-gen - -o ./server

The output folder is new, empty (except for .git), or was made by mcp-gen. mcp-gen never overwrites
files that you edited without --force. It keeps declarations marked /** @keep */, your own files,
and src/custom. The next run completes an interrupted one.

Exit codes:
  ${exitCodes.done}   done
  ${exitCodes.different}   --check found differences, diff --fail-on changes, or try a failing tool
  ${exitCodes.usage}   invalid command line
  ${exitCodes.document}   invalid document, overlay, workflow, lock or mcp-gen.yaml, or warnings with --strict
  ${exitCodes.refused}   the folder was rejected or is not writable; nothing was changed
  ${exitCodes.defect}  a defect of mcp-gen
`;

/**
 * Reports an invalid command line.
 * @param sentence with or without its final full stop
 * @param command the command whose `--help` has the options
 */
export function reportUsageError(terminal: Terminal, sentence: string, command?: string): ExitCode {
  const end = /[.?]$/.test(sentence) ? "" : ".";
  terminal.error(`error: ${sentence}${end}\n${helpPointer(command)}\n`);
  return exitCodes.usage;
}
