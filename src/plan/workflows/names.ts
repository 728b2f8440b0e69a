import { appendSuffix, MAX_NAME_LENGTH, shortenName, shortHash } from "../names/name-length.js";
import { isReservedFileName } from "../names/identifiers.js";
import { splitWords } from "../names/words.js";

/** Unique names of modules: `^[a-z][a-z0-9_]*$`. The first of several equal names stays. */
export function uniqueNames(texts: readonly string[]): readonly string[] {
  const used = new Set<string>();
  return texts.map((text) => {
    const stem = moduleName(text);
    for (let n = 1; ; n++) {
      const name = n === 1 ? stem : `${stem}_${n}`;
      if (!used.has(name)) return (used.add(name), name);
    }
  });
}

function moduleName(text: string): string {
  const name = shortenName(splitWords(text), MAX_NAME_LENGTH) || `workflow_${shortHash(text)}`;
  const prefixed = /^[a-z]/.test(name) ? name : `run_${name}`;
  return isReservedFileName(prefixed) ? `${prefixed}_workflow` : prefixed;
}

/** Name of a workflow's tool: its ID in words. An operation's tool with that name keeps it. */
export function workflowToolName(
  id: string,
  used: ReadonlySet<string>,
  prefix: string,
): { readonly name: string; readonly clash: boolean } {
  const room = MAX_NAME_LENGTH - prefix.length;
  const base = shortenName(moduleName(id).split("_"), room);
  for (const name of [
    base,
    appendSuffix(base, "workflow", room),
    appendSuffix(base, shortHash(id), room),
  ])
    if (!used.has(prefix + name)) return { name: prefix + name, clash: name !== base };
  return { name: prefix + appendSuffix(base, shortHash(`${id}#`), room), clash: true };
}
