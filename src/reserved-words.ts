/**
 * Words that cannot name a constant or a type of a strict module: reserved words (ECMA-262,
 * "Keywords and Reserved Words") and the predefined types of TypeScript.
 */
export const RESERVED_WORDS: ReadonlySet<string> = new Set(
  (
    "break case catch class const continue debugger default delete do else enum export " +
    "extends false finally for function if import in instanceof new null return super " +
    "switch this throw true try typeof var void while with implements interface let package " +
    "private protected public static yield await async of eval arguments undefined " +
    "globalThis any unknown never object string number boolean symbol bigint as asserts " +
    "infer is keyof readonly unique type"
  ).split(" "),
);
