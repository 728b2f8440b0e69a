import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { type SourceLocation, toSingleLine } from "../../diagnostics/index.js";
import { closestMatch } from "../../diagnostics/text.js";
import { type Limits, megabytes } from "../limits.js";
import { failure, type Outcome, success } from "../types.js";

/**
 * Reads a regular file or a pipe (`<(command)`) within the limits.
 * @param file name in messages
 */
export async function readFile(
  path: string,
  file: string,
  bounds: Limits,
): Promise<Outcome<Uint8Array>> {
  beforeRead?.(path);
  try {
    if (!statSync(path).isFIFO()) return readRegularFile(path, file, bounds.bytes);
    const read = await readPipe(path, file, bounds);
    afterRead?.(path, read.value);
    return read;
  } catch (error) {
    afterRead?.(path, undefined);
    return readFailure(error, file, path);
  }
}

/**
 * Reads a regular file; a folder, a device or a pipe is a problem. Checks the size before reading.
 * @param maySuggest whether a missing file may be searched for under similar names
 */
export function readRegularFile(
  path: string,
  file: string,
  maxBytes: number,
  maySuggest: () => boolean = () => true,
): Outcome<Uint8Array> {
  beforeRead?.(path);
  const read = tryReadRegularFile(path, file, maxBytes, maySuggest);
  afterRead?.(path, read.value);
  return read;
}

function tryReadRegularFile(
  path: string,
  file: string,
  maxBytes: number,
  maySuggest: () => boolean,
): Outcome<Uint8Array> {
  let descriptor: number | undefined;
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return notAFileFailure(stats, file);
    descriptor = openSync(path, constants.O_RDONLY);
    const { size } = fstatSync(descriptor);
    return size > maxBytes ? sizeFailure(file, maxBytes, size) : success(readAll(descriptor, size));
  } catch (error) {
    return readFailure(error, file, path, maySuggest);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readAll(descriptor: number, size: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const read = readSync(descriptor, bytes, length, size - length, null);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

/** Opens a pipe without blocking, because a pipe without a writer would keep the process alive. */
async function readPipe(path: string, file: string, bounds: Limits): Promise<Outcome<Uint8Array>> {
  const { Socket } = await import("node:net");
  const stream = new Socket({
    fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
    readable: true,
    writable: false,
  });
  let isTimedOut = false;
  const timer = setTimeout(
    () => ((isTimedOut = true), stream.destroy(new Error("late"))),
    bounds.milliseconds,
  );
  try {
    const bytes = await collectBytes(stream, bounds.bytes);
    return bytes ? success(bytes) : sizeFailure(file, bounds.bytes);
  } catch (error) {
    if (!isTimedOut) return readFailure(error, file, path);
    return failure(
      "load-unreadable",
      `The pipe did not end within ${Math.round(bounds.milliseconds / 1000)} s`,
      wholeFile(file),
      "Write the document to a file first.",
    );
  } finally {
    clearTimeout(timer);
    stream.destroy();
  }
}

function wholeFile(file: string): SourceLocation {
  return { file, pointer: "#" };
}

/** Problem for content beyond the size limit. */
export function sizeFailure(file: string, maxBytes: number, size?: number): Outcome<never> {
  const has =
    size === undefined ? "has more than" : `has ${megabytes(size)}, more than the limit of`;
  return failure(
    "load-too-large",
    `The document ${has} ${megabytes(maxBytes)}`,
    wholeFile(file),
    "Split it, or remove parts that the tools do not need.",
  );
}

function notAFileFailure(stats: Stats, file: string): Outcome<never> {
  if (stats.isDirectory())
    return failure(
      "load-not-a-file",
      "This is a folder",
      wholeFile(file),
      "Pass the OpenAPI document in it, such as openapi.yaml.",
    );
  const kind = stats.isFIFO() ? "a pipe" : stats.isSocket() ? "a socket" : "a device";
  return failure(
    "load-not-a-file",
    `This is ${kind}, not a file`,
    wholeFile(file),
    "Pass an OpenAPI document, or - to read standard input.",
  );
}

function readFailure(
  error: unknown,
  file: string,
  path: string,
  maySuggest: () => boolean = () => true,
): Outcome<never> {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? "unknown error";
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ERR_INVALID_ARG_VALUE")
    return failure(
      "load-not-found",
      "The file does not exist",
      wholeFile(file),
      maySuggest() ? missingFileHint(path) : "Check the path.",
    );
  if (code === "EACCES" || code === "EPERM")
    return failure(
      "load-unreadable",
      "Permission denied",
      wholeFile(file),
      "Check the permissions of the file.",
    );
  return failure(
    "load-unreadable",
    `The file cannot be read (${code})`,
    wholeFile(file),
    "Check the path.",
  );
}

/** Suggests a file in the same folder with a similar name, or a scheme for a URL without one. */
function missingFileHint(path: string): string {
  const near = closestMatch(basename(path), namesIn(dirname(path)));
  if (near !== undefined) return `Did you mean ${toSingleLine(near)}?`;
  if (/^(?:localhost|127\.\d+\.\d+\.\d+)(?::\d+)?\//i.test(path))
    return `Did you mean http://${toSingleLine(path)}?`;
  const isHost = /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?::\d+)?\//i.test(path);
  return isHost ? `Check the path. A URL starts with https://.` : "Check the path.";
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Joins chunks; `undefined` as soon as they exceed `maxBytes`. */
export async function collectBytes(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of chunks) {
    size += part.length;
    if (size > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/*
 * Listeners for the files that a run reads, used by `--watch` and by caches. Module variables,
 * because files are opened in many places that are not concerned with either.
 */
let beforeRead: ((path: string) => void) | undefined;
let afterRead: ContentListener | undefined;

/** Receives the content of a file; undefined for one that cannot be read. */
type ContentListener = (path: string, content: Uint8Array | undefined) => void;

/**
 * Registers the listener that is called before every local file is read, also a missing one.
 * `undefined` removes it.
 */
export function onFileRead(listener: typeof beforeRead): void {
  beforeRead = listener;
}

/**
 * Registers the listener that is called after every local file and pipe is read. `undefined`
 * removes it.
 */
export function onFileContent(listener: ContentListener | undefined): void {
  afterRead = listener;
}
