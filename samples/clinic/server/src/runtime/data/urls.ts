/**
 * True if a text is a URL, relative to a base if there is one. WHATWG URL, `URL.canParse`, which is
 * not used: in Node 20 it returns false for every text outside of ASCII once it is optimized.
 */
export function canParseUrl(text: string, base?: string | URL): boolean {
  try {
    return Boolean(new URL(text, base).href);
  } catch {
    return false;
  }
}
