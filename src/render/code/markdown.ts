import { type Markdown, trusted } from "./brand.js";
import { proseLine } from "./text.js";

/**
 * Text as inline Markdown that shows it as written: no HTML, links, images, tables, headings or
 * mathematics of its own. White space becomes single spaces.
 */
export function markdown(text: string): Markdown {
  const escaped = proseLine(text)
    .replace(/[\\`*_[\]~|$]/g, "\\$&")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/@/g, "&#64;")
    .replace(/:(?=\/\/|mailto|xmpp)/gi, "\\:")
    .replace(/\bwww\./gi, (www) => `${www.slice(0, -1)}\\.`);
  return trusted(escaped.replace(/^[-+#=]/, "\\$&").replace(/^(\d+)([.)])/, "$1\\$2"));
}

/** Inline code. Characters that would end it or a table cell are left out. */
export function codeSpan(text: string): Markdown {
  const plain = proseLine(text).replace(/[`|]/g, "");
  return trusted(plain === "" ? "" : `\`${plain}\``);
}
