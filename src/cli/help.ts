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
  mcp-gen openapi.yaml -o ./server          generate, or regenerate after a change
  mcp-gen openapi.yaml -o ./server --check  in CI: is the committed server up to date?
  mcp-gen diff openapi.yaml -o ./server     what would change for agents?
  mcp-gen                                   the first again, as mcp-gen.yaml here says
  mcp-gen openapi.yaml --dry-run            which tools would it have?
  mcp-gen openapi.yaml -o ./server --watch  again and again, while you work on the document
  mcp-gen https://api.example.com/openapi.json -o ./server --only pets --skip "DELETE /**"
  cat openapi.json | mcp-gen - -o ./server

The folder is a new or empty one (.git may be in it), or one that mcp-gen made. Files that you
changed are never overwritten without --force; declarations that you marked /** @keep */ are
carried over; files of your own are never touched, and src/custom is yours from the first run on.
An interrupted run is completed by the next one.

Exit codes:
  ${exitCodes.done}   done
  ${exitCodes.different}   --check found differences, diff --fail-on changes, or try a tool that fails
  ${exitCodes.usage}   the command line is wrong
  ${exitCodes.document}   a document, overlay, workflow, lock or mcp-gen.yaml cannot be used, or --strict and warnings
  ${exitCodes.refused}   the folder was refused or could not be written; nothing was changed
  ${exitCodes.defect}  a defect of mcp-gen
`;
