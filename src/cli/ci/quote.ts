/** One word of a POSIX shell. */
export function quoteForShell(text: string): string {
  return /^[\w@%+=:,./~-]+$/.test(text) && !text.startsWith("~") ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Whether a text may stand in a workflow at all: GitHub replaces expressions before anything is quoted. */
export function isPlain(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  return !text.includes("${{") && !/[\u0000-\u001f\u007f]/.test(text);
}
