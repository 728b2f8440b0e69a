/*
 * Texts of a document reach a model that acts on them: descriptions, and also names, values and
 * examples. No check can detect all malicious texts, but three kinds deserve a review: invisible
 * characters, comments that rendered text does not show, and instructions to the model.
 */
import type { Context } from "./context.js";
import { Pointer } from "./pointer.js";
import { quote } from "./diagnostics.js";
import { sanitizeText } from "../diagnostics/text.js";
import { isExtension } from "./raw-object.js";

/**
 * Characters that `src/diagnostics/text.ts` removes, except those common in legitimate texts:
 * joiners, carriage returns, soft hyphens.
 */
const HIDDEN = anyOf(
  /[\u034f\u115f\u1160\u180b-\u180f\u200c\u200d\ufe00-\ufe0f]{3,}/,
  /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f]/,
  /[\u202a-\u202e\u2061-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]/,
  /[\udb40-\udb43][\udc00-\udfff]/,
  /\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]/,
);

const COMMENT = /<!--/;

/** Beginnings of instructions to a model in published attacks on tool descriptions. */
const INSTRUCTION = new RegExp(
  anyOf(
    /<\/?(?:important|system)>/,
    /ignore (?:all |any )?(?:the |your )?(?:previous|prior|above|earlier) /,
    /disregard (?:all|any|the|your|previous|prior) /,
    /do not (?:tell|inform|mention)[^.\n]{0,40} user/,
    /before (?:using|calling) (?:this|any)(?: other)? tool/,
    /\.ssh\/|id_rsa/,
    // In names: `ignoreAllPreviousInstructions`.
    /(?:ignore|disregard)[_-]?(?:all|any|the|your)[_-]?(?:previous|prior|above|earlier)/,
    /ignore[_-]?(?:previous|prior|above|earlier)[_-]?(?:instruction|prompt|message)/,
  ).source,
  "i",
);

/**
 * Texts that need a closer look: those with other characters than printable ASCII, and those with a
 * part of every instruction. Most texts have neither, and this test is cheap.
 */
const CANDIDATE =
  /[^\t\n -~]|<|&#|(?:gnore|regard)[ _-]?[atype]|o not [tim]|efore [uc]|\.ssh\/|id_rsa/i;

function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"));
}

/** Extensions whose texts reach tools. All others are left out. */
const READ_EXTENSIONS = /^x-(?:mcp|speakeasy-mcp|examples?|enum.*|ms-enum|tagGroups)$/;

/** Warns about texts of the document that a user should review, each place once. */
export function reportSuspiciousTexts(c: Context): void {
  new TextReview(c).visit(c.document.root);
}

/** Walks over the names and texts of a document. Names and shared parts are visited once. */
class TextReview {
  readonly #visited = new Set<object>();
  readonly #names = new Set<string>();
  /** Keys on the way to the current place. Few places need a pointer. */
  readonly #path: (string | number)[] = [];

  constructor(private readonly c: Context) {}

  visit(value: unknown): void {
    if (typeof value === "string") return this.#report(value);
    if (typeof value !== "object" || value === null || this.#visited.has(value)) return;
    this.#visited.add(value);
    if (Array.isArray(value)) return this.#visitItems(value);
    for (const key of Object.keys(value)) {
      if (isExtension(key) && !READ_EXTENSIONS.test(key)) continue;
      const member = (value as Readonly<Record<string, unknown>>)[key];
      if (!this.#names.has(key)) {
        this.#names.add(key);
        this.#visitAt(key, key);
      }
      // A reference repeats the name of its target.
      if (key !== "$ref" || typeof member !== "string") this.#visitAt(key, member);
    }
  }

  #visitItems(items: readonly unknown[]): void {
    for (let i = 0; i < items.length; i++) this.#visitAt(i, items[i]);
  }

  /** Visits a part. Most are short texts without anything suspicious, or numbers. */
  #visitAt(key: string | number, part: unknown): void {
    if (typeof part === "string" ? !CANDIDATE.test(part) : typeof part !== "object") return;
    this.#path.push(key);
    this.visit(part);
    this.#path.pop();
  }

  #report(text: string): void {
    let pointer = Pointer.root;
    for (const key of this.#path) pointer = pointer.child(String(key));
    reportSuspicious(this.c, text, pointer);
  }
}

function reportSuspicious(c: Context, text: string, pointer: Pointer): void {
  if (HIDDEN.test(text))
    c.diagnostics.add(
      "model-hidden-characters",
      pointer,
      "The text contains control or invisible characters; they are removed where the API does not need them.",
      "Check the text for hidden content.",
    );
  if (COMMENT.test(text))
    c.diagnostics.add(
      "model-hidden-comment",
      pointer,
      `The text contains an HTML comment (${quote(commentIn(text))}), ` +
        "which rendered text does not show; it is removed from descriptions.",
      "Check the text for hidden content.",
    );
  const match = INSTRUCTION.exec(plainText(text));
  if (match)
    c.diagnostics.add(
      "model-prompt-injection",
      pointer,
      `The text reads like an instruction to a model (${quote(match[0].trim())}); it is kept.`,
      "Check that the document is trustworthy, or replace the text with an overlay.",
    );
}

/** The text as a model reads it: without invisible characters, other forms of letters, and escapes. */
function plainText(text: string): string {
  const decoded = text.replace(
    /&#(?:x([0-9a-f]{1,5})|(\d{1,6}));/gi,
    (_, hex?: string, decimal = "") =>
      String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  );
  return /[^\t\n -~]/.test(decoded) ? sanitizeText(decoded).normalize("NFKC") : decoded;
}

/** The first comment of a text, without its delimiters. */
function commentIn(text: string): string {
  const start = text.indexOf("<!--") + 4;
  const end = text.indexOf("-->", start);
  return text.slice(start, end < 0 ? undefined : end).trim();
}
