import { hash } from "node:crypto";
import { fnv1a } from "./runtime/data/fnv.js";

/**
 * Part of a generated TypeScript file: an import, a declaration, or a standalone comment. The
 * manifest has the fingerprints of all parts, so that a later run can distinguish user edits from
 * changes of the generator without the old text.
 * Parts are found without a parser, because every new file is split: a part begins after a blank
 * line without indentation, and at a line that starts with a keyword below or with a comment,
 * unless the line above is a comment.
 */
interface SourcePart {
  /** Declared name, `default` or `import`; empty for comments and statements. */
  readonly name: string;
  /** 1-based. */
  readonly line: number;
  /**
   * Text without blank lines. For an import only the module, because imported names follow from
   * declarations.
   */
  readonly text: string;
}

const partStart = new RegExp(
  String.raw`\n(?=(?:import|export|const|let|var|function|async|abstract|class|interface|type|` +
    String.raw`enum|declare|namespace|await)\b|\/[/*])`,
  "g",
);
const declaration = new RegExp(
  "^(?:export )?(?:declare )?(?:default )?(?:abstract )?(?:async )?" +
    String.raw`(?:const enum|const|let|var|function\*?|class|interface|type|enum|namespace) ([\w$]+)`,
  "m",
);
/**
 * Maximum length of a block that may have several parts. Longer blocks without blank lines are data
 * tables.
 */
const LONGEST_MIXED = 4000;
const [BREAK, SPACE, BRACE, SLASH, STAR] = [10, 32, 125, 47, 42];

/** Splits a text with LF line endings. */
export function splitSource(text: string): readonly SourcePart[] {
  let line = 1;
  return slicesOf(text).flatMap((slice) => {
    const first = line + (/^\n*/.exec(slice)?.[0].length ?? 0);
    line += slice.split("\n").length - 1;
    return slice.trim() === "" ? [] : [{ ...toPart(slice), line: first }];
  });
}

/** One slice per part or run of blank lines; their concatenation is the text. */
function slicesOf(text: string): readonly string[] {
  // The comment at the top belongs to the file.
  const slices = text.match(/^(?:#!.*\n)?(?:\/\/.*\n)+/)?.slice() ?? [];
  let from = slices[0]?.length ?? 0;
  for (let at = text.indexOf("\n\n"); at >= 0; at = text.indexOf("\n\n", at + 1)) {
    const next = text.charCodeAt(at + 2);
    if (next === SPACE || next === BREAK || next === BRACE) continue;
    addPieces(text.slice(from, at + 2), slices);
    from = at + 2;
  }
  addPieces(text.slice(from), slices);
  return slices;
}

/** Splits a block without blank lines into parts. */
function addPieces(block: string, pieces: string[]): void {
  let from = 0;
  if (block.length <= LONGEST_MIXED) {
    for (const { index } of block.matchAll(partStart)) {
      if (isUnderComment(block, index) && !block.startsWith("import", index + 1)) continue;
      pieces.push(block.slice(from, index + 1));
      from = index + 1;
    }
  }
  pieces.push(block.slice(from));
}

/** True when the line that ends at `end` is part of a comment. */
function isUnderComment(block: string, end: number): boolean {
  const start = block.lastIndexOf("\n", end - 1) + 1;
  const [first, second] = [block.charCodeAt(start), block.charCodeAt(start + 1)];
  return (
    (first === SLASH && (second === SLASH || second === STAR)) ||
    (first === SPACE && second === STAR)
  );
}

function toPart(slice: string): Pick<SourcePart, "name" | "text"> {
  const bare = slice.trim();
  const text = bare.includes("\n\n") ? bare.replace(/\n\n+/g, "\n") : bare;
  if (text.startsWith("import"))
    return { name: "import", text: /["']([^"'\n]*)["'];?(?:\s*\/\/.*)?$/.exec(text)?.[1] ?? text };
  return {
    name: declaration.exec(text)?.[1] ?? (/^export default\b/m.test(text) ? "default" : ""),
    text,
  };
}

/** Hexadecimal digits of the fingerprints of name and text. */
const NAME = 4;
const TEXT = 8;

/** Fingerprints of all parts, concatenated, twelve hexadecimal digits each. */
export function fingerprintParts(text: string): string {
  let prints = "";
  for (const slice of slicesOf(text))
    if (slice.trim() !== "") prints += fingerprintPart(toPart(slice));
  return prints;
}

/** Fingerprints of the parts of a text that a comment and an empty line precede in its file. */
export function fingerprintsBelow(text: string): string {
  return fingerprintParts(`//\n\n${text}`).slice(NAME + TEXT);
}

/** Fingerprint of one part. */
export function fingerprintPart({ name, text }: Pick<SourcePart, "name" | "text">): string {
  return fingerprintName(name) + hash("sha1", text, "hex").slice(0, TEXT);
}

/**
 * Fingerprint of a part's name, with which the fingerprint of the part begins. Short, because it
 * distinguishes names of one file only.
 */
export function fingerprintName(name: string): string {
  const print = name === "" ? 0 : fnv1a(name);
  return ((print >>> 16) ^ (print & 0xffff)).toString(16).padStart(NAME, "0");
}

/** Splits the result of `fingerprintParts`. */
export function splitFingerprints(parts: string): readonly string[] {
  return parts.match(/.{12}/g) ?? [];
}
