import type { ConfigurationFile, ToolConfig } from "../../configuration/types.js";
import type { Diagnostic } from "../../diagnostics/index.js";
import { splitPointer } from "../../json-pointer.js";
import type { JsonValue } from "../../json.js";
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

/*
 * Suggested fixes, ready to be copied: JSON on one line, which is also YAML. They hold nothing to
 * fill in: advice that needs knowledge beyond the document is a sentence instead.
 */

/** A line of `mcp-gen.yaml` for one tool. */
export function suggestToolConfig(
  tool: string,
  rule: { readonly [key: string]: JsonValue },
): string {
  return `In mcp-gen.yaml: tools: ${JSON.stringify({ [tool]: rule })}`;
}

/** A line of `mcp-gen.yaml` under another key. */
export function suggestConfig(key: string, value: JsonValue): string {
  return `In mcp-gen.yaml: ${key}: ${JSON.stringify(value)}`;
}

/** An overlay action. The target is a JSON pointer, such as `#/paths/~1pets/get`. */
export function suggestOverlayAction(pointer: string, update: JsonValue): string {
  return `As an overlay action: ${JSON.stringify({ target: toJsonPath(pointer), update })}`;
}

/** `#/paths/~1pets/get` → `$['paths']['/pets']['get']` (RFC 9535). */
function toJsonPath(pointer: string): string {
  const tokens = splitPointer(pointer.replace(/^#/, ""));
  const escaped = tokens.map((token) => token.replaceAll("\\", "\\\\").replaceAll("'", "\\'"));
  return `$${escaped.map((token) => `['${token}']`).join("")}`;
}
