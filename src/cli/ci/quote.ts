/** One word of a POSIX shell. */
export function quoteForShell(text: string): string {
  return /^[\w@%+=:,./~-]+$/.test(text) && !text.startsWith("~") ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Whether a text may stand in a workflow at all: GitHub replaces expressions before anything is quoted, and YAML has no place for some characters. */
export function isPlain(text: string): boolean {
  return !text.includes("${{") && !/[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u.test(text);
}
