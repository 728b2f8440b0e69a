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
import { failure, type Outcome, success } from "../outcome.js";

/**
 * Reads a file that the user named: a regular file, or a pipe (`<(command)`), within the limits.
 * @param file how messages call it
 */
export async function readFile(
  path: string,
  file: string,
  bounds: Limits,
): Promise<Outcome<Uint8Array>> {
  notifyFileRead(path);
  try {
    return statSync(path).isFIFO()
      ? await readPipe(path, file, bounds)
      : readRegularFile(path, file, bounds.bytes);
  } catch (error) {
    return readFailure(error, file, path);
  }
}

/**
 * Reads a regular file; anything else (a folder, a device, a pipe) is a problem. The size is
 * checked before a byte is read.
 * @param maySuggest whether it is looked for what was meant, when there is no such file
 */
export function readRegularFile(
  path: string,
  file: string,
  most: number,
  maySuggest: () => boolean = () => true,
): Outcome<Uint8Array> {
  let descriptor: number | undefined;
  notifyFileRead(path);
  try {
    const before = statSync(path);
    if (!before.isFile()) return notAFileFailure(before, file);
    descriptor = openSync(path, constants.O_RDONLY);
    const { size } = fstatSync(descriptor);
    return size > most ? sizeFailure(file, most, size) : success(readAll(descriptor, size));
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

/**
 * A pipe is opened without blocking: one that nobody writes to would otherwise keep the process
 * alive for ever.
 */
async function readPipe(path: string, file: string, bounds: Limits): Promise<Outcome<Uint8Array>> {
  const { Socket } = await import("node:net");
  const stream = new Socket({
    fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
    readable: true,
    writable: false,
  });
  let late = false;
  const timer = setTimeout(
    () => ((late = true), stream.destroy(new Error("late"))),
    bounds.milliseconds,
  );
  try {
    const bytes = await collectBytes(stream, bounds.bytes);
    return bytes ? success(bytes) : sizeFailure(file, bounds.bytes);
  } catch (error) {
    if (!late) return readFailure(error, file, path);
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

/** The problem of more bytes than the limit allows. */
export function sizeFailure(file: string, most: number, size?: number): Outcome<never> {
  const has =
    size === undefined ? "has more than" : `has ${megabytes(size)}, more than the limit of`;
  return failure(
    "load-too-large",
    `The document ${has} ${megabytes(most)}`,
    wholeFile(file),
    "Split it, or leave out what the tools do not need.",
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
  const what = stats.isFIFO() ? "a pipe" : stats.isSocket() ? "a socket" : "a device";
  return failure(
    "load-not-a-file",
    `This is ${what}, not a file`,
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
      "There is no such file",
      wholeFile(file),
      maySuggest() ? missingFileHint(path) : "Check the path.",
    );
  if (code === "EACCES" || code === "EPERM")
    return failure(
      "load-unreadable",
      "The file may not be read by this user",
      wholeFile(file),
      "Check its permissions.",
    );
  return failure(
    "load-unreadable",
    `The file cannot be read (${code})`,
    wholeFile(file),
    "Check the path.",
  );
}

/** What was meant is often beside it: under another ending, or in other case. */
function missingFileHint(path: string): string {
  try {
    const near = closestMatch(basename(path), readdirSync(dirname(path)));
    return near === undefined ? "Check the path." : `Did you mean ${toSingleLine(near)}?`;
  } catch {
    return "Check the path.";
  }
}

/**
 * Joins chunks until there are more than `most` bytes: then `undefined`, and nothing further is
 * read.
 */
export async function collectBytes(
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

/*
 * What a run depends on: the program watches it. A variable of the module, because files are opened in many places, by
 * readers that have nothing else to do with watching.
 */
let listener: ((path: string) => void) | undefined;

/**
 * Has every local file told that is about to be read, found or not; `undefined` ends it. One
 * listener at a time.
 */
export function onFileRead(next: ((path: string) => void) | undefined): void {
  listener = next;
}

/** Tells that a file is about to be read. */
export function notifyFileRead(path: string): void {
  listener?.(path);
}
