/** The shapes of a secret. */
import { percentEncode } from "../request/percent-encoding.js";

/**
 * A secret as it is, as base64 and percent-encoded: the forms in which an API may send it back.
 * Nothing for less than four characters: that protects nothing, and to strike it out everywhere
 * would ruin every answer.
 */
export function secretForms(secret: string): readonly string[] {
  if (secret.length < 4) return [];
  const encoded = percentEncode(secret);
  return [
    ...new Set([
      secret,
      base64(secret),
      base64(secret).replace(/=+$/, ""),
      encoded,
      likeEncodeURIComponent(encoded),
    ]),
  ];
}

/** `encodeURIComponent` leaves these as they are. */
function likeEncodeURIComponent(encoded: string): string {
  return encoded.replace(/%(?:21|27|28|29|2A)/g, (triple) => decodeURIComponent(triple));
}

/** Base64 of the text's UTF-8. */
export function base64(text: string): string {
  return btoa(
    Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""),
  );
}
