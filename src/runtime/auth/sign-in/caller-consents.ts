/** Consents of callers, in a store: the pending ones, and the tokens of callers who consented. */
import { randomBytes } from "node:crypto";
import { temporaryAuthFailure } from "../requirements.js";
import { withStoreLock } from "../../store/lock.js";
import { isStoreUnavailable, type Store } from "../../store/types.js";
import type { SignInRequest, SignInToken } from "../types.js";
import type { TrustedServer } from "./authorization-server.js";
import { errorCode, isUsable, refreshSession, tokenOf } from "./grants.js";
import type { Session } from "./store.js";

/** The current part of a consent: the user, at the issuer of callers, or the API's server. */
export type LegKind = "user" | "consent";

/** One redirect to an authorization server and back. */
export interface Leg {
  readonly kind: LegKind;
  readonly state: string;
  readonly verifier: string;
  readonly nonce?: string;
  readonly trusted: TrustedServer;
  /** Secret of the browser that opened the link. */
  readonly cookie: string;
}

/** A consent that one user was asked for. */
export interface PendingConsent {
  readonly id: string;
  /** Subject of the caller. */
  readonly subject: string;
  readonly tool: string;
  readonly signIn: SignInRequest;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The state that is expected next. */
  readonly state?: string;
}

/** A state that a browser brings back. */
interface ExpectedLeg {
  readonly id: string;
  readonly leg: Leg;
}

const LIFETIME_MS = 10 * 60_000;

/** Lifetime of a session that is not used. */
const SESSION_MS = 90 * 24 * 60 * 60_000;

/**
 * Consents that wait for their user. One belongs to one caller, tool and scheme, expires after ten
 * minutes, and has one state at a time, which can be used once.
 */
export class PendingConsents {
  constructor(
    private readonly store: Store,
    private readonly now: () => number = Date.now,
  ) {}

  async find(id: string): Promise<PendingConsent | undefined> {
    return readJson(this.store, consentKey(id));
  }

  async findFor(
    subject: string,
    tool: string,
    scheme?: string,
  ): Promise<PendingConsent | undefined> {
    const id = await this.store.get(indexKey(subject, tool, scheme));
    return id === undefined ? undefined : this.find(id);
  }

  async open(subject: string, tool: string, signIn: SignInRequest): Promise<PendingConsent> {
    const { schemeName } = signIn;
    const known = await this.findFor(subject, tool, schemeName);
    if (known) return known;
    const id = randomBytes(32).toString("base64url");
    const pending = { id, subject, tool, signIn, expiresAt: this.now() + LIFETIME_MS };
    await this.#save(pending);
    await this.store.set(indexKey(subject, tool, schemeName), id, LIFETIME_MS);
    await this.store.set(indexKey(subject, tool), id, LIFETIME_MS);
    return pending;
  }

  async remove(id: string): Promise<void> {
    await this.store.delete(consentKey(id));
  }

  /** Sets the state that is expected next, in place of the one before. */
  async expect(pending: PendingConsent, leg: Leg): Promise<void> {
    // A link that is opened again and again must not displace the consents of other users.
    if (pending.state !== undefined) await this.store.delete(legKey(pending.state));
    const expected: ExpectedLeg = { id: pending.id, leg };
    const ttlMs = pending.expiresAt - this.now();
    await this.store.set(legKey(leg.state), JSON.stringify(expected), ttlMs);
    await this.#save({ ...pending, state: leg.state });
  }

  /** Takes a state, which is unknown from then on. */
  async take(
    state: string,
  ): Promise<{ readonly pending: PendingConsent; readonly leg: Leg } | undefined> {
    const entry = await readJson<ExpectedLeg>(this.store, legKey(state));
    if (!entry || !(await this.store.delete(legKey(state)))) return undefined;
    const pending = await this.find(entry.id);
    return pending?.state === state ? { pending, leg: entry.leg } : undefined;
  }

  async #save(pending: PendingConsent): Promise<void> {
    const ttlMs = pending.expiresAt - this.now();
    await this.store.set(consentKey(pending.id), JSON.stringify(pending), ttlMs);
  }
}

const consentKey = (id: string): string => JSON.stringify(["consent", id]);
const legKey = (state: string): string => JSON.stringify(["consent state", state]);
const indexKey = (subject: string, tool: string, scheme?: string): string =>
  JSON.stringify(["consent of", subject, tool, ...(scheme === undefined ? [] : [scheme])]);

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

function sessionKey(
  subject: string,
  { api, schemeName, scheme, clientId, baseUrl, hosts = [] }: SignInRequest,
): string {
  return JSON.stringify([
    "session",
    subject,
    api,
    schemeName,
    scheme.signIn,
    clientId,
    baseUrl,
    ...hosts,
  ]);
}
