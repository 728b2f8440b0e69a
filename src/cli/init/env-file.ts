import { parseEnv } from "node:util";

/**
 * Sets variables in the text of a `.env` file. Lines of other variables and comments stay; an
 * example line of a variable (`# NAME=…`) is replaced.
 */
export function setVariables(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce(
    (current, [name, value]) => setVariable(current, name, quoteValue(value)),
    text,
  );
}

function setVariable(text: string, name: string, value: string): string {
  const line = new RegExp(`^(?:# )?${name}=.*$`, "m");
  const assignment = `${name}=${value}`;
  if (line.test(text)) return text.replace(line, () => assignment);
  return `${text === "" || text.endsWith("\n") ? text : `${text}\n`}${assignment}\n`;
}

/**
 * Quotes a value so that `.env` parsers read it back.
 * @throws Error for a value that no quotes can hold
 */
function quoteValue(value: string): string {
  if (/^[\w./:@%+,=-]*$/.test(value)) return value;
  const quoted = ["'", '"', "`"].map((quote) => quote + value + quote);
  const readable = quoted.find((text) => parseEnv(`A=${text}\n`).A === value);
  if (readable === undefined) throw new Error("no quotes can hold this value");
  return readable;
}
