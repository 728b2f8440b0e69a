import { escapeInvisible, toSingleLine } from "../../diagnostics/text.js";

/** Words that YAML 1.1 or 1.2 does not parse as strings. */
const OTHER = /^(true|false|null|yes|no|on|off|y|n|~)$/i;

/**
 * A string as YAML in flow style: bare where every parser reads that string, else in double quotes
 * as in JSON, with invisible characters escaped. Document text cannot end the value or start another line.
 */
export function scalar(text: string): string {
  return /^(?:\.{1,2}\/)*[A-Za-z_][\w./-]*$/.test(text) && !OTHER.test(text)
    ? text
    : escapeInvisible(JSON.stringify(text)).replace(
        /[\u2028\u2029]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16)}`,
      );
}

/** `[a, b]` */
export function flowList(texts: readonly string[]): string {
  return `[${texts.map(scalar).join(", ")}]`;
}

const WIDTH = 110;

/** Text as comment lines, wrapped at spaces. */
export function comment(text: string, indent: number): readonly string[] {
  const lines: string[] = [];
  for (const word of toSingleLine(text).split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH - indent)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => `${" ".repeat(indent)}# ${line}`);
}
