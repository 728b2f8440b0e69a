/** Whether two texts are equal, in a time that tells nothing about where they differ. */
export function sameText(given: string, secret: string): boolean {
  const [a, b] = [new TextEncoder().encode(given), new TextEncoder().encode(secret)];
  let different = a.length ^ b.length;
  for (let i = 0; i < b.length; i++) different |= (a[i % Math.max(1, a.length)] ?? 0) ^ b[i]!;
  return different === 0;
}
