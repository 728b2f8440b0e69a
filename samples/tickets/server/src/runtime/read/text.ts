import type { Body } from "../send/index.js";

/** Decoded text, and what was lost in decoding. */
export interface DecodedText {
  readonly text: string;
  readonly note?: string;
}

const utf8 = new TextDecoder();

/** Decodes a body as the charset says, UTF-8 by default. Never throws: what is not text becomes U+FFFD, and the note says so. */
export function decodeText(body: Body, charset = "utf-8"): DecodedText {
  const decoder = charset === "utf-8" ? utf8 : decoderOf(charset);
  if (!decoder) return { text: textOf(body, utf8), note: "The API uses a character encoding that is not known here; it was read as UTF-8." };
  const text = textOf(body, decoder);
  return text.includes("\ufffd") ? { text, note: `Some bytes of the API's answer are not valid ${decoder.encoding.toUpperCase()}; they are shown as \ufffd.` } : { text };
}

function textOf(body: Body, decoder: InstanceType<typeof TextDecoder>): string {
  return typeof body === "string" ? body : decoder.decode(body);
}

function decoderOf(charset: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}
