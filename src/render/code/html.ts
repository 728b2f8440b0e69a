import { type Html, trusted } from "./brand.js";
import { prose } from "./text.js";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/** Text between tags, or in a quoted attribute, of HTML or XML. */
export function html(text: string): Html {
  return trusted(prose(text).replace(/[&<>"'`]/g, (character) => entities[character] as string));
}
