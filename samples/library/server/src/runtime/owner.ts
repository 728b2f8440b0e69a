import type { AnyHooks, AnyTool, Hooks, ToolHooks } from "./hooks.js";
import { nearest } from "./nearest.js";
import type { Input } from "./validate.js";

export type OwnersPart =
  | { readonly ok: true; readonly hooks: Hooks; readonly tools: readonly AnyTool[] }
  /** A sentence each. */
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Puts the owner's tools and answers in the places of the generated ones. Hooks of a tool that is not there are a problem: the API may
 * have lost it, and what its hooks took care of must not get lost silently.
 */
export function withOwnersPart(tools: readonly AnyTool[], custom: AnyHooks): OwnersPart {
  const hooks = custom as Hooks;
  const byName = new Map([...tools, ...(hooks.tools ?? []).map(withoutFingerprint)].map((tool) => [tool.name, tool]));
  const problems: string[] = [];
  for (const [name, { run } = {}] of Object.entries(hooks.on ?? {})) {
    const tool = byName.get(name);
    if (!tool) problems.push(unknownTool(name, byName.keys()));
    else if (run) byName.set(name, { ...tool, run });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, hooks, tools: [...byName.values()] };
}

/** The hooks of one tool. */
export function hooksOf({ on = {} }: Hooks, name: string): ToolHooks<Input, unknown> {
  return (Object.hasOwn(on, name) ? on[name] : undefined) ?? {};
}

/** One that was made from a generated tool is not what the lock says any more. */
function withoutFingerprint(tool: AnyTool): AnyTool {
  return tool.fingerprint === undefined ? tool : { ...tool, fingerprint: undefined };
}

function unknownTool(name: string, known: Iterable<string>): string {
  const near = nearest(name, known);
  return `src/custom has hooks for ${name}, which is none of the tools.${near.length > 0 ? ` Did you mean ${near.join(", ")}?` : ""}`;
}
