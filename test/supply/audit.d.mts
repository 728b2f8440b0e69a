/** What came of an audit: skipped is one that the registry has no endpoint for. */
export interface Audit {
  readonly outcome: "passed" | "failed" | "skipped";
  /** For people: the findings by name, or why there are none. */
  readonly says: string;
}

/**
 * @param cwd the folder of package-lock.json
 * @param options further ones of npm, such as `--omit=dev`
 */
export function audit(
  cwd: string,
  options?: readonly string[],
  env?: NodeJS.ProcessEnv,
): Promise<Audit>;
