/** Escaping for JSON, `.env` files, Dockerfiles, HTML, Markdown, shells, TOML and YAML. */
import { quoteString, wrapLines } from "./typescript.js";
import {
  type DockerText,
  type EnvText,
  escapeInvisible,
  type Html,
  type Json,
  type Markdown,
  markSafe,
  type Safe,
  sanitizeLine,
  type ShellText,
  type TomlText,
  toVisibleText,
  type YamlText,
} from "./safe.js";

/** Maximum columns of a comment in an `.env` file. */
const ENV_COLUMNS = 100;

/** A JSON value on several lines with an indentation of two spaces. */
export function json(value: unknown, indent = 0): Json {
  const text = JSON.stringify(value, null, 2) ?? "null";
  const lines = indent === 0 ? text : text.replaceAll("\n", `\n${" ".repeat(indent)}`);
  return markSafe(escapeInvisible(lines));
}

/**
 * Descriptive text as a JSON string on one line, without lone surrogates, which strict parsers
 * reject.
 */
export function jsonString(text: string): Json {
  return markSafe(quoteString(sanitizeLine(text)));
}

/** A JSON value on one line. */
export function compactJson(value: unknown): Json {
  if (typeof value === "string") return markSafe(quoteString(value));
  return markSafe(escapeInvisible(JSON.stringify(value) ?? "null"));
}

/** A `#` comment of an `.env` file, wrapped at words. */
export function envComment(text: string): EnvText {
  const lines = wrapLines(sanitizeLine(text), ENV_COLUMNS - 2);
  return markSafe(`# ${lines.join("\n# ")}`.trimEnd());
}

/** An assignment of an `.env` file as a comment, which users uncomment. */
export function commentOut(assignment: EnvText): EnvText {
  return markSafe(`# ${assignment}`);
}

/**
 * `NAME=value` of an `.env` file without expansion, as read by `node --env-file`, dotenv and
 * shells. Values are quoted only if they must be, because Docker and kubectl read quotation marks
 * as a part of the value.
 * @throws when `name` is not a valid variable name
 */
export function envAssignment(name: string, value: string): EnvText {
  if (!/^[A-Za-z_]\w*$/.test(name))
    throw new Error(`${JSON.stringify(name)} cannot name an environment variable`);
  const text = sanitizeLine(value);
  return markSafe(
    `${name}=${/^[\w./:@%+,={}?-]*$/.test(text) ? text : `'${text.replaceAll("'", "")}'`}`,
  );
}

/**
 * A `#` comment of a Dockerfile with the text on one line. It cannot be a parser directive, which
 * has no space before `=`.
 */
export function dockerComment(text: string): DockerText {
  return markSafe(`# ${sanitizeLine(text)}`.trimEnd());
}

/**
 * A quoted value of `LABEL` or `ENV` without variable expansion. Dockerfile reference, "Environment
 * replacement".
 */
export function dockerString(text: string): DockerText {
  return markSafe(`"${sanitizeLine(text).replace(/[\\"$]/g, "\\$&")}"`);
}

/**
 * The reference of a container image, without quotes and as the default of a variable of Compose.
 * @throws if it has a character that none of these places may have
 */
export function imageReference<Language extends "dockerfile" | "yaml">(
  text: string,
): Safe<Language> {
  if (!/^[\w.:/@-]+$/.test(text)) throw new Error(`${JSON.stringify(text)} cannot name an image`);
  return markSafe(text);
}

/** A variable of Compose with the reference of an image as its default. */
export function imageVariable(name: string, reference: Safe<"yaml">): YamlText {
  return markSafe(`\${${name}:-${reference}}`);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/** Text of HTML or XML, between tags or in a quoted attribute. */
export function html(text: string): Html {
  return markSafe(
    toVisibleText(text).replace(/[&<>"'`]/g, (character) => entities[character] as string),
  );
}

/** A line without a character that Markdown reads, and without a URL. Most descriptions match. */
const PLAIN_LINE = /^(?![-+#=\d])(?!.*\bwww\.)[^\\`*_[\]~|$&<>@:]*$/i;

/**
 * Inline Markdown that shows the text literally: no HTML, links, images, tables, headings or math.
 * White space becomes single spaces.
 */
export function markdown(text: string): Markdown {
  const line = sanitizeLine(text);
  if (PLAIN_LINE.test(line)) return markSafe(line);
  const escaped = line
    // Underscores inside a word are literal. CommonMark 0.31, section 6.2, rule 2.
    .replace(/[A-Za-z\d]_+(?=[A-Za-z\d])|[\\`*_[\]~|$]/g, (match) =>
      match.length > 1 ? match : `\\${match}`,
    )
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/@/g, "&#64;")
    .replace(/:(?=\/\/|mailto|xmpp)/gi, "\\:")
    .replace(/\bwww\./gi, (www) => `${www.slice(0, -1)}\\.`);
  return markSafe(escaped.replace(/^[-+#=]/, "\\$&").replace(/^(\d+)([.)])/, "$1\\$2"));
}

/** A text in which words of a list, such as names of variables, are inline code. */
export function markdownWithCode(text: string, words: ReadonlySet<string>): Markdown {
  const escaped = markdown(text).replace(/(?:\w|\\_)+/g, (match) => {
    const word = match.replaceAll("\\_", "_");
    return words.has(word) ? codeSpan(word) : match;
  });
  return markSafe(escaped);
}

/** Inline code. Removes characters that would end it or a table cell. */
export function codeSpan(text: string): Markdown {
  const plain = sanitizeLine(text).replace(/[`|]/g, "");
  return markSafe(plain === "" ? "" : `\`${plain}\``);
}

/**
 * One word of a POSIX shell command with the text on one line. POSIX.1-2017, Shell Command
 * Language, section 2.2.2.
 */
export function shellWord(text: string): ShellText {
  const line = sanitizeLine(text);
  return markSafe(/^[\w./:@%+,=-]+$/.test(line) ? line : `'${line.replaceAll("'", `'\\''`)}'`);
}

/** A basic string of TOML 1.0 with the text on one line. Its escapes are those of JSON. */
function tomlString(text: string): TomlText {
  return markSafe(JSON.stringify(sanitizeLine(text)));
}

/** A TOML key, bare where possible. */
export function tomlKey(text: string): TomlText {
  return /^[\w-]+$/.test(text) ? markSafe(text) : tomlString(text);
}

/** A `#` comment of YAML with the text on one line. */
export function yamlComment(text: string): YamlText {
  return markSafe(`# ${sanitizeLine(text)}`.trimEnd());
}

/** A string of YAML with the text on one line. JSON's escapes are among those of YAML. */
export function yamlString(text: string): YamlText {
  const line = sanitizeLine(text);
  const isPlain =
    /^[a-z_][\w-]*$/i.test(line) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(line);
  return isPlain ? markSafe(line) : markSafe(JSON.stringify(line));
}

/** An integer of YAML. */
export function yamlInteger(value: number): YamlText {
  return markSafe(String(Math.trunc(value)));
}
