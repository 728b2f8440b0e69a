/** Tokens of callers who consented, in memory. */
import type { SignInRequest, SignInToken } from "../../client/platform.js";
import { temporaryAuthFailure } from "../failures.js";
import { errorCode, isUsable, refreshSession, tokenOf } from "../sign-in/grants.js";
import type { Session } from "../sign-in/store.js";

const MAX_SESSIONS = 10_000;

/** Store of sessions by subject and everything that a sign-in is bound to. */
export function createSessions() {
  const sessions = new Map<string, Session>();
  const refreshes = new Map<string, Promise<SignInToken | undefined>>();

  function save(key: string, session: Session): void {
    sessions.delete(key);
    sessions.set(key, session);
    if (sessions.size > MAX_SESSIONS) sessions.delete([...sessions.keys()][0]!);
  }

  async function refresh(
    key: string,
    request: SignInRequest,
    session: Session,
  ): Promise<SignInToken | undefined> {
    try {
      const renewed = await refreshSession(request, session);
      save(key, renewed);
      return tokenOf(request, renewed);
    } catch (error) {
      if (errorCode(error) === undefined)
        return temporaryAuthFailure("the sign-in of this caller could not be refreshed");
      sessions.delete(key);
      return undefined;
    } finally {
      refreshes.delete(key);
    }
  }

  return {
    save: (subject: string, request: SignInRequest, session: Session): void =>
      save(sessionKey(subject, request), session),
    /**
     * Returns the token of a subject, refreshed if it is about to expire; undefined without one.
     * @param rejected a token that the API no longer accepts
     */
    async token(
      subject: string,
      request: SignInRequest,
      rejected?: string,
    ): Promise<SignInToken | undefined> {
      const key = sessionKey(subject, request);
      const session = sessions.get(key);
      if (!session || isUsable(session, rejected)) return session && tokenOf(request, session);
      if (session.refreshToken === undefined) return void sessions.delete(key);
      // Refresh tokens that can be used once are shared by concurrent calls.
      const running = refreshes.get(key) ?? refresh(key, request, session);
      refreshes.set(key, running);
      return running;
    },
  };
}

function sessionKey(
  subject: string,
  { api, schemeName, scheme, clientId, baseUrl }: SignInRequest,
): string {
  return JSON.stringify([subject, api, schemeName, scheme.signIn, clientId, baseUrl]);
}
