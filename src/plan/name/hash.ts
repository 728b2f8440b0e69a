/**
 * Six characters of `[0-9a-z]` that depend on nothing but the text (FNV-1a, 32 bit). For names, not
 * for security.
 */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0).toString(36).padStart(7, "0").slice(-6);
}
