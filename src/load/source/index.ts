import { canParseUrl } from "../../runtime/data/urls.js";
import { realpathSync } from "node:fs";
import { basename } from "node:path";
import type { SourceLocation } from "../../diagnostics/index.js";
import { type Limits, limits } from "../limits.js";
import { failure, type LoadOptions, type Outcome, type RequestHeader, success } from "../types.js";
import { fetchUrl, looksLikeUrl, publicUrl } from "./fetch-url.js";
import { collectBytes, readFile, sizeFailure } from "./read-file.js";

/** Bytes and names of the main document. */
export interface DocumentSource {
  readonly bytes: Uint8Array;
  /** Name in messages: the path as typed, `-`, or the URL without secrets. */
  readonly label: string;
  /** Name in the headers of generated files. */
  readonly name: string;
  /** Path as typed; absent for other sources. */
  readonly path?: string;
  /** Final URL; absent for other sources. */
  readonly url?: URL;
}

/** Reads the main document: a path, `-` for standard input, or a URL. */
export async function readSource(
  source: string,
  { stdin, documentHeader }: Pick<LoadOptions, "stdin" | "documentHeader">,
  bounds: Limits = limits,
): Promise<Outcome<DocumentSource>> {
  if (source === "-") return await readStdin(stdin, bounds);
  if (looksLikeUrl(source)) return await readUrl(source, bounds, documentHeader);
  const read = await readFile(source, source, bounds);
  return read.problem
    ? read
    : success({ bytes: read.value, label: source, name: systemName(source), path: source });
}

/**
 * File name in the file system's spelling. On case-insensitive systems it may differ from the typed
 * one; the name is part of generated files.
 */
function systemName(path: string): string {
  const typed = basename(path);
  try {
    const actual = basename(realpathSync.native(path));
    return actual.toLowerCase() === typed.toLowerCase() ? actual : typed;
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

async function readUrl(
  source: string,
  bounds: Limits,
  header: RequestHeader | undefined,
): Promise<Outcome<DocumentSource>> {
  const label = canParseUrl(source) ? publicUrl(new URL(source)) : "URL";
  const location: SourceLocation = { file: label, pointer: "#" };
  if (!canParseUrl(source))
    return failure("load-url-rejected", "This is not a valid URL", location, "Check the URL.");
  const fetched = await fetchUrl(new URL(source), label, bounds, { header });
  if (fetched.problem) return fetched;
  const { bytes, url } = fetched.value;
  return success({ bytes, url, label, name: basename(url.pathname) || url.hostname });
}
