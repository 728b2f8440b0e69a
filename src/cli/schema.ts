import { existsSync, readFileSync } from "node:fs";
import baseSchema from "../../mcp-gen.schema.json" with { type: "json" };
import type { Configuration } from "../configuration/types.js";
import { boundParameters } from "../plan/bound-parameters.js";
import type { ToolPlan } from "../plan/types.js";
import { documentSchema, SCHEMA_TITLE } from "../render/configuration-schema.js";
import { formatJsonResult } from "./json-output.js";
import { deliver, planDocument, resolveSingleFile, runInMemory } from "./pipeline.js";
import type { ResolvedCommand } from "./resolved-command.js";
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
  if (typeof result === "number" && run.options.json) return result;
  if (typeof result !== "number" && (!result.ok || run.options.json)) {
    const code = result.ok ? exitCodes.done : exitCodes.document;
    if (run.options.json) terminal.print(formatJsonResult(result, run, code));
    return code;
  }
  const inferred = await runInMemory(withoutRules(run), {}, terminal, { planOnly: true });
  if (typeof inferred === "number") return inferred;
  if (!inferred.plan || !inferred.ok) return exitCodes.document;
  const plan = typeof result === "number" ? inferred.plan : result.plan;
  const schema = documentSchema(baseSchema, { plan, inferred: inferred.plan }, parametersOf);
  const next = `name it in the first line of mcp-gen.yaml, # yaml-language-server: $schema=${schemaPath(file ?? "")}`;
  const code = deliver(`${JSON.stringify(schema, null, 2)}\n`, file, next, terminal);
  return code === exitCodes.done && typeof result === "number" ? result : code;
}

/** Path as editors read it: relative to the file that names it. */
const schemaPath = (file: string): string =>
  /^(?:\.{1,2})?[\\/]|^[A-Za-z]:/.test(file) ? file : `./${file}`;

/**
 * The run without the rules about tools. They take inputs and fields away that editors complete,
 * and a mistake in them must not prevent the schema that helps to correct it.
 */
function withoutRules(run: ResolvedCommand): ResolvedCommand {
  const { configuration, apis } = run;
  return {
    ...run,
    ...(configuration && { configuration: withoutToolRules(configuration) }),
    ...(apis && {
      apis: apis.map((api) =>
        api.configuration ? { ...api, configuration: withoutToolRules(api.configuration) } : api,
      ),
    }),
  };
}

/** Keys with names of tools, inputs and fields. */
const TOOL_RULES = new Set("tools select parameters budget errors server links".split(" "));

function withoutToolRules(configuration: Configuration): Configuration {
  const { content, apis } = configuration;
  const others = Object.entries(content).filter(([key]) => !TOOL_RULES.has(key));
  return {
    ...configuration,
    content: Object.fromEntries(others) as typeof content,
    ...(apis && {
      apis: apis.map((api) => ({ ...api, configuration: withoutToolRules(api.configuration) })),
    }),
  };
}

/** Names of parameters and body fields in requests. */
function parametersOf({ tools }: ToolPlan): readonly string[] {
  return tools.flatMap(boundParameters).flatMap(({ wireName }) => wireName ?? []);
}

function isForeign(file: string): boolean {
  return existsSync(file) && !readFileSync(file, "utf8").includes(`"title": "${SCHEMA_TITLE}`);
}
