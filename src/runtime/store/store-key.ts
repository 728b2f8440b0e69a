/** The secret that all processes of a server have. */

/** Variables by name. */
type Env = Readonly<Record<string, string | undefined>>;

/** Fewest characters of the secret. */
const MIN_LENGTH = 32;

/** The secret of `<PREFIX>_STORE_KEY`; undefined if it is not set. */
export function storeKeyOf(prefix: string, env: Env): string | undefined {
  return env[`${prefix}_STORE_KEY`]?.trim() || undefined;
}

/** The problem of a secret that is too short, as the end of a sentence; undefined for others. */
export function storeKeyProblem(key: string): string | undefined {
  if (key.length >= MIN_LENGTH) return undefined;
  return (
    `at least ${MIN_LENGTH} random characters, such as the output of \`openssl rand -hex 32\`, ` +
    "the same for all processes."
  );
}
