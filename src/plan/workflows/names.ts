import { fitName, fitSuffixed, MAX_NAME } from "../name/fit.js";
import { shortHash } from "../name/hash.js";
import { isReservedFile } from "../name/reserved.js";
import { wordsOf } from "../name/words.js";

/**
 * Texts as names of modules, each its own: `^[a-z][a-z0-9_]*$`. The first of several keeps its
 * name.
 */
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
  const name = fitName(wordsOf(text), MAX_NAME) || `workflow_${shortHash(text)}`;
  const started = /^[a-z]/.test(name) ? name : `run_${name}`;
  return isReservedFile(started) ? `${started}_workflow` : started;
}

/** The name of a workflow's tool: its ID in words. A tool of an operation that has it keeps it. */
export function toolNameOf(
  id: string,
  used: ReadonlySet<string>,
  prefix: string,
): { readonly name: string; readonly clash: boolean } {
  const room = MAX_NAME - prefix.length;
  const base = fitName(moduleName(id).split("_"), room);
  for (const name of [
    base,
    fitSuffixed(base, "workflow", room),
    fitSuffixed(base, shortHash(id), room),
  ])
    if (!used.has(prefix + name)) return { name: prefix + name, clash: name !== base };
  return { name: prefix + fitSuffixed(base, shortHash(`${id}#`), room), clash: true };
}
