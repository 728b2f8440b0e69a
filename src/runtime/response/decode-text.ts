import type { Body } from "../client/index.js";

/** Decoded text, with a note about characters that were lost. */
interface DecodedText {
  readonly text: string;
  readonly note?: string;
}

type Decoder = InstanceType<typeof TextDecoder>;

const utf8 = new TextDecoder();

/**
 * Decodes a body by its byte order mark, the charset, the XML declaration, or as UTF-8. Never
 * throws: invalid bytes become U+FFFD, and the note reports them.
 */
export function decodeText(body: Body, charset?: string): DecodedText {
  if (typeof body === "string") return withLossNote(body, utf8);
  const decoder = decoderFor(byteOrderMark(body) ?? charset ?? xmlEncoding(body));
  if (!decoder)
    return {
      text: utf8.decode(body),
      note: "The API uses an unknown character encoding; the text was decoded as UTF-8.",
    };
  const text = decoder.decode(body);
  return withLossNote(decoder.encoding === "windows-1252" ? fixControls(text) : text, decoder);
}

/** Characters of windows-1252 in the place of Latin-1's controls. Node 20 confuses the two. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function fixControls(text: string): string {
  return text.replace(/[\x80-\x9f]/g, (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80]!);
}

function withLossNote(text: string, { encoding }: Decoder): DecodedText {
  return text.includes("\ufffd")
    ? {
        text,
        note: `Some bytes of the API's response are not valid ${encoding.toUpperCase()}; they are shown as \ufffd.`,
      }
    : { text };
}

/** Detects the byte order mark, which takes precedence. Encoding Standard, "decode". */
function byteOrderMark([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** Reads the encoding of an XML declaration. RFC 7303, section 3.2. */
function xmlEncoding(body: Uint8Array): string {
  const start = String.fromCharCode(...body.subarray(0, 100));
  return /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1] ?? "utf-8";
}

function decoderFor(charset: string): Decoder | undefined {
  if (charset === "utf-8") return utf8;
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}
