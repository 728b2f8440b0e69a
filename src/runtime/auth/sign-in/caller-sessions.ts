/** Sessions of callers who consented, in a store. */
import { temporaryAuthFailure } from "../requirements.js";
import { withStoreLock } from "../../store/lock.js";
import { isStoreUnavailable, type Store } from "../../store/types.js";
import type { SignInRequest, SignInToken } from "../consent-types.js";
import { errorCode, isUsable, refreshSession, tokenOf } from "./grants.js";
import type { Session } from "./store.js";

/** Lifetime of a session that is not used. */
const SESSION_MS = 90 * 24 * 60 * 60_000;

async function readJson<Value>(store: Store, key: string): Promise<Value | undefined> {
  const text = await store.get(key);
  return text === undefined ? undefined : (JSON.parse(text) as Value);
}

/** Tokens of callers who consented, by subject and everything that a sign-in is bound to. */
export class CallerSessions {
  readonly #refreshes = new Map<string, Promise<SignInToken | undefined>>();

  constructor(private readonly store: Store) {}

  save(subject: string, request: SignInRequest, session: Session): Promise<void> {
    return this.#save(sessionKey(subject, request), session);
  }

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
    const session = await readJson<Session>(this.store, key);
    if (!session || isUsable(session, rejected)) return session && tokenOf(request, session);
    if (session.refreshToken === undefined) return void (await this.store.delete(key));
    // Refresh tokens that can be used once are shared by concurrent calls.
    const running =
      this.#refreshes.get(key) ??
      this.#refresh(key, request, rejected).finally(() => this.#refreshes.delete(key));
    this.#refreshes.set(key, running);
    return running;
  }

  #save(key: string, session: Session): Promise<void> {
    return this.store.set(key, JSON.stringify(session), SESSION_MS);
  }

  /** Refreshes a session, unless another process has done it. */
  #refresh(
    key: string,
    request: SignInRequest,
    rejected: string | undefined,
  ): Promise<SignInToken | undefined> {
    return withStoreLock(this.store, key, async () => {
      const session = await readJson<Session>(this.store, key);
      if (!session || isUsable(session, rejected)) return session && tokenOf(request, session);
      try {
        const renewed = await refreshSession(request, session);
        await this.#save(key, renewed);
        return tokenOf(request, renewed);
      } catch (error) {
        if (isStoreUnavailable(error)) throw error;
        if (errorCode(error) === undefined)
          return temporaryAuthFailure("the sign-in of this caller could not be refreshed");
        await this.store.delete(key);
        return undefined;
      }
    });
  }
}

function sessionKey(subject: string, request: SignInRequest): string {
  return JSON.stringify(["session", subject, ...bindingOf(request)]);
}

/** Everything that a sign-in is bound to. */
export function bindingOf({
  api,
  schemeName,
  scheme,
  clientId,
  baseUrl,
  hosts = [],
}: SignInRequest): readonly unknown[] {
  return [api, schemeName, scheme.signIn, clientId, baseUrl, ...hosts];
}
