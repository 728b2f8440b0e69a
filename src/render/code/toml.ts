import { type TomlText, trusted } from "./brand.js";
import { proseLine } from "./text.js";

/**
 * A basic string of TOML 1.0: the text on one line. What JSON escapes is escaped the same way
 * there.
 */
export function tomlString(text: string): TomlText {
  return trusted(JSON.stringify(proseLine(text)));
}

/** A key: bare where it may be. */
export function tomlKey(text: string): TomlText {
  return /^[\w-]+$/.test(text) ? trusted(text) : tomlString(text);
}
