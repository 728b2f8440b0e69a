import { commands } from "./command-list.js";
import { exitCodes } from "./exit-codes.js";

export const beforeHelp =
  "Generates a complete, typed TypeScript MCP server from an OpenAPI document (2.0, 3.0, 3.1 or 3.2).\n";

/** Refers to `--help` after a usage error. */
export function helpPointer(command = "mcp-gen"): string {
  return `Run ${command} --help for the options.`;
}

const commandLines = [...commands]
  .map(([name, { about }]) => `  mcp-gen ${name.padEnd(10)} ${about}\n`)
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
