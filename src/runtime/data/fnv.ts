/**
 * FNV-1a of 32 bits: an unsigned number computed from the text alone, the same on all platforms.
 * For names and comparisons, not for security.
 */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
