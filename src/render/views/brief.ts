import { prose } from "../code.js";

/**
 * The text on one line, cut at a word when it is longer; "?" when there is none, where something
 * has to stand.
 */
export function brief(text: string, longest: number): string {
  const line = prose(text).replace(/\s+/g, " ").trim();
  if (line.length <= longest) return line === "" ? "?" : line;
  const space = line.lastIndexOf(" ", longest - 1);
  return `${line
    .slice(0, space > longest / 2 ? space : longest - 1)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd()}…`;
}
