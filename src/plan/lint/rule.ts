import type { ConfigurationFile, ToolConfig } from "../../configuration/types.js";
import type { Diagnostic } from "../../diagnostics/index.js";
import type { Operation } from "../../model/types.js";
import type { Schemas } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";

/** A finished tool with its operations, the most important first. */
export interface LintedTool {
  readonly tool: PlannedTool;
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly main: Operation;
}

/** Context of the rules. */
export interface LintContext {
  readonly schemas: Schemas;
  readonly configuration: ConfigurationFile | undefined;
  /** Names of all tools. */
  readonly names: ReadonlySet<string>;
  readonly envPrefix: string;
}

/** Checks one tool for one weakness. */
export type LintRule = (linted: LintedTool, context: LintContext) => Diagnostic | undefined;

/** Configuration of a tool, found with or without the namespace. */
export function toolConfigOf(
  name: string,
  { configuration }: Pick<LintContext, "configuration">,
): ToolConfig | undefined {
  const { tools = {}, namespace } = configuration ?? {};
  const shortName =
    namespace !== undefined && name.startsWith(`${namespace}_`)
      ? name.slice(namespace.length + 1)
      : name;
  return [name, shortName].flatMap((toolName) =>
    Object.hasOwn(tools, toolName) ? [tools[toolName]] : [],
  )[0];
}
