import { isDeviceName } from "../../file-name.js";
import { type Code, type FilePath, markSafe } from "./safe.js";

/**
 * Reserved words of strict modules and predefined types. ECMA-262, "Keywords and Reserved Words";
 * TypeScript.
 */
const reservedWords = new Set(
  (
    "break case catch class const continue debugger default delete do else enum export " +
    "extends false finally for function if import in instanceof new null return super " +
    "switch this throw true try typeof var void while with implements interface let package " +
    "private protected public static yield await async of eval arguments undefined " +
    "globalThis any unknown never object string number boolean symbol bigint as asserts " +
    "infer is keyof readonly unique type"
  ).split(" "),
);

/**
 * Tests whether `name` can name a constant or a type of a generated module. ASCII only, so that
 * look-alikes are rejected.
 */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name) && !reservedWords.has(name);
}

/**
 * An identifier as code.
 * @throws when `name` is not an identifier, which is a defect of an earlier module
 */
export function identifier(name: string): Code {
  if (!isIdentifier(name)) throw new Error(`${JSON.stringify(name)} is not an identifier`);
  return markSafe(name);
}

/**
 * Text of letters, digits and underscores, which is safe in every language.
 * @throws when the text has other characters, which is a defect of an earlier module
 */
export function plainWord(text: string): Code {
  if (!/^\w+$/.test(text))
    throw new Error(`${JSON.stringify(text)} has other characters than letters, digits and _`);
  return markSafe(text);
}

/** Returns `preferred` when it is an unused identifier, else a similar one. */
export function uniqueIdentifier(preferred: string, used: { has(name: string): boolean }): Code {
  const stem = preferred.replace(/[^\w$]/g, "_").replace(/^(?=\d|$)/, "_");
  for (let i = 1; ; i++) {
    const name = i > 1 ? `${stem}_${i}` : reservedWords.has(stem) ? `${stem}_` : stem;
    if (isIdentifier(name) && !used.has(name)) return markSafe(name);
  }
}

/**
 * One path segment made of any text: lower case, legal on every file system, not hidden, not `..`,
 * at most 80 bytes.
 */
export function fileName(text: string): FilePath {
  const safe =
    text
      .toLowerCase()
      .replace(/[^a-z0-9_-]+/g, "_")
      .replace(/^[-_]+/, "")
      .slice(0, 80) || "unnamed";
  return markSafe(isDeviceName(safe) || safe === "node_modules" ? `${safe}_` : safe);
}

/** A path below the output folder. Literal parts are trusted; each `${}` is one segment. */
export function filePath(parts: TemplateStringsArray, ...segments: readonly FilePath[]): FilePath {
  return markSafe(String.raw({ raw: parts }, ...segments));
}
