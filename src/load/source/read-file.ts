import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  type Stats,
} from "node:fs";
import { basename, dirname } from "node:path";
import { oneLine, type Place } from "../../diagnostics/index.js";
import { nearest } from "../../diagnostics/nearest.js";
import { type Limits, megabytes } from "../limits.js";
import { failed, ok, type Outcome } from "../outcome.js";
import { collect } from "./collect.js";
import { noteRead } from "./reads.js";

/**
 * Reads a file that the user named: a regular file, or a pipe (`<(command)`), within the limits.
 * @param file how messages call it
 */
export async function readFile(
  path: string,
  file: string,
  bounds: Limits,
): Promise<Outcome<Uint8Array>> {
  noteRead(path);
  try {
    return statSync(path).isFIFO()
      ? await readPipe(path, file, bounds)
      : readRegularFile(path, file, bounds.bytes);
  } catch (error) {
    return cannotRead(error, file, path);
  }
}

/**
 * Reads a regular file; anything else (a folder, a device, a pipe) is a problem. The size is
 * checked before a byte is read.
 * @param mayLook whether it is looked for what was meant, when there is no such file
 */
export function readRegularFile(
  path: string,
  file: string,
  most: number,
  mayLook: () => boolean = () => true,
): Outcome<Uint8Array> {
  let descriptor: number | undefined;
  noteRead(path);
  try {
    const before = statSync(path);
    if (!before.isFile()) return notAFile(before, file);
    descriptor = openSync(path, constants.O_RDONLY);
    const { size } = fstatSync(descriptor);
    return size > most ? tooLarge(file, most, size) : ok(readAll(descriptor, size));
  } catch (error) {
    return cannotRead(error, file, path, mayLook);
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
    const bytes = await collect(stream, bounds.bytes);
    return bytes ? ok(bytes) : tooLarge(file, bounds.bytes);
  } catch (error) {
    if (!late) return cannotRead(error, file, path);
    return failed(
      "load-unreadable",
      `The pipe did not end within ${Math.round(bounds.milliseconds / 1000)} s`,
      at(file),
      "Write the document to a file first.",
    );
  } finally {
    clearTimeout(timer);
    stream.destroy();
  }
}

function at(file: string): Place {
  return { file, pointer: "#" };
}

/** The problem of more bytes than the limit allows. */
export function tooLarge(file: string, most: number, size?: number): Outcome<never> {
  const has =
    size === undefined ? "has more than" : `has ${megabytes(size)}, more than the limit of`;
  return failed(
    "load-too-large",
    `The document ${has} ${megabytes(most)}`,
    at(file),
    "Split it, or leave out what the tools do not need.",
  );
}

function notAFile(stats: Stats, file: string): Outcome<never> {
  if (stats.isDirectory())
    return failed(
      "load-not-a-file",
      "This is a folder",
      at(file),
      "Pass the OpenAPI document in it, such as openapi.yaml.",
    );
  const what = stats.isFIFO() ? "a pipe" : stats.isSocket() ? "a socket" : "a device";
  return failed(
    "load-not-a-file",
    `This is ${what}, not a file`,
    at(file),
    "Pass an OpenAPI document, or - to read standard input.",
  );
}

function cannotRead(
  error: unknown,
  file: string,
  path: string,
  mayLook: () => boolean = () => true,
): Outcome<never> {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? "unknown error";
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ERR_INVALID_ARG_VALUE")
    return failed(
      "load-not-found",
      "There is no such file",
      at(file),
      mayLook() ? hintForMissing(path) : "Check the path.",
    );
  if (code === "EACCES" || code === "EPERM")
    return failed(
      "load-unreadable",
      "The file may not be read by this user",
      at(file),
      "Check its permissions.",
    );
  return failed(
    "load-unreadable",
    `The file cannot be read (${code})`,
    at(file),
    "Check the path.",
  );
}

/** What was meant is often beside it: under another ending, or in other case. */
function hintForMissing(path: string): string {
  try {
    const near = nearest(basename(path), readdirSync(dirname(path)));
    return near === undefined ? "Check the path." : `Did you mean ${oneLine(near)}?`;
  } catch {
    return "Check the path.";
  }
}
