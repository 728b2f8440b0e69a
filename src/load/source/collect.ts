/**
 * Joins chunks until there are more than `most` bytes: then `undefined`, and nothing further is
 * read.
 */
export async function collect(
  chunks: AsyncIterable<Uint8Array>,
  most: number,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of chunks) {
    size += part.length;
    if (size > most) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
