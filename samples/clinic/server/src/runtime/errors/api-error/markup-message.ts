/** Maximum number of characters that are read, so that the time is bounded. */
const MAX_READ = 32 * 1024;

/**
 * Extracts the message of a page or an XML document. That is the message of a SOAP fault or of an
 * error document (`<Error><Code>…<Message>…`), otherwise all text without scripts, styles and tags.
 * Text without markup is returned unchanged.
 */
export function markupMessage(text: string): string {
  const start = text.slice(0, MAX_READ);
  if (!/<[a-z!/?]/i.test(start)) return start;
  return faultMessage(start) || textOf(removeHead(start));
}

function faultMessage(xml: string): string {
  if (!/^\s*<(?:\?xml|[\w:.-]{1,60}(?:Envelope|Error|Fault|ErrorResponse|problem)\b)/i.test(xml))
    return "";
  const message = firstElementText(xml, ["faultstring", "Text", "message", "title", "detail"]);
  const code = firstElementText(xml, ["faultcode", "code"]);
  return message && code && !message.includes(code) ? `${message} (${code})` : message;
}

function firstElementText(xml: string, names: readonly string[]): string {
  for (const name of names) {
    const text = elementText(xml, name);
    if (text !== "") return text;
  }
  return "";
}

/** Reads the text of the first element of a name, in any namespace. */
function elementText(xml: string, name: string): string {
  const tag = `<(?:[\\w.-]{1,30}:)?${name}(?:\\s[^<>]{0,300})?>`;
  const [, content = ""] = new RegExp(`${tag}([^<]{1,2000})<`, "i").exec(xml) ?? [];
  return decodeEntities(content).trim();
}

/** Removes the head of a page. A page without text in its body keeps it, for its title. */
function removeHead(page: string): string {
  const body = page.search(/<body\b/i);
  return body >= 0 && textOf(page.slice(body)).trim() !== "" ? page.slice(body) : page;
}

function textOf(markup: string): string {
  return decodeEntities(
    markup
      .replace(/<(script|style)\b[^]{0,8192}?<\/\1\s*>/gi, " ")
      .replace(/<[^<>]{0,2048}>/g, " "),
  );
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
]);

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES.get(name.toLowerCase()) ?? whole;
      const point = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );
}
