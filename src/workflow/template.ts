import { parseExpression, type Parsed } from "./expression.js";
import type { Expression } from "./types.js";

/**
 * Reads a text with expressions in braces. Arazzo 1.1, "Runtime Expressions", `expression-string`.
 * Braces without a `$` behind them are text, as JSON and regular expressions have them.
 */
export function parseTemplate(text: string): Parsed<readonly (string | Expression)[]> {
  const parts: (string | Expression)[] = [];
  let from = 0;
  for (let open = text.indexOf("{$"); open >= 0; open = text.indexOf("{$", from)) {
    const close = text.indexOf("}", open);
    const source = text.slice(open + 1, close < 0 ? undefined : close);
    const parsed =
      close < 0
        ? ({ ok: false, why: "is not closed by a brace" } as const)
        : parseExpression(source);
    if (!parsed.ok)
      return { ok: false, why: `has ${JSON.stringify(source.slice(0, 60))}, which ${parsed.why}` };
    if (open > from) parts.push(text.slice(from, open));
    parts.push(parsed.value);
    from = close + 1;
  }
  if (from < text.length) parts.push(text.slice(from));
  return { ok: true, value: parts };
}
