import { percentEncode } from "../request/percent-encoding.js";

/**
 * The forms in which an API may return a secret: plain, in base64 and percent-encoded. Secrets of
 * less than four characters have none, because redacting them would ruin every response.
 */
export function secretForms(secret: string): readonly string[] {
  if (secret.length < 4) return [];
  const percentEncoded = percentEncode(secret);
  return [
    ...new Set([
      secret,
      base64(secret),
      base64(secret).replace(/=+$/, ""),
      percentEncoded,
      likeEncodeURIComponent(percentEncoded),
    ]),
  ];
}

/** Percent-encoding of `encodeURIComponent`, which leaves some characters as they are. */
function likeEncodeURIComponent(percentEncoded: string): string {
  return percentEncoded.replace(/%(?:21|27|28|29|2A)/g, (triple) => decodeURIComponent(triple));
}

/** Base64 of a text in UTF-8. */
export function base64(text: string): string {
  return btoa(
    Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""),
  );
}
