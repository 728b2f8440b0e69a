/** Decoded text, and what was lost in decoding. */
export interface DecodedText {
  readonly text: string;
  readonly note?: string;
}

const utf8 = new TextDecoder();

/** Decodes bytes as the charset says, UTF-8 by default. Never throws: what is not text becomes U+FFFD, and the note says so. */
export function decodeText(bytes: Uint8Array, charset = "utf-8"): DecodedText {
  const decoder = charset === "utf-8" ? utf8 : decoderOf(charset);
  if (!decoder) return { text: utf8.decode(bytes), note: "The API uses a character encoding that is not known here; it was read as UTF-8." };
  const text = decoder.decode(bytes);
  return text.includes("\ufffd") ? { text, note: `Some bytes of the API's answer are not valid ${decoder.encoding.toUpperCase()}; they are shown as \ufffd.` } : { text };
}

function decoderOf(charset: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}
