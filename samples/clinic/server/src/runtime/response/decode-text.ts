import type { Body } from "../client/index.js";

/** Decoded text, and what was lost in decoding. */
export interface DecodedText {
  readonly text: string;
  readonly note?: string;
}

type Decoder = InstanceType<typeof TextDecoder>;

const utf8 = new TextDecoder();

/**
 * Decodes a body as it says itself, else as the charset says, UTF-8 by default. Never throws: what
 * is not text becomes U+FFFD, and the note says so.
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

/**
 * Of windows-1252, what stands where Latin-1 has control characters: Node 20 takes one for the
 * other.
 */
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

/**
 * The byte order mark goes before everything else that says what a text is. Encoding Standard,
 * "decode".
 */
function byteOrderMark([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** What an XML document says of itself. RFC 7303, section 3.2. */
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
