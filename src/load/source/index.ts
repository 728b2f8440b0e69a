import { realpathSync } from "node:fs";
import { basename } from "node:path";
import type { SourceLocation } from "../../diagnostics/index.js";
import { type Limits, limits } from "../limits.js";
import { failure, type Outcome, success } from "../outcome.js";
import { fetchUrl, looksLikeUrl, publicUrl } from "./fetch-url.js";
import { collectBytes, readFile, sizeFailure } from "./read-file.js";

/** The bytes of the main document and what it is called. */
export interface DocumentSource {
  readonly bytes: Uint8Array;
  /** For messages: the path as typed, `-`, or the URL without what may be secret. */
  readonly label: string;
  /** For headers of generated files. */
  readonly name: string;
  /** The path as typed, when it is a file. */
  readonly path?: string;
  /** The URL that answered, when it was fetched. */
  readonly url?: URL;
}

/** Reads the main document: a path, `-` for standard input, or a URL. */
export async function readSource(
  source: string,
  stdin: (() => Promise<Uint8Array>) | undefined,
  bounds: Limits = limits,
): Promise<Outcome<DocumentSource>> {
  if (source === "-") return await readStdin(stdin, bounds);
  if (looksLikeUrl(source)) return await readUrl(source, bounds);
  const read = await readFile(source, source, bounds);
  return read.problem
    ? read
    : success({ bytes: read.value, label: source, name: systemName(source), path: source });
}

/**
 * As the system spells it, where it takes upper and lower case for the same: the name stands in
 * what is generated.
 */
function systemName(path: string): string {
  const typed = basename(path);
  try {
    const own = basename(realpathSync.native(path));
    return own.toLowerCase() === typed.toLowerCase() ? own : typed;
  } catch {
    return typed; // a pipe
  }
}

async function readStdin(
  stdin: (() => Promise<Uint8Array>) | undefined,
  bounds: Limits,
): Promise<Outcome<DocumentSource>> {
  const bytes = stdin
    ? await stdin()
    : await collectBytes(process.stdin as AsyncIterable<Uint8Array>, bounds.bytes);
  if (!bytes || bytes.length > bounds.bytes) return sizeFailure("-", bounds.bytes);
  return success({ bytes, label: "-", name: "stdin" });
}

async function readUrl(source: string, bounds: Limits): Promise<Outcome<DocumentSource>> {
  const label = URL.canParse(source) ? publicUrl(new URL(source)) : "URL";
  const location: SourceLocation = { file: label, pointer: "#" };
  if (!URL.canParse(source))
    return failure("load-url-rejected", "This is not a valid URL", location, "Check the address.");
  const fetched = await fetchUrl(new URL(source), label, bounds);
  if (fetched.problem) return fetched;
  const { bytes, url } = fetched.value;
  return success({ bytes, url, label, name: basename(url.pathname) || url.hostname });
}
