/** Cuts a stream of bytes into lines. */
export interface LineReader {
  push(chunk: Uint8Array): void;
  /** The stream is over: what stands after the last line feed is a line, too. */
  end(): void;
}

const lineFeed = 0x0a;

/**
 * Gives each line as text, without its end. A line longer than `maxBytes` is not kept: `onTooLong`
 * is told once, and reading goes on with the next line.
 */
export function createLineReader(
  maxBytes: number,
  onLine: (line: string) => void,
  onTooLong: () => void,
): LineReader {
  let parts: Uint8Array[] = [];
  let size = 0;

  function keep(part: Uint8Array): void {
    size += part.byteLength;
    if (size <= maxBytes) parts.push(part);
    else parts = [];
  }

  function endLine(): void {
    if (size > maxBytes) onTooLong();
    else onLine(Buffer.concat(parts).toString("utf8"));
    parts = [];
    size = 0;
  }

  return {
    push(chunk) {
      let from = 0;
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
        keep(chunk.subarray(from, end));
        endLine();
        from = end + 1;
      }
      if (from < chunk.byteLength) keep(chunk.subarray(from));
    },
    end() {
      if (size > 0) endLine();
    },
  };
}
