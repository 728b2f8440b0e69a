import type { TextPosition } from "./position.js";

/** Key that occurs twice in an object, with the position of its second occurrence. */
export interface DuplicateYamlKey extends TextPosition {
  readonly key: string;
}

/** Finds the duplicate keys of valid YAML text. Slow, so only for texts that have some. */
export async function findDuplicateYamlKeys(text: string): Promise<readonly DuplicateYamlKey[]> {
  const { isMap, isScalar, LineCounter, parseDocument, visit } = await import("yaml");
  const lines = new LineCounter();
  const duplicates: DuplicateYamlKey[] = [];
  visit(parseDocument(text, { uniqueKeys: false, lineCounter: lines }), {
    Map: (_, node) => {
      const keys = new Set<string>();
      for (const { key } of isMap(node) ? node.items : []) {
        if (!isScalar(key) || !key.range) continue;
        const name = String(key.value);
        const { line, col } = lines.linePos(key.range[0]);
        if (keys.has(name)) duplicates.push({ key: name, line, column: col });
        keys.add(name);
      }
    },
  });
  return duplicates;
}
