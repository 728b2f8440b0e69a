import { type Diagnostic, diagnostic, type DiagnosticCode } from "../diagnostics/index.js";

/** Reason to stop a run. Thrown within this module and converted to a diagnostic in `index.ts`. */
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
  ENOSPC: "no space left on the disk",
  EDQUOT: "the disk quota is used up",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  EXDEV: "it is on another file system than its parent",
  ENAMETOOLONG: "a path is too long",
  EMFILE: "too many files are open",
  EBUSY: "it is in use",
  EIO: "the disk reported an error",
  ENOENT: "a file name is not allowed on this system, or a folder was removed",
  EINVAL: "a file name is not allowed on this system",
};

/** Windows has one error code for both. */
const deniedOrOpen = "permission denied, or another program has a file open";
const WINDOWS_ERRNO_TEXTS: Readonly<Record<string, string>> = {
  ...ERRNO_TEXTS,
  EPERM: deniedOrOpen,
  EACCES: deniedOrOpen,
};

/** Code of a system error (`ENOENT`), or undefined for other values. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error &&
    "code" in error &&
    "syscall" in error &&
    typeof error.code === "string"
    ? error.code
    : undefined;
}

/**
 * Converts a thrown value to a diagnostic.
 * @param outDir the folder as the user named it
 * @throws `error` itself when it is a defect: neither a refusal nor a system error
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
    "Fix this and run the command again.",
  );
}

/** Runs a cleanup and ignores system errors; the next run cleans up again. */
export function ignoreSystemErrors(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}
