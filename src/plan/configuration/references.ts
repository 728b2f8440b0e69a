import { suggestionFor, type SourceLocation } from "../../diagnostics/index.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { ToolName } from "../names/index.js";
import { operationKey } from "../operation-ref.js";
import type { PlannedTool } from "../types.js";
import type { Rule } from "./rules.js";
import type { ClassifiedOperation } from "../classified-operation.js";

/** Replaces `{tool:name}` in configured texts by the final name of the tool. */
export class References {
  /** @param names every name that the file may use for a tool, with the final name */
  constructor(
    private readonly names: ReadonlyMap<string, string>,
    private readonly diagnostics: DiagnosticCollector,
  ) {}

  /** Final name of a tool. */
  find(name: string): string | undefined {
    return this.names.get(name);
  }

  get known(): Iterable<string> {
    return this.names.keys();
  }

  /** Replaces references in a text. A name without a tool is an error with the nearest name. */
  resolve(text: string, location: SourceLocation): string {
    return text.replace(/\{tool:\s*([^{}]*?)\s*\}/g, (match, name: string) => {
      const found = this.names.get(name);
      if (found === undefined)
        this.diagnostics.add(
          "config-unknown-tool-reference",
          `${match} names no tool${suggestionFor(name, this.names.keys()) || "."}`,
          location,
          "Correct the name.",
        );
      return found ?? name;
    });
  }
}

/**
 * Names that the file may use for a tool: the final name with and without the namespace, inferred
 * names, and the name of its rule. Final names beat inferred ones.
 */
export function toolAliases(
  tools: readonly PlannedTool[],
  rulesOf: ReadonlyMap<PlannedTool, readonly Rule[]>,
  names: ReadonlyMap<ClassifiedOperation, ToolName>,
  prefix: string,
): ReadonlyMap<string, string> {
  const inferred = new Map(
    [...names].map(([{ operation }, { name }]) => [operationKey(operation), name]),
  );
  const aliases = new Map<string, string>();
  const add = (name: string | undefined, finalName: string): void =>
    void (name !== undefined && !aliases.has(name) && aliases.set(name, finalName));
  for (const {
    definition: { name },
  } of tools) {
    add(name.slice(prefix.length), name);
    add(name, name);
  }
  for (const tool of tools) {
    const { name } = tool.definition;
    for (const rule of rulesOf.get(tool) ?? []) add(rule.name, name);
    for (const operation of tool.workflow ? [] : tool.operations) {
      const inferredName = inferred.get(operationKey(operation));
      add(inferredName?.slice(prefix.length), name);
      add(inferredName, name);
    }
  }
  return aliases;
}
