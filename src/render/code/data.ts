import { type EnvText, type Json, trusted } from "./brand.js";
import { quoted } from "./literal.js";
import { escapeUnseen, proseLine } from "./text.js";

/** A JSON value over several lines, two spaces a level. */
export function json(value: unknown, indent = 0): Json {
  const text = JSON.stringify(value, null, 2) ?? "null";
  const lines = indent === 0 ? text : text.replaceAll("\n", `\n${" ".repeat(indent)}`);
  return trusted(escapeUnseen(lines));
}

/** JSON text of ours with everything that a reader would not see written as escapes. */
export function visibleJson(text: string): Json {
  return trusted(escapeUnseen(text));
}

/**
 * Text for people as a JSON string: on one line, and valid Unicode, which stricter readers than
 * ours insist on.
 */
export function jsonText(text: string): Json {
  return trusted(quoted(proseLine(text)));
}

/** A JSON value on one line. */
export function compactJson(value: unknown): Json {
  if (typeof value === "string") return trusted(quoted(value));
  return trusted(escapeUnseen(JSON.stringify(value) ?? "null"));
}

/** A `#` comment of an `.env` file: the text on one line. */
export function envComment(text: string): EnvText {
  return trusted(`# ${proseLine(text)}`.trimEnd());
}

/**
 * `NAME=value` of an `.env` file, as `node --env-file`, dotenv and shells read it: nothing is
 * expanded.
 * @throws when `name` is no name of a variable
 */
export function envAssignment(name: string, value: string): EnvText {
  if (!/^[A-Za-z_]\w*$/.test(name))
    throw new Error(`${JSON.stringify(name)} cannot name an environment variable`);
  const text = proseLine(value);
  return trusted(
    `${name}=${/^[\w./:@%+,-]*$/.test(text) ? text : `'${text.replaceAll("'", "")}'`}`,
  );
}
