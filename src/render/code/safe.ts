declare const language: unique symbol;

/**
 * Text that is safe to stand in a file of one language. Only the functions of this folder make it,
 * so that an unescaped string of a document is a type error wherever output is put together.
 */
export type Safe<Language extends string> = string & { readonly [language]: Language };

/** TypeScript: a whole token, expression, type, declaration or comment. */
export type Code = Safe<"typescript">;
/** Markdown: inline text without HTML, links or table cells of its own. */
export type Markdown = Safe<"markdown">;
/** Text or an attribute's value in HTML and XML. */
export type Html = Safe<"html">;
/** A complete JSON value. */
export type Json = Safe<"json">;
/** Text of one line of an `.env` file. */
export type EnvText = Safe<"env">;
/** Text of one line of a Dockerfile. */
export type DockerText = Safe<"dockerfile">;
/** One word of a shell's command line. */
export type ShellText = Safe<"shell">;
/** A key or a value of TOML. */
export type TomlText = Safe<"toml">;
/** A relative POSIX path below the output folder. */
export type FilePath = Safe<"path">;

/** Says that text is safe. For this folder only; a test keeps it so. */
export function markSafe<Language extends string>(text: string): Safe<Language> {
  return text as Safe<Language>;
}

/**
 * Puts TypeScript together: the literal parts are ours, every `${}` is already code.
 * @example ts`export type ${name} = ${type};`
 */
export function ts(parts: TemplateStringsArray, ...codes: readonly Code[]): Code {
  let text = parts[0]!;
  for (let i = 0; i < codes.length; i++) text = text + codes[i]! + parts[i + 1]!;
  return text as Code;
}

/** `codes` with the same text between each two of them. */
export function joinCode(codes: readonly Code[], separator: Code): Code {
  return codes.join(separator) as Code;
}

/** Line break and indentation. */
export function newline(indent: number): Code {
  return (lineBreaks[indent] ??= `\n${" ".repeat(indent)}`) as Code;
}

const lineBreaks: string[] = [];

/**
 * The same text, no longer as the tree of pieces that V8 makes of concatenations: thousands of
 * those are most of the memory of a run, and reading a character turns each into one string.
 */
export function flattenString<Text extends string>(text: Text): Text {
  text.charCodeAt(0);
  return text;
}
