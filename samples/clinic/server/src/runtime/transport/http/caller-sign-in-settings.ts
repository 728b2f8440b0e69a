import type { Env } from "../../request/types.js";

/** Consent of each caller in a browser: this server as a client of the callers' issuer. */
export interface CallerSignInSettings {
  readonly issuer: string;
  readonly publicUrl: string;
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
}

/** Reads `<PREFIX>_HTTP_SIGN_IN_CLIENT_ID`. Undefined if callers do not consent themselves. */
export function readCallerSignIn(
  prefix: string,
  env: Env,
  oauth: { readonly issuer: string; readonly publicUrl: string } | undefined,
  problems: string[],
): CallerSignInSettings | undefined {
  const variable = `${prefix}_HTTP_SIGN_IN_CLIENT_ID`;
  const clientId = env[variable]?.trim() ?? "";
  if (clientId === "") return undefined;
  if (!oauth)
    problems.push(
      `${variable} needs ${prefix}_HTTP_OAUTH_ISSUER: only users of verified tokens can sign in.`,
    );
  if (env[`${prefix}_TOKEN_EXCHANGE`]?.trim())
    problems.push(`Set ${variable} or ${prefix}_TOKEN_EXCHANGE, not both.`);
  return {
    issuer: oauth?.issuer ?? "",
    publicUrl: oauth?.publicUrl ?? "",
    clientId,
    clientSecret: env[`${prefix}_HTTP_SIGN_IN_CLIENT_SECRET`]?.trim() ?? "",
  };
}
