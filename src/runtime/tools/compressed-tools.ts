/**
 * Tools of a large bundle: the text of all tools is compressed in blocks, and a block is read when
 * one of its tools is listed or called. Runs on Node only.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { SerializedTool } from "./definitions.js";

/** Blocks whose text stays in memory: neighbours are listed and called together. */
const maxReadBlocks = 4;

/** Texts as compressed blocks, and for each block the number of its texts. */
export interface CompressedTexts {
  readonly blocks: readonly string[];
  readonly counts: readonly number[];
}

/** Compresses a text, as base64. */
export function compressText(text: string): string {
  return deflateRawSync(text, { level: 6 }).toString("base64");
}

/** Reads a text that `compressText` wrote. */
export function decompressText(compressed: string): string {
  return inflateRawSync(Buffer.from(compressed, "base64")).toString("utf8");
}

/** Collects texts in blocks. JSON on one line has no line feed, which separates the texts. */
export class TextCompressor {
  readonly #blocks: string[] = [];
  readonly #counts: number[] = [];
  #texts: string[] = [];
  #size = 0;

  /** @param blockCharacters characters of the texts of a block, which is read for a single tool */
  constructor(private readonly blockCharacters = 128_000) {}

  add(text: string): void {
    this.#texts.push(text);
    this.#size += text.length;
    if (this.#size >= this.blockCharacters) this.#flush();
  }

  finish(): CompressedTexts {
    if (this.#texts.length > 0) this.#flush();
    return { blocks: this.#blocks, counts: this.#counts };
  }

  #flush(): void {
    this.#blocks.push(compressText(this.#texts.join("\n")));
    this.#counts.push(this.#texts.length);
    this.#texts = [];
    this.#size = 0;
  }
}

/** Reads a text by its position. */
export type TextReader = (position: number) => string;

/** Returns the function that reads texts. */
export function textReader({ blocks, counts }: CompressedTexts): TextReader {
  const places = counts.flatMap((count, block) =>
    Array.from({ length: count }, (_, index) => ({ block, index })),
  );
  const read = new Map<number, readonly string[]>();
  return (position) => {
    const { block, index } = places[position]!;
    const texts = read.get(block) ?? decompressText(blocks[block]!).split("\n");
    // The most recently used block is the last one.
    read.delete(block);
    read.set(block, texts);
    if (read.size > maxReadBlocks) read.delete([...read.keys()][0]!);
    return texts[index]!;
  };
}

/** A serialized tool without its text. */
export type ToolHead = Omit<SerializedTool, "json">;

/**
 * Returns the function that creates tools, whose `json` is read on demand.
 * @param heads by the positions of the texts; null for a tool that is code
 */
export function compressedTools(
  heads: readonly (ToolHead | null)[],
  texts: CompressedTexts,
): (position: number) => SerializedTool {
  const read = textReader(texts);
  return (position) => Object.assign(new CompressedText(() => read(position)), heads[position]!);
}

/** The text is a getter of the class, so that copies of a tool's own fields do not read it. */
class CompressedText {
  readonly #read: () => string;

  constructor(read: () => string) {
    this.#read = read;
  }

  get json(): string {
    return this.#read();
  }
}
