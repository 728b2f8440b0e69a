/** Types of escaped text, and the removal of invisible characters. */
import { sanitizeText } from "../../diagnostics/text.js";

declare const language: unique symbol;

/**
 * Text that is safe in a file of one language. Only functions of this folder create it, so an
 * unescaped string in a view is a type error.
 */
export type Safe<Language extends string> = string & { readonly [language]: Language };

/** TypeScript: a whole token, expression, type, declaration or comment. */
export type Code = Safe<"typescript">;
/** Markdown: inline text without HTML, links or table cells. */
export type Markdown = Safe<"markdown">;
/** Text or an attribute value of HTML and XML. */
export type Html = Safe<"html">;
/** A complete JSON value. */
export type Json = Safe<"json">;
/** Complete lines of an `.env` file. */
export type EnvText = Safe<"env">;
/** Text of one line of a Dockerfile. */
export type DockerText = Safe<"dockerfile">;
/** One word of a shell command. */
export type ShellText = Safe<"shell">;
/** A key or a value of TOML. */
export type TomlText = Safe<"toml">;
/** A scalar or a comment of YAML. */
export type YamlText = Safe<"yaml">;
/** A relative POSIX path below the output folder. */
export type FilePath = Safe<"path">;

/** Marks text as safe. Only this folder may use it; a test enforces that. */
export function markSafe<Language extends string>(text: string): Safe<Language> {
  return text as Safe<Language>;
}

/**
 * Concatenates TypeScript: literal parts are trusted, each `${}` is already code.
 * @example ts`export type ${name} = ${type};`
 */
export function ts(parts: TemplateStringsArray, ...codes: readonly Code[]): Code {
  let text = parts[0]!;
  for (let i = 0; i < codes.length; i++) text = text + codes[i]! + parts[i + 1]!;
  return text as Code;
}

/** Joins `codes` with a separator. */
export function joinCode(codes: readonly Code[], separator: Code): Code {
  return codes.join(separator) as Code;
}

/** A line break followed by indentation. */
export function newline(indent: number): Code {
  return (lineBreaks[indent] ??= `\n${" ".repeat(indent)}`) as Code;
}

const lineBreaks: string[] = [];

/**
 * Flattens a string. V8 represents concatenations as trees of strings, and thousands of those take
 * most of a run's memory. Reading a character makes a flat string of each.
 */
export function flattenString<Text extends string>(text: Text): Text {
  text.charCodeAt(0);
  return text;
}

/**
 * Invisible characters and line breaks of old parsers: controls, soft hyphens, bidirectional and
 * zero-width characters, U+2028/2029, tags. String literals escape them; other text omits them.
 */
const invisible = new RegExp(
  [
    String.raw`[\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f` +
      String.raw`\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffc\ufffe\uffff]`,
    String.raw`[\udb40-\udb43][\udc00-\udfff]`,
  ].join("|"),
  "g",
);

/** Characters other than printable ASCII, tabs and line feeds. */
const unusualCharacter = /[^\t\n -~]/;

/** Removes invisible characters except tabs and line feeds, and replaces lone surrogates. */
export function toVisibleText(text: string): string {
  if (!unusualCharacter.test(text)) return text;
  const lines = text.replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n");
  return sanitizeText(lines)
    .replace(invisible, "")
    .replace(/\p{Cs}/gu, "\ufffd");
}

/** Removes invisible characters and collapses white space to single spaces. */
export function sanitizeLine(text: string): string {
  return toVisibleText(text).replace(/\s+/g, " ").trim();
}

/**
 * Escapes invisible characters of JSON or of a string literal, where they occur only inside
 * strings.
 */
export function escapeInvisible(json: string): string {
  // The first test is much cheaper, and most texts are ASCII.
  return !unusualCharacter.test(json) || json.search(invisible) < 0
    ? json
    : json.replace(invisible, escapeUnits);
}

function escapeUnits(found: string): string {
  let escaped = "";
  for (let i = 0; i < found.length; i++)
    escaped += "\\u" + found.charCodeAt(i).toString(16).padStart(4, "0");
  return escaped;
}
