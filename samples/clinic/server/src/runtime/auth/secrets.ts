/** Minimum length of a part of a secret in base64. Shorter ones occur in other data. */
const MIN_ENCODED = 8;

/**
 * The words by which a secret is recognized: plain, in base64 (alone, or inside of larger data at
 * any offset, in both alphabets) and in hexadecimal, also of the secret as a URL or JSON has it.
 * Escapes are left to the search. Secrets of less than four characters have none, because redacting
 * them would ruin every response.
 */
export function secretForms(secret: string): readonly string[] {
  if (secret.length < 4) return [];
  const encoded = [...new Set(sentForms(secret))].flatMap(encodedForms);
  return [...new Set([secret, secret.replaceAll(" ", "+"), ...encoded])];
}

/** A secret as it is, and as URLs and JSON carry it. */
function sentForms(secret: string): readonly string[] {
  const wellFormed = secret.replace(/[\ud800-\udfff]/gu, "\ufffd");
  const url = encodeURIComponent(wellFormed);
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, url, url.replaceAll("%20", "+"), json, json.replaceAll("/", "\\/")];
}

function encodedForms(text: string): readonly string[] {
  const bytes = new TextEncoder().encode(text);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const encoded = [
    base64(text),
    base64(text).replace(/=+$/, ""),
    ...[0, 1, 2].map((offset) => base64Inside(bytes, offset)),
    hex,
    hex.toUpperCase(),
  ].filter((form, i) => i < 2 || form.length >= MIN_ENCODED);
  const urlSafe = encoded.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  return [...encoded, ...urlSafe];
}

/** The characters of base64 that are the same whatever stands before and after. */
function base64Inside(bytes: Uint8Array, offset: number): string {
  const shifted = new Uint8Array(offset + bytes.length);
  shifted.set(bytes, offset);
  const text = encodeBase64(shifted).replace(/=+$/, "");
  const dependsOnNext = shifted.length % 3 !== 0;
  return text.slice(Math.ceil((offset * 8) / 6), dependsOnNext ? -1 : undefined);
}

/** Base64 of a text in UTF-8. */
export function base64(text: string): string {
  return encodeBase64(new TextEncoder().encode(text));
}

function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
