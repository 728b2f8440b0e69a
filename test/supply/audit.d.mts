/** Result of an audit. It is skipped if the registry has no audit endpoint. */
export interface Audit {
  readonly outcome: "passed" | "failed" | "skipped";
  /** The findings by name, or the reason why there are none. */
  readonly summary: string;
}

/**
 * Runs `npm audit` on the lock of a project.
 *
 * @param cwd the folder of package-lock.json
 * @param options additional options of npm, such as `--omit=dev`
 */
export function audit(
  cwd: string,
  options?: readonly string[],
  env?: NodeJS.ProcessEnv,
): Promise<Audit>;
