/**
 * Sign-in of users, which is passed to `serve`: the commands `login`, `logout` and `status`, the
 * tokens of the user of this machine, and the consent of callers over HTTP. Only projects whose API
 * has a scheme with a sign-in have it.
 */
import { parseArgs } from "node:util";
import type { SignInRequest } from "../consent-types.js";
import type { SignInCommandContext } from "../sign-in-module.js";
import { SignInError } from "./authorization-server.js";
import { errorCode, revokeSession } from "./grants.js";
import { signIn } from "./login.js";
import { noSignInProblem, signInRequests, signInSchemes } from "../signed-in.js";
import { readSession, removeSession, sessionPath, StoreError, withLock } from "./store.js";

export { createConsentBroker } from "./consent-broker.js";
export { signedInToken } from "./grants.js";
export { requestSignIn, signInsSettled } from "./login.js";

interface Arguments {
  readonly scheme?: string;
  readonly device: boolean;
  readonly port: number;
}

/**
 * Runs a command. Problems are sentences on stderr.
 * @returns the exit code
 */
export async function runSignInCommand(
  action: string,
  argv: readonly string[],
  context: SignInCommandContext,
): Promise<number> {
  try {
    const given = readArguments(argv);
    const requests = selectRequests(context, given.scheme);
    if (action === "status") await Promise.all(requests.map(showStatus));
    else if (action === "logout") for (const request of requests) await logOut(request);
    else await logIn(requests, context, given);
    return 0;
  } catch (error) {
    process.stderr.write(`${describeProblem(error)}\n`);
    return 2;
  }
}

function readArguments(argv: readonly string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { device: { type: "boolean" }, port: { type: "string" } },
    });
    const port = Number(values.port ?? 0);
    if (positionals.length > 1) throw new SignInError("Give one scheme at most; see --help.");
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new SignInError("--port must be a number from 0 to 65535; see --help.");
    const [scheme] = positionals;
    return { ...(scheme !== undefined && { scheme }), device: values.device ?? false, port };
  } catch (error) {
    if (error instanceof SignInError || !(error instanceof Error)) throw error;
    throw new SignInError(`${error.message.split(". ")[0]}; see --help.`);
  }
}

/** The sign-ins that a command is about. */
function selectRequests(
  { api, apiContext }: SignInCommandContext,
  schemeName: string | undefined,
): readonly SignInRequest[] {
  const names = signInSchemes(api).map(([name]) => name);
  if (names.length === 0) throw new SignInError(noSignInProblem(api));
  if (schemeName !== undefined && !names.includes(schemeName))
    throw new SignInError(`The schemes with a sign-in are: ${names.join(", ")}.`);
  const selected = schemeName === undefined ? names : [schemeName];
  const requests = signInRequests(
    selected.map((name) => ({ [name]: [] })),
    apiContext,
  );
  if (requests.length > 0) return requests;
  const variables = selected.map((name) => {
    const scheme = api.securitySchemes[name];
    return scheme?.kind === "oauth2" ? scheme.clientIdEnv : undefined;
  });
  throw new SignInError(
    `Set ${variables.join(" or ")} to the client ID that the API's provider gave you, in .env or the environment.`,
  );
}

async function logIn(
  [request, ...others]: readonly SignInRequest[],
  { api, scopesOf }: SignInCommandContext,
  { device, port }: Arguments,
): Promise<void> {
  if (others.length > 0 || !request) {
    const names = [request, ...others].map((each) => each?.schemeName).join(", ");
    throw new SignInError(`Name the scheme to sign in to: ${names}.`);
  }
  const session = await signIn(request, scopesOf(request.schemeName), { device, port });
  const who = session.user === undefined ? "" : ` as ${printable(session.user)}`;
  process.stdout.write(`Signed in to ${api.title}${who}.\n`);
}

async function logOut(request: SignInRequest): Promise<void> {
  const session = await readSession(request);
  if (!session) return print(`${request.schemeName}: not signed in.`);
  await withLock(request, async () => {
    const current = (await readSession(request)) ?? session;
    const isRevoked = await revokeSession(request, current).catch(() => false);
    await removeSession(request);
    const { host } = new URL(current.server.issuer);
    print(
      isRevoked
        ? `${request.schemeName}: signed out; the tokens are revoked.`
        : `${request.schemeName}: the tokens are removed from this machine, but not revoked. ` +
            `Revoke them at ${host}.`,
    );
  });
}

async function showStatus(request: SignInRequest): Promise<void> {
  const session = await readSession(request);
  if (!session) return print(`${request.schemeName}: not signed in.`);
  const { user, scopes, expiresAt, refreshToken, server } = session;
  const end = new Date(expiresAt ?? Number.NaN);
  const until = Number.isNaN(end.getTime()) ? "unknown" : end.toISOString();
  print(
    [
      `${request.schemeName}: signed in${user === undefined ? "" : ` as ${printable(user)}`}`,
      `  issuer   ${printable(server.issuer)}`,
      `  scopes   ${printable(scopes.join(" ")) || "not stated"}`,
      `  expires  ${until}${refreshToken === undefined ? "" : ", then refreshed"}`,
      `  file     ${sessionPath(request)}`,
    ].join("\n"),
  );
}

function describeProblem(error: unknown): string {
  if (error instanceof SignInError || error instanceof StoreError) return error.message;
  const code = errorCode(error);
  if (code !== undefined) return `The authorization server refused the sign-in (${code}).`;
  const cause = (error as { readonly code?: unknown } | undefined)?.code;
  return `The sign-in failed${typeof cause === "string" ? ` (${printable(cause)})` : ""}.`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Text of a server without control characters. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e\u00a0-\u{10ffff}]/gu, " ").slice(0, 500);
}
