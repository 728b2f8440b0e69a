import { existsSync, readFileSync } from "node:fs";
import baseSchema from "../../mcp-gen.schema.json" with { type: "json" };
import { boundParameters } from "../plan/bound-parameters.js";
import type { ToolPlan } from "../plan/types.js";
import { documentSchema, SCHEMA_TITLE } from "../render/configuration-schema.js";
import { formatJsonResult } from "./json-output.js";
import { deliver, planDocument, resolveSingleFile } from "./pipeline.js";
import { type ExitCode, exitCodes, type Terminal } from "./terminal.js";

const afterHelp = `
Prints the JSON Schema of mcp-gen.yaml with the names of this document: editors complete tools,
operations, inputs, fields and parameters.

Examples:
  mcp-gen schema                               the documents that mcp-gen.yaml names, one or several
  mcp-gen schema openapi.yaml -o mcp-gen.local.schema.json
  # yaml-language-server: $schema=./mcp-gen.local.schema.json     first line of mcp-gen.yaml
`;

/** `mcp-gen schema [spec] [-o FILE]`: the schema of the configuration for one document. */
export async function runSchema(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const resolved = await resolveSingleFile(
    {
      name: "mcp-gen schema",
      afterHelp,
      force: "overwrite another file",
      isProtected: isForeign,
      protection: "exists, and mcp-gen schema did not write it",
    },
    args,
    terminal,
  );
  if (typeof resolved === "number") return resolved;
  const { run, file } = resolved;
  const result = await planDocument(run, {}, terminal);
  if (typeof result === "number") return result;
  if (!result.ok || run.options.json) {
    const code = result.ok ? exitCodes.done : exitCodes.document;
    if (run.options.json) terminal.print(formatJsonResult(result, run, code));
    return code;
  }
  const schema = documentSchema(baseSchema, result.plan, parametersOf);
  const next = `name it in the first line of mcp-gen.yaml, # yaml-language-server: $schema=${file ?? ""}`;
  return deliver(`${JSON.stringify(schema, null, 2)}\n`, file, next, terminal);
}

/** Names of parameters and body fields in requests. */
function parametersOf({ tools }: ToolPlan): readonly string[] {
  return tools.flatMap(boundParameters).flatMap(({ wireName }) => wireName ?? []);
}

function isForeign(file: string): boolean {
  return existsSync(file) && !readFileSync(file, "utf8").includes(`"title": "${SCHEMA_TITLE}`);
}
