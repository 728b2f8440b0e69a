import { append, type Decoder, type Pair, type PairsReading, type RawValue } from "./pairs.js";
import type { Shape } from "./types.js";

/**
 * Reads a deep object: `color[R]=100&color[G]=200`. OpenAPI does not define further levels.
 * `a[b][c]=1`, `a[b][]=1` and `a[b][0]=1` are read as most servers do.
 */
export function readDeep(
  pairs: readonly Pair[],
  name: string,
  shape: Shape,
  decode: Decoder,
): PairsReading | undefined {
  const root = new Map<string, RawValue>();
  const used: Pair[] = [];
  for (const pair of pairs) {
    const keys = bracketKeys(decode(pair[0]), name);
    if (!keys) continue;
    used.push(pair);
    setDeep(root, keys, decode(pair[1]));
  }
  if (used.length === 0) return undefined;
  const raw =
    shape === "array"
      ? withLists(root)
      : new Map([...root].map(([key, value]) => [key, withLists(value)]));
  return { raw, used };
}

/** `color[R][x]` → `["R", "x"]` for the parameter `color`. */
function bracketKeys(text: string, name: string): readonly string[] | undefined {
  if (!text.startsWith(`${name}[`) || !text.endsWith("]")) return undefined;
  return text.slice(name.length + 1, -1).split("][");
}

function setDeep(root: Map<string, RawValue>, keys: readonly string[], value: string): void {
  let map = root;
  for (const key of keys.slice(0, -1)) {
    const next = map.get(key);
    const child =
      next instanceof Map ? (next as Map<string, RawValue>) : new Map<string, RawValue>();
    map.set(key, child);
    map = child;
  }
  append(map, keys.at(-1) ?? "", value);
}

/** Turns maps whose keys are all indices or `""` into arrays. */
function withLists(raw: RawValue): RawValue {
  if (!(raw instanceof Map)) return raw;
  const map = raw as ReadonlyMap<string, RawValue>;
  const entries = [...map].map(([key, value]) => [key, withLists(value)] as const);
  const isList =
    entries.length > 0 && entries.every(([key]) => key === "" || /^\d{1,6}$/u.test(key));
  if (isList)
    return entries.flatMap(([key, value]) =>
      key === "" && Array.isArray(value) ? (value as RawValue[]) : [value],
    );
  return new Map(entries);
}
