/** Only the start of a page is looked at, so that all of this stays linear in it. */
const MAX_READ = 32 * 1024;

/**
 * The words of a page or an XML document: the message of a SOAP fault or of an error document
 * (`<Error><Code>…<Message>…`), else all text without scripts, styles and tags. Other text is
 * returned as it is.
 */
export function markupMessage(text: string): string {
  const start = text.slice(0, MAX_READ);
  if (!/<[a-z!/?]/i.test(start)) return start;
  return faultMessage(start) || textOf(withoutHead(start));
}

function faultMessage(xml: string): string {
  if (!/^\s*<(?:\?xml|[\w:.-]{1,60}(?:Envelope|Error|Fault|ErrorResponse|problem)\b)/i.test(xml))
    return "";
  const message =
    elementText(xml, "faultstring") ||
    elementText(xml, "Text") ||
    elementText(xml, "message") ||
    elementText(xml, "title") ||
    elementText(xml, "detail");
  const code = elementText(xml, "faultcode") || elementText(xml, "code");
  return message && code && !message.includes(code) ? `${message} (${code})` : message;
}

/** Text of the first element of this name, in any namespace. */
function elementText(xml: string, name: string): string {
  const [, content = ""] =
    new RegExp(`<(?:[\\w.-]{1,30}:)?${name}(?:\\s[^<>]{0,300})?>([^<]{1,2000})<`, "i").exec(xml) ??
    [];
  return decodeEntities(content).trim();
}

/**
 * A page's head says at most what its body says too; a page without words in its body has its
 * title.
 */
function withoutHead(page: string): string {
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

const entities: ReadonlyMap<string, string> = new Map([
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
      if (name !== undefined) return entities.get(name.toLowerCase()) ?? whole;
      const point = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );
}
