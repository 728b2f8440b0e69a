import { FlowIndex } from "./flow-index.js";
import { LineTable, type TextPosition } from "./position.js";

/**
 * Block mapping or sequence: its column, its first line, and the line after its last (0-based).
 */
interface Block {
  readonly column: number;
  readonly from: number;
  readonly to: number;
}

interface Entry {
  readonly line: number;
  readonly column: number;
  /** Column after the colon or the dash on the entry's first line. */
  readonly rest: number;
  readonly to: number;
}

/** Part of a text in flow style. */
interface FlowText {
  readonly offsets: FlowIndex;
  readonly positions: LineTable;
}

/**
 * Finds the position of a pointer in YAML. In block style, indentation alone determines the
 * structure (text inside scalars is indented deeper than its key), so lines are compared and
 * nothing is parsed. A 3 MB document takes milliseconds instead of the second of a parser with
 * positions. Nested flow style is handled by `FlowIndex`. Aliases and merged keys are located where
 * they are written.
 */
export class YamlIndex {
  private readonly lines: readonly string[];
  private readonly indents: Int32Array;
  private readonly blocks = new Map<string, ReadonlyMap<string, Entry>>();
  private readonly flows = new Map<string, FlowText>();

  constructor(text: string) {
    this.lines = text.split(/\r?\n/);
    this.indents = Int32Array.from(this.lines, indentOf);
  }

  /** Position of the pointer's key or element, or of its nearest existing ancestor. */
  find(tokens: readonly string[]): TextPosition {
    let start = this.firstValue(0, this.lines.length);
    let position: TextPosition = { line: (start?.line ?? 0) + 1, column: (start?.column ?? 0) + 1 };
    let to = this.lines.length;
    for (const [depth, token] of tokens.entries()) {
      if (!start) break;
      if (this.isFlow(start)) return this.inFlow(start, to, tokens.slice(depth)) ?? position;
      const entry = this.entries({ column: start.column, from: start.line, to }).get(token);
      if (!entry) break;
      position = { line: entry.line + 1, column: entry.column + 1 };
      to = entry.to;
      start = this.valueOf(entry);
    }
    return position;
  }

  private firstValue(from: number, to: number): { line: number; column: number } | undefined {
    for (let line = from; line < to; line++) {
      const column = this.indents[line] ?? -1;
      if (column >= 0) return { line, column };
    }
    return undefined;
  }

  /** Start of an entry's value: after its key, anchors and tags, or on a later line. */
  private valueOf(entry: Entry): { line: number; column: number } | undefined {
    const text = this.lines[entry.line] ?? "";
    const prefix = /^(?:\s*[&!][^\s]*(?=\s|$))*\s*/.exec(text.slice(entry.rest))?.[0].length ?? 0;
    const column = entry.rest + prefix;
    if (column < text.length && text[column] !== "#") return { line: entry.line, column };
    return this.firstValue(entry.line + 1, entry.to);
  }

  private isFlow({ line, column }: { line: number; column: number }): boolean {
    const first = this.lines[line]?.[column];
    return first === "{" || first === "[";
  }

  private inFlow(
    start: { line: number; column: number },
    to: number,
    tokens: readonly string[],
  ): TextPosition | undefined {
    const { offsets, positions } = this.flowText(start, to);
    const offset = offsets.find(tokens);
    if (offset === 0) return undefined; // nothing below the start was found
    const position = positions.position(offset);
    return {
      line: start.line + position.line,
      column: position.column + (position.line === 1 ? start.column : 0),
    };
  }

  /** Index of a part in flow style, which is made once. */
  private flowText(start: { line: number; column: number }, to: number): FlowText {
    const key = `${start.line}:${start.column}`;
    const known = this.flows.get(key);
    if (known) return known;
    const lines = this.lines.slice(start.line, to);
    lines[0] = (lines[0] ?? "").slice(start.column);
    const bytes = Buffer.from(lines.join("\n"));
    const flow = { offsets: new FlowIndex(bytes), positions: new LineTable(bytes) };
    this.flows.set(key, flow);
    return flow;
  }

  private entries(block: Block): ReadonlyMap<string, Entry> {
    const key = `${block.from}:${block.column}`;
    const cached = this.blocks.get(key);
    if (cached) return cached;
    const made = isDash(this.lines[block.from] ?? "", block.column)
      ? this.sequence(block)
      : this.mapping(block);
    this.blocks.set(key, made);
    return made;
  }

  private sequence(block: Block): ReadonlyMap<string, Entry> {
    const starts = this.starts(block, (line) => isDash(line, block.column));
    return new Map(
      starts.map((line, index) => [
        String(index),
        this.element(line, block.column, starts[index + 1] ?? block.to),
      ]),
    );
  }

  private element(line: number, dash: number, to: number): Entry {
    const rest = dash + 1;
    const text = this.lines[line] ?? "";
    const spaces = text.slice(rest).search(/\S/);
    return {
      line,
      column: spaces === -1 || text[rest + spaces] === "#" ? dash : rest + spaces,
      rest,
      to,
    };
  }

  private mapping(block: Block): ReadonlyMap<string, Entry> {
    const keys = new Map<number, Key>();
    const starts = this.starts(block, (line, number) => {
      const key = isDash(line, block.column) ? undefined : keyAt(line, block.column);
      if (key) keys.set(number, key);
      return key !== undefined;
    });
    const entries = new Map<string, Entry>();
    starts.forEach((line, index) => {
      const key = keys.get(line);
      // Of duplicate keys the last one counts.
      if (key)
        entries.set(key.text, {
          line,
          column: block.column,
          rest: key.end,
          to: starts[index + 1] ?? block.to,
        });
    });
    return entries;
  }

  /**
   * Lines of a block on which an entry begins: the first line, and others with the same
   * indentation.
   */
  private starts(block: Block, begins: (line: string, number: number) => boolean): number[] {
    const lines: number[] = [];
    for (let line = block.from; line < block.to; line++) {
      if (line !== block.from && this.indents[line] !== block.column) continue;
      if (begins(this.lines[line] ?? "", line)) lines.push(line);
      else if (line === block.from) break; // a scalar, whose further lines mean nothing
    }
    return lines;
  }
}

/** Number of leading spaces; -1 for lines without data. */
function indentOf(line: string): number {
  const indent = line.search(/[^ ]/);
  if (indent === -1 || line[indent] === "#" || line[indent] === "\r") return -1;
  if (indent === 0 && /^(?:---|\.\.\.)(?:\s|$)|^%/.test(line)) return -1;
  return /^\s*$/.test(line) ? -1 : indent;
}

function isDash(line: string, column: number): boolean {
  return (
    line[column] === "-" &&
    (line[column + 1] === undefined || line[column + 1] === " " || line[column + 1] === "\t")
  );
}

interface Key {
  readonly text: string;
  /** Column after the colon. */
  readonly end: number;
}

/** Key of a block mapping at a column; `undefined` without a key. */
function keyAt(line: string, column: number): Key | undefined {
  const text = line.slice(column, column + 2000); // no key is longer
  const quoted = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')\s*:(?=\s|$)/.exec(text);
  if (quoted)
    return {
      text: quoted[1] === undefined ? (quoted[2] ?? "").replaceAll("''", "'") : unescape(quoted[1]),
      end: column + quoted[0].length,
    };
  if (/^["'{}[\]#|>@`,]/.test(text)) return undefined;
  const colon = text.search(/:(?:\s|$)/);
  return colon === -1
    ? undefined
    : { text: text.slice(0, colon).trimEnd(), end: column + colon + 1 };
}

function unescape(text: string): string {
  if (!text.includes("\\")) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
