import { realpathSync } from "node:fs";
import { basename } from "node:path";
import type { Place } from "../../diagnostics/index.js";
import { type Limits, limits } from "../limits.js";
import { failed, ok, type Outcome } from "../outcome.js";
import { collect } from "./collect.js";
import { fetchUrl } from "./fetch-url.js";
import { readFile, tooLarge } from "./read-file.js";
import { looksLikeUrl, publicUrl } from "./url-rules.js";

/** The bytes of the main document and what it is called. */
export interface Source {
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
): Promise<Outcome<Source>> {
  if (source === "-") return await fromStdin(stdin, bounds);
  if (looksLikeUrl(source)) return await fromUrl(source, bounds);
  const read = await readFile(source, source, bounds);
  return read.problem
    ? read
    : ok({ bytes: read.value, label: source, name: nameOf(source), path: source });
}

/**
 * As the system spells it, where it takes upper and lower case for the same: the name stands in
 * what is generated.
 */
function nameOf(path: string): string {
  const typed = basename(path);
  try {
    const own = basename(realpathSync.native(path));
    return own.toLowerCase() === typed.toLowerCase() ? own : typed;
  } catch {
    return typed; // a pipe
  }
}

async function fromStdin(
  stdin: (() => Promise<Uint8Array>) | undefined,
  bounds: Limits,
): Promise<Outcome<Source>> {
  const bytes = stdin
    ? await stdin()
    : await collect(process.stdin as AsyncIterable<Uint8Array>, bounds.bytes);
  if (!bytes || bytes.length > bounds.bytes) return tooLarge("-", bounds.bytes);
  return ok({ bytes, label: "-", name: "stdin" });
}

async function fromUrl(source: string, bounds: Limits): Promise<Outcome<Source>> {
  const label = URL.canParse(source) ? publicUrl(new URL(source)) : "URL";
  const place: Place = { file: label, pointer: "#" };
  if (!URL.canParse(source))
    return failed("load-url-refused", "This is not a valid URL", place, "Check the address.");
  const fetched = await fetchUrl(new URL(source), label, bounds);
  if (fetched.problem) return fetched;
  const { bytes, url } = fetched.value;
  return ok({ bytes, url, label, name: basename(url.pathname) || url.hostname });
}
