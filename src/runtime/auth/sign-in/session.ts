/** Tokens of signed-in users, refreshed by one process at a time. */
import { loginCommandOf } from "../../api-definition.js";
import type { SignInRequest, SignInToken } from "../../client/platform.js";
import { errorCode, isUsable, refreshSession, tokenOf } from "./grants.js";
import { readSession, removeSession, StoreError, withLock, writeSession } from "./store.js";

/**
 * Returns the token of a session, refreshed if it is about to expire.
 * @param rejected a token that the API no longer accepts
 */
export async function signedInToken(
  request: SignInRequest,
  rejected?: string,
): Promise<SignInToken | undefined> {
  try {
    const session = await readSession(request);
    if (!session || isUsable(session, rejected)) return session && tokenOf(request, session);
    if (session.refreshToken === undefined)
      return { ok: false, message: `Not sent: the sign-in has expired. ${signInAgain(request)}` };
    return await withLock(request, () => refreshOnce(request, rejected));
  } catch (error) {
    return { ok: false, message: `Not sent: ${describeFailure(error, request)}` };
  }
}

/** Refreshes a session, unless another process has just done so. */
async function refreshOnce(
  request: SignInRequest,
  rejected: string | undefined,
): Promise<SignInToken | undefined> {
  const session = await readSession(request);
  if (!session || isUsable(session, rejected)) return session && tokenOf(request, session);
  try {
    const renewed = await refreshSession(request, session);
    await writeSession(request, renewed);
    return tokenOf(request, renewed);
  } catch (error) {
    if (errorCode(error) === "invalid_grant") await removeSession(request);
    throw error;
  }
}

function signInAgain({ loginCommand = loginCommandOf({}) }: SignInRequest): string {
  return `Tell the user to run ${loginCommand}, then call again.`;
}

function describeFailure(error: unknown, request: SignInRequest): string {
  if (error instanceof StoreError) return `${error.message} Tell the user; do not retry.`;
  const code = errorCode(error);
  if (code === "invalid_grant")
    return `the sign-in has expired or was revoked. ${signInAgain(request)}`;
  if (code !== undefined)
    return `the authorization server refused to refresh the sign-in (${code}). ${signInAgain(request)}`;
  return "the sign-in could not be refreshed. Try again in a minute; if it stays so, tell the user.";
}
