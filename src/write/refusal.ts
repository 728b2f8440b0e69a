import { type Diagnostic, diagnostic, type DiagnosticCode } from "../diagnostics/index.js";

/**
 * A reason to stop inside this room. Thrown by the parts, turned into a diagnostic at the room's
 * door (`index.ts`).
 */
export class WriteRefusal extends Error {
  constructor(
    readonly code: DiagnosticCode,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

const ERRNO_TEXTS: Readonly<Record<string, string>> = {
  ENOSPC: "there is no space left on the disk",
  EDQUOT: "the disk quota is used up",
  EACCES: "permission was denied",
  EPERM: "permission was denied",
  EROFS: "the file system is read-only",
  EXDEV: "it is on another file system than its parent",
  ENAMETOOLONG: "a path is too long",
  EMFILE: "too many files are open",
  EBUSY: "it is in use",
  EIO: "the disk reported an error",
  ENOENT: "a name in it is none that this system can have, or a folder of it went away",
  EINVAL: "a name in it is none that this system can have",
};

/** Windows gives the same answer for both. */
const deniedOrOpen = "permission was denied, or another program has it, or a file in it, open";
const WINDOWS_ERRNO_TEXTS: Readonly<Record<string, string>> = {
  ...ERRNO_TEXTS,
  EPERM: deniedOrOpen,
  EACCES: deniedOrOpen,
};

/** The code of a system error (`ENOENT`), or undefined for any other value. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error &&
    "code" in error &&
    "syscall" in error &&
    typeof error.code === "string"
    ? error.code
    : undefined;
}

/**
 * Turns what was thrown into a diagnostic.
 * @param outDir the folder as the user named it
 * @throws `error` itself when it is neither a refusal nor a system error: then it is a defect of
 *   ours
 */
export function toDiagnostic(error: unknown, outDir: string): Diagnostic {
  if (error instanceof WriteRefusal)
    return diagnostic(error.code, error.message, undefined, error.hint);
  const errno = errnoOf(error);
  if (errno === undefined) throw error;
  const cause =
    (process.platform === "win32" ? WINDOWS_ERRNO_TEXTS : ERRNO_TEXTS)[errno] ??
    `the system reported ${errno}`;
  return diagnostic(
    "write-failed",
    `${outDir} could not be written: ${cause}. Nothing was changed.`,
    undefined,
    "Correct this and run the command again.",
  );
}

/**
 * Clears something away. What resists is cleared away by the next run, and is no reason to call
 * this one failed.
 */
export function ignoreSystemErrors(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}
