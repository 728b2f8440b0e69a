import type { ConfigurationFile, ToolConfig } from "../../configuration/types.js";
import type { Diagnostic } from "../../diagnostics/index.js";
import type { Operation } from "../../model/types.js";
import type { Schemas } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";

/** A finished tool with the operations it stands for, the most important first. */
export interface LintedTool {
  readonly tool: PlannedTool;
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly main: Operation;
}

/** What rules know besides one tool. */
export interface LintContext {
  readonly schemas: Schemas;
  readonly curation: ConfigurationFile | undefined;
  /** Names of all tools. */
  readonly names: ReadonlySet<string>;
  readonly envPrefix: string;
}

/** Looks at one tool for one weakness. */
export type LintRule = (linted: LintedTool, context: LintContext) => Diagnostic | undefined;

/** What the curation says of a tool: its rules call it with or without the namespace. */
export function toolConfigOf(
  name: string,
  { curation }: Pick<LintContext, "curation">,
): ToolConfig | undefined {
  const { tools = {}, namespace } = curation ?? {};
  const short =
    namespace !== undefined && name.startsWith(`${namespace}_`)
      ? name.slice(namespace.length + 1)
      : name;
  return [name, short].flatMap((one) => (Object.hasOwn(tools, one) ? [tools[one]] : []))[0];
}
