import { type JsonValue } from "../../json.js";
import { splitPointer } from "../../json-pointer.js";

/*
 * Suggested fixes, ready to be copied: JSON on one line, which is also YAML. They hold nothing to fill
 * in: advice that needs knowledge beyond the document is a sentence instead.
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
export function toJsonPath(pointer: string): string {
  const tokens = splitPointer(pointer.replace(/^#/, ""));
  const escaped = tokens.map((token) => token.replaceAll("\\", "\\\\").replaceAll("'", "\\'"));
  return `$${escaped.map((token) => `['${token}']`).join("")}`;
}
